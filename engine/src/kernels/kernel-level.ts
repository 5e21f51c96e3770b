/** A level of a texture in the kernel's memory. */
export type KernelLevel = {
  readonly widthPx: number
  readonly heightPx: number
  readonly strideBytes: number
  /** address of the first byte of its padding */
  readonly start: number
}
