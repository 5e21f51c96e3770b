/** One version of a template on the local disk. */
export type TemplateBundle = {
  /** Another one for every version: it names cached work. */
  readonly key: string
  readonly folder: string
  /** SHA-256 of its files as they were imported; missing where nothing prepared of it is to be cached. */
  readonly digest?: string
}

/** A template that is prepared, in a file: see `packPrepared`. */
export type PreparedFile = { readonly name: string; readonly file: string }

/** What had the prepared template: the process, its file, or nothing but the bundle. */
export type PreparedFrom = 'memory' | 'file' | 'bundle'

/** Where prepared templates are cached on the disk. */
export type PreparedSource = {
  /** Undefined where there is none. */
  find(bundle: TemplateBundle, widthPx: number): PreparedFile | undefined
  /** A mockup was made, of a template that its process had from there. */
  noteUse(bundle: TemplateBundle, widthPx: number, from: PreparedFrom): void
}
