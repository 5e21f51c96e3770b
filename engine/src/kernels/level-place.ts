/** A level of an artwork in the kernel's memory. */
export type LevelPlace = {
  readonly widthPx: number
  readonly heightPx: number
  readonly strideBytes: number
  /** address of the first byte of its padding */
  readonly start: number
}
