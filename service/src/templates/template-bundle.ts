/** One version of a template on the local disk. */
export type TemplateBundle = {
  /** Unique to the version: the key of cached work. */
  readonly key: string
  readonly folder: string
  /** SHA-256 of the imported files; missing if nothing prepared from it may be cached. */
  readonly digest?: string
}

/** A file with a prepared template: see `packPrepared`. */
export type PreparedFile = { readonly name: string; readonly file: string }

/** The source of a prepared template: memory, its file, or the bundle, from which it was made. */
export type PreparedFrom = 'memory' | 'file' | 'bundle'

/** The cache of prepared templates on the disk. */
export type PreparedSource = {
  /** Undefined if there is none. */
  find(bundle: TemplateBundle, widthPx: number): PreparedFile | undefined
  /** Records that a mockup was made, and where its prepared template was found. */
  noteUse(bundle: TemplateBundle, widthPx: number, from: PreparedFrom): void
}
