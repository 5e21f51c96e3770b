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
import { type FuzzResult, runFromCommandLine, runInputs } from '../../engine/fuzz/run-inputs.ts'
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

export async function fuzzTemplates(count: number, seed: number): Promise<FuzzResult> {
  const random = createRandom(seed)
  const files = await photoFiles(codec)
  const attempt = async (): Promise<string | null> => {
    const photo = await mutatePhoto(files, random, codec)
    const drawing = mutateDrawing(randomDrawing(photo.widthPx, photo.heightPx, random), random)
    const fault = await tryDrawing(photo, drawing, random)
    return fault && `${fault}\n${JSON.stringify(drawing)}`
  }
  return runInputs(count, attempt, isSentence)
}

/** Null where a drawing gives a bundle that passes its check and gives the photo back. */
async function tryDrawing(photo: PhotoPixels, drawing: unknown, random: () => number): Promise<string | null> {
  try {
    const store = new MemoryStore()
    const outlines = randomOutlines(photo, drawing, random)
    const { report } = await makeTemplate(details, photo, drawing, outlines, { store, deflate: deflateParts, codec })
    const { template, faults } = await checkBundle(store, codec)
    if (template === null || faults.length > 0) return faults.map(describeFault).join(' ')
    return report.clearDifference > 1 ? `clear artwork misses the photo by ${report.clearDifference}` : null
  } catch (error) {
    if (isSentence(error)) throw error
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

function isSentence(error: unknown): boolean {
  const isRefusal = error instanceof PhotoRefusedError || error instanceof BundleError || error instanceof ArtworkError
  return isRefusal && /^[A-Z].*\.$/s.test(error.message)
}

/** Outlines as every caller finds them; in one of twenty none, as nobody should. */
function randomOutlines(photo: PhotoPixels, drawing: unknown, random: () => number): Outlines {
  if (random() < 0.05) return { product: null, fronts: [] }
  return outlinesOf(photo, parseDrawing(drawing))
}

if (import.meta.main) await runFromCommandLine(2000, fuzzTemplates, { inputs: 'drawings', passed: 'templates' })
