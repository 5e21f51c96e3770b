import { outlineOf } from '../geometry/outline.ts'
import type { SmartObjectPlace } from '../import-report.ts'
import type { FrameCandidate } from './choose-frames.ts'

/** Where a smart object lies in the picture of its document. */
export function placeOf(
  { name, placed, cards }: FrameCandidate,
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
): SmartObjectPlace {
  const outline = outlineOf(placed, cards).map(([x, y]) => [roundShare(x / widthPx), roundShare(y / heightPx)] as const)
  return { name, outline }
}

/** A smart object may lie partly outside the picture. */
function roundShare(share: number): number {
  return Math.max(-20, Math.min(20, Number(share.toFixed(4)))) || 0
}
