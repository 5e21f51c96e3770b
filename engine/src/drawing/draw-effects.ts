import { partsOfEffect, type Shape } from '../effects/effect-masks.ts'
import { areaOf, type Rect } from '../geometry/rect.ts'
import type { DrawnEffect, PreparedEffects, SampledEffects } from '../operations/operation.ts'
import { unmultiply } from '../sampling/premultiply.ts'
import type { SampledFrame } from '../sampling/sampled-frame.ts'

/** A frame's effects for its artwork: one mask each over `reach`, which contains the frame's region. */
export function sampleEffects(
  { list, blendMode, opacity, fill }: PreparedEffects,
  frame: SampledFrame,
  reach: Rect,
): SampledEffects {
  const shape = shapeOf(frame, reach)
  const drawn: Record<'below' | 'inside', DrawnEffect[]> = { below: [], inside: [] }
  for (const effect of list) {
    for (const { place, mask } of partsOfEffect(effect, shape, fill * opacity))
      drawn[place].push({ ...effect, mask: mask && bytesOf(mask) })
  }
  // If not, inner effects blend with the artwork alone; otherwise they are drawn on the backdrop with it.
  const needsBackdrop = drawn.inside.length > 0 && (blendMode !== 'normal' || fill < 1)
  const whole = needsBackdrop ? { shape: bytesOf(shape.alpha), colors: opaqueColors(frame) } : null
  return { reach, ...drawn, whole }
}

/** The artwork's alpha times the frame's coverage; 0 around it. */
function shapeOf({ region, data, coverage }: SampledFrame, reach: Rect): Shape {
  const alpha = new Float32Array(areaOf(reach))
  for (let y = 0, i = 0; y < region.heightPx; y++) {
    let to = (region.top + y - reach.top) * reach.widthPx + region.left - reach.left
    for (let x = 0; x < region.widthPx; x++, i++, to++) {
      alpha[to] = ((data[4 * i + 3] ?? 0) * (coverage[i] ?? 0)) / 65_025
    }
  }
  return { widthPx: reach.widthPx, heightPx: reach.heightPx, alpha }
}

function bytesOf(plane: Float32Array): Uint8Array {
  const out = new Uint8Array(plane.length)
  for (let k = 0; k < out.length; k++) out[k] = Math.floor((plane[k] ?? 0) * 255 + 0.5)
  return out
}

/** Unpremultiplied colours, opaque wherever alpha is not 0. */
function opaqueColors({ data }: SampledFrame): Uint8Array {
  const out = new Uint8Array(data.length)
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] ?? 0
    if (alpha === 0) continue
    for (let c = 0; c < 3; c++) out[i + c] = unmultiply(data[i + c] ?? 0, alpha)
    out[i + 3] = 255
  }
  return out
}
