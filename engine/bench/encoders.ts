/**
 * Our encoders beside sharp's, in the same run: CPU time (medians of interleaved rounds), sizes and PSNR.
 *
 *   node engine/bench/encoders.ts [--rounds=9] [--width=2000] [--height=2500] [PICTURE…]
 *
 * Each picture, cut to the size, is a scene; the next one (the last: the first) is the artwork in the middle
 * of it, on 25 % and on 60 % of the area. Without pictures two made-up ones are used.
 */
import { readFileSync } from 'node:fs'
import { cpuUsage } from 'node:process'
import { parseArgs } from 'node:util'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { JpegEncoder } from '../src/encoding/jpeg/jpeg-encoder.ts'
import { PngEncoder } from '../src/encoding/png/png-encoder.ts'
import type { Rect } from '../src/geometry/rect.ts'
import { createSharpCodec } from '../src/node/create-sharp-codec.ts'
import { loadKernels } from '../src/node/load-kernels.ts'
import type { OpaquePixmap } from '../src/pixmap.ts'
import { letteringLike, photographLike } from './made-up-artwork.ts'

type SharpPicture = ReturnType<typeof sharp>

sharp.concurrency(1)
sharp.cache(false)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '9' },
    width: { type: 'string', default: '2000' },
    height: { type: 'string', default: '2500' },
    quality: { type: 'string', default: '85' },
  },
})
const widthPx = Number(values.width)
const heightPx = Number(values.height)
const rounds = Number(values.rounds)
const quality = Number(values.quality)

async function cutToSize(source: SharpPicture): Promise<OpaquePixmap> {
  const data = await source
    .resize(widthPx, heightPx, { fit: 'cover' })
    .removeAlpha()
    .toColorspace('srgb')
    .raw()
    .toBuffer()
  // A Buffer's slice is a view: the scene must stay as it is when artwork is placed on a copy of it.
  return { alpha: 'opaque', widthPx, heightPx, data: new Uint8Array(data) }
}

const asSharp = (picture: OpaquePixmap): SharpPicture =>
  sharp(picture.data, { raw: { width: picture.widthPx, height: picture.heightPx, channels: 3 } })

/** The rectangle of that share of the area in the middle of the picture, of the picture's shape. */
function middleOf(share: number): Rect {
  const side = Math.sqrt(share)
  const rect = { widthPx: Math.round(widthPx * side), heightPx: Math.round(heightPx * side) }
  return { ...rect, left: (widthPx - rect.widthPx) >> 1, top: (heightPx - rect.heightPx) >> 1 }
}

function place(scene: OpaquePixmap, artwork: OpaquePixmap, rect: Rect): OpaquePixmap {
  const data = scene.data.slice()
  for (let y = rect.top; y < rect.top + rect.heightPx; y++) {
    const from = 3 * (y * widthPx + rect.left)
    data.set(artwork.data.subarray(from, from + 3 * rect.widthPx), from)
  }
  return { ...scene, data }
}

async function psnr(file: Uint8Array, truth: OpaquePixmap): Promise<number> {
  const decoded = await sharp(file).raw().toBuffer()
  let sum = 0
  for (let i = 0; i < decoded.length; i++) sum += ((decoded[i] ?? 0) - (truth.data[i] ?? 0)) ** 2
  return 10 * Math.log10((255 * 255 * decoded.length) / sum)
}

/** Median CPU milliseconds of each, run in turn `rounds` times after two rounds of warming up. */
async function measure(tasks: Readonly<Record<string, () => unknown>>): Promise<Map<string, number>> {
  const times = new Map<string, number[]>(Object.keys(tasks).map(name => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (const [name, task] of Object.entries(tasks)) {
      const before = cpuUsage()
      await task()
      const { user, system } = cpuUsage(before)
      if (round >= 0) times.get(name)?.push((user + system) / 1000)
    }
  }
  const median = (list: number[]): number => list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN
  return new Map([...times].map(([name, list]) => [name, median(list)]))
}

function print(title: string, times: Map<string, number>, base: string): void {
  console.log(`\n${title}`)
  const unit = times.get(base) ?? Number.NaN
  for (const [name, ms] of times)
    console.log(`  ${name.padEnd(44)} ${ms.toFixed(1).padStart(7)} ms  ${(ms / unit).toFixed(3)}`)
}

const sources =
  positionals.length > 0
    ? positionals.map(file => ({
        name: file.split('/').at(-1) ?? file,
        source: (): SharpPicture => sharp(readFileSync(file)),
      }))
    : [
        { name: 'made-up photograph', source: (): SharpPicture => asSharp(photographLike()) },
        { name: 'made-up lettering', source: (): SharpPicture => asSharp(letteringLike()) },
      ]
const modules = loadKernels()
const jpeg = new JpegEncoder(modules.get('jpeg-encoder'))
const codec = createSharpCodec({ scenesBytes: 2 ** 28 })
const png = new PngEncoder(modules.get('png-encoder'), crc32)

console.log(
  `${widthPx} x ${heightPx}, JPEG quality ${quality}, Node ${process.version}, sharp ${sharp.versions.sharp}, one thread`,
)
for (const [index, { name, source }] of sources.entries()) {
  const next = sources[(index + 1) % sources.length] ?? { name, source }
  const scene = await cutToSize(source())
  const artwork = await cutToSize(next.source())
  for (const share of [0.25, 0.6]) {
    const rect = middleOf(share)
    const picture = place(scene, artwork, rect)
    const input = asSharp(picture)
    const prepared = jpeg.prepareScene(scene, quality, [rect])
    const times = await measure({
      'sharp, default': () => input.clone().jpeg({ quality }).toBuffer(),
      'sharp, optimiseCoding off': () => input.clone().jpeg({ quality, optimiseCoding: false }).toBuffer(),
      'ours, whole picture': () => jpeg.encode(picture, quality),
      'ours, what changed': () => jpeg.encodeMockup(prepared, picture, [rect]),
    })
    print(`${name} with ${next.name} on ${100 * share} %: JPEG`, times, 'sharp, default')
    const theirs = await input.clone().jpeg({ quality }).toBuffer()
    const standard = await input.clone().jpeg({ quality, optimiseCoding: false }).toBuffer()
    const bytes = jpeg.encodeMockup(prepared, picture, [rect])
    const relative = (size: number): string => `${size} (${(size / theirs.length).toFixed(4)})`
    console.log(
      `  bytes: sharp ${theirs.length}, coding off ${relative(standard.length)}, ours ${relative(bytes.length)}; ` +
        `prepared ${(prepared.sizeBytes / 2 ** 20).toFixed(1)} MiB; PSNR ${(await psnr(theirs, picture)).toFixed(3)} and ${(await psnr(bytes, picture)).toFixed(3)} dB`,
    )

    const preparedPng = png.prepareScene(scene, [rect])
    const pngTimes = await measure({
      'sharp, default': () => input.clone().png().toBuffer(),
      'ours, whole picture': () => png.encode(picture),
      'ours, what changed': () => png.encodeMockup(preparedPng, picture),
      'the codec, what changed': () => codec.encode(picture, { format: 'png' }, { scene, drawn: [rect] }),
    })
    print(`${name} with ${next.name} on ${100 * share} %: PNG`, pngTimes, 'sharp, default')
    const theirPng = await input.clone().png().toBuffer()
    const adaptive = await input.clone().png({ adaptiveFiltering: true }).toBuffer()
    const ourPng = png.encode(picture)
    const mockup = png.encodeMockup(preparedPng, picture)
    const size = (bytes: Uint8Array): string => `${bytes.length} (${(bytes.length / theirPng.length).toFixed(4)})`
    console.log(
      `  bytes: sharp ${theirPng.length}, adaptive ${size(adaptive)}, ours whole ${size(ourPng)}, mockup ${size(mockup.bytes)} ` +
        `with code ${preparedPng.variants.findIndex(variant => variant.codes === mockup.codes)} (${preparedPng.variants
          .map(variant => png.encodeMockup({ ...preparedPng, variants: [variant] }, picture).bytes.length)
          .join(', ')}); prepared ${(preparedPng.sizeBytes / 2 ** 20).toFixed(1)} MiB; ` +
        `pixels ${(await sharp(mockup.bytes).raw().toBuffer()).equals(picture.data) ? 'equal' : 'DIFFER'}`,
    )
  }
}
