import { areaOf, intersectRects, type OpaquePixmap, type Rect, type StraightPixmap, uniteRects } from '@vitrine/engine'
import { hasBlendIf } from '../compositing/blend-if.ts'
import { composeLayers, countEffects, type Drawing, drawingOf } from '../compositing/compose-layers.ts'
import { createPicture } from '../compositing/float-picture.ts'
import { layerRect, readSource } from '../compositing/layer-source.ts'
import type { FrameCandidate } from '../converting/choose-frames.ts'
import type { Matte } from '../converting/convert.ts'
import { placeCard } from '../converting/placed-file.ts'
import { drawWhole } from '../converting/whole-picture.ts'
import { ImportNotes } from '../notes.ts'
import { stripsOf } from '../rects.ts'

/** Where the old design remains although a mockup shows another one. */
export type LeftOvers = { readonly tiles: number; readonly x: number; readonly y: number }

/** A design whose pixels all differ from the old one's: what it does not change belongs to the old one. */
export function contrast(picture: StraightPixmap): StraightPixmap {
  const data = picture.data.map((value, i) => (i % 4 === 3 ? value : 255 - value))
  return { ...picture, data: new Uint8Array(data) }
}

/** All layers are drawn twice, which takes seconds for larger documents. */
const MAX_DRAWN_PIXELS = 60_000_000

/** Whether a document is small enough to be searched. */
export function canFindLeftOvers({ document, canvas }: Drawing): boolean {
  const drawn = document.parentOf.size + document.layers.length + countEffects(document.layers)
  return areaOf(canvas) * Math.max(1, drawn) <= MAX_DRAWN_PIXELS
}

const TILE_PX = 16
/** Of 255: a smaller change may be what layers above leave visible of a design. */
const LEAST_CHANGE = 32
/** A mockup that changes by less than this share of the layers' change shows the old design. */
const LEAST_SHARE = 0.25
/** Of a tile's pixels; edges are resampled differently. */
const LEAST_TILE_SHARE = 0.25

/**
 * Compares how mockups change from the file's own design to a contrasting one with how the layers of the file
 * do, over the whole picture. Null if nothing of the old design is left.
 */
export function findLeftOvers(
  drawing: Drawing,
  frames: readonly FrameCandidate[],
  matte: Matte,
  own: OpaquePixmap,
  contrasting: OpaquePixmap,
): LeftOvers | null {
  const { document, canvas } = drawing
  const tiles = new Map<string, { left: number; pixels: number; x: number; y: number }>()
  const replaced = (isInverted: boolean): Drawing => ({
    ...drawingOf(document, new ImportNotes()),
    replace: replaceDesigns(drawing, frames, isInverted),
  })
  const silent = replaced(false)
  const documents = [document, ...frames.flatMap(({ cards }) => cards.map(card => card.document))]
  // Contrasting colours change no shape, so that masks of effects are the same and only the designs differ.
  const isShaped = documents.some(({ layers }) => hasBlendIf(layers))
  const inverted = isShaped ? replaced(true) : { ...replaced(true), masks: silent.masks }
  const designs = frames.map(({ cards, layer }) => (isShaped || cards.length > 0 ? canvas : layerRect(layer)))
  for (const strip of stripsOf(intersectRects(uniteRects(designs), canvas))) {
    const before = drawWhole(document, strip, silent, matte).color
    const after = drawWhole(document, strip, inverted, matte).color
    for (let k = 0; k < strip.widthPx * strip.heightPx; k++) {
      const [x, y] = [strip.left + (k % strip.widthPx), strip.top + Math.floor(k / strip.widthPx)]
      const at = 3 * (y * canvas.widthPx + x)
      let [expected, drawn] = [0, 0]
      for (let c = 0; c < 3; c++) {
        expected = Math.max(expected, Math.abs((after[3 * k + c] ?? 0) - (before[3 * k + c] ?? 0)) * 255)
        drawn = Math.max(drawn, Math.abs((contrasting.data[at + c] ?? 0) - (own.data[at + c] ?? 0)))
      }
      if (expected < LEAST_CHANGE || drawn >= LEAST_SHARE * expected) continue
      const key = `${Math.floor(x / TILE_PX)} ${Math.floor(y / TILE_PX)}`
      const tile = tiles.get(key)
      if (tile) tile.left++
      else tiles.set(key, { left: 1, pixels: pixelsOfTile(x, y, canvas), x, y })
    }
  }
  const found = [...tiles.values()].filter(({ left, pixels }) => left >= LEAST_TILE_SHARE * pixels)
  const [first] = found
  return first ? { tiles: found.length, x: first.x, y: first.y } : null
}

function pixelsOfTile(x: number, y: number, canvas: Rect): number {
  const [left, top] = [Math.floor(x / TILE_PX) * TILE_PX, Math.floor(y / TILE_PX) * TILE_PX]
  return areaOf(intersectRects(canvas, { left, top, widthPx: TILE_PX, heightPx: TILE_PX }))
}

/** Draws designs, in contrasting colours if `isInverted`, and the files that contain them. */
function replaceDesigns(
  { document, canvas }: Drawing,
  frames: readonly FrameCandidate[],
  isInverted: boolean,
  depth = 0,
): NonNullable<Drawing['replace']> {
  return (layer, rect) => {
    if (frames.some(frame => frame.cards.length === depth && frame.layer === layer)) {
      const source = readSource(document.file, layer, rect, canvas)
      return source && isInverted ? { ...source, color: source.color.map(value => 1 - value) } : source
    }
    const inside = frames.filter(({ cards }) => cards[depth]?.layer === layer)
    const card = inside[0]?.cards[depth]
    if (!card) return null
    const inner = drawingOf(card.document, new ImportNotes())
    const replace = replaceDesigns(inner, inside, isInverted, depth + 1)
    return placeCard(card, document.file, canvas).picture(part => {
      const picture = createPicture(part)
      composeLayers(card.document.layers, picture, { ...inner, replace })
      return picture
    }, rect)
  }
}
