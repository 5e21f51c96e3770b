import type { BlendMode } from '../blending/blend-modes.ts'
import type { Quad } from '../geometry/quad.ts'
import type { Tone } from '../lighting/tones.ts'

/** Scene pixels: [x, y, width, height]; may be fractions. */
export type LayerRegion = readonly [x: number, y: number, width: number, height: number]

/** A picture of the bundle that lies over the scene; without a region it covers all of it, whatever its resolution. */
export type LayerReference = { readonly image: string; readonly region: LayerRegion | null }

/** Light as the renderer of the scene saw it; layers hold encoded sRGB of light / scale. */
export type FrameLighting = {
  readonly shade: LayerReference | null
  readonly highlights: LayerReference | null
  readonly scale: number
}

type FrameBase = {
  /** width / height of the artwork that the frame expects */
  readonly aspectRatio: number
  readonly mask: LayerReference | null
  /** 0..1 */
  readonly opacity: number
  /** #rrggbb, what clear parts of the artwork show in a lit frame */
  readonly surfaceColor: string
  readonly lighting: FrameLighting | null
}

export type CornersFrame = FrameBase & { readonly corners: Quad }
export type UvMapFrame = FrameBase & { readonly uvmap: LayerReference }

export type Overlay = {
  readonly image: LayerReference
  readonly blendingMode: BlendMode
  /** 0..1 */
  readonly opacity: number
}

/** A bundle's template.json, checked and with its defaults filled in. Coordinates are scene pixels. */
export type Template = {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly type: 'print' | 'product'
  readonly surfaceType: string | null
  readonly blendingMode: BlendMode
  readonly scene: string
  readonly tone: Tone
  readonly overlays: readonly Overlay[]
  readonly thumbnail: string | null
} & (
  | { readonly renderMode: 'corners'; readonly frames: readonly CornersFrame[] }
  | { readonly renderMode: 'uvmap'; readonly frames: readonly UvMapFrame[] }
)
