import { type BlendMode, blendModes, type NonSeparableFormula, type SeparableFormula } from './blend-modes.ts'

/** A blend mode ready for pixels: separable ones as a table over bytes, result at backdrop * 256 + source. */
export type Blending =
  | { readonly kind: 'separable'; readonly table: Uint8Array }
  | { readonly kind: 'non-separable'; readonly blend: NonSeparableFormula }

export function buildBlending(mode: BlendMode): Blending {
  const formula = blendModes[mode]
  return formula.kind === 'separable' ? { kind: 'separable', table: buildBlendTable(formula.blend) } : formula
}

/** 64 KB, each entry the formula's nearest byte. */
export function buildBlendTable(blend: SeparableFormula): Uint8Array {
  const table = new Uint8Array(65536)
  for (let b = 0; b < 256; b++) {
    for (let s = 0; s < 256; s++) {
      table[b * 256 + s] = Math.max(0, Math.min(255, Math.round(blend(b / 255, s / 255) * 255)))
    }
  }
  return table
}

/** Coverage times opacity is a weight of this many parts, so that opacity is not rounded to bytes. */
const WEIGHT_ONE = 65536

/** Opacity 0..1 -> what turns a byte of coverage times a byte of alpha into parts of WEIGHT_ONE. */
export function scaleOpacity(opacity: number): number {
  return (opacity * WEIGHT_ONE) / (255 * 255)
}

/**
 * Blends a run of pixels in encoded sRGB: result = (1 - a) scene + a B(scene, artwork), a = artwork alpha x
 * coverage x opacity. `scene` (RGB) is read and written from byte `sceneByte` on; `color` is premultiplied
 * RGBA from byte `colorByte` on; `coverage` counts from `coverageByte`.
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
  if (blending.kind === 'separable') {
    blendSeparable(blending.table, scale, length, color, colorByte, coverage, coverageByte, scene, sceneByte)
  } else {
    blendNonSeparable(blending.blend, scale, length, color, colorByte, coverage, coverageByte, scene, sceneByte)
  }
}

/** The colour of a premultiplied channel before multiplication, rounded; alpha is not 0. */
function unmultiply(channel: number, alpha: number): number {
  const c = Math.floor((channel * 255 + (alpha >> 1)) / alpha)
  return c > 255 ? 255 : c
}

function blendSeparable(
  table: Uint8Array,
  scale: number,
  length: number,
  color: Uint8Array,
  colorByte: number,
  coverage: Uint8Array,
  coverageByte: number,
  scene: Uint8Array,
  sceneByte: number,
): void {
  let from = colorByte
  let to = sceneByte
  for (let i = 0; i < length; i++, from += 4, to += 3) {
    const alpha = color[from + 3] ?? 0
    const weight = Math.floor((coverage[coverageByte + i] ?? 0) * alpha * scale + 0.5)
    if (weight === 0) continue
    let r = color[from] ?? 0
    let g = color[from + 1] ?? 0
    let b = color[from + 2] ?? 0
    if (alpha < 255) {
      r = unmultiply(r, alpha)
      g = unmultiply(g, alpha)
      b = unmultiply(b, alpha)
    }
    const backR = scene[to] ?? 0
    const backG = scene[to + 1] ?? 0
    const backB = scene[to + 2] ?? 0
    const blendR = table[(backR << 8) | r] ?? 0
    const blendG = table[(backG << 8) | g] ?? 0
    const blendB = table[(backB << 8) | b] ?? 0
    scene[to] = backR + (((blendR - backR) * weight + 32768) >> 16)
    scene[to + 1] = backG + (((blendG - backG) * weight + 32768) >> 16)
    scene[to + 2] = backB + (((blendB - backB) * weight + 32768) >> 16)
  }
}

function blendNonSeparable(
  blend: NonSeparableFormula,
  scale: number,
  length: number,
  color: Uint8Array,
  colorByte: number,
  coverage: Uint8Array,
  coverageByte: number,
  scene: Uint8Array,
  sceneByte: number,
): void {
  const mixed = new Uint8Array(3)
  let from = colorByte
  let to = sceneByte
  for (let i = 0; i < length; i++, from += 4, to += 3) {
    const alpha = color[from + 3] ?? 0
    const weight = Math.floor((coverage[coverageByte + i] ?? 0) * alpha * scale + 0.5)
    if (weight === 0) continue
    const backR = scene[to] ?? 0
    const backG = scene[to + 1] ?? 0
    const backB = scene[to + 2] ?? 0
    blend(
      backR,
      backG,
      backB,
      unmultiply(color[from] ?? 0, alpha),
      unmultiply(color[from + 1] ?? 0, alpha),
      unmultiply(color[from + 2] ?? 0, alpha),
      mixed,
    )
    scene[to] = backR + ((((mixed[0] ?? 0) - backR) * weight + 32768) >> 16)
    scene[to + 1] = backG + ((((mixed[1] ?? 0) - backG) * weight + 32768) >> 16)
    scene[to + 2] = backB + ((((mixed[2] ?? 0) - backB) * weight + 32768) >> 16)
  }
}
