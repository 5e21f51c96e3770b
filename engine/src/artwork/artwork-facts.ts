import type { IccProfile } from './icc-profile.ts'

export type ArtworkType = 'jpeg' | 'png' | 'webp' | 'gif'

/** EXIF orientation: how the stored picture must be turned to be seen upright. 1 = as stored. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** Where the stored frame of an animation lies on its canvas, in canvas pixels. */
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
  /** channels as stored: 1 grey, 2 grey + alpha, 3 RGB or YCC, 4 RGBA or CMYK; a palette as it unfolds */
  readonly channels: 1 | 2 | 3 | 4
  readonly colorModel: 'grey' | 'rgb' | 'cmyk'
  readonly bitsPerChannel: number
  /** the container can hold alpha and says that it does; the pixels may still all be opaque */
  readonly hasAlpha: boolean
  /** the decoder must hold the whole picture: progressive JPEG, interlaced PNG or GIF */
  readonly isProgressive: boolean
  /** more than one frame is there; the first alone is used */
  readonly isAnimated: boolean
  /** the embedded ICC profile if it is sound and fits the colour model; null: sRGB, or a standard CMYK */
  readonly profile: IccProfile | null
  /** set where the stored frame covers only a part of the canvas; the rest of the canvas is clear */
  readonly frame: FrameRegion | null
  /** what the decoder shall read: the file without everything that decoding does not need */
  readonly bytesToDecode: Uint8Array
  /** the file for our own JPEG decoder, which skips metadata by itself: not copied without it */
  readonly jpeg?: JpegData
}

/** A JPEG from SOI to EOI, and where the data of each of its scans ends: at the marker behind it. */
export type JpegData = { readonly bytes: Uint8Array; readonly scanEnds: readonly number[] }

/** What a walk of one container finds: the facts but for what follows from them. */
export type ContainerFacts = Omit<ArtworkFacts, 'widthPx' | 'heightPx'>
