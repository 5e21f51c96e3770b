/**
 * The dashboard's cost in the browser: frames of a drag in the template editor with a photo of 12 megapixels
 * and a live preview, and the time from a dropped artwork of 12 megapixels to its picture in a template.
 *
 *   node service/bench/measure-dashboard.ts
 *
 * The main thread's processor time per move of the pointer is comparable with a frame of 16.7 ms also on a
 * machine that is busy or has no graphics card, where the intervals between frames are longer.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { z } from 'zod'
import { signInLink } from '../test/dashboard/visitor.ts'
import { TestService } from '../test/http/test-service.ts'
import { launchChromium } from '../test/servers/chromium.ts'

const MOVES = 240
const intervals = z.array(z.number())

/** A picture of 4000 x 3000 px with detail everywhere. */
async function largePhoto(format: 'jpeg' | 'png'): Promise<Buffer> {
  const [width, height] = [4000, 3000]
  const data = Buffer.alloc(width * height * 3)
  let seed = 1
  for (let i = 0; i < data.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    data[i] = (i / data.length) * 200 + (seed >>> 28)
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .toFormat(format, format === 'jpeg' ? { quality: 90 } : {})
    .toBuffer()
}

async function mainThreadSeconds(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

async function measureDrag(page: Page, url: string, photo: Buffer): Promise<void> {
  await page.goto(`${url}/templates/new`)
  await page.getByLabel('Photo').setInputFiles({ name: 'room.jpg', mimeType: 'image/jpeg', buffer: photo })
  const handle = page.getByRole('slider', { name: 'Bottom right corner of frame 1' })
  await page.locator('.stage-artwork').waitFor()
  await page.waitForTimeout(2000)
  const box = await handle.boundingBox()
  if (box === null) throw new Error('The corner is not on the page')
  const taskSeconds = await mainThreadSeconds(page)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.evaluate(`
    globalThis.frameTimes = []
    const tick = time => { frameTimes.push(time); globalThis.frameRequest = requestAnimationFrame(tick) }
    requestAnimationFrame(tick)
  `)
  const before = await taskSeconds()
  for (let i = 0; i < MOVES; i++) {
    const angle = (i / MOVES) * 2 * Math.PI
    await page.mouse.move(box.x + 60 * Math.sin(angle), box.y + 60 * (1 - Math.cos(angle)))
  }
  const after = await taskSeconds()
  const times = intervals.parse(await page.evaluate('cancelAnimationFrame(frameRequest), frameTimes'))
  await page.mouse.up()
  const deltas = times.slice(1).map((time, i) => time - (times[i] ?? 0))
  const perMoveMs = ((after - before) * 1000) / MOVES
  console.log(
    `drag: ${MOVES} moves, main thread ${perMoveMs.toFixed(1)} ms of processor time each; interval between ${times.length} frames p50 ${percentile(deltas, 0.5).toFixed(1)} ms, p95 ${percentile(deltas, 0.95).toFixed(1)} ms`,
  )
}

async function measurePreview(page: Page, url: string, format: 'jpeg' | 'png'): Promise<void> {
  const artwork = await largePhoto(format)
  // A path, as for a person's file: bytes would pass through the page itself.
  const file = path.join(folder, `artwork.${format}`)
  await writeFile(file, artwork)
  const taskSeconds = await mainThreadSeconds(page)
  for (const run of ['first', 'second', 'third']) {
    await page.goto(`${url}/templates/oak-frame-portrait`)
    const input = page.getByLabel('Choose your artwork')
    await input.waitFor({ state: 'attached' })
    // As long as a person takes to find a file; the template is prepared during it.
    await page.waitForTimeout(4000)
    // The page's own clock, from the choice to the picture.
    await page.evaluate(`
      globalThis.shown = new Promise(resolve => {
        let chosenMs = 0
        addEventListener('change', () => (chosenMs = performance.now()), { capture: true, once: true })
        new MutationObserver(() => {
          if (chosenMs > 0 && document.querySelector('canvas.picture') !== null) resolve(performance.now() - chosenMs)
        }).observe(document.body, { childList: true, subtree: true })
      })
      undefined
    `)
    const before = await taskSeconds()
    await input.setInputFiles(file)
    const ms = z.number().parse(await page.evaluate('shown'))
    const mainMs = ((await taskSeconds()) - before) * 1000
    console.log(
      `preview, ${run} ${format} artwork of 12 MP (${(artwork.length / 1e6).toFixed(0)} MB): ${ms.toFixed(0)} ms to the picture; main thread ${mainMs.toFixed(0)} ms of processor time`,
    )
  }
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-measure-'))
const service = await TestService.start('sqlite')
const browser = await launchChromium()
try {
  const bundle = new URL('../../templates/oak-frame-portrait', import.meta.url)
  await service.running.services.templates.importBundle({ path: bundle.pathname, ownerAccountId: null })
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(await signInLink(service, 'measure@example.com'))
  await page.getByRole('heading', { level: 1, name: /first mockup|Overview/ }).waitFor()
  await measureDrag(page, service.running.url, await largePhoto('jpeg'))
  await measurePreview(page, service.running.url, 'jpeg')
  await measurePreview(page, service.running.url, 'png')
} finally {
  await browser.close()
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
