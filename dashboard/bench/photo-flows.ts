/**
 * Makes templates from photos in the dashboard as a new user does, in Chromium: by mouse at 1,440 and 768 px,
 * by touch at 390 px. Prints the seconds from the chosen file to the saved template, and writes pictures.
 *
 *   node dashboard/bench/photo-flows.ts [--kind mug] [--by mouse|touch] [--width 768] [--out DIR] [--seed N]
 *
 * The photos are the empty scenes of starter templates, path-traced: what the saved template makes of an
 * artwork is shown beside what the scene itself shows. Needs the built pages ("npm run prepare").
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createSharpCodec } from '@vitrine/engine/node'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { comparePictures } from '../../photo/bench/compare-pictures.ts'
import { loadScene, type Scene } from '../../photo/bench/scenes.ts'
import { TestService } from '../../service/test/http/test-service.ts'
import { launchChromium } from '../../service/test/servers/chromium.ts'
import { accountIdOf, pixelsOf, renderPng, visitInBrowser } from '../test/browser-visit.ts'
import { Person, type Way } from './person.ts'
import { type PhotoKind, photoKinds, sceneOf } from './photo-kinds.ts'
import { PhotoWork } from './photo-work.ts'

/** As the guide asks of photos. */
const PHOTO_WIDTH_PX = 2000
/** Around the product, in what is cut out to be looked at. */
const MARGIN_PX = 60
const GAP_PX = 20
/** Beside a busy machine a bundle takes long. */
const MOST_WAIT_MS = 180_000
const jpeg = { quality: 95, chromaSubsampling: '4:4:4' } as const

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    by: { type: 'string' },
    width: { type: 'string' },
    out: { type: 'string', default: 'photo-flows' },
    seed: { type: 'string', default: '1' },
  },
})
const screens = [
  { by: 'mouse', widthPx: 1440 },
  { by: 'mouse', widthPx: 768 },
  { by: 'touch', widthPx: 390 },
] as const satisfies readonly { by: Way; widthPx: number }[]
const codec = createSharpCodec()

type Run = { readonly name: string; readonly kind: PhotoKind; readonly by: Way; readonly widthPx: number }

async function makeByPerson(browser: Browser, service: TestService, scene: Scene, run: Run): Promise<string> {
  const { name, kind, by, widthPx } = run
  const email = `${name}@example.com`
  const picture = (of: string): string => path.join(values.out, `${name}-${of}.png`)
  // A page of its own for each flow, as a person has it.
  const options = { widthPx, isTouched: by === 'touch' }
  await using visit = await visitInBrowser({ browser, service, emptyPages: [] }, email, options)
  const { page } = visit
  page.setDefaultTimeout(MOST_WAIT_MS)
  await page.goto(`${service.running.url}/templates/new`)
  const person = await Person.at(page, by, Number(values.seed))
  const work = new PhotoWork(person, scene.photo.widthPx, line => console.log(`  ${line}`))
  const buffer = await jpegOf(scene)
  const file = page.getByLabel('Photo')
  await file.waitFor({ state: 'attached' })
  person.begin()
  await file.setInputFiles({ name: `${name}.jpg`, mimeType: 'image/jpeg', buffer })
  await work.opens(kind.tile)
  try {
    await kind.make(work, scene)
    await work.looks()
    await person.aside(() => page.screenshot({ path: picture('editor') }))
    await work.saves(name)
  } catch (failure) {
    await page.screenshot({ path: picture('failure') })
    throw failure
  }
  const { total, pauses, gestures, working } = person.times()
  await page.screenshot({ path: picture('saved') })
  const templateId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const compared = await compare(service, { email, templateId, scene, run }, picture('beside-the-truth'))
  const seconds = [total, pauses + gestures + working, pauses, gestures, working]
    .map(each => each.toFixed(1).padStart(6))
    .join('  ')
  return `${name.padEnd(16)} ${seconds}   ${compared}`
}

const jpegOf = ({ photo: { widthPx, heightPx, data } }: Scene): Promise<Buffer> =>
  sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .jpeg(jpeg)
    .toBuffer()

type Saved = { readonly email: string; readonly templateId: string; readonly scene: Scene; readonly run: Run }

/** What the template makes of an artwork beside what the scene shows of it: measured, and in one picture. */
async function compare(service: TestService, saved: Saved, file: string): Promise<string> {
  const { email, templateId, scene, run } = saved
  const { dye } = run.kind
  const { key } = await service.running.services.apiKeys.create({
    accountId: await accountIdOf(service, email),
    name: 'flows',
  })
  const artwork = Buffer.from(dye === null ? scene.artworks.photo : scene.artworks.logo)
  const part = scene.part?.name ?? ''
  const colors = dye === null ? {} : { colors: JSON.stringify({ [part]: dye.color }) }
  const fields = { template_id: templateId, width: String(scene.photo.widthPx), ...colors }
  const made = await pixelsOf(await renderPng(service, { key, artwork, fields }))
  const truth = await scene.render(artwork, new Map(dye === null ? [] : [[part, dye.color]]))
  const { widthPx, heightPx } = truth
  const zone = dye === null || scene.part === null ? scene.truth.mask : scene.part.coverage
  const { psnr, deltaE } = comparePictures({ widthPx, heightPx, data: made.data }, truth, zone)
  const box = boxAround(zone, widthPx, heightPx)
  const cut = (data: Uint8Array): Promise<Buffer> =>
    sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
      .extract(box)
      .png()
      .toBuffer()
  await sharp({ create: { width: 2 * box.width + GAP_PX, height: box.height, channels: 3, background: 'black' } })
    .composite([
      { input: await cut(made.data), left: 0, top: 0 },
      { input: await cut(truth.data), left: box.width + GAP_PX, top: 0 },
    ])
    .png()
    .toFile(file)
  return `${psnr.toFixed(1)} dB, dE ${deltaE.toFixed(2)}`
}

function boxAround(zone: Float32Array, widthPx: number, heightPx: number) {
  let [left, top, right, bottom] = [widthPx, heightPx, 0, 0]
  for (const [i, share] of zone.entries()) {
    if (share < 0.5) continue
    const [x, y] = [i % widthPx, Math.floor(i / widthPx)]
    left = Math.max(0, Math.min(left, x - MARGIN_PX))
    right = Math.min(widthPx, Math.max(right, x + MARGIN_PX))
    top = Math.max(0, Math.min(top, y - MARGIN_PX))
    bottom = Math.min(heightPx, Math.max(bottom, y + MARGIN_PX))
  }
  return { left, top, width: right - left, height: bottom - top }
}

await mkdir(values.out, { recursive: true })
const lines: string[] = []
const isChosen = (value: string | undefined, of: string): boolean => value === undefined || value === of
const kinds = Object.entries(photoKinds).filter(([name]) => isChosen(values.kind, name))
const chosen = screens.filter(({ by, widthPx }) => isChosen(values.by, by) && isChosen(values.width, String(widthPx)))
await using service = await TestService.start('sqlite')
const browser = await launchChromium()
try {
  for (const [name, kind] of kinds) {
    const scene = await loadScene(sceneOf(kind), PHOTO_WIDTH_PX, codec)
    for (const { by, widthPx } of chosen) {
      const run = { name: `${name}-${by}-${widthPx}`, kind, by, widthPx }
      console.log(run.name)
      try {
        lines.push(await makeByPerson(browser, service, scene, run))
      } catch (failure) {
        console.error(failure)
        lines.push(`${run.name} failed`)
        process.exitCode = 1
      }
      console.log(lines.at(-1))
    }
  }
} finally {
  await browser.close()
}
console.log(`
seconds by the clock; on an idle machine, which is the sum of pauses, gestures, and processor time beside them
${lines.join('\n')}`)
