import type { IccProfile } from './icc-profile.ts'

export type ArtworkType = 'jpeg' | 'png' | 'webp' | 'gif'

/** EXIF orientation: how the stored picture must be turned to be seen upright. 1 = as stored. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** The stored frame of an animation on its canvas, in canvas pixels. */
export type FrameRegion = {
  readonly leftPx: number
  readonly topPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** What the bytes of a picture say about it, before anything is decoded. */
export type ArtworkFacts = {
  readonly type: ArtworkType
  /** size as stored, before the orientation is applied */
  readonly storedWidthPx: number
  readonly storedHeightPx: number
  /** size as the customer sees it, after the orientation */
  readonly widthPx: number
  readonly heightPx: number
  readonly orientation: Orientation
  /**
   * stored colour channels and alpha: 1 grey, 2 grey + alpha, 3 RGB or YCC, 4 RGBA or CMYK; palettes unfolded
   */
  readonly channels: 1 | 2 | 3 | 4
  readonly colorModel: 'grey' | 'rgb' | 'cmyk'
  readonly bitsPerChannel: number
  /** the container declares alpha; the pixels may still all be opaque */
  readonly hasAlpha: boolean
  /** the decoder must hold the whole picture: progressive JPEG, interlaced PNG or GIF */
  readonly isProgressive: boolean
  /** more than one frame is there; the first alone is used */
  readonly isAnimated: boolean
  /**
   * embedded ICC profile that is sound and fits the colour model; null: sRGB or a standard CMYK is assumed
   */
  readonly profile: IccProfile | null
  /** set where the stored frame covers a part of the canvas; the rest is transparent */
  readonly frame: FrameRegion | null
  /** the file without what decoding does not need: a still picture and its profile, of the size of `frame` */
  readonly bytesToDecode: Uint8Array
  /** the same without the profile, for decoders that would apply it; missing where there is none */
  readonly bareBytes?: Uint8Array | undefined
  /** the same for our own JPEG decoder, which skips most metadata, so that the file is rarely copied */
  readonly jpeg?: JpegData
  /** a WebP that is coded without loss (VP8L) */
  readonly isLosslessWebp?: boolean
}

/** A JPEG from SOI to EOI, and the offset of the marker behind each scan. */
export type JpegData = { readonly bytes: Uint8Array; readonly scanEnds: readonly number[] }

/** What a walk of one container finds. */
export type ContainerFacts = Omit<ArtworkFacts, 'widthPx' | 'heightPx'>
