import type { OpaquePixmap, Rect } from '@vitrine/engine'
import { composeLayers, type Drawing } from '../compositing/compose-layers.ts'
import { createPicture, type FloatPicture } from '../compositing/float-picture.ts'
import type { MergedPicture } from '../reading/merged-picture.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import { stripsOf } from '../rects.ts'
import { averagePicture, type Reduction } from './area-average.ts'
import type { Matte } from './convert.ts'
import { pictureInSrgb } from './in-srgb.ts'

/** Photoshop's own picture of the canvas, sRGB; if the file has none, ours of all layers. */
export function readWhole(drawing: Drawing, reduction: Reduction | null, matte: Matte): OpaquePixmap {
  const { canvas, notes, document } = drawing
  const merged = document.isMergedReal ? document.merged : null
  const { conversion } = document.profile
  const { widthPx, heightPx } = reduction?.reduced ?? canvas
  if (merged && !reduction) {
    const data = merged.read(canvas, bytesOf(matte))
    conversion?.bytesToSrgb(data)
    return { alpha: 'opaque', widthPx, heightPx, data }
  }
  if (!merged) {
    notes.add(
      'hint',
      '',
      'Photoshop saved no picture of the whole in it ("Maximize compatibility"): nothing to compare with',
    )
  }
  const draw = (rect: Rect): FloatPicture => {
    const picture = merged ? readMerged(merged, rect, matte) : drawWhole(document, rect, drawing, matte)
    return conversion ? pictureInSrgb(picture, conversion) : picture
  }
  const data = new Uint8Array(widthPx * heightPx * 3)
  for (const strip of stripsOf({ left: 0, top: 0, widthPx, heightPx })) {
    const { color } = reduction ? averagePicture(draw, strip, reduction) : draw(strip)
    const to = strip.top * widthPx * 3
    for (let i = 0; i < color.length; i++) data[to + i] = (color[i] ?? 0) * 255 + 0.5
  }
  return { alpha: 'opaque', widthPx, heightPx, data }
}

function readMerged(merged: MergedPicture, rect: Rect, matte: Matte): FloatPicture {
  const picture = createPicture(rect)
  picture.color.set(merged.read(rect, bytesOf(matte)))
  for (let i = 0; i < picture.color.length; i++) picture.color[i] = (picture.color[i] ?? 0) / 255
  picture.alpha.fill(1)
  return picture
}

function bytesOf(matte: Matte): readonly [number, number, number] {
  return [Math.round(matte[0] * 255), Math.round(matte[1] * 255), Math.round(matte[2] * 255)]
}

/** Draws all layers of a document over the matte, in place of a missing merged picture. */
export function drawWhole(document: PsdDocument, rect: Rect, drawing: Drawing, matte: Matte): FloatPicture {
  const picture = createPicture(rect)
  for (let i = 0; i < picture.color.length; i += 3) picture.color.set(matte, i)
  picture.alpha.fill(1)
  composeLayers(document.layers, picture, drawing)
  return picture
}
