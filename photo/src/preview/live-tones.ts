import { buildToneTables, type Tone, type ToneTables } from '@vitrine/engine'

/** Tables of tones, each built once. */
export class LiveTones {
  readonly #tables = new Map<Tone, ToneTables>()

  tablesOf(tone: Tone): ToneTables {
    const tables = this.#tables.get(tone) ?? buildToneTables(tone)
    this.#tables.set(tone, tables)
    return tables
  }
}
