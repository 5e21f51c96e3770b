import type { BlendMode } from '../blending/blend-modes.ts'
import type { ShapedEffect } from '../effects/effect-masks.ts'
import type { ArtworkFilters } from '../effects/filter-artwork.ts'
import type { Rect } from '../geometry/rect.ts'
import type { RgbColor } from '../hex-color.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { PreparedRanges } from './color-ranges.ts'

// What a template draws, compiled for one output size: the same list for the kernel, the plain TypeScript,
// previews and packs.
// Area: nothing outside an operation's `region` changes.
// Input: what is drawn so far, the operation's own pictures, and for `frame` and `light` the frame's artwork.
// Colour space: sRGB-encoded; only `light` computes in linear light, and encodes its result.
// Alpha: the picture is always opaque. A group starts transparent, and colours drawn in it add coverage;
// `adjust` and `affine` change colours only. Artwork is premultiplied, other pictures as noted.

/** How a source is blended with its backdrop. */
export type Compositing = {
  readonly blendMode: BlendMode
  /** 0..1 */
  readonly opacity: number
  /** 0..1; below 1 only in blend modes in which it differs from opacity */
  readonly fill: number
}

/** How artwork is blended in bytes, where fill acts as opacity. */
export type FrameCompositing = Pick<Compositing, 'blendMode' | 'opacity'>

/** A byte per pixel of the operation's region. Null: 255 everywhere. */
type Masked = { readonly mask: Uint8Array | null }

/** Values are f32, 0..1. */
export type PreparedAdjustment =
  /** 256 values of red, then of green, then of blue */
  | { readonly kind: 'tables'; readonly values: Float32Array }
  /** RGB of 33 x 33 x 33 colours, blue varying fastest, red slowest */
  | { readonly kind: 'cube'; readonly values: Float32Array }
  /** the least luminosity that becomes white, a byte */
  | { readonly kind: 'threshold'; readonly level: number }

/** Pixels of the scene; the first is at `left`, `top` of the picture. */
export type Ground = { readonly left: number; readonly top: number; readonly pixels: OpaquePixmap }

/** RGBA: premultiplied in drawings in bytes, otherwise straight. */
export type PictureOperation = {
  readonly kind: 'picture'
  readonly region: Rect
  readonly data: Uint8Array
} & Compositing

/** An effect of a frame at the output's size. */
export type PreparedEffect = Compositing & ShapedEffect & { readonly paint: Paint }

/** One colour, or a picture in straight RGBA. */
export type Paint =
  | { readonly color: RgbColor }
  | { readonly picture: { readonly region: Rect; readonly data: Uint8Array } }

/** The effects of a frame, and how its artwork is blended if it is drawn separately from them. */
export type PreparedEffects = Compositing & { readonly list: readonly PreparedEffect[] }

/** Artwork, with `inner` drawn on it. `region` includes what its effects change. */
type ArtworkDrawn = {
  readonly region: Rect
  readonly index: number
  readonly inner: readonly PreparedOperation[]
  readonly effects: PreparedEffects | null
  /** Filters of the artwork including its edges; null for none. */
  readonly filters: ArtworkFilters | null
} & Compositing

export type FrameOperation =
  /** blended */
  | ({ readonly kind: 'frame' } & ArtworkDrawn)
  /** as a surface lit by the frame's light; without a blend mode */
  | ({ readonly kind: 'light' } & ArtworkDrawn)

/** An operation at the output's size. */
export type PreparedOperation =
  /** replaces the picture with the scene; the first operation of a drawing */
  | ({ readonly kind: 'scene'; readonly region: Rect } & Ground)
  | PictureOperation
  | FrameOperation
  | ({ readonly region: Rect } & (
      | /** RGB, 0..65535 = 0..1 */ {
          readonly kind: 'affine'
          readonly multiply: Uint16Array
          readonly add: Uint16Array
        }
      | ({ readonly kind: 'adjust'; readonly adjustment: PreparedAdjustment } & Masked & Compositing)
      | ({ readonly kind: 'color'; readonly area: string; readonly color: RgbColor } & Masked & Compositing)
      | ({
          readonly kind: 'group'
          readonly operations: readonly PreparedOperation[]
          readonly clip: readonly PreparedOperation[]
          /** which of its colours are visible */
          readonly where: PreparedRanges | null
        } & Masked &
          Compositing)
      | ({
          readonly kind: 'mix'
          readonly operations: readonly PreparedOperation[]
          /** 0..1 */
          readonly opacity: number
          /** on which backdrop colours it is drawn */
          readonly where: PreparedRanges | null
        } & Masked)
    ))

/** An effect with its mask, a byte per pixel of the reach of all effects; null: everywhere. */
export type DrawnEffect = Compositing & { readonly paint: Paint; readonly mask: Uint8Array | null }

/** The effects of a frame with its artwork. */
export type SampledEffects = {
  /** what they change, including the frame's region */
  readonly reach: Rect
  readonly below: readonly DrawnEffect[]
  readonly inside: readonly DrawnEffect[]
  /**
   * If inner effects are blended with the backdrop: the artwork's shape over the reach, and its colours over
   * the frame's region, opaque wherever alpha is not 0.
   */
  readonly whole: { readonly shape: Uint8Array; readonly colors: Uint8Array } | null
}

/** A list of operations, and how it is drawn over the scene. */
export type Drawing = {
  /**
   * `bytes`: every operation rounds its colours; the list is scene, frames, pictures. `floats`: any list,
   * rounded once at the end, except in lit frames.
   */
  readonly arithmetic: 'bytes' | 'floats'
  /** the scene first; trimmed to the frames' area */
  readonly operations: readonly PreparedOperation[]
  /** Drawn in turn; together they contain every pixel that frames touch. `floats`: up to BAND_PX pixels. */
  readonly parts: readonly Rect[]
}
