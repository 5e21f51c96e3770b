import type { BlendMode } from '../../src/blending/blend-modes.ts'
import { blendModes } from '../../src/blending/blend-modes.ts'
import { readHexColor } from '../../src/hex-color.ts'
import { applyTone, decodeSrgb, invertTone } from '../../src/lighting/tones.ts'
import type { StraightPixmap } from '../../src/pixmap.ts'
import type { Operation } from '../../src/template/stack-fields.ts'
import type { Lighting, Template } from '../../src/template/template.ts'

// PDF 32000-1, 11.3.6, pixel by pixel in 64-bit floats: what a stack should give. Corners frames only, at the
// scene's own size, with artwork whose pixels lie on the scene's.

type Color = [red: number, green: number, blue: number]
type Pixel = { color: Color; alpha: number }
type Layer = { readonly widthPx: number; readonly data: Uint8Array | Uint16Array }

const mapColor = (change: (channel: 0 | 1 | 2) => number): Color => [change(0), change(1), change(2)]
const clamp = (value: number): number => Math.max(0, Math.min(1, value))
const lum = ([r, g, b]: Color): number => 0.3 * r + 0.59 * g + 0.11 * b

function luminosity(back: Color, source: Color): Color {
  const l = lum(source)
  const moved = mapColor(c => back[c] + l - lum(back))
  const [least, most] = [Math.min(...moved), Math.max(...moved)]
  if (least < 0) return mapColor(c => l + ((moved[c] - l) * l) / (l - least))
  if (most > 1) return mapColor(c => l + ((moved[c] - l) * (1 - l)) / (most - l))
  return moved
}

/** The source's channel at a fill opacity; null where fill is opacity. */
function filled(mode: BlendMode, s: number, fill: number): number | null {
  if (mode === 'linear-burn' || mode === 'color-burn') return 1 - fill * (1 - s)
  if (mode === 'difference' || mode === 'linear-dodge' || mode === 'color-dodge') return fill * s
  return mode === 'linear-light' || mode === 'vivid-light' ? 0.5 + fill * (s - 0.5) : null
}

function blend(mode: BlendMode, back: Color, source: Color, fill: number): Color {
  if (mode === 'luminosity') return luminosity(back, source)
  const formula = blendModes[mode]
  if (formula.kind !== 'separable') throw new Error(`the compositor has no ${mode}`)
  return mapColor(c => clamp(formula.blend(back[c], filled(mode, source[c], fill) ?? source[c])))
}

function meet(below: Pixel, color: Color, alpha: number, mode: BlendMode, opacity: number, fill: number): void {
  const isSpecial = filled(mode, 0, fill) !== null
  const weight = alpha * opacity * (isSpecial ? 1 : fill)
  const grown = (1 - below.alpha) * (isSpecial ? weight * fill : weight)
  const result = below.alpha + grown
  if (result === 0) return
  const mixed = blend(mode, below.color, color, fill)
  const kept = below.color
  below.color = mapColor(c =>
    clamp(((1 - weight) * below.alpha * kept[c] + weight * below.alpha * mixed[c] + grown * color[c]) / result),
  )
  below.alpha = result
}

/** Draws one pixel of a template. */
class PixelCompositor {
  readonly #template: Template
  readonly #layers: ReadonlyMap<string, Layer>
  readonly #artworks: readonly StraightPixmap[]
  readonly #x: number
  readonly #y: number

  constructor(
    template: Template,
    layers: ReadonlyMap<string, Layer>,
    artworks: readonly StraightPixmap[],
    x: number,
    y: number,
  ) {
    this.#template = template
    this.#layers = layers
    this.#artworks = artworks
    this.#x = x
    this.#y = y
  }

  #value(image: string, channels: number, channel: number): number {
    const layer = this.#layers.get(image)
    if (!layer) throw new Error(`no layer ${image}`)
    const value = layer.data[(this.#y * layer.widthPx + this.#x) * channels + channel] ?? 0
    return value / (layer.data instanceof Uint16Array ? 65_535 : 255)
  }

  #entry(image: string, index: number): number {
    return (this.#layers.get(image)?.data[index] ?? 0) / 65_535
  }

  /** `isOpaque`: only colours matter here. */
  draw(operations: readonly Operation[], below: Pixel): void {
    for (const operation of operations) this.#drawOne(operation, below)
  }

  #drawOne(operation: Operation, below: Pixel): void {
    const share = 'mask' in operation && operation.mask ? this.#value(operation.mask.image, 1, 0) : 1
    switch (operation.kind) {
      case 'picture': {
        const { image } = operation.layer
        const color = mapColor(c => this.#value(image, 4, c))
        return meet(below, color, this.#value(image, 4, 3), operation.blendMode, operation.opacity, operation.fill)
      }
      case 'color': {
        const { red, green, blue } = readHexColor(this.#template.colors[0]?.default ?? '')
        return meet(below, [red / 255, green / 255, blue / 255], share, operation.blendMode, operation.opacity, 1)
      }
      case 'affine': {
        const { color } = below
        const [m, o] = [operation.multiply.image, operation.add.image]
        below.color = mapColor(c => clamp(color[c] * this.#value(m, 3, c) + this.#value(o, 3, c)))
        return
      }
      case 'adjust': {
        const { color } = below
        const mixed = blend(operation.blendMode, color, this.#adjusted(operation.adjustment, color), 1)
        below.color = mapColor(c => color[c] + share * operation.opacity * (mixed[c] - color[c]))
        return
      }
      case 'mix': {
        const before = { color: below.color, alpha: below.alpha }
        this.draw(operation.operations, below)
        const w = share * operation.opacity
        const now = { color: below.color, alpha: below.alpha }
        below.alpha = (1 - w) * before.alpha + w * now.alpha
        if (below.alpha === 0) return
        const part = (c: 0 | 1 | 2): number => (1 - w) * before.alpha * before.color[c] + w * now.alpha * now.color[c]
        below.color = mapColor(c => part(c) / below.alpha)
        return
      }
      case 'group': {
        const group: Pixel = { color: [0, 0, 0], alpha: 0 }
        this.draw(operation.operations, group)
        const flat: Pixel = { color: group.color, alpha: 1 }
        this.draw(operation.clip, flat)
        return meet(below, flat.color, group.alpha * share, operation.blendMode, operation.opacity, operation.fill)
      }
      case 'frame':
        return this.#drawFrame(operation.index, below)
    }
  }

  #drawFrame(index: number, below: Pixel): void {
    const frame = this.#template.frames[index]
    const artwork = this.#artworks[index]
    if (frame?.placement.kind !== 'corners' || !artwork) throw new Error('no such frame')
    const [x, y] = [this.#x - frame.placement.corners[0][0], this.#y - frame.placement.corners[0][1]]
    if (x < 0 || y < 0 || x >= artwork.widthPx || y >= artwork.heightPx) return
    const shown: Pixel = {
      color: mapColor(c => (artwork.data[(y * artwork.widthPx + x) * 4 + c] ?? 0) / 255),
      alpha: 1,
    }
    this.draw(frame.inner, shown)
    const share = frame.mask ? this.#value(frame.mask.image, 1, 0) : 1
    if (frame.lighting) return this.#light(frame.lighting, shown.color, share * frame.opacity * frame.fill, below)
    meet(below, shown.color, share, frame.blendMode ?? 'normal', frame.opacity, frame.fill)
  }

  /** Adds light to the light that is there; where nothing is there it is what is seen. */
  #light({ shade, highlights, scale }: Lighting, color: Color, mask: number, below: Pixel): void {
    const { tone } = this.#template
    const linear = (image: string, c: number): number => scale * decodeSrgb(this.#value(image, 3, c))
    const alpha = below.alpha + (1 - below.alpha) * mask
    if (mask === 0) return
    const before = below.color
    below.color = mapColor(c => {
      const gloss = highlights ? linear(highlights.image, c) : 0
      const added = mask * (linear(shade.image, c) * decodeSrgb(color[c]) + gloss)
      return applyTone(tone, (below.alpha * invertTone(tone, before[c]) + added) / alpha)
    })
    below.alpha = alpha
  }

  #adjusted(adjustment: Extract<Operation, { kind: 'adjust' }>['adjustment'], color: Color): Color {
    if (adjustment.kind === 'threshold') throw new Error('the compositor has no threshold')
    const { image } = adjustment
    if (adjustment.kind === 'tables') {
      return mapColor(c => {
        const position = color[c] * 255
        const below = Math.min(254, Math.floor(position))
        const at = (entry: number): number => this.#entry(image, entry * 3 + c)
        return at(below) + (position - below) * (at(below + 1) - at(below))
      })
    }
    // From the cell's darkest corner to its lightest, along the axes in the order of their shares.
    const positions = color.map(value => value * 32)
    const cell = positions.map(position => Math.min(31, Math.floor(position)))
    const shares = positions.map((position, axis) => position - (cell[axis] ?? 0))
    const order = [0, 1, 2].sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0))
    const corner = (offset: readonly number[], c: number): number => {
      const [r = 0, g = 0, b = 0] = cell.map((value, axis) => value + (offset[axis] ?? 0))
      return this.#entry(image, (r * 1089 + g * 33 + b) * 3 + c)
    }
    return mapColor(c => {
      const offset = [0, 0, 0]
      let value = corner(offset, c)
      for (const axis of order) {
        const before = corner(offset, c)
        offset[axis] = 1
        value += (shares[axis] ?? 0) * (corner(offset, c) - before)
      }
      return value
    })
  }
}

/** The mockup of a template, RGB, 0..1. `layers`: its pictures by name, the scene as RGBA. */
export function compositeTemplate(
  template: Template,
  layers: ReadonlyMap<string, Layer>,
  artworks: readonly StraightPixmap[],
): Float64Array {
  const scene = layers.get('scene')
  if (!scene) throw new Error('no scene')
  const heightPx = scene.data.length / 4 / scene.widthPx
  const result = new Float64Array(scene.widthPx * heightPx * 3)
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < scene.widthPx; x++) {
      const first = (y * scene.widthPx + x) * 4
      const pixel: Pixel = { color: mapColor(c => (scene.data[first + c] ?? 0) / 255), alpha: 1 }
      new PixelCompositor(template, layers, artworks, x, y).draw(template.stack ?? [], pixel)
      result.set(pixel.color, (y * scene.widthPx + x) * 3)
    }
  }
  return result
}
