/** A file that attacks whatever decodes it. */
export type HostileFile = {
  readonly name: string
  readonly bytes: Uint8Array
  /**
   * What must become of it: a mockup (`accepted`), a refusal for a certain reason or any, or either of the
   * two where the file is odd but harmless.
   */
  readonly outcome: 'accepted' | 'refused' | 'either' | { readonly refusedFor: string }
}

/** The bytes of a text, one for each character up to U+00FF. */
export function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
