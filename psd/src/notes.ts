/** What an import did not do exactly, in plain words. */
export type ImportNote = {
  readonly kind: 'approximated' | 'left-out' | 'hint'
  /** name of a layer; empty where the note is of the whole file */
  readonly layer: string
  readonly text: string
}

/** Notes of one import; the same one is kept once. */
export class ImportNotes {
  readonly #notes = new Map<string, ImportNote>()

  add(kind: ImportNote['kind'], layer: string, text: string): void {
    const name = layer.slice(0, 120)
    this.#notes.set(`${kind}\0${name}\0${text}`, { kind, layer: name, text })
  }

  list(): readonly ImportNote[] {
    return [...this.#notes.values()]
  }
}
