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
  /** The part of the artwork that is looked at: a decoder may leave out the rest. Null: everything. */
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
   * Where the whole source lies on these pixels, in continuous coordinates; beyond them where only a part was
   * decoded. The outermost pixels may lie outside it by less than a pixel: a reduced JPEG rounds its size up.
   */
  readonly extent: Extent
  readonly decodedBy: DecodedBy
  /** size of the artwork as the customer sees it, after orientation and before any reduction */
  readonly sourceWidthPx: number
  readonly sourceHeightPx: number
  /** true where every pixel's alpha is 255, so that the sampler may leave alpha out */
  readonly isOpaque: boolean
}

/** What a mockup was drawn on: it equals `scene` outside `drawn`. Shared by a template's mockups. */
export type Backdrop = { readonly scene: OpaquePixmap; readonly drawn: readonly Rect[] }

/**
 * Everything that reads or writes compressed pictures, injected so that the rest of the engine runs anywhere.
 * Every method rejects with a typed error on bytes that it cannot read; none reads or writes files.
 */
export type ImageCodec = {
  /**
   * Artwork as sRGB 8-bit RGBA, straight alpha, upright, converted by its profile, first frame. With a target
   * it is reduced (alpha-weighted), per axis, to no less than the target (a sixteenth less where a decoder
   * knows few sizes), never enlarged. Pixels outside the target's part may be missing. `facts`: from
   * inspectArtwork of these bytes.
   */
  decodeArtwork(bytes: Uint8Array, target: DecodeTarget | null, facts?: ArtworkFacts | null): Promise<DecodedArtwork>

  /** A layer of a bundle at its stored size: `rgb`/`rgba` sRGB, `coverage` 8-bit grey, `uv` 16-bit. */
  decodeLayer<K extends LayerKind>(bytes: Uint8Array, kind: K): Promise<LayerPixmaps[K]>

  /** The scene made smaller, with Lanczos3 in encoded sRGB. No side grows. */
  resize(scene: OpaquePixmap, widthPx: number, heightPx: number): Promise<OpaquePixmap>

  /**
   * The finished picture as a file, sRGB, without metadata. What a codec encoded of the backdrop before may
   * be reused; the bytes are the same without.
   */
  encode(picture: OpaquePixmap, output: PictureOutput, backdrop?: Backdrop | null): Promise<Uint8Array>
}
