import type { IccProfile } from './icc-profile.ts'

export type ArtworkType = 'jpeg' | 'png' | 'webp' | 'gif'

/** EXIF orientation: how to turn the stored picture upright. 1 = as stored. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** The stored frame of an animation on its canvas, in canvas pixels. */
export type FrameRegion = {
  readonly leftPx: number
  readonly topPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** What a picture's bytes declare, before anything is decoded. */
export type ArtworkFacts = {
  readonly type: ArtworkType
  /** size as stored, before the orientation is applied */
  readonly storedWidthPx: number
  readonly storedHeightPx: number
  /** size as shown, after the orientation is applied */
  readonly widthPx: number
  readonly heightPx: number
  readonly orientation: Orientation
  /** stored channels: 1 grey, 2 grey + alpha, 3 RGB or YCC, 4 RGBA or CMYK; palettes expanded */
  readonly channels: 1 | 2 | 3 | 4
  readonly colorModel: 'grey' | 'rgb' | 'cmyk'
  readonly bitsPerChannel: number
  /** the container declares alpha; all pixels may still be opaque */
  readonly hasAlpha: boolean
  /** the decoder must hold the whole picture: progressive JPEG, interlaced PNG or GIF */
  readonly isProgressive: boolean
  /** there are several frames; only the first is used */
  readonly isAnimated: boolean
  /** embedded ICC profile, valid and fitting the colour model; null: sRGB or a standard CMYK */
  readonly profile: IccProfile | null
  /** set if the stored frame covers only a part of the canvas; the rest is transparent */
  readonly frame: FrameRegion | null
  /** the file reduced to what decoding needs: a still picture of the size of `frame` and its profile */
  readonly bytesToDecode: Uint8Array
  /** the same without the profile, for decoders that would apply it; absent if there is none */
  readonly bareBytes?: Uint8Array | undefined
  /** the same for our own JPEG decoder, which skips most metadata, so that the file is rarely copied */
  readonly jpeg?: JpegData
  /** a losslessly coded WebP (VP8L) */
  readonly isLosslessWebp?: boolean
}

/** A JPEG from SOI to EOI, and the offset of the marker after each scan. */
export type JpegData = { readonly bytes: Uint8Array; readonly scanEnds: readonly number[] }

/** What walking a container finds. */
export type ContainerFacts = Omit<ArtworkFacts, 'widthPx' | 'heightPx'>
