import type { Artwork } from './artwork.ts'

/** Where artwork lies in its frame. What is left out is as the service's interface says. */
export type Placement = {
  /** Size before `scale`: fills the frame, lies wholly inside it, or takes its shape. Default: cover. */
  readonly fit?: 'cover' | 'contain' | 'stretch' | undefined
  /** `cover`: the point of the artwork that stays in sight, in fractions of its size. Default: 0.5 each. */
  readonly focus?: readonly [x: number, y: number] | undefined
  /** 0.05 to 20; multiplies the size that `fit` gives. Default: 1. */
  readonly scale?: number | undefined
  /** Degrees, clockwise, -360 to 360. Default: 0. */
  readonly rotation?: number | undefined
  /** -2 to 3: where the artwork's centre lies, in fractions of the frame's width. Default: 0.5. */
  readonly x?: number | undefined
  /** -2 to 3: where the artwork's centre lies, in fractions of the frame's height. Default: 0.5. */
  readonly y?: number | undefined
  /** Before the rotation. Default: none. */
  readonly flip?: 'none' | 'horizontal' | 'vertical' | 'both' | undefined
  /** Fills the frame with copies of the artwork. Default: none. */
  readonly repeat?: 'none' | 'tile' | 'mirror' | undefined
  /** #rrggbb: the frame's colour where the artwork is clear or ends. */
  readonly background?: string | undefined
}

/** The form of the finished pictures. */
export type Format = 'jpeg' | 'png'

/**
 * What the finished pictures are like. Every option of a mockup but its template and artwork is here; the
 * names are those of the service's fields.
 */
export type OutputOptions = {
  /** Default: jpeg. */
  readonly format?: Format | undefined
  /** 1 to 100, for JPEG. Default: 85. */
  readonly quality?: number | undefined
  /** 1 to 4000 pixels. Default: 2000. */
  readonly width?: number | undefined
  /** For all frames that `placements` does not name. */
  readonly placement?: Placement | undefined
  /** By the index of the frame, from 0. */
  readonly placements?: Readonly<Record<number | string, Placement>> | undefined
  /** #rrggbb by the names of the template's colour areas. */
  readonly colors?: Readonly<Record<string, string>> | undefined
}

/** What every call takes. */
export type CallOptions = {
  /** Ends the call, its waits included; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for each try. */
  readonly timeoutMs?: number | undefined
  /** Tries after the first one. */
  readonly maxRetries?: number | undefined
}

/** What every call that costs credits takes. */
export type PaidCallOptions = CallOptions & {
  /**
   * Repeats of the call with the same key are charged once, for 24 hours. Without one a key is made for this
   * call and its retries; false sends none.
   */
  readonly idempotencyKey?: string | false | undefined
}

export type GenerateOptions = OutputOptions &
  PaidCallOptions & {
    /** The id of the template. */
    readonly template: string
    readonly artwork: Artwork
  }

export type GenerateBatchOptions = OutputOptions &
  PaidCallOptions & {
    /** 1 to 12 ids; each is rendered and charged. */
    readonly templates: readonly string[]
    readonly artwork: Artwork
  }

/** A scene that artwork can be placed into, as the service lists it. */
export type Template = {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly frame_count: number
  readonly thumbnail_url: string | null
  /** Width / height of the artwork that fills frame 0. */
  readonly aspect_ratio: number
  readonly blending_mode: string
  readonly render_mode: 'corners' | 'uvmap'
  readonly surface_type: string | null
  readonly is_product_template: boolean
  /** Frames of one `slot` show one artwork, which may be given by its name. */
  readonly frames: readonly {
    readonly index: number
    readonly aspect_ratio: number
    readonly slot?: string | undefined
  }[]
  /** Parts of the product whose colour a request may choose. */
  readonly colors: readonly ColorArea[]
}

export type ColorArea = {
  readonly name: string
  /** #rrggbb */
  readonly default: string
  readonly suggestions: readonly { readonly name: string; readonly value: string }[]
}

export type TemplatesOptions = CallOptions & {
  readonly type?: 'print' | 'product' | undefined
  /** The whole name of a category, in any case. */
  readonly category?: string | undefined
  /** Part of a name, in any case. */
  readonly search?: string | undefined
}

/** What the account can spend now. 1 credit = 1 cent (USD). */
export type Balance = {
  readonly balance_cents: number
  readonly balance_dollars: string
  readonly balance_credits: number
}

export type UsageOptions = CallOptions & {
  /** Days, today included, as "1d" to "365d". Default: 30d. */
  readonly period?: string | undefined
  /** Of the calling key, or of all keys of the account. Default: key. */
  readonly scope?: 'key' | 'account' | undefined
}

/** What happened in the days of a period. */
export type Usage = {
  readonly period: string
  readonly total_requests: number
  readonly successful_requests: number
  readonly failed_requests: number
  readonly credits_consumed: number
  readonly credits_refunded: number
  readonly top_templates: readonly { readonly template_id: string; readonly count: number }[]
  /** UTC calendar days, ascending. */
  readonly requests_by_day: readonly { readonly date: string; readonly count: number }[]
}

/** How finely one frame's artwork is seen. */
export type ShownArtwork = {
  readonly frame: number
  readonly width: number
  readonly height: number
  /** Artwork pixels per pixel of the mockup; below 1 it was enlarged. */
  readonly density: number
}
