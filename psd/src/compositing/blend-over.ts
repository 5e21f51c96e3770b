import { type BlendMode, intersectRects } from '@vitrine/engine'
import { blendColors, type ChannelFormula, channelFormula, hasOwnFill } from './blend-formulas.ts'
import type { FloatPicture } from './float-picture.ts'

/**
 * Draws a source over a backdrop, in place (PDF 32000-1, 11.3.6). `fill` is Photoshop's: in eight modes it
 * does not weaken the blend but moves the source to the mode's neutral colour. In all modes, the resulting
 * alpha and the part over a transparent backdrop are weakened by it.
 */
export function blendOver(
  backdrop: FloatPicture,
  source: FloatPicture,
  mode: BlendMode,
  opacity: number,
  fill: number,
): void {
  const shared = intersectRects(backdrop.rect, source.rect)
  const weight = hasOwnFill(mode) ? opacity : opacity * fill
  const growth = opacity * fill
  const formula = channelFormula(mode, fill)
  for (let y = 0; y < shared.heightPx; y++) {
    const to = (shared.top + y - backdrop.rect.top) * backdrop.rect.widthPx + shared.left - backdrop.rect.left
    const from = (shared.top + y - source.rect.top) * source.rect.widthPx + shared.left - source.rect.left
    if (mode === 'normal') coverRow(backdrop, to, source, from, shared.widthPx, weight)
    else if (formula) blendRow(backdrop, to, source, from, shared.widthPx, weight, growth, formula)
    else mixRow(backdrop, to, source, from, shared.widthPx, weight, mode)
  }
}

function coverRow(
  { color: bc, alpha: ba }: FloatPicture,
  to: number,
  { color: sc, alpha: sa }: FloatPicture,
  from: number,
  count: number,
  weight: number,
): void {
  for (let k = to, i = from; k < to + count; k++, i++) {
    const as = (sa[i] ?? 0) * weight
    if (as <= 0) continue
    const ab = ba[k] ?? 0
    const ar = ab + (1 - ab) * as
    const share = as / ar
    for (let b = 3 * k, s = 3 * i; b < 3 * k + 3; b++, s++) {
      const value = bc[b] ?? 0
      bc[b] = value + share * ((sc[s] ?? 0) - value)
    }
    ba[k] = ar
  }
}

function blendRow(
  { color: bc, alpha: ba }: FloatPicture,
  to: number,
  { color: sc, alpha: sa }: FloatPicture,
  from: number,
  count: number,
  weight: number,
  growth: number,
  formula: ChannelFormula,
): void {
  for (let k = to, i = from; k < to + count; k++, i++) {
    const as = (sa[i] ?? 0) * weight
    if (as <= 0) continue
    const af = (sa[i] ?? 0) * growth
    const ab = ba[k] ?? 0
    const ar = ab + (1 - ab) * af
    for (let p = 3 * k, q = 3 * i; p < 3 * k + 3; p++, q++) {
      const b = bc[p] ?? 0
      const s = sc[q] ?? 0
      const mixed = ab > 0 ? formula(b, s) : s
      const value = ar > 0 ? ((1 - as) * ab * b + as * ab * mixed + (1 - ab) * af * s) / ar : 0
      bc[p] = Math.min(1, Math.max(0, value))
    }
    ba[k] = ar
  }
}

function mixRow(
  { color: bc, alpha: ba }: FloatPicture,
  to: number,
  { color: sc, alpha: sa }: FloatPicture,
  from: number,
  count: number,
  weight: number,
  mode: BlendMode,
): void {
  for (let k = to, i = from; k < to + count; k++, i++) {
    const as = (sa[i] ?? 0) * weight
    if (as <= 0) continue
    const ab = ba[k] ?? 0
    const ar = ab + (1 - ab) * as
    const b = [bc[3 * k] ?? 0, bc[3 * k + 1] ?? 0, bc[3 * k + 2] ?? 0] as const
    const s = [sc[3 * i] ?? 0, sc[3 * i + 1] ?? 0, sc[3 * i + 2] ?? 0] as const
    const mixed = ab > 0 ? blendColors(mode, b, s) : s
    for (const c of [0, 1, 2] as const) {
      const value = ((1 - as) * ab * b[c] + as * ab * mixed[c] + (1 - ab) * as * s[c]) / ar
      bc[3 * k + c] = Math.min(1, Math.max(0, value))
    }
    ba[k] = ar
  }
}
