import type { LayerMaskData } from 'ag-psd'
import type { BoundedView } from './bounded-view.ts'

/** Bytes to write in place of others of a layer's record. `at`: in the file. */
export type Mend = { readonly at: number; readonly bytes: Uint8Array }

export type MaskParameters = Pick<
  LayerMaskData,
  'userMaskDensity' | 'userMaskFeather' | 'vectorMaskDensity' | 'vectorMaskFeather'
>

/** Bytes of a mask: rectangle, default colour and flags. A second one has the same in another order. */
const MASK_BYTES = 18
const FLAGS_AT = 17
const HAS_PARAMETERS = 16

/**
 * Photoshop writes an empty shape, or an empty mask of a path, as a rectangle that ends before it begins.
 *
 * @param at of four numbers: top, left, bottom, right
 * @returns an empty rectangle instead of one of these
 */
export function mendRectangle(view: BoundedView, at: number): Mend[] {
  if (isRectangle(view, at)) return []
  return [{ at: at + 8, bytes: view.bytes(at, 8) }]
}

/**
 * The mask at the beginning of a layer's extra data (Adobe Photoshop File Formats, "Layer mask / adjustment
 * layer data"). Parameters may follow without a second mask. If they have as many bytes as one, the general
 * reader mistakes them for it.
 */
export function mendMask(
  view: BoundedView,
  from: number,
  end: number,
): { readonly mends: readonly Mend[]; readonly parameters: MaskParameters | null } {
  const none = { mends: [], parameters: null }
  if (from + 4 > end) return none
  const sizeBytes = view.u32(from)
  const at = from + 4
  if (sizeBytes < MASK_BYTES || at + sizeBytes > end) return none
  const mends = mendRectangle(view, at)
  const restBytes = sizeBytes - MASK_BYTES
  if (restBytes < MASK_BYTES) return { mends, parameters: null }
  const rest = at + MASK_BYTES
  const secondAt = rest + 2
  const flags = view.u8(at + FLAGS_AT)
  const found = (flags & HAS_PARAMETERS) === 0 ? null : readParameters(view, rest)
  // Sections are padded to 2 or 4 bytes.
  if (found === null || found.sizeBytes > restBytes || restBytes - found.sizeBytes > 3 || isRectangle(view, secondAt)) {
    return { mends: [...mends, ...mendRectangle(view, secondAt)], parameters: null }
  }
  const plain = { at: at + FLAGS_AT, bytes: Uint8Array.of(flags & ~HAS_PARAMETERS) }
  const empty = { at: rest, bytes: new Uint8Array(restBytes) }
  return { mends: [...mends, plain, empty], parameters: found.parameters }
}

function isRectangle(view: BoundedView, at: number): boolean {
  return view.i32(at + 8) >= view.i32(at) && view.i32(at + 12) >= view.i32(at + 4)
}

/** A byte of flags, then a density (1 byte) and a feather (8 bytes) of the pixels' mask and of the path's. */
function readParameters(view: BoundedView, from: number) {
  const flags = view.u8(from)
  let at = from + 1
  const density = () => view.u8(at++) / 255
  const feather = () => {
    const bytes = view.bytes(at, 8)
    at += 8
    return new DataView(bytes.buffer).getFloat64(0)
  }
  const parameters: MaskParameters = {
    ...((flags & 1) !== 0 && { userMaskDensity: density() }),
    ...((flags & 2) !== 0 && { userMaskFeather: feather() }),
    ...((flags & 4) !== 0 && { vectorMaskDensity: density() }),
    ...((flags & 8) !== 0 && { vectorMaskFeather: feather() }),
  }
  return { parameters, sizeBytes: at - from }
}
