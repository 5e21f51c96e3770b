/**
 * Measures the dashboard's gallery in Chromium or Firefox, with the starter pack and a 12 megapixel JPEG:
 *
 *   node service/bench/gallery.ts [--seconds 3] [--scenes 40] [--height 900] [--phone] [--memory] [--cores 4]
 *     [--firefox] [--data DIR] [--trace FILE]
 *
 * Starts a service of its own with the built pages ("npm run prepare"). Prints the compressed script of the
 * first load, the sizes of the packs, the time from choosing the artwork to the first scene that shows it and
 * to all visible ones, how long redrawing every visible scene takes while the artwork moves, and the page's
 * answers to real keys.
 *
 * `--scenes` lists the starters several times, under ids and addresses of their own: each scene is fetched,
 * prepared and drawn by itself. `--height` is of the window, for more visible scenes. `--phone` is a small
 * window, a fourth of the processor's speed and slow 4G (1.6 Mbit/s, 150 ms). `--memory` sees 200 scenes, or
 * as many as `--scenes` says, and places the artwork 1,000 times, beside the memory of the page with its
 * workers, of an empty page, and of Chromium's process that draws (Linux). `--cores` is how many the page
 * believes to have. `--firefox` is that of FIREFOX_PATH, or Debian's firefox-esr. `--data` is the folder of a
 * stopped service: a copy of it spares the imports.
 * `--trace` writes what runs while the artwork moves, for Chromium's developer tools.
 */
import { parseArgs } from 'node:util'
import { type Browser, firefox, type Page } from 'playwright-core'
import { z } from 'zod'
import { launchChromium } from '../test/servers/chromium.ts'
import { largeJpegFile, openDashboard, percentiles, serveDashboard } from './dashboard-page.ts'
import { readPageMemory } from './page-memory.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    scenes: { type: 'string', default: '0' },
    height: { type: 'string', default: '900' },
    phone: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    cores: { type: 'string' },
    firefox: { type: 'boolean', default: false },
    data: { type: 'string' },
    trace: { type: 'string' },
  },
})
const SCENES_SEEN = 200
const scenes = Number(values.scenes) || (values.memory ? SCENES_SEEN : 0)

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
  const isWatched = PerformanceObserver.supportedEntryTypes.includes('longtask')
  if (isWatched) tasks.observe({ type: 'longtask' })
  let drawn = new Set()
  const show = CanvasRenderingContext2D.prototype.drawImage
  CanvasRenderingContext2D.prototype.drawImage = function (...picture) {
    show.apply(this, picture)
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
  CanvasRenderingContext2D.prototype.drawImage = show
  tasks.disconnect()
  return { times, count: moving.length, longTasks: isWatched ? longTasks : null }
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
    if (pack !== undefined) sizes.push((await (await fetch(pack.path, { cache: 'no-store' })).arrayBuffer()).byteLength)
  return sizes
})()`

/** In the page, before its scripts: lists as many templates, those that are there again and again. */
const MULTIPLY_LIST = `(count => {
  const served = fetch
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, location.href)
    if (pathname !== '/dashboard/api/templates') return served(input, init)
    const [page, limit] = ['page', 'limit'].map(name => Number(searchParams.get(name) ?? 1))
    searchParams.set('page', '1')
    const list = await (await served(pathname + '?' + searchParams, init)).json()
    const all = Array.from({ length: count }, (_, index) => {
      const template = list.templates[index % list.templates.length]
      const turn = Math.floor(index / list.templates.length)
      const own = path => path + '?copy=' + turn
      return turn === 0 ? template : {
        ...template,
        id: template.id + '-' + turn,
        thumbnail_url: own(template.thumbnail_url),
        packs: template.packs.map(pack => ({ ...pack, path: own(pack.path) })),
      }
    })
    const pagination = { ...list.pagination, page, total: count, total_pages: Math.ceil(count / limit) }
    return Response.json({ ...list, templates: all.slice((page - 1) * limit, page * limit), pagination })
  }
})`

const SCRIPT_BYTES = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`

const numbers = z.array(z.number())
const hanging = z.object({ first: z.number(), all: z.number(), count: z.number() })
const moving = z.object({ times: numbers, count: z.number(), longTasks: numbers.nullable() })

const inKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

async function launchFirefox(): Promise<Browser> {
  const executablePath = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr'
  return firefox.launch({ channel: 'moz-firefox', executablePath, timeout: 120_000 })
}

async function measureTimes(page: Page, browser: Browser): Promise<void> {
  const measured = page.evaluate(MEASURE_HANGING)
  await page.getByLabel('Artwork for every scene').setInputFiles(artwork.path)
  const { first, all, count } = hanging.parse(await measured)
  console.log(`first scene after ${first.toFixed(0)} ms, all ${count} visible ones after ${all.toFixed(0)} ms`)
  if (values.trace !== undefined) await browser.startTracing(page, { path: values.trace, categories: traceCategories })
  const moved = moving.parse(await page.evaluate(`${MEASURE_MOVING}(${Number(values.seconds)})`))
  if (values.trace !== undefined) await browser.stopTracing()
  console.log(
    `${moved.count} visible scenes of one kind redrawn: ${percentiles(moved.times)}; ` +
      `${moved.longTasks?.length ?? 'unknown'} tasks above 50 ms in ${moved.times.length} steps`,
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

async function memoryInWords(): Promise<string> {
  const { page, drawing } = await readPageMemory()
  const beside = drawing === null ? '' : `; the process that draws: ${drawing.privateMib.toFixed(0)} MiB`
  const sum = page.privateMib + page.sharedMib
  return `${sum.toFixed(0)} MiB, ${page.sharedMib.toFixed(0)} of them shared${beside}`
}

/** Of a page with nothing in it: the browser's own share. */
async function measureEmptyPage(): Promise<void> {
  const page = await browser.newPage()
  await page.waitForTimeout(3000)
  console.log(`memory of an empty page: ${await memoryInWords()}`)
  await page.close()
}

async function measureMemory(page: Page): Promise<void> {
  const say = async (when: string, restMs = 3000) => {
    // Browsers free what is garbage when nothing else is to be done.
    await page.waitForTimeout(restMs)
    console.log(`memory ${when}: ${await memoryInWords()}`)
  }
  await say('before an artwork')
  const cards = page.locator('.gallery li')
  for (let seen = 0; seen < scenes; seen++) await cards.nth(seen).scrollIntoViewIfNeeded()
  await say(`after ${scenes} scenes were seen without one`)
  await page.evaluate('scrollTo(0, 0)')
  await page.getByLabel('Artwork for every scene').setInputFiles(artwork.path)
  const tiles = page.locator('[data-tile]')
  for (let seen = 0; seen < scenes; seen++) {
    await tiles.nth(seen).scrollIntoViewIfNeeded()
    await tiles.nth(seen).locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
    if (seen + 1 === scenes / 4 || seen + 1 === scenes) await say(`after ${seen + 1} scenes were seen`)
  }
  await say('after a minute at rest', 60_000)
  await tiles.first().scrollIntoViewIfNeeded()
  for (let placed = 0; placed < PLACEMENTS; placed += PLACEMENTS / 4) {
    await page.evaluate(`${PLACE}(${PLACEMENTS / 4})`)
    await say(`after ${placed + PLACEMENTS / 4} placements`)
  }
  await say('after a minute at rest', 60_000)
}

await using artwork = await largeJpegFile()
await using service = await serveDashboard(values.data)
const browser = await (values.firefox
  ? launchFirefox()
  : launchChromium({ ignoreDefaultArgs: ['--disable-dev-shm-usage'] }))
try {
  if (values.memory) await measureEmptyPage()
  const viewport = values.phone ? { width: 390, height: 844 } : { width: 1440, height: Number(values.height) }
  const page = await openDashboard(browser, service, { viewport })
  if (values.cores !== undefined)
    await page.addInitScript(
      `Object.defineProperty(navigator, 'hardwareConcurrency', { value: ${Number(values.cores)} })`,
    )
  if (scenes > 0) await page.addInitScript(`${MULTIPLY_LIST}(${scenes})`)
  // In an order that stays while further pages of the list arrive.
  await page.goto(`${service.url}/templates${values.memory ? '?order=name' : ''}`)
  await page.getByText(/^\d+ templates$/).waitFor()
  console.log(`script of the first load: ${inKb(z.number().parse(await page.evaluate(SCRIPT_BYTES)))} compressed`)
  const packs = numbers.parse(await page.evaluate(PACK_SIZES)).toSorted((a, b) => a - b)
  const sum = packs.reduce((all, each) => all + each, 0)
  console.log(
    `${packs.length} packs: median ${inKb(packs[packs.length >> 1] ?? 0)}, greatest ${inKb(packs.at(-1) ?? 0)}, all ${inKb(sum)}`,
  )
  if (values.memory) await measureMemory(page)
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
