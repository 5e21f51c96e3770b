import { intersectRects, type Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import { type Drawing, nameOf, reachOf, shapeOf } from '../compositing/compose-layers.ts'
import { drawEffects, effectMargin, type LayerEffect, readEffects } from '../compositing/effects.ts'
import { createPicture, cutPicture, cutPlane, type FloatPicture, multiplyPlane } from '../compositing/float-picture.ts'
import { layerRect } from '../compositing/layer-source.ts'
import { readColor } from '../compositing/read-color.ts'
import { isEmpty, spread } from '../rects.ts'
import type { PictureOperation } from './operation.ts'

type BaseEffects = { readonly [Part in 'below' | 'inside' | 'above']: readonly PictureOperation[] }

/**
 * Effects of a layer that frames are clipped to, or of a group around them, drawn along the shape that is
 * saved. The stroke of a shape is among them. `isClip`: what is inside is drawn within the shape anyway.
 */
export function baseEffects(base: Layer, drawing: Drawing, isClip: boolean): BaseEffects {
  const { canvas, document } = drawing
  const effects = [...readEffects(base.effects, document.globalAngle), ...vectorStroke(base)]
  const bounds = reachOf(base, canvas)
  const own = layerRect(base)
  const drawIn = (rect: Rect) => {
    const wide = spread(rect, effectMargin(effects))
    const matte = shapeOf(base, wide, drawing)
    return { wide, matte, drawn: drawEffects(effects, matte, wide, isEmpty(own) ? bounds : own, canvas) }
  }
  const probe = drawIn({ ...bounds, widthPx: 1, heightPx: 1 }).drawn
  const list = (part: keyof BaseEffects): readonly PictureOperation[] =>
    probe[part].map(({ mode, opacity }, index) => ({
      kind: 'picture',
      names: [nameOf(base)],
      mode,
      fill: 1,
      bounds,
      draw: (rect): FloatPicture => {
        const shared = intersectRects(rect, bounds)
        const { wide, matte, drawn } = drawIn(shared)
        const effect = drawn[part][index]
        if (!effect) return createPicture(shared)
        const picture = cutPicture(effect.picture, shared)
        const isInside = part === 'inside'
        if (isInside && !isClip) multiplyPlane(picture.alpha, cutPlane(matte, wide, shared))
        // Inside of a clip the group around has the layer's opacity.
        const amount = opacity * (isInside && isClip ? 1 : (base.opacity ?? 1))
        return { ...picture, alpha: picture.alpha.map(alpha => alpha * amount) }
      },
    }))
  return { below: list('below'), inside: list('inside'), above: list('above') }
}

/** Stored pixels of a shape have its stroke, wherever it lies, along their edge. */
function vectorStroke({ vectorStroke: stroke }: Layer): readonly LayerEffect[] {
  if (!stroke?.strokeEnabled || stroke.content?.type !== 'color') return []
  const width = stroke.lineWidth?.value ?? 0
  const scale = stroke.lineWidth?.units === 'Points' ? (stroke.resolution ?? 72) / 72 : 1
  const color = readColor(stroke.content.color)
  const opacity = stroke.opacity ?? 1
  return width > 0
    ? [{ kind: 'stroke', name: 'stroke', mode: 'normal', opacity, color, outerPx: 0, innerPx: width * scale }]
    : []
}
