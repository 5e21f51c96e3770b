import type { ArtworkError } from '../src/artwork/artwork-error.ts'
import type { DeclinedError } from '../src/decoding/declined.ts'
import type { Part } from '../src/decoding/shown-part.ts'

/** RGBA, straight alpha. */
export type DecodedPart = {
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
  /** position on the whole picture at its size */
  readonly part: Part
}

/** The outcome of a file. A `trap` is always a defect. */
export type Verdict<Picture extends DecodedPart = DecodedPart> =
  | Picture
  | DeclinedError
  | ArtworkError
  | { readonly trap: unknown }

export type Run<Picture extends DecodedPart = DecodedPart> = {
  readonly verdict: Verdict<Picture>
  /** WebAssembly instructions executed (16 bytes of a fill or copy are one): a constant of the file */
  readonly instructions: number
  /** the most instructions that a file of this size and claim may take */
  readonly instructionBound: number
  /** of the kernel's memory, for the picture; 0 where the file was refused before */
  readonly memoryBytes: number
  /** the first access outside its region, changed memory between regions, or work beyond the bound */
  readonly violation: string | null
}

/** A part of the result, in shares of its sides. */
export type Share = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
