/**
 * CPU milliseconds of decoding WebP artwork to 1/3.2 of its size, an ordinary density, through the codec that
 * the service uses, beside the same file decoded whole and reduced with Lanczos by libvips, and beside
 * libwebp's decoding alone (to a thumbnail, which it makes on the way):
 *
 *   node engine/bench/webp.ts [--rounds 5] [--width 4500] [PICTURE.webp...]
 *
 * Default: made-up artwork, lossy and lossless, with alpha and without. `npm run bench` has the same rows.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp, { type WebpOptions } from 'sharp'
import { inspectArtwork } from '../src/index.ts'
import { makeArtwork } from './artworks.ts'
import { measureInTurn } from './measure.ts'
import { codec, discard } from './mockups.ts'
import type { Bar } from './page.ts'

/** Artwork for print, in pixels of the frame's target. */
const DENSITY = 3.2

const PRINT_WIDTH_PX = 4500

const MEGA = 1e6

/** Ours may take so much of libvips's time. */
const MOST_SHARE = 0.5

/** Libwebp's work that no reduction saves: it predicts blocks from their neighbours at full size. */
const THUMBNAIL_PX = 64

type Subject = { readonly name: string; readonly bytes: Uint8Array; readonly atMost: number | null }

/** Flat discs over clear ground, like a print for a T-shirt. */
function drawDesign(widthPx: number, heightPx: number): ReturnType<typeof sharp> {
  const data = new Uint8Array(widthPx * heightPx * 4)
  for (let disc = 0; disc < 60; disc++) {
    const radius = (widthPx / 40) * (1 + (disc % 4))
    const [left, top] = [(disc * 977) % widthPx, (disc * 1613) % heightPx]
    const color = [(disc * 37) % 256, (disc * 91) % 256, (disc * 151) % 256, disc % 3 === 0 ? 153 : 255]
    for (let y = Math.ceil(Math.max(0, top - radius)); y < Math.min(heightPx, top + radius); y++) {
      const half = Math.sqrt(radius ** 2 - (y - top) ** 2)
      for (let x = Math.ceil(Math.max(0, left - half)); x < Math.min(widthPx, left + half); x++)
        data.set(color, (y * widthPx + x) * 4)
    }
  }
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 4 } })
}

async function makeSubjects(widthPx: number): Promise<readonly Subject[]> {
  const heightPx = Math.round(widthPx * 1.2)
  const photograph = await makeArtwork(widthPx, heightPx, 'jpeg', 95)
  const design = await drawDesign(widthPx, heightPx).png({ compressionLevel: 1 }).toBuffer()
  const make = async (name: string, of: Uint8Array, options: WebpOptions) => ({
    name,
    atMost: MOST_SHARE,
    bytes: await sharp(of)
      .webp({ effort: 2, ...options })
      .toBuffer(),
  })
  return [
    await make('photograph, lossy, quality 75', photograph, { quality: 75 }),
    await make('photograph, lossy, quality 90', photograph, { quality: 90 }),
    await make('photograph, lossless', photograph, { lossless: true }),
    await make('design, lossless, with alpha', design, { lossless: true }),
    await make('design, lossy, with alpha', design, { quality: 85 }),
  ]
}

async function judge({ name, bytes, atMost }: Subject, rounds: number): Promise<Bar> {
  const facts = inspectArtwork(bytes)
  const width = Math.ceil(facts.widthPx / DENSITY)
  const height = Math.ceil(facts.heightPx / DENSITY)
  const shrink = (widthPx: number, heightPx: number, fastShrinkOnLoad: boolean): Promise<Buffer> =>
    sharp(bytes)
      .resize({ width: widthPx, height: heightPx, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad })
      .ensureAlpha()
      .raw()
      .toBuffer()
  const costs = await measureInTurn(
    new Map([
      ['ours', () => discard(codec.decodeArtwork(bytes, { minWidthPx: width, minHeightPx: height }, facts))],
      ['libvips', () => discard(shrink(width, height, false))],
      [
        'libwebp',
        () => discard(shrink(THUMBNAIL_PX, Math.round((THUMBNAIL_PX * facts.heightPx) / facts.widthPx), true)),
      ],
    ]),
    rounds,
  )
  const of = (task: string): number => costs.get(task) ?? Number.NaN
  const size = `${facts.widthPx} x ${facts.heightPx}, ${(bytes.length / MEGA).toFixed(1)} MB`
  const figures = `${of('ours').toFixed(0)} / ${of('libvips').toFixed(0)} ms, libwebp alone ${of('libwebp').toFixed(0)} ms`
  return {
    name: `WebP, ${name}, ${size}: ${figures}`,
    atMost,
    value: of('ours') / of('libvips'),
  }
}

/** A row for each kind of WebP. */
export async function judgeWebp(
  rounds: number,
  files: readonly string[] = [],
  widthPx: number = PRINT_WIDTH_PX,
): Promise<readonly Bar[]> {
  const given = await Promise.all(
    files.map(async file => ({ name: path.basename(file), bytes: await readFile(file), atMost: null })),
  )
  const subjects = given.length > 0 ? given : await makeSubjects(widthPx)
  const bars: Bar[] = []
  for (const subject of subjects) bars.push(await judge(subject, rounds))
  return bars
}

if (import.meta.main) {
  sharp.concurrency(1)
  sharp.cache(false)
  const { values, positionals } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      width: { type: 'string', default: `${PRINT_WIDTH_PX}` },
    },
    allowPositionals: true,
  })
  const bars = await judgeWebp(Number(values.rounds), positionals, Number(values.width))
  for (const { name, atMost, value } of bars) console.log(`${value.toFixed(3)}  (${atMost ?? '-'})  ${name}`)
}
