/** The file cannot become a template. The message says what to do in Photoshop. */
export class PsdRefusedError extends Error {
  override readonly name = 'PsdRefusedError'
  /** Names of smart objects of which some have to be chosen as frames; empty if that does not help. */
  readonly choices: readonly string[]

  /** Names of displacement maps that would help: separate files, named as in this file. */
  readonly maps: readonly string[]

  constructor(message: string, choices: readonly string[] = [], maps: readonly string[] = []) {
    super(message)
    this.choices = choices
    this.maps = maps
  }
}
