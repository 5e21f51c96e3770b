/** A file that attacks decoders. */
export type HostileFile = {
  readonly name: string
  readonly bytes: Uint8Array
  /**
   * The required outcome: a mockup (`accepted`), a refusal, possibly for a certain reason, or either if the
   * file is odd but harmless.
   */
  readonly outcome: 'accepted' | 'refused' | 'either' | { readonly refusedFor: string }
}

/** The bytes of a text, one for each character up to U+00FF. */
export function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
