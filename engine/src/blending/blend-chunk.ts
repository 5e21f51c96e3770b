import { unmultiply } from '../sampling/premultiply.ts'
import { type BlendMode, blendModes, type NonSeparableFormula, type SeparableFormula } from './blend-modes.ts'

/** A blend mode prepared for pixels: separable modes as a table, indexed by backdrop * 256 + source byte. */
export type Blending =
  | { readonly kind: 'separable'; readonly table: Uint8Array }
  | { readonly kind: 'non-separable'; readonly blend: NonSeparableFormula }

export function buildBlending(mode: BlendMode): Blending {
  const formula = blendModes[mode]
  return formula.kind === 'separable' ? { kind: 'separable', table: buildBlendTable(formula.blend) } : formula
}

/** 64 KB; each entry is the formula's result rounded to a byte. */
export function buildBlendTable(blend: SeparableFormula): Uint8Array {
  const table = new Uint8Array(65536)
  for (let b = 0; b < 256; b++) {
    for (let s = 0; s < 256; s++) {
      table[b * 256 + s] = Math.max(0, Math.min(255, Math.round(blend(b / 255, s / 255) * 255)))
    }
  }
  return table
}

/** The weight coverage x opacity has this many steps, so that opacity is not rounded to bytes. */
const WEIGHT_ONE = 65536

/** Opacity 0..1 to the factor that converts coverage x alpha (bytes) to steps of WEIGHT_ONE. */
export function scaleOpacity(opacity: number): number {
  return (opacity * WEIGHT_ONE) / (255 * 255)
}

/**
 * Blends a run of pixels in encoded sRGB: result = (1 - a) scene + a B(scene, color), a = alpha x coverage x
 * opacity. `scene` is RGB, `color` premultiplied RGBA; `...Byte` is the run's first byte in each array.
 */
export function blendChunk(
  blending: Blending,
  opacity: number,
  length: number,
  color: Uint8Array,
  colorByte: number,
  coverage: Uint8Array,
  coverageByte: number,
  scene: Uint8Array,
  sceneByte: number,
): void {
  const scale = scaleOpacity(opacity)
  const blended = new Uint8Array(3)
  let from = colorByte
  let to = sceneByte
  for (let i = 0; i < length; i++, from += 4, to += 3) {
    const alpha = color[from + 3] ?? 0
    const weight = Math.floor((coverage[coverageByte + i] ?? 0) * alpha * scale + 0.5)
    if (weight === 0) continue
    const r = unmultiply(color[from] ?? 0, alpha)
    const g = unmultiply(color[from + 1] ?? 0, alpha)
    const b = unmultiply(color[from + 2] ?? 0, alpha)
    const backR = scene[to] ?? 0
    const backG = scene[to + 1] ?? 0
    const backB = scene[to + 2] ?? 0
    if (blending.kind === 'separable') {
      blended[0] = blending.table[(backR << 8) | r] ?? 0
      blended[1] = blending.table[(backG << 8) | g] ?? 0
      blended[2] = blending.table[(backB << 8) | b] ?? 0
    } else blending.blend(backR, backG, backB, r, g, b, blended)
    scene[to] = mix(backR, blended[0] ?? 0, weight)
    scene[to + 1] = mix(backG, blended[1] ?? 0, weight)
    scene[to + 2] = mix(backB, blended[2] ?? 0, weight)
  }
}

function mix(back: number, blended: number, weight: number): number {
  return back + (((blended - back) * weight + WEIGHT_ONE / 2) >> 16)
}
