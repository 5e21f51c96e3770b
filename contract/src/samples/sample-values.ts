/** The values that the samples of all languages send, so that they make the same mockups. */
export const sampleValues = {
  templateId: 'oak-frame-portrait',
  batchTemplateIds: ['oak-frame-portrait', 'white-mug-walnut-table'],
  artworkUrl: 'https://example.com/artwork.jpg',
  widthPx: 1200,
  idempotencyKey: 'order-1042-front',
} as const

/** Timeout in seconds, including the connection: the service answers within 28. */
export const SAMPLE_TIMEOUT_SECONDS = 30

/** A sample that reads prints two fields of each entry of a list, or one field of the answer. */
export type SampleRead = {
  readonly path: string
  readonly shows: { readonly list: string; readonly fields: readonly [string, string] } | { readonly field: string }
}

/** Complete programs in one language. Each reads the key from the environment and fails on an error. */
export type SampleLanguage = {
  /** Its name in Markdown code blocks. */
  readonly lang: string
  readonly label: string
  /** Sends artwork.jpg from the current folder, and writes mockup.jpg. */
  readonly upload: (url: string) => string
  /** Gives the artwork by URL, and writes a file for each template. */
  readonly batch: (url: string) => string
  readonly read: (url: string, shows: SampleRead['shows']) => string
}
