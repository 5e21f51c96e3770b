import { ArtworkError, describeFile, type ImageCodec, inspectArtwork, type StraightPixmap } from '@vitrine/engine'
import type { LinkedFile } from 'ag-psd'
import { composeLayers, drawingOf } from '../compositing/compose-layers.ts'
import { createPicture } from '../compositing/float-picture.ts'
import { MAX_CONTENT_BYTES, MAX_CONTENT_PIXELS } from '../limits.ts'
import { ImportNotes } from '../notes.ts'
import type { MergedPicture } from '../reading/merged-picture.ts'
import { isPhotoshopFile, openDocument, type PsdDocument } from '../reading/open-document.ts'
import { stripsOf } from '../rects.ts'
import { PsdRefusedError } from '../refused-error.ts'

/** The picture inside a smart object, or the reason why there is none. */
export type FrameContent =
  | { readonly kind: 'picture'; readonly picture: StraightPixmap }
  | { readonly kind: 'none'; readonly reason: string }

/**
 * Reads the embedded file of a smart object: PNG, JPEG, WebP, GIF, or a Photoshop file. `isTagged`: whether
 * the document has a profile; without one Photoshop takes the numbers of a picture as they are.
 */
export async function readContent(
  file: LinkedFile | undefined,
  codec: ImageCodec,
  isTagged = true,
): Promise<FrameContent> {
  const bytes = file?.data
  if (!bytes || bytes.byteLength === 0) {
    const reason = file?.linkedFile ? 'its file lies outside the PSD' : 'no file is embedded'
    return { kind: 'none', reason }
  }
  if (bytes.byteLength > MAX_CONTENT_BYTES) {
    const [has, most] = [Math.ceil(bytes.byteLength / 1e6), MAX_CONTENT_BYTES / 1e6]
    return { kind: 'none', reason: `its file has ${has} MB, and up to ${most} MB are read` }
  }
  try {
    if (isPhotoshopFile(bytes)) return readNested(bytes)
    const signature = String.fromCharCode(...bytes.subarray(0, 4))
    if (signature === '%PDF' || signature.startsWith('%!PS')) {
      return { kind: 'none', reason: 'it holds vector artwork (PDF or Illustrator)' }
    }
    const facts = inspectArtwork(bytes)
    if (facts.widthPx * facts.heightPx > MAX_CONTENT_PIXELS) return tooLarge(facts)
    const shown = isTagged ? facts : { ...facts, profile: null }
    return { kind: 'picture', picture: await codec.decodeArtwork(bytes, null, shown) }
  } catch (error) {
    if (error instanceof ArtworkError || error instanceof PsdRefusedError) {
      const isOther = error instanceof ArtworkError && error.reason === 'unsupported_type'
      const what = isOther ? describeFile(bytes)?.what : undefined
      return { kind: 'none', reason: `its file is ${what ?? 'not a picture that is read'}` }
    }
    throw error
  }
}

function tooLarge({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): FrameContent {
  const most = MAX_CONTENT_PIXELS / 1e6
  return {
    kind: 'none',
    reason: `its picture has ${widthPx} x ${heightPx} pixels, and up to ${most} megapixels are read`,
  }
}

function readNested(bytes: Uint8Array): FrameContent {
  const document = openDocument(bytes)
  if (document.widthPx * document.heightPx > MAX_CONTENT_PIXELS) return tooLarge(document)
  const { merged } = document
  const picture = merged && document.saysMergedReal ? readSaved(document, merged) : drawNested(document)
  return { kind: 'picture', picture }
}

/** The picture that Photoshop saved in an embedded file, with its alpha. */
function readSaved({ widthPx, heightPx, profile }: PsdDocument, merged: MergedPicture): StraightPixmap {
  const data = new Uint8Array(widthPx * heightPx * 4)
  for (const strip of stripsOf({ left: 0, top: 0, widthPx, heightPx })) {
    const [onWhite, onBlack] = [merged.read(strip, [255, 255, 255]), merged.read(strip, [0, 0, 0])]
    const colors = new Uint8Array(onBlack.length)
    let to = strip.top * widthPx * 4
    for (let i = 0; i < colors.length; i += 3, to += 4) {
      // White adds to a pixel what its alpha leaves.
      const alpha = 255 - Math.max(...[0, 1, 2].map(c => (onWhite[i + c] ?? 0) - (onBlack[i + c] ?? 0)))
      for (let c = 0; c < 3; c++)
        colors[i + c] = alpha === 0 ? 0 : Math.min(255, ((onBlack[i + c] ?? 0) * 255) / alpha + 0.5)
      data[to + 3] = alpha
    }
    profile.conversion?.bytesToSrgb(colors)
    for (let i = 0, at = strip.top * widthPx * 4; i < colors.length; i += 3, at += 4)
      data.set(colors.subarray(i, i + 3), at)
  }
  return { alpha: 'straight', widthPx, heightPx, data }
}

/** Draws an embedded Photoshop file that has no merged picture of its own. */
function drawNested(document: PsdDocument): StraightPixmap {
  const { widthPx, heightPx } = document
  const data = new Uint8Array(widthPx * heightPx * 4)
  const drawing = drawingOf(document, new ImportNotes())
  const { conversion } = document.profile
  for (const strip of stripsOf(drawing.canvas)) {
    const picture = createPicture(strip)
    composeLayers(document.layers, picture, drawing)
    conversion?.toSrgb(picture.color)
    let to = strip.top * widthPx * 4
    for (let k = 0; k < picture.alpha.length; k++, to += 4) {
      for (let c = 0; c < 3; c++) data[to + c] = (picture.color[3 * k + c] ?? 0) * 255 + 0.5
      data[to + 3] = (picture.alpha[k] ?? 0) * 255 + 0.5
    }
  }
  return { alpha: 'straight', widthPx, heightPx, data }
}
