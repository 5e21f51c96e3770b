import { inspectArtwork } from '../src/artwork/inspect-artwork.ts'
import { decodeWithSharp } from '../src/node/decode-artwork.ts'
import { type DesignName, designs, type FurtherDesignName, furtherDesigns } from './designs.ts'
import { measureInTurn, type Task } from './measure.ts'
import { codec, discard, memory } from './mockups.ts'
import type { Bar } from './page.ts'

/** A default frame shows a 3.2nd of a large artwork's side at the density that is decoded. */
const REDUCTION = 3.2

/** Ours beside libvips's decode-and-reduce of the same file. */
const bars = {
  'design PNG, 4500 x 5400 with alpha': 0.22,
  'illustration PNG, 3000 x 4500': 0.5,
  'photograph PNG, 4500 x 5400 with alpha': 0.36,
  'text PNG, 4500 x 5400 with alpha': 0.22,
  'painting PNG, 4500 x 5400 with alpha': 0.36,
} satisfies Record<DesignName | FurtherDesignName, number>

/** Decoding PNG artwork to a frame's density beside libvips. */
export async function judgePngDecoding(rounds: number): Promise<Bar[]> {
  const judged: Bar[] = []
  for (const [name, make] of Object.entries({ ...designs, ...furtherDesigns })) {
    const facts = inspectArtwork(await make())
    const target = {
      minWidthPx: Math.ceil(facts.widthPx / REDUCTION),
      minHeightPx: Math.ceil(facts.heightPx / REDUCTION),
    }
    const tasks = new Map<string, Task>([
      [
        'ours',
        async () => {
          const { data, decodedBy } = await codec.decodeArtwork(facts.bytesToDecode, target, facts)
          if (decodedBy !== 'vitrine') throw new Error(`Our decoder declined the ${name}.`)
          memory.giveBack(data)
          return undefined
        },
      ],
      ['libvips', () => discard(decodeWithSharp(facts, target))],
    ])
    const costs = await measureInTurn(tasks, rounds)
    const [ours, libvips] = ['ours', 'libvips'].map(task => costs.get(task) ?? Number.NaN)
    console.error(`${name}: ours ${ours?.toFixed(1)} ms, libvips ${libvips?.toFixed(1)} ms`)
    const value = (ours ?? Number.NaN) / (libvips ?? Number.NaN)
    const atMost = Object.entries(bars).find(([of]) => of === name)?.[1] ?? 0
    judged.push({ name: `decoding ${name}`, atMost, value })
  }
  return judged
}
