/**
 * Sizes of the preview packs of the templates that ship, and how near a tile of each is to what the service
 * renders at that width.
 *
 *   node engine/bench/preview-packs.ts [WIDTH] [ARTWORK]
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { styleText } from 'node:util'
import {
  composeMockup,
  decodeArtworks,
  type OpaquePixmap,
  openPack,
  packWidthsPx,
  parseTemplate,
  prepareTemplate,
  reduceTemplate,
} from '@vitrine/engine'
import { createSharpCodec, encodePack, openBundleFolder } from '@vitrine/engine/node'
import { comparePictures } from '../test/compare-pictures.ts'
import { listTemplates } from './list-templates.ts'

const root = path.resolve(import.meta.dirname, '../..')
const [width = '480', artwork = path.join(root, 'service/assets/sample-artwork.jpg')] = process.argv.slice(2)
const widthPx = packWidthsPx.find(each => `${each}` === width)
if (widthPx === undefined)
  throw new Error(`Expected one of ${packWidthsPx.join(', ')} for a width but received ${width}.`)
const codec = createSharpCodec()
const bytes = await readFile(artwork)

async function render(files: Pick<Awaited<ReturnType<typeof openBundleFolder>>, 'read'>): Promise<OpaquePixmap> {
  const json: unknown = JSON.parse(Buffer.from(await files.read('template.json')).toString())
  const prepared = await prepareTemplate(parseTemplate(json), files, widthPx ?? 480, codec)
  return composeMockup(prepared, await decodeArtworks(prepared.frames, { bytes }, codec))
}

const sizes: number[] = []
for (const folder of await listTemplates()) {
  const whole = await openBundleFolder(folder)
  const startedMs = performance.now()
  const pack = await encodePack(await reduceTemplate(whole, widthPx, codec, 'coarse'), widthPx)
  const madeMs = performance.now() - startedMs
  if (pack === null) throw new Error(`${folder} has no pack.`)
  sizes.push(pack.byteLength)
  const { mean, edgesDb } = comparePictures(await render(openPack(pack)), await render(whole))
  console.log(
    `${path.basename(folder).padEnd(26)} ${(pack.byteLength / 1000).toFixed(1).padStart(6)} kB  ` +
      `mean ${mean.toFixed(2)}/255  edges ${edgesDb.toFixed(1)} dB  made in ${madeMs.toFixed(0)} ms`,
  )
}
const sorted = sizes.toSorted((a, b) => a - b)
const kb = (value = 0): string => `${(value / 1000).toFixed(1)} kB`
const sum = sizes.reduce((all, each) => all + each, 0)
console.log(
  styleText('bold', `median ${kb(sorted[sorted.length >> 1])}, greatest ${kb(sorted.at(-1))}, all ${kb(sum)}`),
)
