/** Bytes that are in a program as text, one character for each. */
export const bytesOfText = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, letter => letter.charCodeAt(0))
