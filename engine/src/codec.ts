import type { ArtworkFacts } from './artwork/artwork-facts.ts'
import type { PictureOutput } from './encoding/format-encoders.ts'
import type { ArtworkPart } from './geometry/artwork-placement.ts'
import type { Bounds, Rect } from './geometry/rect.ts'
import type { CoveragePixmap, OpaquePixmap, StraightPixmap, UvPixmap, WidePixmap } from './pixmap.ts'

/** How a layer file of a bundle is read. */
export type LayerKind = 'rgb' | 'rgba' | 'coverage' | 'uv' | 'rgb16'

/** The picture type of each layer kind. */
export type LayerPixmaps = {
  rgb: OpaquePixmap
  rgba: StraightPixmap
  coverage: CoveragePixmap
  uv: UvPixmap
  rgb16: WidePixmap
}

/** The least size, in pixels of the whole oriented artwork, that the frame's sampling density needs. */
export type DecodeTarget = {
  readonly minWidthPx: number
  readonly minHeightPx: number
  /** The picture's left (top) edge continues its right (bottom) one, so the source must fill whole pixels. */
  readonly wrapsX?: boolean
  readonly wrapsY?: boolean
  /** The visible part of the artwork; a decoder may leave out the rest. Missing or null: all of it. */
  readonly shown?: ArtworkPart | null
}

/** A rectangle in fractional pixels. */
export type Extent = Bounds

/** What decoded an artwork: our decoder, the platform's general one (libvips, a browser's), or a cache. */
export type DecodedBy = 'vitrine' | 'general' | 'memory'

/** Sizes to which our decoders can reduce: eighths per axis, or any number of pixels. */
export type DecodedSizes = 'eighths' | 'pixels'

/** Decoded artwork. The extent divided by the source's size is the decoder's reduction, per axis. */
export type DecodedArtwork = StraightPixmap & {
  /**
   * The whole source's rectangle on these pixels; larger than the picture if only a part was decoded. Pixels
   * may exceed it by less than one per side: a JPEG reduced to N/8 rounds its size up.
   */
  readonly extent: Extent
  readonly decodedBy: DecodedBy
  /** size of the artwork as shown, after orientation and before any reduction */
  readonly sourceWidthPx: number
  readonly sourceHeightPx: number
  /** whether every pixel's alpha is 255, so that the sampler may skip alpha */
  readonly isOpaque: boolean
  /** the sizes that its decoder supports; missing unless it is one of ours */
  readonly sizes?: DecodedSizes
}

/** A mockup equals `scene` everywhere outside `drawn`. Mockups of one template share the same objects. */
export type Backdrop = { readonly scene: OpaquePixmap; readonly drawn: readonly Rect[] }

/**
 * Reads and writes compressed pictures; injected, so that the rest of the engine runs in Node and browsers.
 * Every method rejects with a typed error for bytes that it cannot read; none reads or writes files.
 */
export type ImageCodec = {
  /**
   * Artwork as sRGB 8-bit RGBA, straight alpha: EXIF orientation applied, converted by its profile, first
   * frame. With a target, each axis is reduced (alpha-weighted) to no less than the target (or down to a
   * sixteenth below by decoders with few sizes), never enlarged. Pixels outside the target's shown part may
   * be missing, without effect on the others. `facts`: the result of inspectArtwork, if known.
   */
  decodeArtwork(bytes: Uint8Array, target: DecodeTarget | null, facts?: ArtworkFacts | null): Promise<DecodedArtwork>

  /** A layer of a bundle at its stored size: `rgb`/`rgba` sRGB, `coverage` 8-bit grey, the others 16-bit. */
  decodeLayer<K extends LayerKind>(bytes: Uint8Array, kind: K): Promise<LayerPixmaps[K]>

  /** Reduces the scene with Lanczos3 in encoded sRGB. Never enlarges. */
  resize(scene: OpaquePixmap, widthPx: number, heightPx: number): Promise<OpaquePixmap>

  /**
   * The finished picture as a file, sRGB, without metadata. With a backdrop, a codec may reuse earlier
   * results, which never changes the bytes.
   */
  encode(picture: OpaquePixmap, output: PictureOutput, backdrop?: Backdrop | null): Promise<Uint8Array>
}
