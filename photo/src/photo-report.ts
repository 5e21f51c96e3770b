/** What may not work in a template from a photo. */
export type DoubtKind =
  | 'clipped-light'
  | 'too-dark'
  | 'too-small'
  | 'tone-unknown'
  | 'poor-fit'
  | 'few-points'
  | 'ratio-unknown'
  | 'many-colors'
  | 'two-shades'
  | 'many-edges'
  | 'needs-pins'
  | 'hard-to-dye'

export type Doubt = { readonly kind: DoubtKind; readonly sentence: string }

export type FrameReport = {
  /** root mean square distance between the fit and the points, in px; null if nothing is fitted */
  readonly residualPx: number | null
  /** the part of the photo that shows artwork: left, top, width, height */
  readonly region: readonly [number, number, number, number]
  /** the colour under the print: as named, or as found by the brightness of prints */
  readonly color: string
  readonly doubts: readonly Doubt[]
}

/** How a template was made of a photo. */
export type PhotoReport = {
  readonly widthPx: number
  readonly heightPx: number
  readonly tone: 'srgb' | 'shoulder0.7'
  readonly frames: readonly FrameReport[]
  /** the colour of the product that may be dyed; null if none was brushed over */
  readonly productColor: string | null
  /** about dyeing the product */
  readonly productDoubts: readonly Doubt[]
  /** the greatest difference between the mockup of clear artwork and the photo, in 255ths */
  readonly clearDifference: number
}
