/**
 * Measures the wall of the dashboard in Chromium, with the starter pack and a 12 megapixel JPEG:
 *
 *   node service/bench/wall.ts [--seconds 3] [--scenes 40] [--height 900] [--phone] [--memory]
 *     [--data DIR] [--trace FILE]
 *
 * Starts a service of its own with the built pages ("npm run prepare"). Prints the compressed script of the
 * first load, the sizes of the packs, the time from choosing the artwork to the first scene that wears it and
 * to all visible ones, how long redrawing every visible scene takes while the artwork moves, and the page's
 * answers to real keys.
 *
 * `--scenes` imports copies of the starters up to as many; `--height` is of the window, for more visible
 * scenes. `--phone` is a small window, a fourth of the processor's speed and slow 4G (1.6 Mbit/s, 150 ms).
 * `--memory` sees every scene with five artworks and places one 1,000 times, beside the renderer's private
 * memory (Linux). `--data` is the folder of a stopped service: a copy of it spares the imports.
 * `--trace` writes what runs while the artwork moves, for the browser's developer tools.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { z } from 'zod'
import { launchChromium } from '../test/servers/chromium.ts'
import { largeJpeg, openDashboard, percentiles, serveDashboard } from './dashboard-page.ts'
import type { SpawnedService } from './spawned-service.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    scenes: { type: 'string', default: '0' },
    height: { type: 'string', default: '900' },
    phone: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    data: { type: 'string' },
    trace: { type: 'string' },
  },
})
const templatesFolder = path.resolve(import.meta.dirname, '../../templates')

/** Of slow 4G, as browsers' developer tools have it. */
const slow4g = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 }
const PHONE_SLOWNESS = 4
const PLACEMENTS = 1000

/** Of `--trace`: tasks, frames and the scripts that run in them. */
const traceCategories = ['devtools.timeline', 'disabled-by-default-v8.cpu_profiler', 'v8.execute', 'toplevel']

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
  const tasks = new PerformanceObserver(list => longTasks.push(...list.getEntries().map(entry => entry.duration)))
  tasks.observe({ type: 'longtask' })
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
  tasks.disconnect()
  return { times, count: moving.length, longTasks }
})`

/** In the page: from now on, how long each key took to the next frame of the screen. */
const WATCH_KEYS = `{
  globalThis.keyTimes = []
  new PerformanceObserver(list => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') keyTimes.push(duration)
  }).observe({ type: 'event', durationThreshold: 16 })
}`

/** In the page: an artwork that is placed again and again. */
const PLACE = `(async times => {
  const tile = document.querySelector('[data-tile]')
  for (let turn = 0; turn < times; turn++) {
    const key = turn % 20 < 10 ? '+' : '-'
    tile.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    await new Promise(requestAnimationFrame)
  }
})`

const PACK_SIZES = `(async () => {
  const { templates } = await (await fetch('/dashboard/api/templates?limit=48')).json()
  const sizes = []
  for (const { packs: [pack] } of templates)
    if (pack !== undefined) sizes.push((await (await fetch(pack.path)).arrayBuffer()).byteLength)
  return sizes
})()`

const SCRIPT_BYTES = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`

const numbers = z.array(z.number())
const hanging = z.object({ first: z.number(), all: z.number(), count: z.number() })
const moving = z.object({ times: numbers, count: z.number(), longTasks: numbers })
const processes = z.object({ processInfo: z.array(z.object({ type: z.string(), id: z.number() })) })

const inKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** Imports copies of the starters under other ids, until there are as many templates. */
async function importCopies(service: SpawnedService, count: number): Promise<void> {
  const entries = await readdir(templatesFolder, { withFileTypes: true })
  const starters = entries.filter(entry => entry.isDirectory() && entry.name !== 'artworks').map(({ name }) => name)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-copies-'))
  try {
    for (let index = starters.length; index < count; index++) {
      const copy = path.join(folder, String(index))
      await cp(path.join(templatesFolder, starters[index % starters.length] ?? ''), copy, { recursive: true })
      const file = path.join(copy, 'template.json')
      const template = z.looseObject({ id: z.string() }).parse(JSON.parse(await readFile(file, 'utf8')))
      await writeFile(file, JSON.stringify({ ...template, id: `${template.id}-${index}` }))
      await service.command('template', 'import', copy)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Private memory of the page and its workers, in MiB. */
async function pageMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = processes.parse(await session.send('SystemInfo.getProcessInfo'))
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(async ({ id }) => Number(/RssAnon:\s+(\d+)/.exec(await readFile(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0))
  return Math.max(...(await Promise.all(sizes))) / 1024
}

async function measureTimes(page: Page, browser: Browser): Promise<void> {
  const measured = page.evaluate(MEASURE_HANGING)
  await page.getByLabel('Artwork for every scene').setInputFiles(await largeJpeg())
  const { first, all, count } = hanging.parse(await measured)
  console.log(`first scene after ${first.toFixed(0)} ms, all ${count} visible ones after ${all.toFixed(0)} ms`)
  if (values.trace !== undefined) await browser.startTracing(page, { path: values.trace, categories: traceCategories })
  const moved = moving.parse(await page.evaluate(`${MEASURE_MOVING}(${Number(values.seconds)})`))
  if (values.trace !== undefined) await browser.stopTracing()
  console.log(
    `${moved.count} visible scenes of one kind redrawn: ${percentiles(moved.times)}; ` +
      `${moved.longTasks.length} tasks above 50 ms in ${moved.times.length} steps`,
  )
  await page.evaluate(WATCH_KEYS)
  const tile = page.locator('[data-tile]').first()
  for (let press = 0; press < 20; press++) {
    await tile.press(press < 10 ? '+' : '-')
    await page.waitForTimeout(100)
  }
  const keys = numbers.parse(await page.evaluate('keyTimes'))
  console.log(`${keys.length} of 20 real keys above 16 ms${keys.length === 0 ? '' : `: ${percentiles(keys)}`}`)
}

async function measureMemory(page: Page, browser: Browser, url: string): Promise<void> {
  const say = async (when: string) => console.log(`memory ${when}: ${(await pageMemory(browser)).toFixed(0)} MiB`)
  await page.goto(`${url}/create`)
  await page.getByRole('heading', { level: 1, name: 'Create mockups' }).waitFor()
  await page.waitForTimeout(3000)
  await say('before an artwork')
  const { mimeType, buffer } = await largeJpeg()
  const files = ['a', 'b', 'c', 'd', 'e'].map(name => ({ name: `${name}.jpg`, mimeType, buffer }))
  await page.getByLabel('Choose artworks').setInputFiles(files)
  const tiles = page.locator('[data-tile]')
  await tiles.first().waitFor()
  const names = await page.locator('.wall-row-name').count()
  let seen = 0
  for (let row = 0; row < names; row++) {
    const inRow = page.locator('.sheet-part').nth(row).locator('[data-tile]')
    await page.locator('.sheet-part').nth(row).scrollIntoViewIfNeeded()
    await inRow.first().waitFor()
    for (let index = 0; index < (await inRow.count()); index++) {
      await inRow.nth(index).scrollIntoViewIfNeeded()
      await inRow.nth(index).locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
      seen++
    }
  }
  await say(`after ${seen} scenes were seen`)
  await page.locator('.sheet-part').first().scrollIntoViewIfNeeded()
  for (const share of [0.5, 1]) {
    await page.evaluate(`${PLACE}(${PLACEMENTS / 2})`)
    await say(`after ${PLACEMENTS * share} placements`)
  }
}

await using service = await serveDashboard(values.data)
await importCopies(service, Number(values.scenes))
const browser = await launchChromium()
try {
  const viewport = values.phone ? { width: 390, height: 844 } : { width: 1440, height: Number(values.height) }
  const page = await openDashboard(browser, service, { viewport })
  await page.goto(`${service.url}/templates`)
  await page.getByText(/^\d+ templates$/).waitFor()
  console.log(`script of the first load: ${inKb(z.number().parse(await page.evaluate(SCRIPT_BYTES)))} compressed`)
  const packs = numbers.parse(await page.evaluate(PACK_SIZES)).toSorted((a, b) => a - b)
  const sum = packs.reduce((all, each) => all + each, 0)
  console.log(
    `${packs.length} packs: median ${inKb(packs[packs.length >> 1] ?? 0)}, greatest ${inKb(packs.at(-1) ?? 0)}, all ${inKb(sum)}`,
  )
  if (values.memory) await measureMemory(page, browser, service.url)
  else {
    if (values.phone) {
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: PHONE_SLOWNESS })
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', slow4g)
    }
    await page.reload()
    await page.getByText(/^\d+ templates$/).waitFor()
    // A person looks at the page before choosing; the first scenes are made ready meanwhile.
    await page.waitForTimeout(5000)
    await measureTimes(page, browser)
  }
} finally {
  await browser.close()
}
