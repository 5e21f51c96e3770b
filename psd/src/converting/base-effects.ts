import { intersectRects, type Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import { boxOf, type Drawing, matteOf, nameOf, reachOf, totalOpacityOf } from '../compositing/compose-layers.ts'
import { type LayerEffect, planEffects, readEffects } from '../compositing/effects.ts'
import { cutPlane, type FloatPicture, multiplyPlane } from '../compositing/float-picture.ts'
import type { Weight } from '../compositing/layer-mask.ts'
import { layerRect } from '../compositing/layer-source.ts'
import { readColor } from '../compositing/read-color.ts'
import { isEmpty, spread, stripsOf } from '../rects.ts'
import { marginOf } from './frame-effects.ts'
import { framesOf, type Operation, type PictureOperation } from './operation.ts'

/** Alpha that counts as opaque: the rest is lost in rounding to bytes. */
const OPAQUE = 1 - 0.5 / 255

/**
 * Whether pictures cover every pixel that the frames of a list change, within its weight. Then the shape of
 * the whole is the same for any artwork.
 */
export function coversFrames(operations: readonly Operation[], weight: Weight, canvas: Rect): boolean {
  const pictures = operations.filter(operation => operation.kind === 'picture')
  return framesOf(operations).every(frame => {
    const margin = marginOf(frame)
    const touched = intersectRects(spread(frame.geometry.bounds, margin), canvas)
    return [...stripsOf(touched)].every(strip => {
      const within = weight?.(strip)
      const shape = margin === 0 ? frame.geometry.shape(strip) : null
      const cover = coverOf(pictures, strip)
      return cover.every((value, k) => value >= OPAQUE || within?.[k] === 0 || shape?.[k] === 0)
    })
  })
}

/** The combined alpha of pictures. */
function coverOf(pictures: readonly PictureOperation[], rect: Rect): Float32Array {
  const cover = new Float32Array(rect.widthPx * rect.heightPx)
  for (const { bounds, fill, draw } of pictures) {
    const part = intersectRects(bounds, rect)
    if (isEmpty(part)) continue
    const drawn = draw(part)
    const alpha = cutPlane(drawn.alpha, drawn.rect, rect)
    for (let k = 0; k < cover.length; k++) cover[k] = 1 - (1 - (cover[k] ?? 0)) * (1 - fill * (alpha[k] ?? 0))
  }
  return cover
}

type BaseEffects = { readonly [Part in 'below' | 'inside']: readonly PictureOperation[] }

/**
 * Effects of a layer that frames are clipped to, or of a group around them, drawn along the saved shape. They
 * include the stroke of a shape. `isClip`: what is inside is already drawn within the shape.
 */
export function baseEffects(base: Layer, drawing: Drawing, isClip: boolean): BaseEffects {
  const { canvas, document } = drawing
  const effects = [...readEffects(base.effects, document.globalAngle), ...vectorStroke(base)]
  const bounds = reachOf(base, canvas)
  const opacity = totalOpacityOf(base)
  const { masks } = drawing
  const matte = matteOf({ base, clipped: [] }, effects, opacity, drawing)
  const planned = planEffects(effects, matte, masks, boxOf(base, canvas), canvas)
  const list = (part: keyof BaseEffects): readonly PictureOperation[] =>
    planned[part].map(({ draw, mode, opacity: share }) => ({
      kind: 'picture',
      names: [nameOf(base)],
      mode,
      fill: 1,
      bounds,
      draw: (rect): FloatPicture => {
        const picture = draw(intersectRects(rect, bounds))
        const isInside = part === 'inside'
        if (isInside && !isClip) multiplyPlane(picture.alpha, masks.shape(matte, picture.rect))
        // Within a clip, the surrounding group already has the layer's opacity.
        const amount = share * (isInside && isClip ? 1 : (base.opacity ?? 1))
        return { ...picture, alpha: picture.alpha.map(alpha => alpha * amount) }
      },
    }))
  return { below: list('below'), inside: list('inside') }
}

/** Of the stroke of a shape: Photoshop's 288 points at 300 pixels per inch. */
const MAX_STROKE_PX = 1_200

/** The stored pixels of a shape include its stroke along their edge, whatever its position. */
function vectorStroke(base: Layer): readonly LayerEffect[] {
  const { vectorStroke: stroke } = base
  if (!stroke?.strokeEnabled || stroke.content?.type !== 'color') return []
  const width = stroke.lineWidth?.value ?? 0
  const scale = stroke.lineWidth?.units === 'Points' ? (stroke.resolution ?? 72) / 72 : 1
  const color = readColor(stroke.content.color)
  const opacity = stroke.opacity ?? 1
  // A band of half the shape covers all of it.
  const { widthPx, heightPx } = layerRect(base)
  const innerPx = Math.min(width * scale, Math.min(widthPx, heightPx) / 2 + 1, MAX_STROKE_PX)
  return width > 0 ? [{ kind: 'stroke', name: 'stroke', mode: 'normal', opacity, color, outerPx: 0, innerPx }] : []
}
