/**
 * Imports mutated Photoshop files: each must be imported or refused with a sentence, and nothing else.
 *
 *   node psd/fuzz/fuzz-import.ts [COUNT] [SEED]      10,000 files of seed 1 without arguments
 *
 * Prints each file that broke the import with its seed, the slowest, and the process's greatest memory.
 */
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { importPsd } from '../src/import-psd.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import { paint, pixelLayer } from '../test/make-psd.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd } from '../test/mockup-file.ts'
import { Random } from '../test/random.ts'
import { randomTree } from '../test/random-tree.ts'
import { mutate } from './mutate.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()

export type FuzzResult = {
  readonly imported: number
  readonly refused: number
  /** what broke, with the number of its file */
  readonly broken: readonly string[]
  readonly slowestMs: number
}

/** Files that are mutated: a mockup, one with effects and a mask, and random trees. */
function seedFiles(random: Random): Uint8Array[] {
  const mask = { top: 0, left: 0, bottom: 40, right: 40, defaultColor: 0, imageData: paint(40, 40, [200, 200, 200]) }
  const shadow = {
    enabled: true,
    size: { units: 'Pixels' as const, value: 5 },
    distance: { units: 'Pixels' as const, value: 4 },
  }
  const rich = mockupPsd({
    design: {
      mask,
      effects: { dropShadow: [shadow], stroke: [{ enabled: true, size: { units: 'Pixels', value: 3 } }] },
    },
    above: [
      pixelLayer('glass', 0, 0, paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, [255, 255, 255, 40]), { blendMode: 'screen' }),
    ],
  })
  return [mockupPsd(), rich, ...Array.from({ length: 6 }, () => randomTree(random))]
}

export async function fuzzImports(count: number, seed: number): Promise<FuzzResult> {
  const random = new Random(seed)
  const seeds = seedFiles(random)
  let [imported, refused, slowestMs] = [0, 0, 0]
  const broken: string[] = []
  for (let file = 0; file < count; file++) {
    const bytes = mutate(seeds[random.below(seeds.length)] ?? new Uint8Array(0), random)
    const started = performance.now()
    try {
      const store = new MemoryStore()
      await importPsd(bytes, { name: 'mutant', frames: [], matte: [255, 255, 255] }, { codec, kernel, store })
      imported++
    } catch (error) {
      if (error instanceof PsdRefusedError) refused++
      else broken.push(`file ${file}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
    slowestMs = Math.max(slowestMs, performance.now() - started)
  }
  return { imported, refused, broken, slowestMs }
}

if (import.meta.main) {
  const [count = 10_000, seed = 1] = process.argv.slice(2).map(Number)
  const { imported, refused, broken, slowestMs } = await fuzzImports(count, seed)
  for (const each of broken.slice(0, 20)) console.log(each)
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(`${count} files: ${imported} imported, ${refused} refused, ${broken.length} broken`)
  console.log(`slowest ${Math.round(slowestMs)} ms, greatest memory ${peakMb} MB`)
  if (broken.length > 0) process.exitCode = 1
}
