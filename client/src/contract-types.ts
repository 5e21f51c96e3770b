// Written by scripts/generate-reference.ts from the schemas of contract/.

/** The form of the finished pictures. */
export type Format = 'jpeg' | 'png'

/** Where artwork lies in its frame. An unknown field is an error, unlike those of the request. */
export type Placement = {
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
  readonly background?: string | undefined
}

export type Frame = {
  /** Frame index, from 0 */
  readonly index: number
  /** Width / height of the artwork that fills the frame uncropped */
  readonly aspect_ratio: number
  /** Name of the design that the frame shows, which requests may use as key; frames of one slot take one */
  readonly slot?: string | undefined
}

export type Suggestion = {
  readonly name: string
  readonly value: string
}

export type ColorArea = {
  /** Its name in the colors of a request */
  readonly name: string
  /** Colour that it has in the scene */
  readonly default: string
  /** Colours with the names that people know, for swatches */
  readonly suggestions: readonly Suggestion[]
}

export type Template = {
  /** Unique identifier; never changes */
  readonly id: string
  /** Display name */
  readonly name: string
  /** Category name */
  readonly category: string
  /** Number of artwork frames */
  readonly frame_count: number
  /** Address of a small picture; needs no key */
  readonly thumbnail_url: string | null
  /** Artwork ratio of frame 0 as a decimal: portrait 2:3 is about 0.67 */
  readonly aspect_ratio: number
  /** How artwork meets the scene: normal, multiply, screen, ... */
  readonly blending_mode: string
  /** Perspective warp, or UV-mapped product surface */
  readonly render_mode: 'corners' | 'uvmap'
  /** Material hint of a product template; null for prints */
  readonly surface_type: string | null
  /** true for apparel, mugs and other 3D products */
  readonly is_product_template: boolean
  /** Every frame with its artwork ratio */
  readonly frames: readonly Frame[]
  /** Parts of the product whose colour a request may choose */
  readonly colors: readonly ColorArea[]
}

export type Balance = {
  readonly balance_cents: number
  /** Dollars with two decimal places */
  readonly balance_dollars: string
  readonly balance_credits: number
}

export type TemplateCount = {
  readonly template_id: string
  readonly count: number
}

export type DayCount = {
  /** UTC calendar day */
  readonly date: string
  readonly count: number
}

export type Usage = {
  /** The requested period */
  readonly period: string
  /** Every authenticated request */
  readonly total_requests: number
  /** Answers with a 2xx status */
  readonly successful_requests: number
  /** All other answers */
  readonly failed_requests: number
  /** Net of refunds */
  readonly credits_consumed: number
  /** Reserved and given back */
  readonly credits_refunded: number
  /** By successful mockups, then id */
  readonly top_templates: readonly TemplateCount[]
  /** Every day of the period, ascending, including days without requests */
  readonly requests_by_day: readonly DayCount[]
}

export type ShownArtwork = {
  /** Index of the frame */
  readonly frame: number
  /** Width of the artwork in pixels, upright */
  readonly width: number
  readonly height: number
  /**
   * Artwork pixels per pixel of the mockup where the artwork is densest, along its more enlarged side.
   * Below 1 it was enlarged.
   */
  readonly density: number
}
