import type { TemplateSummary } from './bundle-report.ts'
import type { TemplateLook } from './template-look.ts'

/**
 * A template as the service knows it; its pictures are in object storage. Its id is unique among the shared
 * templates, and among those of each account.
 */
export type TemplateRecord = TemplateSummary & {
  /** Grows by one with every import that changes something. */
  readonly version: number
  /** Null for a template that everybody sees; else the one account that does. */
  readonly ownerAccountId: string | null
  /**
   * Where the thumbnail is served: below PUBLIC_URL, without a key; nobody can guess it, and it changes with
   * the version.
   */
  readonly thumbnailPath: string
  /** Names this version among those of all templates; in addresses, so that a browser keeps files by it. */
  readonly revision: string
  /** Where its files are: names this very version. */
  readonly objectPrefix: string
  /** The bundle's paths, in the order of the objects. */
  readonly files: readonly string[]
  /** SHA-256 over these files' paths and bytes: see `BundleDigest`. */
  readonly digest: string
  /** When this version was imported. */
  readonly importedAtMs: number
  readonly look: TemplateLook | null
}

/** One template among those of all owners. */
export type TemplateName = Pick<TemplateRecord, 'id' | 'ownerAccountId'>

/** By name, then id; or the latest import first. */
export type TemplateOrder = 'name' | 'newest'

/** What a list asks for. All conditions hold together. */
export type TemplateQuery = {
  /** Whose eyes: shared templates and the account's own. */
  readonly accountId: string
  readonly type?: 'print' | 'product' | undefined
  /** A whole name, in whatever case. */
  readonly category?: string | undefined
  /** A part of the name, in whatever case; every character stands for itself. */
  readonly search?: string | undefined
  /** Words in any order, each a part of name, category or id; hyphens of the name may be left out. */
  readonly words?: string | undefined
  /** One of the account's tags, in whatever case; `FAVOURITE` for its favourites. */
  readonly tag?: string | undefined
  readonly order?: TemplateOrder
  /** Counts from 1. */
  readonly page: number
  readonly limit: number
}

export type TemplateList = {
  /** In the order that was asked for. */
  readonly templates: readonly TemplateRecord[]
  /** How many there are on all pages. */
  readonly total: number
  /** All that the account sees, whatever the query, by name. */
  readonly categories: readonly string[]
}
