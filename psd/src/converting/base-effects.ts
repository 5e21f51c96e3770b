import { intersectRects, type Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import { nameOf, reachOf } from '../compositing/compose-layers.ts'
import { drawEffects, effectMargin, type LayerEffect, readEffects } from '../compositing/effects.ts'
import { createPicture, cutPicture, cutPlane, type FloatPicture, multiplyPlane } from '../compositing/float-picture.ts'
import { readMask } from '../compositing/layer-mask.ts'
import { layerRect, readSource } from '../compositing/layer-source.ts'
import { readColor } from '../compositing/read-color.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import { spread } from '../rects.ts'
import type { PictureOperation } from './operation.ts'

type BaseEffects = { readonly [Part in 'below' | 'inside' | 'above']: readonly PictureOperation[] }

/**
 * Effects of a layer that frames are clipped to, which Photoshop draws over what is clipped: its own shape is
 * known. The stroke of a shape is among them.
 */
export function baseEffects(base: Layer, document: PsdDocument, canvas: Rect): BaseEffects {
  const effects = [...readEffects(base.effects, document.globalAngle), ...vectorStroke(base)]
  const bounds = reachOf(base, canvas)
  const drawIn = (rect: Rect) => {
    const wide = spread(rect, effectMargin(effects))
    return drawEffects(effects, matteOf(base, document, wide, canvas), wide, layerRect(base), canvas)
  }
  const probe = drawIn({ ...bounds, widthPx: 1, heightPx: 1 })
  const list = (part: keyof BaseEffects): readonly PictureOperation[] =>
    probe[part].map(({ mode, opacity }, index) => ({
      kind: 'picture',
      names: [nameOf(base)],
      mode,
      fill: 1,
      bounds,
      draw: (rect): FloatPicture => {
        const shared = intersectRects(rect, bounds)
        const drawn = drawIn(shared)[part][index]
        if (!drawn) return createPicture(shared)
        const picture = cutPicture(drawn.picture, shared)
        // Inside, the group around has the layer's opacity.
        const amount = opacity * (part === 'inside' ? 1 : (base.opacity ?? 1))
        return { ...picture, alpha: picture.alpha.map(alpha => alpha * amount) }
      },
    }))
  return { below: list('below'), inside: list('inside'), above: list('above') }
}

function matteOf(base: Layer, { file }: PsdDocument, rect: Rect, canvas: Rect): Float32Array {
  const source = readSource(file, base, rect, canvas)
  if (!source) return new Float32Array(rect.widthPx * rect.heightPx)
  const mask = readMask(file, base, source.rect)
  if (mask) multiplyPlane(source.alpha, mask)
  return cutPlane(source.alpha, source.rect, rect)
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
