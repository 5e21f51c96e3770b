import type { Artwork } from './artwork.ts'
import type { Format, Placement } from './contract-types.ts'

export type * from './contract-types.ts'

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
  /** By frame index, from 0, or by slot. */
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

export type TemplatesOptions = CallOptions & {
  readonly type?: 'print' | 'product' | undefined
  /** The whole name of a category, case-insensitive. */
  readonly category?: string | undefined
  /** Part of a name, case-insensitive. */
  readonly search?: string | undefined
}

export type UsageOptions = CallOptions & {
  /** A number of days, including today, as "1d" to "365d". Default: 30d. */
  readonly period?: string | undefined
  /** Of the calling key, or of all keys of the account. Default: key. */
  readonly scope?: 'key' | 'account' | undefined
}
