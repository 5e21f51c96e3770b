/**
 * Measures the wall of the dashboard in Chromium, with the starter pack and a 12 megapixel JPEG:
 *
 *   node service/bench/wall.ts [--seconds 3] [--slow 1]
 *
 * Starts a service of its own with the built pages ("npm run prepare"). Prints the time from choosing the
 * artwork to the first scene that wears it and to all visible ones, how long redrawing every visible scene
 * takes while the artwork moves, tasks of the page above 50 ms, and the page's memory after it. `--slow`
 * divides the processor's speed, as for a phone.
 */
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { z } from 'zod'
import { launchChromium } from '../test/servers/chromium.ts'
import { spawnService } from './spawned-service.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, slow: { type: 'string', default: '1' } },
})
const size = { width: 4000, height: 3000 }

/** In the page: when the chosen artwork is in the first scene, and in every visible one. */
const MEASURE_HANGING = `new Promise(resolve => {
  let chosenMs = 0, firstMs = 0
  addEventListener('change', () => (chosenMs = performance.now()), { capture: true, once: true })
  const look = () => {
    const tiles = [...document.querySelectorAll('.tile')].filter(tile => {
      const { top, bottom } = tile.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    })
    const shown = tiles.filter(tile => tile.querySelector('.tile-canvas:not([hidden])') !== null)
    if (shown.length > 0) firstMs ||= performance.now()
    if (chosenMs > 0 && tiles.length > 0 && shown.length === tiles.length)
      resolve({ first: firstMs - chosenMs, all: performance.now() - chosenMs, count: tiles.length })
    else requestAnimationFrame(look)
  }
  look()
})`

/** In the page: artwork that is scaled on once all visible scenes show the size before. */
const MEASURE_MOVING = `(async seconds => {
  const longTasks = []
  new PerformanceObserver(list => longTasks.push(...list.getEntries().map(entry => entry.duration)))
    .observe({ type: 'longtask' })
  let drawn = new Set()
  const show = ImageBitmapRenderingContext.prototype.transferFromImageBitmap
  ImageBitmapRenderingContext.prototype.transferFromImageBitmap = function (bitmap) {
    show.call(this, bitmap)
    drawn.add(this.canvas)
  }
  const visible = [...document.querySelectorAll('.tile-canvas:not([hidden])')].filter(canvas => {
    const { top, bottom } = canvas.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  })
  const times = []
  const tile = document.querySelector('[data-tile]')
  const press = key => tile.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  press('+')
  await new Promise(done => setTimeout(done, 1000))
  // Those of the first scene's kind are the ones that move.
  const moving = visible.filter(canvas => drawn.has(canvas))
  const begunMs = performance.now()
  for (let turn = 0; performance.now() - begunMs < seconds * 1000; turn++) {
    drawn = new Set()
    const startedMs = performance.now()
    press(turn % 20 < 10 ? '+' : '-')
    while (!moving.every(canvas => drawn.has(canvas))) await new Promise(requestAnimationFrame)
    times.push(performance.now() - startedMs)
  }
  ImageBitmapRenderingContext.prototype.transferFromImageBitmap = show
  return { times, count: moving.length, longTasks, heapBytes: performance.memory?.usedJSHeapSize ?? 0 }
})`

const hanging = z.object({ first: z.number(), all: z.number(), count: z.number() })
const moving = z.object({
  times: z.array(z.number()),
  count: z.number(),
  longTasks: z.array(z.number()),
  heapBytes: z.number(),
})

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0)
  return `median ${at(0.5)} ms, 95 % within ${at(0.95)} ms`
}

await using service = await spawnService()
const browser = await launchChromium()
try {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const { url } = await service.command('account', 'sign-in-link', '--email', 'owner@vitrine.local')
  await page.goto(String(url))
  await page.getByRole('heading', { level: 1, name: /first mockup|Overview/ }).waitFor()
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 12 }
  const buffer = await sharp({ create: { ...size, channels: 3, background: '#808080', noise } })
    .jpeg({ quality: 85 })
    .toBuffer()
  await page.goto(`${service.url}/templates`)
  await page.getByText(/^\d+ templates$/).waitFor()
  // A person looks at the page before choosing; the first scenes are made ready meanwhile.
  await page.waitForTimeout(5000)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slow) })
  const measured = page.evaluate(MEASURE_HANGING)
  const file = { name: 'large.jpg', mimeType: 'image/jpeg', buffer }
  await page.getByLabel('Artwork for every scene').setInputFiles(file)
  const { first, all, count } = hanging.parse(await measured)
  console.log(`first scene after ${first.toFixed(0)} ms, all ${count} visible ones after ${all.toFixed(0)} ms`)
  const moved = moving.parse(await page.evaluate(`${MEASURE_MOVING}(${Number(values.seconds)})`))
  const heap = (moved.heapBytes / 1024 / 1024).toFixed(0)
  console.log(
    `${moved.count} visible scenes of one kind redrawn: ${percentiles(moved.times)}; ` +
      `${moved.longTasks.length} tasks above 50 ms in ${moved.times.length} steps; heap of the page ${heap} MiB`,
  )
} finally {
  await browser.close()
}
