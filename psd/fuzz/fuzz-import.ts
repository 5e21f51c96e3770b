/**
 * Imports mutated Photoshop files: each must be imported or refused with a sentence, and nothing else.
 *
 *   node psd/fuzz/fuzz-import.ts [COUNT] [SEED]      10,000 files of seed 1 without arguments
 *
 * Prints each file that broke the import with its seed, the slowest, and the process's greatest memory.
 */
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import { type FuzzResult, runFromCommandLine, runInputs } from '../../engine/fuzz/run-inputs.ts'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { importPsd } from '../src/import-psd.ts'
import { bytesInMemory } from '../src/reading/file-bytes.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import { displacedPsd, evenMapPsd } from '../test/displaced-file.ts'
import { CONTENT_ID, paint, pixelLayer, smartLayer, writePsd } from '../test/make-psd.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd } from '../test/mockup-file.ts'
import { Random } from '../test/random.ts'
import { randomTree } from '../test/random-tree.ts'
import { filteredDesign, storedMask } from '../test/smart-filter.ts'
import { mutate } from './mutate.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()

/**
 * Files that are mutated: a mockup, one with effects and a mask, a design in a card, one with a blur on an
 * artboard, one whose filters have a mask, and random trees; and one that a map moves, which is mutated too.
 */
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
  const blur = filteredDesign({ type: 'gaussian blur', filter: { radius: { units: 'Pixels', value: 3 } } })
  const artboard = { rect: { left: 0, top: 0, right: 80, bottom: MOCKUP_HEIGHT }, presetName: '', backgroundType: 1 }
  const boards = [{ name: 'board', artboard, children: [pixelLayer('on it', 4, 4, paint(30, 30, [9, 200, 9]))] }]
  const filters = [
    { type: 'motion blur' as const, filter: { angle: 30, distance: { units: 'Pixels' as const, value: 6 } } },
    { type: 'invert' as const },
  ]
  const masked = filteredDesign(filters, { maskEnabled: true })
  const isPacked = true
  const filterMasks = masked.placedLayer
    ? [storedMask(masked.placedLayer, MOCKUP_WIDTH, MOCKUP_HEIGHT, x => 2 * x, { isPacked })]
    : []
  const trees = Array.from({ length: 6 }, () => randomTree(random))
  return [
    mockupPsd(),
    rich,
    cardPsd(),
    mockupPsd({ design: blur, above: boards }),
    mockupPsd({ design: masked, filterMasks }),
    ...trees,
  ]
}

/** The design of a mockup within a smart object of another one. */
function cardPsd(): Uint8Array {
  const corners = [10, 12, 80, 16, 76, 60, 14, 58] as const
  const card = smartLayer('Card', corners, { width: MOCKUP_WIDTH, height: MOCKUP_HEIGHT })
  const ground = pixelLayer('ground', 0, 0, paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, [90, 120, 150]))
  return writePsd(MOCKUP_WIDTH, MOCKUP_HEIGHT, [ground, card], {
    linked: [{ id: CONTENT_ID, name: 'card.psb', type: '8BPS', data: mockupPsd() }],
  })
}

export function fuzzImports(count: number, seed: number): Promise<FuzzResult> {
  const random = new Random(seed)
  const seeds = seedFiles(random)
  const displaced = displacedPsd({ horizontalScale: 50, verticalScale: 100 })
  seeds.push(displaced)
  const attempt = async (): Promise<null> => {
    const seed = seeds[random.below(seeds.length)] ?? new Uint8Array(0)
    const bytes = mutate(seed, random)
    const map = random.below(2) === 0 ? evenMapPsd : mutate(evenMapPsd, random)
    const maps = seed === displaced ? [{ name: 'folds.psd', bytes: bytesInMemory(map) }] : []
    const store = new MemoryStore()
    await importPsd(bytes, { name: 'mutant', frames: [], matte: [255, 255, 255], maps }, { codec, kernel, store })
    return null
  }
  return runInputs(count, attempt, error => error instanceof PsdRefusedError)
}

if (import.meta.main) await runFromCommandLine(10_000, fuzzImports, { inputs: 'files', passed: 'imported' })
