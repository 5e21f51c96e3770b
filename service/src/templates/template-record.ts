import type { TemplateLook, TemplateSummary } from './bundle-report.ts'

/**
 * A template in the database; its pictures are in object storage. Its id is unique among shared templates,
 * and among those of each account.
 */
export type TemplateRecord = TemplateSummary & {
  /** Incremented by every import that changes something. */
  readonly version: number
  /** Null for a template shared with everyone; else the only account that sees it. */
  readonly ownerAccountId: string | null
  /**
   * Where the thumbnail is served, below PUBLIC_URL and without a key: it cannot be guessed, and changes with
   * the version.
   */
  readonly thumbnailPath: string
  /** Identifies this version among those of all templates; in URLs, so that browsers cache files by it. */
  readonly revision: string
  /** The prefix of its files' objects, unique to this version. */
  readonly objectPrefix: string
  /** The bundle's paths, in the order of the objects. */
  readonly files: readonly string[]
  /** SHA-256 over these files' paths and bytes: see `BundleDigest`. */
  readonly digest: string
  /** When this version was imported. */
  readonly importedAtMs: number
  readonly look: TemplateLook | null
}

/** Identifies a template among those of all owners. */
export type TemplateName = Pick<TemplateRecord, 'id' | 'ownerAccountId'>

/** By name, then id; or the latest import first. */
export type TemplateOrder = 'name' | 'newest'

/** The query of a list. All conditions must hold. */
export type TemplateQuery = {
  /** The account that sees the list: shared templates and its own. */
  readonly accountId: string
  readonly type?: 'print' | 'product' | undefined
  /** A whole name, case-insensitive. */
  readonly category?: string | undefined
  /** A part of the name, case-insensitive; no character is special. */
  readonly search?: string | undefined
  /** Words in any order, each a part of name, category or id; hyphens of the name may be left out. */
  readonly words?: string | undefined
  /** One of the account's tags, case-insensitive; `FAVOURITE` for its favourites. */
  readonly tag?: string | undefined
  readonly order?: TemplateOrder
  /** Counts from 1. */
  readonly page: number
  readonly limit: number
}

export type TemplateList = {
  /** In the requested order. */
  readonly templates: readonly TemplateRecord[]
  /** The total on all pages. */
  readonly total: number
  /** The categories of all templates that the account sees, whatever the query, by name. */
  readonly categories: readonly string[]
}
