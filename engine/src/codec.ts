import type { ArtworkFacts } from './artwork/artwork-facts.ts'
import type { PictureOutput } from './encoding/format-encoders.ts'
import type { ArtworkPart } from './geometry/artwork-placement.ts'
import type { Rect } from './geometry/rect.ts'
import type { CoveragePixmap, OpaquePixmap, StraightPixmap, UvPixmap } from './pixmap.ts'

/** What a layer file of a bundle is read as. */
export type LayerKind = 'rgb' | 'rgba' | 'coverage' | 'uv'

/** The picture that each layer kind decodes to. */
export type LayerPixmaps = {
  rgb: OpaquePixmap
  rgba: StraightPixmap
  coverage: CoveragePixmap
  uv: UvPixmap
}

/** The least size, in pixels of the whole oriented artwork, that the frame's sampling density needs. */
export type DecodeTarget = {
  readonly minWidthPx: number
  readonly minHeightPx: number
  /** The picture's left edge continues its right one, so the source must fill whole pixels. */
  readonly wrapsX?: boolean
  /**
   * The part of the artwork that will be looked at: a decoder may leave out the rest. Everything where it is
   * missing or null.
   */
  readonly shown?: ArtworkPart | null
}

/** A rectangle in pixels and fractions of them. */
export type Extent = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * Who decoded an artwork: our own decoder (`vitrine`), the platform's general one (libvips, a browser's), or
 * nobody, because it was still in memory.
 */
export type DecodedBy = 'vitrine' | 'general' | 'memory'

/** Decoded artwork. The extent over the source's size is the reduction that the decoder applied, per axis. */
export type DecodedArtwork = StraightPixmap & {
  /**
   * Where the whole source lies on these pixels, in continuous coordinates: beyond them, where only a part of
   * it was decoded. Outermost pixels may lie outside it by less than a pixel a side: a JPEG reduced to N/8
   * rounds its size up.
   */
  readonly extent: Extent
  readonly decodedBy: DecodedBy
  /** size of the artwork as the customer sees it, after orientation and before any reduction */
  readonly sourceWidthPx: number
  readonly sourceHeightPx: number
  /** true where every pixel's alpha is 255, so that the sampler may leave alpha out */
  readonly isOpaque: boolean
}

/**
 * What a mockup was drawn on: it equals `scene` everywhere but inside `drawn`. Mockups of one template share
 * the same objects.
 */
export type Backdrop = { readonly scene: OpaquePixmap; readonly drawn: readonly Rect[] }

/**
 * Everything that reads or writes compressed pictures, injected so that the rest of the engine runs anywhere.
 * Every method rejects with a typed error on bytes that it cannot read; none reads or writes files.
 */
export type ImageCodec = {
  /**
   * Artwork as sRGB 8-bit RGBA, straight alpha: EXIF orientation applied, converted by its profile, first
   * frame. With a target the picture is reduced (alpha-weighted), each axis on its own, to no less than the
   * target (a decoder that knows few sizes may stay a sixteenth below), and never enlarged. Pixels outside
   * what the target says is shown may be missing; those inside are the same with them and without: the exact
   * crop belongs to the renderer's geometry. `facts` is what inspectArtwork said of these very bytes, where
   * the caller has asked already.
   */
  decodeArtwork(bytes: Uint8Array, target: DecodeTarget | null, facts?: ArtworkFacts | null): Promise<DecodedArtwork>

  /**
   * A layer of a bundle at its stored size: `rgb`/`rgba` sRGB-encoded, `coverage` 8-bit grey, `uv` 16-bit.
   */
  decodeLayer<K extends LayerKind>(bytes: Uint8Array, kind: K): Promise<LayerPixmaps[K]>

  /** The scene made smaller, with Lanczos3 in encoded sRGB. No side grows. */
  resize(scene: OpaquePixmap, widthPx: number, heightPx: number): Promise<OpaquePixmap>

  /**
   * The finished picture as a file, sRGB, without metadata. A codec may use the backdrop to take over what it
   * encoded before, which never changes the bytes; without one the picture is encoded by itself.
   */
  encode(picture: OpaquePixmap, output: PictureOutput, backdrop?: Backdrop | null): Promise<Uint8Array>
}
