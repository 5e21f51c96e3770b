/**
 * Draws the letters of watermarks from the font of the dashboard, in Chromium:
 * engine/watermark/letters.png and letters.json. To be run again where the font or the letters change.
 *
 *   node scripts/draw-watermark-letters.ts
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { launchChromium } from '../service/test/servers/chromium.ts'

/** Size of the font, and what a row of letters measures, in pixels. */
const EM_PX = 40
const HEIGHT_PX = 52
const BASELINE_PX = 39

/** Clear pixels on both sides of each letter, so that none runs into the next. */
const GAP_PX = 6

const root = path.resolve(import.meta.dirname, '..')
const fontFile = path.join(
  root,
  'node_modules/@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
)
const range = (from: number, to: number): string =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i))
const letters = `${range(0x20, 0x7e)}${range(0xa1, 0xac)}${range(0xae, 0xff)}–—‘’“”•…€™ŒœŸ`

const fontUrl = `data:font/woff2;base64,${(await readFile(fontFile)).toString('base64')}`
const browser = await launchChromium()
const page = await browser.newPage()
const drawn: unknown = await page.evaluate(`(async () => {
  const face = new FontFace('Letters', 'url(${fontUrl})', { weight: '200 900' })
  document.fonts.add(await face.load())
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  const set = () => Object.assign(context, { font: '600 ${EM_PX}px Letters', fillStyle: 'white' })
  set()
  const advances = [...${JSON.stringify(letters)}].map(letter => context.measureText(letter).width)
  canvas.width = Math.ceil(advances.reduce((sum, advance) => sum + Math.ceil(advance) + ${2 * GAP_PX}, 0))
  canvas.height = ${HEIGHT_PX}
  set()
  let left = 0
  for (const [index, letter] of [...${JSON.stringify(letters)}].entries()) {
    context.fillText(letter, left + ${GAP_PX}, ${BASELINE_PX})
    left += Math.ceil(advances[index]) + ${2 * GAP_PX}
  }
  return { advances, picture: canvas.toDataURL('image/png') }
})()`)
await browser.close()
// What the page above returns.
const { advances, picture } = drawn as { advances: number[]; picture: string }
const folder = path.join(root, 'engine/watermark')
const coverage = sharp(Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64')).extractChannel('alpha')
await writeFile(path.join(folder, 'letters.png'), await coverage.png({ compressionLevel: 9 }).toBuffer())
const rounded = advances.map(advance => Math.round(advance * 100) / 100)
await writeFile(
  path.join(folder, 'letters.json'),
  `${JSON.stringify({ letters, emPx: EM_PX, gapPx: GAP_PX, advances: rounded })}\n`,
)
