import path from 'node:path'
import type { Database } from '../database/database.ts'
import { listStarterPack } from './starter-pack.ts'

/** The templates that ship and that the first start of this installation has still to import. */
export class AwaitedTemplates {
  readonly #database: Database
  readonly #shipped: ReadonlySet<string>
  #isOver = false

  constructor(database: Database, bundles: readonly string[] = listStarterPack()) {
    this.#database = database
    this.#shipped = new Set(bundles.map(bundle => path.basename(bundle)))
  }

  /** Whether any of these ids, which name no template now, is of one that is yet to be imported. */
  async includeAny(ids: readonly string[]): Promise<boolean> {
    if (this.#isOver || !ids.some(id => this.#shipped.has(id))) return false
    const claim = await this.#database.queries
      .selectFrom('first_run_claims')
      .leftJoin('first_run_steps', 'first_run_steps.step', 'first_run_claims.step')
      .select('done_at_ms')
      .where('first_run_claims.step', '=', 'templates')
      .executeTakeFirst()
    if (claim === undefined) return false
    this.#isOver = claim.done_at_ms !== null
    return !this.#isOver
  }
}
