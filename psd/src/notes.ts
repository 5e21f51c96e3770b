/** What an import did not do exactly, in plain words. */
export type ImportNote = {
  readonly kind: 'approximated' | 'left-out' | 'hint'
  /** name of a layer; empty if the note is about the whole file */
  readonly layer: string
  readonly text: string
}

/** What to do in Photoshop about a part that is left out. */
export const advice = {
  rasterize: 'choose Layer > Rasterize and save again',
  rasterizeEffects: 'choose Layer > Rasterize > Layer Style and save again',
  layerForEffect: 'draw it on a layer of its own, as it lies on the product',
  otherAdjustment: 'use Curves, Levels or Hue/Saturation instead',
  mask: 'use a layer mask instead',
  bringMap:
    'choose it in the dashboard, or put it into the same folder as this file and run "vitrine template import" there',
  applyFilter: 'apply it to the content of the smart object, or turn it off to see what mockups look like',
} as const

/** The notes of an import, without duplicates. */
export class ImportNotes {
  readonly #notes = new Map<string, ImportNote>()

  /** `what` is missing in the template. */
  leaveOut(layer: string, what: string, toDo: keyof typeof advice): void {
    this.#keep('left-out', layer, `${what}: ${advice[toDo]}`)
  }

  add(kind: Exclude<ImportNote['kind'], 'left-out'>, layer: string, text: string): void {
    this.#keep(kind, layer, text)
  }

  #keep(kind: ImportNote['kind'], layer: string, text: string): void {
    const name = layer.slice(0, 120)
    this.#notes.set(`${kind}\0${name}\0${text}`, { kind, layer: name, text })
  }

  list(): readonly ImportNote[] {
    return [...this.#notes.values()]
  }
}
