/** Decodes bytes that are embedded in a program as text, one character per byte. */
export const bytesOfText = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, letter => letter.charCodeAt(0))
