/**
 * Measures how often the dashboard draws artwork that the pointer moves, in Chromium, on a 12 megapixel JPEG:
 *
 *   node service/bench/placement-frames.ts [--seconds 3] [--template oak-frame-portrait] [--data FOLDER]
 *
 * Starts a service of its own with the built pages ("npm run prepare"). Moves the pointer once for each frame
 * of the screen; prints pictures per second beside those frames, the time between them, and from the pointer
 * to its picture. `--data` is the folder of a stopped service: a copy of it spares the imports of a first
 * start.
 */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { launchChromium } from '../test/servers/chromium.ts'
import { largeJpeg, openDashboard, percentiles, serveDashboard } from './dashboard-page.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    template: { type: 'string', default: 'oak-frame-portrait' },
    data: { type: 'string' },
  },
})
const measured = z.object({ frames: z.array(z.number()), pictures: z.array(z.number()), delays: z.array(z.number()) })

/** In the page: a pointer that goes round once a second, each picture drawn, each frame of the screen. */
const MEASURE_IN_PAGE = `(async seconds => {
  const surface = document.querySelector('.placing')
  const box = document.querySelector('.placing-frame').getBoundingClientRect()
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const frames = [], pictures = [], delays = []
  let sentMs = null
  const put = CanvasRenderingContext2D.prototype.putImageData
  CanvasRenderingContext2D.prototype.putImageData = function (...parameters) {
    put.apply(this, parameters)
    if (!this.canvas.classList.contains('live-picture')) return
    pictures.push(performance.now())
    if (sentMs !== null) delays.push(performance.now() - sentMs)
    sentMs = null
  }
  const point = (type, target, angle) =>
    target.dispatchEvent(new PointerEvent(type, {
      bubbles: true, pointerId: 1, pointerType: 'mouse', button: 0, buttons: 1,
      clientX: centre.x + 60 * Math.cos(angle) - 60, clientY: centre.y + 40 * Math.sin(angle),
    }))
  surface.setPointerCapture = () => undefined
  point('pointerdown', document.querySelector('.placing-frame'), 0)
  const begunMs = performance.now()
  while (performance.now() - begunMs < seconds * 1000) {
    const nowMs = await new Promise(requestAnimationFrame)
    frames.push(nowMs)
    sentMs ??= performance.now()
    point('pointermove', surface, ((nowMs - begunMs) / 1000) * 2 * Math.PI)
  }
  point('pointerup', surface, 0)
  CanvasRenderingContext2D.prototype.putImageData = put
  return { frames, pictures, delays }
})`

const gaps = (moments: readonly number[]): readonly number[] =>
  moments.slice(1).map((moment, index) => moment - (moments[index] ?? moment))

await using service = await serveDashboard(values.data)
const browser = await launchChromium()
try {
  const page = await openDashboard(browser, service)
  await page.goto(`${service.url}/templates/${values.template}`)
  await page.getByLabel('Choose your artwork').setInputFiles(await largeJpeg())
  await page.getByRole('img', { name: /with your artwork$/ }).waitFor()
  for (const [name, prepare] of [
    ['filled', async () => undefined],
    ['whole', () => page.getByLabel('Fit').selectOption('contain')],
    ['a pattern', () => page.getByLabel('Repeat').selectOption('tile')],
  ] as const) {
    await prepare()
    // The first movement waits until the artwork is decoded for it.
    for (let drawn = 0; drawn === 0; ) {
      await page.locator('.try-picture[aria-busy=false]').waitFor()
      drawn = measured.parse(await page.evaluate(`${MEASURE_IN_PAGE}(1)`)).pictures.length
    }
    await page.locator('.try-picture[aria-busy=false]').waitFor()
    const { frames, pictures, delays } = measured.parse(
      await page.evaluate(`${MEASURE_IN_PAGE}(${Number(values.seconds)})`),
    )
    const perSecond = (moments: readonly number[]): string => (moments.length / Number(values.seconds)).toFixed(1)
    console.log(`${name}: ${perSecond(pictures)} pictures a second, ${perSecond(frames)} frames of the screen`)
    console.log(`  between pictures: ${percentiles(gaps(pictures))}`)
    console.log(`  between frames of the screen: ${percentiles(gaps(frames))}`)
    console.log(`  from the pointer to its picture: ${percentiles(delays)}`)
  }
} finally {
  await browser.close()
}
