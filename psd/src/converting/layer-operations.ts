import { intersectRects, type Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import { readAdjustment } from '../adjusting/adjustment.ts'
import { blendOver } from '../compositing/blend-over.ts'
import type { ClippingSet } from '../compositing/clipping-sets.ts'
import {
  type Drawing,
  keepsFill,
  modeOf,
  nameOf,
  planSet,
  reachOf,
  totalOpacityOf,
} from '../compositing/compose-layers.ts'
import { anyAlpha, createPicture, type FloatPicture, multiplyPlane } from '../compositing/float-picture.ts'
import { readMask, weightOf } from '../compositing/layer-mask.ts'
import { readSource } from '../compositing/layer-source.ts'
import type { AdjustOperation, PictureOperation } from './operation.ts'

/** An adjustment layer; null if it is not supported, which is noted. */
export function adjustmentOf(layer: Layer, drawing: Drawing): AdjustOperation | null {
  const adjustment = layer.adjustment && readAdjustment(layer.adjustment)
  const { notes, document } = drawing
  if (!adjustment) {
    const kind = `an adjustment of the kind "${layer.adjustment?.type}" above a frame`
    notes.leaveOut(nameOf(layer), kind, 'otherAdjustment')
    return null
  }
  if (adjustment.kind === 'formula' && adjustment.isApproximate) {
    notes.add('approximated', nameOf(layer), `its formula ("${layer.adjustment?.type}") is not published by Adobe`)
  }
  return {
    kind: 'adjust',
    names: [nameOf(layer)],
    adjustment,
    mode: modeOf(layer, drawing),
    opacity: totalOpacityOf(layer),
    weight: weightOf(document.file, layer),
  }
}

/**
 * The pictures of a layer or group with the layers clipped to it: one, or with effects one each for those
 * below, the layer itself and those above, because their modes may differ.
 */
export function picturesOf(set: ClippingSet, drawing: Drawing): readonly PictureOperation[] {
  const { base } = set
  const bounds = reachOf(base, drawing.canvas)
  return planSet(set, drawing).map(({ draw, mode, opacity, fill }): PictureOperation => {
    const isKept = keepsFill(mode, fill)
    const scale = opacity * (isKept ? 1 : fill)
    return {
      kind: 'picture',
      names: [nameOf(base)],
      mode,
      fill: isKept ? fill : 1,
      bounds,
      draw: rect => {
        const picture = draw(intersectRects(rect, bounds))
        const { alpha } = picture
        if (scale !== 1) for (let k = 0; k < alpha.length; k++) alpha[k] = (alpha[k] ?? 0) * scale
        return picture
      },
    }
  })
}

/** The colours of a layer's pixels, opaque wherever the layer has any alpha. */
export function groundOf(layer: Layer, drawing: Drawing): PictureOperation {
  return {
    kind: 'picture',
    names: [nameOf(layer)],
    mode: 'normal',
    fill: 1,
    bounds: reachOf(layer, drawing.canvas),
    draw: rect => {
      const picture = sourceOf(layer, rect, drawing)
      return { ...picture, alpha: anyAlpha(picture.alpha) }
    },
  }
}

/** How much of each pixel a layer's own pixels and its mask cover. */
export function pixelWeight(layer: Layer, drawing: Drawing): (rect: Rect) => Float32Array {
  return rect => {
    const out = createPicture(rect)
    const source = sourceOf(layer, rect, drawing)
    const mask = readMask(drawing.document.file, layer, source.rect)
    if (mask) multiplyPlane(source.alpha, mask)
    blendOver(out, source, 'normal', 1, 1)
    return out.alpha
  }
}

function sourceOf(layer: Layer, rect: Rect, { document, canvas }: Drawing): FloatPicture {
  const source = readSource(document.file, layer, intersectRects(rect, reachOf(layer, canvas)), canvas)
  return source ?? createPicture({ ...rect, widthPx: 0, heightPx: 0 })
}
