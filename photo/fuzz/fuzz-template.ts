/**
 * Makes templates of random drawings on mutated photos: each must give a bundle that passes its check and
 * gives the photo back, or be refused with a sentence, and nothing else.
 *
 *   node photo/fuzz/fuzz-template.ts [COUNT] [SEED]      2,000 drawings of seed 1 without arguments
 *
 * Prints each drawing that broke something, the slowest, and the process's greatest memory.
 */
import { ArtworkError, BundleError, checkBundle, describeFault } from '@vitrine/engine'
import { createSharpCodec, deflateParts } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import {
  makeTemplate,
  type Outlines,
  outlinesOf,
  type PhotoPixels,
  PhotoRefusedError,
  parseDrawing,
} from '../src/index.ts'
import { createRandom } from '../src/numerics/random.ts'
import { mutateDrawing, randomDrawing } from './random-drawing.ts'
import { mutatePhoto, photoFiles } from './random-photo.ts'

const codec = createSharpCodec()
const details = { id: 'fuzzed', name: 'Fuzzed', category: 'Photos' }

export type FuzzResult = {
  readonly made: number
  readonly refused: number
  /** what broke, with the number of its drawing */
  readonly broken: readonly string[]
  readonly slowestMs: number
}

export async function fuzzTemplates(count: number, seed: number): Promise<FuzzResult> {
  const random = createRandom(seed)
  const files = await photoFiles(codec)
  let [made, refused, slowestMs] = [0, 0, 0]
  const broken: string[] = []
  for (let k = 0; k < count; k++) {
    const started = performance.now()
    let drawing: unknown = null
    try {
      const photo = await mutatePhoto(files, random, codec)
      drawing = mutateDrawing(randomDrawing(photo.widthPx, photo.heightPx, random), random)
      const store = new MemoryStore()
      const outlines = randomOutlines(photo, drawing, random)
      const { report } = await makeTemplate(details, photo, drawing, outlines, {
        store,
        deflate: deflateParts,
        codec,
      })
      const { template, faults } = await checkBundle(store, codec)
      if (template === null || faults.length > 0) broken.push(`${k}: ${faults.map(describeFault).join(' ')}`)
      else if (report.clearDifference > 1)
        broken.push(`${k}: clear artwork misses the photo by ${report.clearDifference}`)
      made++
    } catch (error) {
      const isSentence =
        error instanceof PhotoRefusedError || error instanceof BundleError || error instanceof ArtworkError
      if (isSentence && /^[A-Z].*\.$/s.test(error.message)) refused++
      else broken.push(`${k}: ${error instanceof Error ? error.stack : String(error)}\n${JSON.stringify(drawing)}`)
    }
    slowestMs = Math.max(slowestMs, performance.now() - started)
  }
  return { made, refused, broken, slowestMs }
}

/** Outlines as every caller finds them; in one of twenty none, as nobody should. */
function randomOutlines(photo: PhotoPixels, drawing: unknown, random: () => number): Outlines {
  if (random() < 0.05) return { product: null, fronts: [] }
  return outlinesOf(photo, parseDrawing(drawing))
}

if (import.meta.main) {
  const [count = 2000, seed = 1] = process.argv.slice(2).map(Number)
  const { made, refused, broken, slowestMs } = await fuzzTemplates(count, seed)
  for (const each of broken.slice(0, 20)) console.log(each)
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(`${count} drawings: ${made} templates, ${refused} refused, ${broken.length} broken`)
  console.log(`slowest ${Math.round(slowestMs)} ms, greatest memory ${peakMb} MB`)
  if (broken.length > 0) process.exitCode = 1
}
