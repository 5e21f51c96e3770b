import type { BlendMode } from '../blending/blend-modes.ts'
import type { Quad } from '../geometry/quad.ts'
import type { Tone } from '../lighting/tones.ts'

/** A part of the scene in scene pixels; may begin and end within a pixel. */
export type SceneRegion = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** A picture of the bundle that is laid over the scene: the whole of it (`region` null) or a part. */
export type LayerReference = { readonly image: string; readonly region: SceneRegion | null }

/** sRGB-encoded, 0..255. */
export type SurfaceColor = { readonly red: number; readonly green: number; readonly blue: number }

/** How light falls on a frame: `shade` multiplies the surface's colour, `highlights` are added, both times `scale`, in linear light. */
export type FrameLighting = {
  readonly shade: LayerReference
  readonly highlights: LayerReference | null
  readonly scale: number
}

/** Where a frame's artwork lies: four corners in scene pixels, or a map of artwork coordinates. */
export type FramePlacement =
  | { readonly kind: 'corners'; readonly corners: Quad }
  | { readonly kind: 'uvmap'; readonly uvmap: LayerReference }

export type Frame = {
  /** width / height of the artwork that fills the frame; other artwork is cropped to it at its centre */
  readonly aspectRatio: number
  readonly placement: FramePlacement
  readonly mask: LayerReference | null
  /** 0..1 */
  readonly opacity: number
  /** what clear parts of the artwork show in a lit frame */
  readonly surfaceColor: SurfaceColor
  readonly lighting: FrameLighting | null
}

export type Overlay = { readonly layer: LayerReference; readonly blendMode: BlendMode; readonly opacity: number }

/** A template.json, format 1, with all defaults applied. Coordinates are pixels of the scene picture. */
export type Template = {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly type: 'print' | 'product'
  readonly surfaceType: string | null
  readonly renderMode: 'corners' | 'uvmap'
  readonly blendMode: BlendMode
  readonly scene: string
  readonly tone: Tone
  /** 1 to 16, drawn in order; a frame's index is how callers name it */
  readonly frames: readonly Frame[]
  /** 0 to 8, drawn over the frames in order */
  readonly overlays: readonly Overlay[]
  readonly thumbnail: string | null
}
