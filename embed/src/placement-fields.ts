// Written by scripts/generate-reference.ts from the schemas of contract/.

/** Where artwork lies in its frame. An unknown field is an error, unlike those of the request. */
export type PlacementFields = {
  /**
   * Size before scale: "cover" fills the frame and is cropped, "contain" lies wholly inside it,
   * "stretch" takes its shape. Default: "cover".
   */
  readonly fit?: 'cover' | 'contain' | 'stretch' | undefined
  /**
   * With fit "cover": the point of the artwork, in fractions of its width and height, that stays as near
   * the middle of the frame as possible while the frame is filled. Default: [0.5,0.5].
   */
  readonly focus?: readonly [x: number, y: number] | undefined
  /** Multiplies the size that fit gives. Default: 1. 0.05 to 20. */
  readonly scale?: number | undefined
  /** Degrees, clockwise, about the artwork's centre. Default: 0. -360 to 360. */
  readonly rotation?: number | undefined
  /** Where the artwork's centre lies, in fractions of the frame's width. Default: 0.5. -2 to 3. */
  readonly x?: number | undefined
  /** Where the artwork's centre lies, in fractions of the frame's height. Default: 0.5. -2 to 3. */
  readonly y?: number | undefined
  /** Mirrors the artwork, before the rotation. Default: "none". */
  readonly flip?: 'none' | 'horizontal' | 'vertical' | 'both' | undefined
  /**
   * Fills the frame with copies of the artwork; with "mirror" every other one is mirrored. Default:
   * "none".
   */
  readonly repeat?: 'none' | 'tile' | 'mirror' | undefined
  /**
   * Colour of the frame where the artwork is transparent or ends. Without it the scene, or in a lit
   * frame the product's own surface, shows.
   */
  readonly background?: string | null | undefined
}
