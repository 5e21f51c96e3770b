/**
 * What a mockup of an imported template costs beside one with a single overlay: the same frame, and over the
 * whole of it five operations in a stack or one overlay.
 *
 *   node engine/bench/stacks.ts [ROUNDS]
 */
import { type PreparedTemplate, prepareTemplate } from '../src/index.ts'
import type { Operation } from '../src/template/stack-fields.ts'
import type { LayerReference, Overlay } from '../src/template/template.ts'
import { buildFrame, buildPicture, buildTemplate } from '../test/properties/build-template.ts'
import { MemoryBundle } from '../test/reference/memory-codec.ts'
import { makeArtwork } from './artworks.ts'
import { loadSubject, measureWhole } from './mockups.ts'
import type { Bar } from './page.ts'
import { placeFrames, type SceneKind } from './scenes.ts'

const BAR = 1.5

/** Layers at the size of the scene's half, as imports store them for the part where artwork shows. */
function buildLayers(bundle: MemoryBundle, widthPx: number, heightPx: number) {
  const add = (name: string, layer: Parameters<MemoryBundle['add']>[1]): LayerReference => ({
    image: bundle.add(name, layer),
    region: null,
  })
  const size = { widthPx, heightPx }
  const wide = (length: number, value: (i: number) => number): Uint16Array =>
    Uint16Array.from({ length: length * 3 }, (_, i) => Math.round(value(i) * 65_535))
  const gray = (x: number, y: number): number => (x * 3 + y * 5) & 255
  const scene = Uint8Array.from({ length: widthPx * heightPx * 3 }, (_, i) => 120 + ((i >> 5) & 63))
  bundle.add('scene', { alpha: 'opaque', ...size, data: scene })
  bundle.add('curve', {
    alpha: 'wide',
    widthPx: 256,
    heightPx: 1,
    data: wide(256, i => (Math.floor(i / 3) / 255) ** 0.8),
  })
  const plane = Uint8Array.from({ length: widthPx * heightPx }, (_, i) => 128 + ((i >> 3) & 127))
  return {
    shadow: add(
      'shadow',
      buildPicture(widthPx, heightPx, (x, y) => [40, 30, 20, gray(x, y) >> 1]),
    ),
    gleam: add(
      'gleam',
      buildPicture(widthPx, heightPx, (x, y) => [255, 250, 240, gray(y, x) >> 2]),
    ),
    mask: add('mask', { alpha: 'coverage', ...size, data: plane }),
    multiply: add('multiply', { alpha: 'wide', ...size, data: wide(widthPx * heightPx, i => 0.7 + (i & 63) / 255) }),
    plus: add('add', { alpha: 'wide', ...size, data: wide(widthPx * heightPx, i => (i & 31) / 510) }),
  }
}

/** The frame multiplied into the scene under one overlay, and under four operations: five with the frame. */
async function prepareBoth(kind: SceneKind): Promise<readonly [overlay: PreparedTemplate, stack: PreparedTemplate]> {
  const bundle = new MemoryBundle()
  const [quad] = placeFrames(kind)
  if (!quad) throw new Error('The scene lost its frame.')
  const layers = buildLayers(bundle, kind.widthPx, Math.round(kind.widthPx * 1.25))
  const frame = buildFrame(2 / 3, { kind: 'corners', corners: quad })
  const normal = { blendMode: 'normal', opacity: 1 } as const
  const overlay: Overlay = { layer: layers.shadow, blendMode: 'multiply', opacity: 0.8 }
  const operations: Operation[] = [
    { kind: 'frame', index: 0 },
    { kind: 'picture', layer: layers.shadow, blendMode: 'multiply', opacity: 0.8, fill: 1 },
    { kind: 'adjust', adjustment: { kind: 'tables', image: 'curve' }, mask: layers.mask, ...normal },
    { kind: 'affine', multiply: layers.multiply, add: layers.plus },
    { kind: 'picture', layer: layers.gleam, blendMode: 'screen', opacity: 1, fill: 1 },
  ]
  const prepare = (changes: Parameters<typeof buildTemplate>[1]): Promise<PreparedTemplate> =>
    prepareTemplate(buildTemplate([frame], { blendMode: 'multiply', ...changes }), bundle, kind.widthPx, bundle.codec())
  return [await prepare({ overlays: [overlay] }), await prepare({ stack: operations })]
}

/** Whole mockups, decoding included; composing and encoding alone only inform. */
export async function judgeStack(kind: SceneKind, artwork: Uint8Array, rounds: number): Promise<Bar[]> {
  const [overlay, stack] = await prepareBoth(kind)
  const subjects = [await loadSubject(overlay, artwork), await loadSubject(stack, artwork)]
  const [plain, stacked] = await measureWhole(subjects, rounds)
  if (!(plain && stacked)) throw new Error('Expected the costs of two subjects.')
  return [
    { name: 'mockup under five operations, cold / under one overlay', atMost: BAR, value: stacked.cold / plain.cold },
    { name: 'the same, composing and encoding alone', atMost: null, value: stacked.render / plain.render },
  ]
}

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 15)
  const kind: SceneKind = { widthPx: 2000, share: 0.25, frames: 1, placement: 'corners' }
  for (const share of [0.25, 0.6]) {
    for (const { name, atMost, value } of await judgeStack(
      { ...kind, share },
      await makeArtwork(3000, 4500, 'jpeg'),
      rounds,
    )) {
      console.log(
        `${share * 100} % of the picture, ${name}: ${value.toFixed(2)}${atMost === null ? '' : ` (bar ${atMost})`}`,
      )
    }
  }
}
