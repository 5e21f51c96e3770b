import type { Point } from '@vitrine/engine'

/** A point that the user set on a cylinder or cone. */
export type BodyMark = { readonly at: Point; readonly weight: number } & (
  | { readonly kind: 'corner'; readonly u: number; readonly v: number }
  | { readonly kind: 'arc'; readonly v: number }
  /** on the half of a rim that is behind */
  | { readonly kind: 'far-arc'; readonly v: number }
  | { readonly kind: 'edge'; readonly u: number }
  | { readonly kind: 'side'; readonly side: 'left' | 'right' }
)
