import { type BlendMode, blendModes } from './blend-modes.ts'

/** Tables of separable modes, made when first used: result byte at backdrop * 256 + source. */
const separableTables = new Map<BlendMode, Uint8Array>()

/** The separable mode as a table over bytes, or null for the others: 64 KB, each entry the formula's nearest byte. */
export function getSeparableTable(mode: BlendMode): Uint8Array | null {
  const formula = blendModes[mode]
  if (formula.kind !== 'separable') return null
  const made = separableTables.get(mode)
  if (made) return made
  const table = new Uint8Array(65536)
  for (let b = 0; b < 256; b++) {
    for (let s = 0; s < 256; s++) {
      table[b * 256 + s] = Math.max(0, Math.min(255, Math.round(formula.blend(b / 255, s / 255) * 255)))
    }
  }
  separableTables.set(mode, table)
  return table
}

/** Coverage and opacity are joined into weights of this many parts, so that opacity is not rounded to bytes. */
const WEIGHT_ONE = 65536

/** Opacity 0..1 -> the factor that turns a byte of coverage times a byte of alpha into parts of WEIGHT_ONE. */
export function scaleOpacity(opacity: number): number {
  return (opacity * WEIGHT_ONE) / (255 * 255)
}

/**
 * Blends a run of pixels: result = (1 - a) scene + a B(scene, artwork), a = artwork alpha x coverage x opacity, in encoded sRGB.
 * `scene` (RGB) is read and written in place from byte `sceneByte`; `color` is premultiplied RGBA from byte `colorByte`; `coverage` counts from `coverageByte`.
 */
export function blendChunk(
  mode: BlendMode,
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
  const table = getSeparableTable(mode)
  if (table) blendSeparable(table, scale, length, color, colorByte, coverage, coverageByte, scene, sceneByte)
  else blendNonSeparable(mode, scale, length, color, colorByte, coverage, coverageByte, scene, sceneByte)
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

const mixed = new Uint8Array(3)

function blendNonSeparable(
  mode: BlendMode,
  scale: number,
  length: number,
  color: Uint8Array,
  colorByte: number,
  coverage: Uint8Array,
  coverageByte: number,
  scene: Uint8Array,
  sceneByte: number,
): void {
  const formula = blendModes[mode]
  if (formula.kind !== 'non-separable') return
  let from = colorByte
  let to = sceneByte
  for (let i = 0; i < length; i++, from += 4, to += 3) {
    const alpha = color[from + 3] ?? 0
    const weight = Math.floor((coverage[coverageByte + i] ?? 0) * alpha * scale + 0.5)
    if (weight === 0) continue
    const backR = scene[to] ?? 0
    const backG = scene[to + 1] ?? 0
    const backB = scene[to + 2] ?? 0
    formula.blend(
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
