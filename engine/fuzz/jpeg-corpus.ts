/**
 * Every JPEG file of some folders through our decoder and through libjpeg-turbo:
 *
 *   node engine/fuzz/jpeg-corpus.ts FOLDER…           equal, different or declined, by folder and camera
 *   node engine/fuzz/jpeg-corpus.ts --djpeg FOLDER…   the same, and against Debian's djpeg
 *   node engine/fuzz/jpeg-corpus.ts --scales FOLDER…  reduced to N/8: against the area's mean and djpeg
 *
 * docs/decisions/decoding-proof.md says which folders. Ends with code 1 where a picture differs.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { DeclinedError } from '../src/decoding/declined.ts'
import { type DecodedJpeg, JpegDecoder } from '../src/decoding/jpeg/jpeg-decoder.ts'
import { loadKernels } from '../src/node/load-kernels.ts'
import { readJpegOrigin, readThumbnail } from './jpeg-origin.ts'
import { judgeBySharp } from './judge-by-sharp.ts'
import { decodeByDjpeg, type RgbPicture } from './libjpeg-programs.ts'
import { ScaleTally } from './scale-tally.ts'

const decoder = new JpegDecoder(loadKernels().get('jpeg-decoder'))

class Counts {
  readonly #counts = new Map<string, number>()
  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }
  get(key: string): number {
    return this.#counts.get(key) ?? 0
  }
  get sorted(): readonly (readonly [string, number])[] {
    return [...this.#counts].toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
  }
}

async function jpegFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return files
    .filter(file => file.isFile() && /\.(jpe?g|jpe|jfif|thm)$/i.test(file.name))
    .map(file => path.join(file.parentPath, file.name))
    .toSorted()
}

function decode(bytes: Uint8Array, eighthsX: number, eighthsY: number): DecodedJpeg | DeclinedError {
  try {
    return decoder.decode(bytes, eighthsX, eighthsY)
  } catch (error) {
    if (error instanceof DeclinedError) return error
    throw error
  }
}

function isSame({ data, widthPx, heightPx }: DecodedJpeg, wanted: RgbPicture): boolean {
  if (widthPx !== wanted.widthPx || heightPx !== wanted.heightPx) return false
  for (let i = 0, from = 0; i < data.length; i += 4, from += 3) {
    if (data[i] !== wanted.data[from] || data[i + 1] !== wanted.data[from + 1] || data[i + 2] !== wanted.data[from + 2])
      return false
  }
  return true
}

type Picture = { readonly name: string; readonly bytes: Buffer; readonly camera: string | null }

type Tally = {
  readonly reasons: Counts
  readonly cameras: Map<string, Counts>
  readonly software: Counts
  different: number
}

/** One line for each file that differs, and a row of the table for all. */
async function compareRow(
  title: string,
  pictures: readonly Picture[],
  withDjpeg: boolean,
  tally: Tally,
): Promise<void> {
  const counts = new Counts()
  let pixels = 0
  for (const { name, bytes, camera } of pictures) {
    const decoded = decode(bytes, 8, 8)
    let outcome: string
    if (decoded instanceof DeclinedError) {
      const isRefused = (await judgeBySharp(bytes, new Uint8Array(0))).startsWith('refused')
      outcome = isRefused ? 'refused' : 'declined'
      tally.reasons.add(`${isRefused ? 'sharp refuses too; ' : ''}${decoded.message}`)
    } else {
      const judgement = await judgeBySharp(bytes, decoded.data)
      const byDjpeg = withDjpeg ? await decodeByDjpeg(bytes, 8) : null
      const isEqual = judgement === 'equal' && (!withDjpeg || (byDjpeg !== null && isSame(decoded, byDjpeg)))
      outcome = isEqual ? 'equal' : 'different'
      pixels += decoded.widthPx * decoded.heightPx
      if (!isEqual) {
        tally.different++
        const djpeg = !withDjpeg ? '' : byDjpeg === null ? ', djpeg refuses' : `, djpeg: ${isSame(decoded, byDjpeg)}`
        console.log(`${name}: ${judgement}${djpeg}`)
      }
    }
    counts.add(outcome)
    if (camera !== null) {
      const of = tally.cameras.get(camera) ?? new Counts()
      tally.cameras.set(camera, of)
      of.add(outcome)
    } else tally.software.add(readJpegOrigin(bytes).software ?? '(says nothing)')
  }
  const row = ['equal', 'declined', 'refused', 'different'].map(outcome => counts.get(outcome))
  console.log(`| ${title} | ${pictures.length} | ${row.join(' | ')} | ${Math.round(pixels / 1e5) / 10} |`)
}

/** Returns how many files differ. */
async function compare(folders: readonly string[], withDjpeg: boolean): Promise<number> {
  const tally: Tally = { reasons: new Counts(), cameras: new Map(), software: new Counts(), different: 0 }
  console.log('| folder | files | equal | declined, sharp decodes | declined, sharp refuses too | different | MP |')
  console.log('|---|---|---|---|---|---|---|')
  for (const folder of folders) {
    const files = await jpegFiles(folder)
    const thumbnails: Picture[] = []
    const pictures = files.map(async (file): Promise<Picture> => {
      const bytes = await readFile(file)
      const thumbnail = readThumbnail(bytes)
      const { camera } = readJpegOrigin(bytes)
      if (thumbnail) thumbnails.push({ name: `${file} (thumbnail)`, bytes: thumbnail, camera })
      return { name: file, bytes, camera }
    })
    await compareRow(path.basename(folder), await Promise.all(pictures), withDjpeg, tally)
    if (thumbnails.length > 0) await compareRow(`${path.basename(folder)}: thumbnails`, thumbnails, withDjpeg, tally)
  }
  console.log('\nDeclined because:')
  for (const [reason, count] of tally.reasons.sorted) console.log(`${String(count).padStart(6)}  ${reason}`)
  console.log(`\n${tally.cameras.size} cameras (equal, declined, refused, different):`)
  for (const [camera, of] of [...tally.cameras].toSorted((a, b) => a[0].localeCompare(b[0])))
    console.log(
      `  ${camera}: ${['equal', 'declined', 'refused', 'different'].map(outcome => of.get(outcome)).join(' ')}`,
    )
  console.log('\nWithout a camera, by what the file says of its software:')
  for (const [name, count] of tally.software.sorted) console.log(`${String(count).padStart(6)}  ${name}`)
  return tally.different
}

async function compareScales(folders: readonly string[]): Promise<number> {
  const tally = new ScaleTally()
  for (const folder of folders) {
    for (const file of await jpegFiles(folder)) {
      const bytes = await readFile(file)
      const full = decode(bytes, 8, 8)
      if (full instanceof DeclinedError) continue
      const fault = await tally.add(bytes, full, decode)
      if (fault !== null) console.log(`${file}: ${fault}`)
    }
  }
  console.log(tally.report())
  return tally.faults
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { djpeg: { type: 'boolean', default: false }, scales: { type: 'boolean', default: false } },
})
const faults = values.scales ? await compareScales(positionals) : await compare(positionals, values.djpeg)
process.exitCode = faults > 0 ? 1 : 0
