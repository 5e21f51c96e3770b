import { areaOf, intersectRects, type Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import { drawEffects, type EffectPicture, effectMargin, hasEffects } from '../compositing/effects.ts'
import { createPicture, cutPicture, type FloatPicture } from '../compositing/float-picture.ts'
import { spread } from '../rects.ts'
import type { FrameGeometry } from './frame-geometry.ts'
import type { PictureOperation } from './operation.ts'

/** Effects of a frame, drawn from its outline as if artwork were opaque. */
export type FrameEffects = {
  readonly below: readonly PictureOperation[]
  readonly inside: readonly PictureOperation[]
  readonly above: readonly PictureOperation[]
  readonly names: readonly string[]
}

/** Effects of larger frames are drawn again for each strip instead of being kept. */
const KEPT_PIXELS = 8_000_000

export function frameEffects(layer: Layer, geometry: FrameGeometry, canvas: Rect, globalAngle: number): FrameEffects {
  const { effects } = layer
  if (!hasEffects(effects)) return { below: [], inside: [], above: [], names: [] }
  const margin = effectMargin(effects)
  const bounds = intersectRects(spread(geometry.bounds, margin), canvas)
  const drawIn = (rect: Rect) => {
    const wide = spread(rect, margin)
    return drawEffects(effects, geometry.shape(wide), wide, geometry.bounds, canvas, globalAngle)
  }
  let kept: ReturnType<typeof drawIn> | null = null
  const draw = (rect: Rect) => {
    if (areaOf(bounds) > KEPT_PIXELS) return drawIn(rect)
    kept ??= drawIn(bounds)
    return kept
  }
  const list = (part: 'below' | 'inside' | 'above'): PictureOperation[] =>
    drawIn({ ...bounds, widthPx: 1, heightPx: 1 })[part].map((effect, index) =>
      operationOf(effect, bounds, (layer.opacity ?? 1) ** (part === 'inside' ? 0 : 1), rect => draw(rect)[part][index]),
    )
  const [below, inside, above] = [list('below'), list('inside'), list('above')]
  return { below, inside, above, names: [...below, ...inside, ...above].flatMap(({ names }) => names) }
}

function operationOf(
  { mode, name }: EffectPicture,
  bounds: Rect,
  opacity: number,
  draw: (rect: Rect) => EffectPicture | undefined,
): PictureOperation {
  return {
    kind: 'picture',
    names: [name],
    mode,
    fill: 1,
    bounds,
    draw: (rect): FloatPicture => {
      const shared = intersectRects(rect, bounds)
      const drawn = draw(shared)
      if (!drawn) return createPicture({ ...shared, widthPx: 0, heightPx: 0 })
      const picture = cutPicture(drawn.picture, shared)
      return { ...picture, alpha: picture.alpha.map(value => value * drawn.opacity * opacity) }
    },
  }
}
