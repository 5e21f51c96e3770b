/** The file cannot become a template. The message says what to do in Photoshop. */
export class PsdRefusedError extends Error {
  override readonly name = 'PsdRefusedError'
}
