import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { TemplateOrigin } from '@vitrine/contract'
import { type Fault, packWidthsPx } from '@vitrine/engine/bundle'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { classifyDatabaseError } from '../database/database-error.ts'
import { lockAccount } from '../database/lock-account.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { FILES_FOLDER, storedName, THUMBNAIL_FILE, THUMBNAIL_OBJECT } from './bundle-files.ts'
import { type LookedAt } from './bundle-report.ts'
import { retainVersion } from './earlier-versions.ts'
import { COMMIT_ATTEMPTS, OBJECTS_AT_ONCE } from './limits.ts'
import type { PackStore } from './pack-store.ts'
import type { StoredImport } from './stored-import.ts'
import { countOwnedTemplates } from './template-queries.ts'
import type { TemplateQuota } from './template-quota.ts'
import type { TemplateName } from './template-record.ts'
import {
  findSharedIds,
  leaveRemains,
  lockTemplate,
  type NewVersion,
  newObjectPrefix,
  newVersionOf,
  refuseFull,
  refuseSharedId,
  remainsOf,
  rowNameOf,
  selectTemplate,
  summaryColumn,
} from './template-rows.ts'

/** The importing owner, and the limit that applies. */
export type Ownership = {
  /** Null shares the template with everyone. */
  readonly ownerAccountId: string | null
  /** The maximum number of the owner's templates afterwards, however many imports run concurrently. */
  readonly ownedMax?: number
}

export type Import = Ownership & {
  /** The origin of the bundle: `import` if it was made elsewhere. */
  readonly origin?: TemplateOrigin
}

export type ImportedTemplate = {
  readonly templateId: string
  readonly version: number
  /** False if an identical bundle was already the current version. */
  readonly isChanged: boolean
  /** What the bundle's author may not have intended. */
  readonly warnings: readonly Fault[]
}

type TemplateVersionsOptions = {
  readonly database: Database
  readonly storage: ObjectStorage
  readonly packs: PackStore
  readonly quota: TemplateQuota
  readonly clock: Clock
}

/** Stores the results of imports: the objects, and the row that refers to them. */
export class TemplateVersions {
  readonly #database: Database
  readonly #storage: ObjectStorage
  readonly #packs: PackStore
  readonly #quota: TemplateQuota
  readonly #clock: Clock

  constructor({ database, storage, packs, quota, clock }: TemplateVersionsOptions) {
    this.#database = database
    this.#storage = storage
    this.#packs = packs
    this.#quota = quota
    this.#clock = clock
  }

  /**
   * Takes over stored imports as shared templates, in one transaction. Templates that exist, or once did,
   * stay unchanged.
   */
  async takeOver(imports: readonly StoredImport[]): Promise<void> {
    const ids = imports.map(({ template }) => template.id)
    const known = await findSharedIds(this.#database.queries, ids)
    const versions = await Promise.all(
      imports
        .filter(({ template }) => !known.has(template.id))
        .map(async stored => {
          const { looked, template, files, thumbnail } = stored
          const sizeBytes = await measureFiles([...files, thumbnail])
          const objectPrefix = newObjectPrefix(template.id)
          const values = { looked, template, ownerAccountId: null, objectPrefix, sizeBytes, origin: 'import' as const }
          return { stored, values }
        }),
    )
    if (versions.length === 0) return
    const remains = versions.map(({ values }) => values)
    await this.#database.transaction(transaction => leaveRemains(transaction, remains, this.#clock()))
    const puts = versions.flatMap(({ stored, values }) => this.#putsOf(values.objectPrefix, stored))
    const waiting = puts.values()
    const putWaiting = async (): Promise<void> => {
      for (const put of waiting) await put()
    }
    await Promise.all(Array.from({ length: OBJECTS_AT_ONCE }, putWaiting))
    const rows = versions.map(({ values }) => [values.template.id, newVersionOf(values, this.#clock())] as const)
    await this.#retryWhereLost(() => this.#commitShared(new Map(rows)))
  }

  async #commitShared(versions: ReadonlyMap<string, NewVersion>): Promise<void> {
    await this.#database.transaction(async transaction => {
      const known = await findSharedIds(transaction, [...versions.keys()])
      const added = [...versions].filter(([id]) => !known.has(id))
      if (added.length === 0) return
      const prefixes = added.map(([, { object_prefix }]) => object_prefix)
      const noted = await transaction
        .deleteFrom('template_remains')
        .where('object_prefix', 'in', prefixes)
        .executeTakeFirst()
      if (noted.numDeletedRows !== BigInt(added.length))
        throw new Error('taking over templates took so long that files are gone')
      const ids = added.map(([id]) => id)
      const taken = await transaction.selectFrom('templates').select('id').where('id', 'in', ids).execute()
      const takenIds = new Set(taken.map(row => row.id))
      const rows = added.map(([id, values]) => ({ ...rowNameOf(id, takenIds.has(id)), version: 1, ...values }))
      await transaction.insertInto('templates').values(rows).execute()
    })
  }

  /** Makes the result of an inspection, in `draft`, the template's newest version. */
  async store(
    looked: LookedAt,
    template: NonNullable<LookedAt['template']>,
    draft: string,
    { ownerAccountId, ownedMax, origin = 'import' }: Import,
  ): Promise<Omit<ImportedTemplate, 'warnings'>> {
    const name: TemplateName = { id: template.id, ownerAccountId }
    const present = await selectTemplate(this.#database.queries, name)
      .select(['removed_at_ms', 'digest', 'version', 'look', 'summary'])
      .executeTakeFirst()
    if (!present) await refuseSharedId(this.#database.queries, name)
    const isSame = present?.digest === looked.digest && present.summary === summaryColumn(template)
    const isKnown = isSame && present.look !== null
    if (present?.removed_at_ms === null && isKnown) {
      return { templateId: template.id, version: present.version, isChanged: false }
    }
    // Checked before anything is stored; the commit checks again, for concurrent imports.
    if (present?.removed_at_ms !== null && ownerAccountId !== null)
      refuseFull(await countOwnedTemplates(this.#database.queries, ownerAccountId), ownedMax)
    const files = [...looked.files.keys()].map(index => path.join(draft, FILES_FOLDER, storedName(index)))
    const thumbnail = path.join(draft, THUMBNAIL_FILE)
    const sizeBytes = await measureFiles([...files, thumbnail])

    const objectPrefix = newObjectPrefix(template.id)
    // Recorded for removal before the objects exist, and cleared by the commit, so that a crash in between
    // leaves nothing permanent.
    await this.#database.transaction(async transaction => {
      if (ownerAccountId !== null && ownedMax !== undefined) {
        await lockAccount(this.#database, transaction, ownerAccountId)
        await this.#quota.makeRoom(transaction, ownerAccountId, sizeBytes, this.#clock())
      }
      await leaveRemains(transaction, [{ objectPrefix, ownerAccountId, sizeBytes }], this.#clock())
    })
    for (const put of this.#putsOf(objectPrefix, { files, thumbnail, packs: [] })) await put()
    for (const widthPx of packWidthsPx) await this.#packs.storeFrom(draft, objectPrefix, widthPx)
    const values = newVersionOf({ looked, template, ownerAccountId, objectPrefix, sizeBytes, origin }, this.#clock())
    const version = await this.#retryWhereLost(() => this.#commit(name, values, ownedMax))
    return { templateId: template.id, version, isChanged: true }
  }

  /**
   * Retries after losing to a concurrent first import of this owner, or of another owner with the same row
   * name.
   */
  async #retryWhereLost<Result>(commit: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await commit()
      } catch (error) {
        if (classifyDatabaseError(error) !== 'unique' || attempt >= COMMIT_ATTEMPTS) throw error
      }
    }
  }

  /** The uploads of a version's objects, one per function. */
  #putsOf(
    objectPrefix: string,
    { files, thumbnail, packs }: Pick<StoredImport, 'files' | 'thumbnail' | 'packs'>,
  ): (() => Promise<void>)[] {
    const put = (name: string, file: string) => () => this.#storage.put(objectPrefix + name, createReadStream(file))
    return [
      ...files.map((file, index) => put(storedName(index), file)),
      put(THUMBNAIL_OBJECT, thumbnail),
      ...packs.map(file => put(path.basename(file), file)),
    ]
  }

  /** Makes the uploaded files the template's newest version. Resolves with its number. */
  #commit(name: TemplateName, values: NewVersion, ownedMax: number | undefined): Promise<number> {
    const { object_prefix, owner_account_id, imported_at_ms } = values
    return this.#database.transaction(async (transaction): Promise<number> => {
      const noted = await transaction
        .deleteFrom('template_remains')
        .where('object_prefix', '=', object_prefix)
        .executeTakeFirst()
      if (noted.numDeletedRows === 0n) throw new Error(`the import of ${name.id} took so long that its files are gone`)
      const before = await lockTemplate(this.#database, transaction, name)
      if (!before) await refuseSharedId(transaction, name)
      if (before?.removed_at_ms !== null && owner_account_id !== null) {
        await lockAccount(this.#database, transaction, owner_account_id)
        refuseFull(await countOwnedTemplates(transaction, owner_account_id), ownedMax)
      }
      if (!before) {
        const ofThatId = transaction.selectFrom('templates').select('id').where('id', '=', name.id)
        const isTaken = await ofThatId.executeTakeFirst()
        await transaction
          .insertInto('templates')
          .values({ ...rowNameOf(name.id, isTaken !== undefined), version: 1, ...values })
          .execute()
        return 1
      }
      const version = before.version + 1
      await transaction
        .updateTable('templates')
        .set({ version, ...values })
        .where('id', '=', before.id)
        .execute()
      // A version that differs only in its terms is not one to go back to.
      if (before.removed_at_ms === null && before.digest !== values.digest)
        await retainVersion(transaction, before, imported_at_ms)
      else await leaveRemains(transaction, [remainsOf(before)], imported_at_ms)
      return version
    })
  }
}

async function measureFiles(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
