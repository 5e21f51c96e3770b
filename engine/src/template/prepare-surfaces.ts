import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import { type Rect, uniteRects } from '../geometry/rect.ts'
import type { Light } from '../lighting/light-chunk.ts'
import type { FrameOperation } from '../operations/operation.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { type ArtworkMap, buildSamplingPlan } from '../sampling/sampling-plan.ts'
import { assembleDrawing, measureScene } from './compile-drawing.ts'
import { measureFrame } from './prepare-frame.ts'
import type { PreparedTemplate } from './prepare-template.ts'
import { findTouchedBands } from './touched-bands.ts'

/** A lit surface at the output's size. */
export type LitSurface = {
  /** width / height of the artwork that fills it */
  readonly aspectRatio: number
  readonly region: Rect
  /** where pixels of the region lie on the artwork */
  readonly map: ArtworkMap
  /** how much of each pixel of the region shows artwork */
  readonly coverage: Uint8Array
  /** of the region */
  readonly light: Light
}

/**
 * A prepared template of lit surfaces that no bundle has: of a preview whose surfaces move. It takes over
 * `scene`. Artwork fills the surfaces; a placement would not find their rims.
 */
export function prepareSurfaces(scene: OpaquePixmap, surfaces: readonly LitSurface[]): PreparedTemplate {
  const frames = surfaces.map(({ aspectRatio, region, map, coverage, light }): PreparedFrame => {
    const plan = buildSamplingPlan(region, map, coverage)
    return { aspectRatio, plan, reach: region, rim: null, coverage, light }
  })
  const operations = surfaces.map(
    ({ region }, index): FrameOperation => ({
      kind: 'light',
      index,
      region,
      inner: [],
      effects: null,
      filters: null,
      blendMode: 'normal',
      opacity: 1,
      fill: 1,
    }),
  )
  const ground = { left: 0, top: 0, pixels: scene }
  const touched = uniteRects(surfaces.map(({ region }) => region))
  const drawing = assembleDrawing('bytes', touched, ground, frames, operations)
  const { widthPx, heightPx } = scene
  return {
    widthPx,
    heightPx,
    enlargedTo: null,
    frames,
    empty: scene,
    touchedBands: findTouchedBands(frames),
    drawing,
    sizeBytes: measureScene({ empty: scene, drawing }) + frames.reduce((sum, frame) => sum + measureFrame(frame), 0),
  }
}
