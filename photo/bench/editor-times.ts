/**
 * Processor time of what the editor of photos computes in its worker, for each kind of surface: a picture
 * after handles were moved at 1,000 px, outlines, a whole bundle.
 *
 *   node photo/bench/editor-times.ts [--only round] [--moves 60] [--widths 2000,4000]
 *
 * The time to draw the mockup alone is printed for comparison within a run. Each movement has another seed of
 * clicks. The first picture, and what is computed after it while nothing moves, are printed separately.
 */
import { parseArgs } from 'node:util'
import { composeMockup, type DecodedArtwork, decodeArtworks } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { LivePreview, outlinesOf, parseDrawing, warpOfCorners } from '../src/index.ts'
import { MAX_PHOTO_SIDE_PX } from '../src/limits.ts'
import { createOutliner } from '../src/outline/outliner.ts'
import { flatCorners, mugMarks } from './clicks.ts'
import { cloths, drawCloth, drawOn, makeOf } from './measure-scene.ts'
import { loadScene, type Scene, sceneChoices } from './scenes.ts'

const MOVED_WIDTH_PX = 1000
const NAVY = '#1f2a44'

type Flow = {
  readonly kind: string
  readonly scene: string
  readonly draw: (scene: Scene, seed: number) => object
}

const clothBy =
  (goods: 'shirt' | 'cushion' | 'tote'): Flow['draw'] =>
  (scene, seed) => {
    const [choice] = cloths[goods]
    if (!choice) throw new Error(`Expected how ${goods} is drawn.`)
    return drawCloth(scene, choice, 1.5, seed)
  }

const flows: readonly Flow[] = [
  {
    kind: 'flat',
    scene: 'oak-frame-portrait',
    draw: (scene, seed) => drawOn(scene, { kind: 'flat', corners: flatCorners(scene, 1, seed) }),
  },
  {
    kind: 'round',
    scene: 'white-mug-walnut-table',
    draw: (scene, seed) => drawOn(scene, { kind: 'body', marks: mugMarks(scene, 1.5, seed) }),
  },
  { kind: 'clothing, dyed', scene: 'white-tee-flat-lay', draw: clothBy('shirt') },
  { kind: 'soft, inset', scene: 'square-cushion-sofa', draw: clothBy('cushion') },
  { kind: 'pinned cloth', scene: 'canvas-tote-peg-rail', draw: clothBy('tote') },
  {
    kind: 'free shape',
    scene: 'greeting-card-standing',
    draw: (scene, seed) => drawOn(scene, { kind: 'warp', mesh: warpOfCorners(flatCorners(scene, 1, seed)) }),
  },
]

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    moves: { type: 'string', default: '60' },
    widths: { type: 'string', default: '2000,4000' },
  },
})
const codec = createSharpCodec()
const kernel = createFrameKernel()

/** Processor time since a moment, of this thread: other cores' is not the worker's. */
function threadMsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(started)
  return (user + system) / 1000
}

async function measureMoves({ draw }: Flow, scene: Scene, moves: number): Promise<string> {
  const { photo, artworks } = scene
  const outliner = createOutliner(photo)
  const drawings = Array.from({ length: moves + 2 }, (_, seed) => draw(scene, seed + 1))
  const drawn = parseDrawing(drawings[0])
  const { product } = drawn
  const before = { ...drawn, product: product && { ...product, strokes: product.strokes.slice(0, -1) } }
  const begun = process.threadCpuUsage()
  outlinesOf(photo, before, outliner)
  const outlineMs = threadMsSince(begun)
  const again = process.threadCpuUsage()
  const outlines = outlinesOf(photo, drawn, outliner)
  const nextMs = threadMsSince(again)
  const live = new LivePreview(photo)
  const colors = new Map(product ? [[product.name, NAVY]] : [])
  const [times, composed]: [number[], number[]] = [[], []]
  let restMs = 0
  let decoded: readonly DecodedArtwork[] | null = null
  for (const [move, drawing] of drawings.entries()) {
    const started = process.threadCpuUsage()
    const { prepared } = live.draw(parseDrawing(drawing), outlines, colors)
    const ms = threadMsSince(started)
    // Once, as the editor does.
    decoded ??= await decodeArtworks(prepared.frames, { bytes: artworks.photo }, codec)
    const composing = process.threadCpuUsage()
    composeMockup(prepared, decoded, kernel, prepared.empty)
    composed.push(threadMsSince(composing))
    times.push(ms + (composed.at(-1) ?? 0))
    if (move > 0) continue
    const rested = process.threadCpuUsage()
    while (live.rest());
    restMs = threadMsSince(rested)
  }
  const sorted = times.slice(2).toSorted((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? NaN).toFixed(0)
  const composeMs = composed.toSorted((a, b) => a - b)[composed.length >> 1] ?? NaN
  const outlined = product ? `; outline ${outlineMs.toFixed(0)} ms, with one more stroke ${nextMs.toFixed(0)} ms` : ''
  return (
    `movement: least ${at(0)} ms, median ${at(0.5)} ms, p95 ${at(0.95)} ms, ` +
    `first picture ${(times[0] ?? NaN).toFixed(0)} ms, rest after it ${restMs.toFixed(0)} ms, ` +
    `next ${(times[1] ?? NaN).toFixed(0)} ms; of it the mockup ${composeMs.toFixed(1)} ms${outlined}`
  )
}

async function measureBundle({ draw }: Flow, scene: Scene): Promise<string> {
  const started = process.cpuUsage()
  const drawing = draw(scene, 1)
  await makeOf(scene, drawing, outlinesOf(scene.photo, parseDrawing(drawing)), new MemoryStore())
  const { user, system } = process.cpuUsage(started)
  return `bundle at ${scene.photo.widthPx} px: ${((user + system) / 1e6).toFixed(1)} s`
}

for (const flow of flows.filter(({ kind }) => kind.includes(values.only))) {
  const choice = sceneChoices.find(({ id }) => id === flow.scene)
  if (!choice) throw new Error(`Expected a scene ${flow.scene}.`)
  const moved = await loadScene(choice, MOVED_WIDTH_PX, codec)
  console.log(`${flow.kind.padEnd(15)} ${await measureMoves(flow, moved, Number(values.moves))}`)
  const { widthPx, heightPx } = moved.photo
  for (const width of values.widths.split(',').map(Number)) {
    const within = Math.min(width, Math.floor((MAX_PHOTO_SIDE_PX * widthPx) / heightPx))
    if (width > 0) console.log(`${''.padEnd(15)} ${await measureBundle(flow, await loadScene(choice, within, codec))}`)
  }
}
