/** The photo and its drawing cannot become a template. The message says what to do. */
export class PhotoRefusedError extends Error {
  override readonly name: string = 'PhotoRefusedError'
}
