import { intersectRects, type Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import type { ImportNotes } from '../notes.ts'
import { openUnfiltered, readFilterMask } from '../reading/filter-mask.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import { createPicture, type FloatPicture, mixPictures } from './float-picture.ts'
import { readSource } from './layer-source.ts'

/** The document of a layer, and the notes about what is not drawn. */
type Surroundings = { readonly document: PsdDocument; readonly canvas: Rect; readonly notes: ImportNotes }

/**
 * A layer's own colour and alpha. For a smart object, Photoshop stores the pixels after all filters, and
 * separately those before them and the mask of the filters.
 */
export function readShown(layer: Layer, rect: Rect, { document, canvas, notes }: Surroundings): FloatPicture | null {
  const { file, filterMasks } = document
  const filtered = readSource(file, layer, rect, canvas)
  const mask = layer.placedLayer && filtered ? readFilterMask(layer.placedLayer, filterMasks, canvas) : null
  if (!filtered || mask === null) return filtered
  const before = mask === 'unread' ? null : readBefore(layer, filtered.rect, document)
  if (mask === 'unread' || !before) {
    notes.leaveOut(layer.name ?? 'layer', 'the mask of its smart filters is not drawn', 'rasterize')
    return filtered
  }
  mixPictures(before, filtered, 1, mask.plane(filtered.rect))
  return filtered
}

/** Null if it is not stored. */
function readBefore({ placedLayer }: Layer, rect: Rect, { filterMasks, isGrey }: PsdDocument): FloatPicture | null {
  const stored = placedLayer ? openUnfiltered(placedLayer, filterMasks, isGrey) : null
  if (!stored) return null
  const { own, rows } = stored
  const picture = createPicture(rect)
  const part = intersectRects(own, rect)
  const row = new Uint8Array(Math.max(0, part.widthPx))
  for (let y = part.top; y < part.top + part.heightPx; y++) {
    for (const [c, channel] of rows.entries()) {
      channel.read(y - own.top, part.left - own.left, row)
      for (let x = 0, k = (y - rect.top) * rect.widthPx + part.left - rect.left; x < row.length; x++, k++) {
        const value = (row[x] ?? 0) / 255
        if (c === 3) picture.alpha[k] = value
        else picture.color[3 * k + c] = value
      }
    }
  }
  return picture
}
