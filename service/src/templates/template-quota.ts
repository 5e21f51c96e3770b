import type { Queries, Transaction } from '../database/schema.ts'
import { dropVersions, isUnused } from './earlier-versions.ts'
import { PARAMETERS_PER_QUERY } from './limits.ts'
import { TemplateStorageFullError } from './template-errors.ts'
import { listOldestVersions, measureOwnedTemplates } from './template-queries.ts'

/**
 * Limits the storage of an account's templates. Earlier versions count, and are dropped, oldest first, to
 * make room.
 */
export class TemplateQuota {
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Rejects what cannot fit, before it is received. @throws TemplateStorageFullError */
  async assertFits(queries: Queries, accountId: string, addedBytes: number, nowMs: number): Promise<void> {
    await this.#findInTheWay(queries, accountId, addedBytes, nowMs)
  }

  /**
   * Drops as many earlier versions as `addedBytes` need. The account must be locked.
   * @throws TemplateStorageFullError
   */
  async makeRoom(transaction: Transaction, accountId: string, addedBytes: number, nowMs: number): Promise<void> {
    // Repeated if one of them was restored concurrently.
    for (;;) {
      const inTheWay = await this.#findInTheWay(transaction, accountId, addedBytes, nowMs)
      if (inTheWay.length === 0) return
      for (let at = 0; at < inTheWay.length; at += PARAMETERS_PER_QUERY)
        await dropVersions(transaction, inTheWay.slice(at, at + PARAMETERS_PER_QUERY), accountId, nowMs)
    }
  }

  /** The object prefixes of the oldest versions that must be dropped. */
  async #findInTheWay(queries: Queries, accountId: string, addedBytes: number, nowMs: number): Promise<string[]> {
    const ownedBytes = await measureOwnedTemplates(queries, accountId)
    const excessBytes = ownedBytes + addedBytes - this.#maxBytes
    if (excessBytes <= 0) return []
    const inTheWay: string[] = []
    let freedBytes = 0
    for (const version of await listOldestVersions(queries, accountId)) {
      if (freedBytes >= excessBytes || !isUnused(version.replacedAtMs, nowMs)) break
      inTheWay.push(version.objectPrefix)
      freedBytes += version.sizeBytes
    }
    if (freedBytes < excessBytes) throw this.#full(ownedBytes - freedBytes, addedBytes)
    return inTheWay
  }

  #full(ownedBytes: number, addedBytes: number): TemplateStorageFullError {
    return new TemplateStorageFullError(
      `This bundle of ${mebibytes(addedBytes)} MiB does not fit beside ${mebibytes(ownedBytes)} MiB: ` +
        `templates of one account take at most ${mebibytes(this.#maxBytes)} MiB.`,
    )
  }
}

/** With one decimal. */
export function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}
