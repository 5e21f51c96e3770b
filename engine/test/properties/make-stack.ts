import type { BlendMode } from '../../src/blending/blend-modes.ts'
import type { OpaquePixmap, StraightPixmap, WidePixmap } from '../../src/pixmap.ts'
import type { Operation } from '../../src/template/stack-fields.ts'
import type { Frame, Template } from '../../src/template/template.ts'
import { MemoryBundle } from '../reference/memory-codec.ts'
import { buildArea, buildFrame, buildPicture, buildTemplate } from './build-template.ts'

/** Width and height of the templates. */
export const SIZE_PX = 16

type Random = () => number
type Made = { readonly template: Template; readonly bundle: MemoryBundle; readonly layers: Map<string, Layer> }
type Layer =
  | OpaquePixmap
  | StraightPixmap
  | WidePixmap
  | { readonly alpha: 'coverage'; readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array }

/** A template of a random tree of operations, on pictures of the scene's size; `areLit`: with lit frames. */
export function makeTemplate(random: Random, modes: readonly BlendMode[], areLit = false): Made {
  const layers = new Map<string, Layer>()
  const pick = <T>(values: readonly [T, ...T[]] | readonly T[]): T => {
    const value = values[Math.floor(random() * values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }
  const byte = (): number => Math.floor(random() * 256)
  const size = { widthPx: SIZE_PX, heightPx: SIZE_PX }
  const add = (layer: Layer): { image: string; region: null } => {
    const image = `layer-${layers.size}`
    layers.set(image, layer)
    return { image, region: null }
  }
  const picture = (): { image: string; region: null } =>
    add(
      buildPicture(SIZE_PX, SIZE_PX, () => [
        byte(),
        byte(),
        byte(),
        random() < 0.4 ? 255 : random() < 0.3 ? 0 : byte(),
      ]),
    )
  const mask = (): { image: string; region: null } | null =>
    random() < 0.5 ? null : add({ alpha: 'coverage', ...size, data: Uint8Array.from({ length: SIZE_PX ** 2 }, byte) })
  const wide = (widthPx: number, heightPx: number, value: (i: number) => number): { image: string; region: null } =>
    add({
      alpha: 'wide',
      widthPx,
      heightPx,
      data: Uint16Array.from({ length: widthPx * heightPx * 3 }, (_, i) => value(i)),
    })
  const opacity = (): number => (random() < 0.5 ? 1 : random())
  const compositing = (): { blendMode: BlendMode; opacity: number } => ({ blendMode: pick(modes), opacity: opacity() })
  const fill = (): number => (random() < 0.6 ? 1 : random())
  const tables = (): string => wide(256, 1, i => Math.min(65_535, Math.max(0, Math.floor(i / 3) * 250 + 1000))).image
  const cube = (): string => wide(33, 1089, i => Math.round((0.2 + 0.7 * (((i * 7) % 97) / 97)) * 65_535)).image
  const leaf = (isOpaque: boolean): Operation => {
    const kind = random()
    if (kind < 0.5) return { kind: 'picture', layer: picture(), fill: fill(), ...compositing() }
    if (kind < 0.6) return { kind: 'color', area: 'shirt', mask: mask(), ...compositing() }
    if (kind < 0.75 && isOpaque) {
      return {
        kind: 'affine',
        multiply: wide(SIZE_PX, SIZE_PX, () => Math.floor(random() * 65_536)),
        add: wide(SIZE_PX, SIZE_PX, () => Math.floor(random() * 30_000)),
      }
    }
    const image =
      random() < 0.5 ? { kind: 'tables' as const, image: tables() } : { kind: 'cube' as const, image: cube() }
    return { kind: 'adjust', adjustment: image, mask: mask(), ...compositing() }
  }
  const list = (depth: number, isOpaque: boolean, frame: number | null): Operation[] => {
    const count = 1 + Math.floor(random() * 3)
    const made = Array.from({ length: count }, (): Operation => {
      if (depth > 0 && random() < 0.3) return nest(depth, isOpaque, null)
      return leaf(isOpaque)
    })
    if (frame === null) return made
    const holds: Operation =
      depth > 0 && random() < 0.6 ? nest(depth, isOpaque, frame) : { kind: 'frame', index: frame }
    return made.toSpliced(Math.floor(random() * (count + 1)), 0, holds)
  }
  const nest = (depth: number, isOpaque: boolean, frame: number | null): Operation => {
    if (random() < 0.4) {
      return {
        kind: 'mix',
        operations: list(depth - 1, isOpaque, frame),
        mask: mask(),
        opacity: opacity(),
        where: null,
      }
    }
    const clip = random() < 0.4 ? list(0, true, null) : []
    const operations = list(depth - 1, false, frame)
    return { kind: 'group', operations, clip, mask: mask(), fill: fill(), where: null, ...compositing() }
  }
  layers.set(
    'scene',
    buildPicture(SIZE_PX, SIZE_PX, () => [byte(), byte(), byte(), 255]),
  )
  const inner = (): Operation[] => (random() < 0.4 ? list(0, true, null) : [])
  const whole = {
    kind: 'corners',
    corners: [
      [1, 2],
      [15, 2],
      [15, 14],
      [1, 14],
    ],
  } as const
  const rgb = (): { image: string; region: null } =>
    add({ alpha: 'opaque', ...size, data: Uint8Array.from({ length: SIZE_PX ** 2 * 3 }, byte) })
  /** With a mask that ends where the frame does: of lit frames it alone says where artwork is. */
  const light = (): Partial<Frame> => {
    const isInside = (i: number): boolean => {
      const [x, y] = [i % SIZE_PX, Math.floor(i / SIZE_PX)]
      return x >= 1 && x < 15 && y >= 2 && y < 14
    }
    const data = Uint8Array.from({ length: SIZE_PX ** 2 }, (_, i) => (isInside(i) ? byte() : 0))
    return {
      mask: add({ alpha: 'coverage', ...size, data }),
      blendMode: 'normal',
      lighting: { shade: rgb(), highlights: random() < 0.5 ? rgb() : null, scale: 0.3 + random() },
      surfaceColor: { red: byte(), green: byte(), blue: byte() },
    }
  }
  const frames = [0, 1].map(() =>
    buildFrame(14 / 12, whole, {
      mask: mask(),
      opacity: opacity(),
      fill: fill(),
      blendMode: pick(modes),
      inner: inner(),
      ...(areLit && light()),
    }),
  )
  const template = buildTemplate(frames, {
    stack: [...list(2, true, 0), ...list(3, true, 1)],
    tone: areLit && random() < 0.5 ? 'shoulder0.7' : 'srgb',
    colors: [buildArea('shirt', { default: '#3060a0', mask: null })],
  })
  const bundle = new MemoryBundle()
  for (const [path, layer] of layers) {
    if (path !== 'scene') bundle.add(path, layer)
    else bundle.add(path, { alpha: 'opaque', ...size, data: Uint8Array.from(layer.data.filter((_, i) => i % 4 !== 3)) })
  }
  return { template, bundle, layers }
}

/** Opaque artworks of the frames' own size, whose pixels lie on the scene's. */
export function makeArtworks(random: Random): readonly StraightPixmap[] {
  const byte = (): number => Math.floor(random() * 256)
  return [0, 1].map(() => buildPicture(14, 12, () => [byte(), byte(), byte(), 255]))
}
