import type { Artwork } from './artwork.ts'

/** Where artwork is placed in its frame. Omitted fields have the interface's defaults. */
export type Placement = {
  /** Size before `scale`: fills the frame, fits inside it, or takes its shape. Default: cover. */
  readonly fit?: 'cover' | 'contain' | 'stretch' | undefined
  /** `cover`: the point of the artwork that stays visible, in fractions of its size. Default: 0.5 each. */
  readonly focus?: readonly [x: number, y: number] | undefined
  /** 0.05 to 20; multiplies the size given by `fit`. Default: 1. */
  readonly scale?: number | undefined
  /** Degrees, clockwise, -360 to 360. Default: 0. */
  readonly rotation?: number | undefined
  /** -2 to 3: the position of the artwork's centre, in fractions of the frame's width. Default: 0.5. */
  readonly x?: number | undefined
  /** -2 to 3: the position of the artwork's centre, in fractions of the frame's height. Default: 0.5. */
  readonly y?: number | undefined
  /** Before the rotation. Default: none. */
  readonly flip?: 'none' | 'horizontal' | 'vertical' | 'both' | undefined
  /** Fills the frame with copies of the artwork. Default: none. */
  readonly repeat?: 'none' | 'tile' | 'mirror' | undefined
  /** #rrggbb: the frame's colour where the artwork is transparent or ends. */
  readonly background?: string | undefined
}

/** The format of the finished pictures. */
export type Format = 'jpeg' | 'png'

/**
 * Options of the finished pictures: all options of a mockup except its template and artwork, named like the
 * service's fields.
 */
export type OutputOptions = {
  /** Default: jpeg. */
  readonly format?: Format | undefined
  /** 1 to 100, for JPEG. Default: 85. */
  readonly quality?: number | undefined
  /** 1 to 4000 pixels. Default: 2000. */
  readonly width?: number | undefined
  /** For all frames that are not in `placements`. */
  readonly placement?: Placement | undefined
  /** By frame index, from 0. */
  readonly placements?: Readonly<Record<number | string, Placement>> | undefined
  /** #rrggbb by the names of the template's colour areas. */
  readonly colors?: Readonly<Record<string, string>> | undefined
}

/** Options of every call. */
export type CallOptions = {
  /** Aborts the call, including its waits; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Timeout of each attempt in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first one. */
  readonly maxRetries?: number | undefined
}

/** Options of every call that costs credits. */
export type PaidCallOptions = CallOptions & {
  /**
   * Repeated calls with the same key are charged once, for 24 hours. Without one a key is generated for this
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

/** A scene that artwork can be placed into, as listed by the service. */
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
  /** Frames of one `slot` show the same artwork, which may be given by the slot's name. */
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
  /** The whole name of a category, case-insensitive. */
  readonly category?: string | undefined
  /** Part of a name, case-insensitive. */
  readonly search?: string | undefined
}

/** The account's spendable credits. 1 credit = 1 cent (USD). */
export type Balance = {
  readonly balance_cents: number
  readonly balance_dollars: string
  readonly balance_credits: number
}

export type UsageOptions = CallOptions & {
  /** A number of days, including today, as "1d" to "365d". Default: 30d. */
  readonly period?: string | undefined
  /** Of the calling key, or of all keys of the account. Default: key. */
  readonly scope?: 'key' | 'account' | undefined
}

/** The usage in a period of days. */
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

/** The resolution at which a frame shows its artwork. */
export type ShownArtwork = {
  readonly frame: number
  readonly width: number
  readonly height: number
  /** Artwork pixels per mockup pixel; below 1 it was enlarged. */
  readonly density: number
}
