/**
 * CPU milliseconds of cold default mockups of real photographs, beside libvips's decoding and libjpeg-turbo's
 * default encoding of the same picture:
 *
 *   node engine/bench/photographs.ts [--rounds 7] [PICTURE.jpg...]
 *
 * Default: photographs of Debian's packages (mate-backgrounds, plasma-workspace-wallpapers,
 * lomiri-wallpapers-20.04), as they are and, where stored at a higher quality than customers use, at quality
 * 85. libvips decodes each to a size that fills the frame. `npm run bench` has the same rows.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { inspectArtwork } from '../src/index.ts'
import { measureInTurn } from './measure.ts'
import { codec, discard, floorTasks, jpeg, loadSubject, render } from './mockups.ts'
import type { Bar } from './page.ts'
import { prepareScene } from './scenes.ts'

const installed = [
  '/usr/share/backgrounds/mate/abstract/Elephants_5640x3172.jpg',
  '/usr/share/backgrounds/mate/abstract/Elephants_3840x2160.jpg',
  '/usr/share/backgrounds/mate/nature/Dune.jpg',
  '/usr/share/backgrounds/mate/nature/Wood.jpg',
  '/usr/share/backgrounds/mate/nature/Storm.jpg',
  '/usr/share/wallpapers/Path/contents/images/2560x1600.jpg',
  '/usr/share/backgrounds/lomiri-wallpaper-default-background.jpg',
] as const

/** Bytes per pixel above which a file is a master, not an upload: it is measured at quality 85 too. */
const MOST_BYTES_PER_PX = 0.6

const MEGA = 1e6

async function judge(name: string, bytes: Uint8Array, rounds: number, atMost: number | null): Promise<Bar> {
  const prepared = await prepareScene({ widthPx: 2000, share: 0.25, frames: 1, placement: 'corners' }, codec)
  const subject = await loadSubject(prepared, bytes)
  const [frame] = prepared.frames
  if (!frame) throw new Error('The scene lost its frame.')
  const { widthPx, heightPx } = frame.plan.region
  const floor = floorTasks(subject, widthPx)
  const costs = await measureInTurn(
    new Map([
      ['cold', () => discard(render(subject, jpeg))],
      [
        'decode',
        () =>
          discard(sharp(bytes).resize(widthPx, heightPx, { fit: 'cover', withoutEnlargement: true }).raw().toBuffer()),
      ],
      ['encode', floor.get('libjpeg-turbo encode') ?? (() => undefined)],
    ]),
    rounds,
  )
  const of = (task: string): number => costs.get(task) ?? Number.NaN
  const figures = `${of('cold').toFixed(1)} / (${of('decode').toFixed(1)} + ${of('encode').toFixed(1)}) ms`
  return {
    name: `photograph ${name}: ${figures}`,
    atMost,
    value: of('cold') / (of('decode') + of('encode')),
  }
}

/** A row for each photograph that exists. Missing ones are reported on the error output. */
export async function judgePhotographs(rounds: number, files: readonly string[] = installed): Promise<readonly Bar[]> {
  const bars: Bar[] = []
  for (const file of files) {
    if (!existsSync(file)) {
      console.error(`MISSING photograph ${file}: its package is not installed, the table has no row of it`)
      continue
    }
    const bytes = await readFile(file)
    const { widthPx, heightPx, isProgressive } = inspectArtwork(bytes)
    const megapixels = (widthPx * heightPx) / MEGA
    const isMaster = bytes.length / MEGA > MOST_BYTES_PER_PX * megapixels
    // the project's bar is for photographs of 8 to 24 megapixels as customers send them
    const atMost = megapixels >= 8 && megapixels <= 24 ? 0.65 : null
    const name = (of: Uint8Array, how: string): string =>
      `${path.basename(file, '.jpg')}, ${widthPx} x ${heightPx}, ${(of.length / MEGA).toFixed(1)} MB${how}`
    bars.push(await judge(name(bytes, isProgressive ? ', progressive' : ''), bytes, rounds, isMaster ? null : atMost))
    if (!isMaster) continue
    const usual = await sharp(bytes).jpeg({ quality: 85 }).toBuffer()
    bars.push(await judge(name(usual, ', quality 85'), usual, rounds, atMost))
  }
  if (bars.length === 0)
    console.error('MISSING: no photograph at all was found; `apt install mate-backgrounds` has some')
  return bars
}

if (import.meta.main) {
  sharp.concurrency(1)
  sharp.cache(false)
  const { values, positionals } = parseArgs({
    options: { rounds: { type: 'string', default: '7' } },
    allowPositionals: true,
  })
  const bars = await judgePhotographs(Number(values.rounds), positionals.length > 0 ? positionals : installed)
  for (const { name, atMost, value } of bars) console.log(`${value.toFixed(3)}  (${atMost ?? '-'})  ${name}`)
}
