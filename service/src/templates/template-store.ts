import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { BundleError, type Fault, type PackWidthPx, packWidthsPx } from '@vitrine/engine'
import type { Selectable, Transaction } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { classifyDatabaseError } from '../database/database-error.ts'
import { newId, randomBase62 } from '../database/new-id.ts'
import type { Schema } from '../database/schema.ts'
import { PrivateFolder } from '../mockups/private-folders.ts'
import type { TemplateBundle } from '../mockups/render-job.ts'
import type { ObjectStorage, OpenObject } from '../storage/object-storage.ts'
import type { UploadRoom } from '../storage/upload-room.ts'
import { BundleCache } from './bundle-cache.ts'
import {
  FILES_FOLDER,
  isPack,
  type LookedAt,
  type PackRequest,
  packName,
  storedName,
  THUMBNAIL_FILE,
} from './bundle-report.ts'
import { foldText } from './fold-text.ts'
import { ImportQueue } from './import-queue.ts'
import { inspectBundle, packBundle, reduceBundle } from './inspect-bundle.ts'
import {
  COMMIT_ATTEMPTS,
  COPIES_ON_DISK,
  OBJECTS_AT_ONCE,
  PREVIEW_WIDTH_PX,
  REMAINS_GRACE_MS,
  SIZES_PER_RUN,
} from './limits.ts'
import { type PackAsker, PackStore } from './pack-store.ts'
import { PreviewCache, type PreviewRequest } from './preview-cache.ts'
import type { StoredImport } from './stored-import.ts'
import { listTemplates } from './template-list.ts'
import {
  buildTemplateFinder,
  countOwnedTemplates,
  findNamesakes,
  listAllTemplates,
  measureOwnedTemplates,
  ownedBy,
  ownedTemplateIds,
  readTemplateNames,
  templateIdColumn,
} from './template-queries.ts'
import type { TemplateList, TemplateName, TemplateQuery, TemplateRecord } from './template-record.ts'

/** The id belongs to a shared template, or did once. Ids of other accounts are not in the way. */
export class TemplateIdTakenError extends Error {
  override readonly name = 'TemplateIdTakenError'
}

/** Its owner has as many templates as it may have. */
export class TemplateQuotaReachedError extends Error {
  override readonly name = 'TemplateQuotaReachedError'
}

/** Its owner's templates would take more storage than they may. The message has the figures. */
export class TemplateStorageFullError extends Error {
  override readonly name = 'TemplateStorageFullError'
}

export type ImportedTemplate = {
  readonly templateId: string
  readonly version: number
  /** False where the very same bundle was there already. */
  readonly isChanged: boolean
  /** What its maker may not have meant. */
  readonly warnings: readonly Fault[]
}

export type TemplateStoreOptions = {
  readonly database: Database
  readonly storage: ObjectStorage
  /**
   * Folder for copies of bundles that render processes read; can be removed at any time when nothing runs.
   */
  readonly cacheFolder: string
  /** Bytes of it at most, but for what requests use. */
  readonly cacheBytes: number
  /** Folder for reduced bundles, which pages preview; can be removed in the same way. */
  readonly previewFolder: string
  /** Folder for bundles that are being imported, on a disk with room for several of them. */
  readonly importFolder: string
  /** The picture in the thumbnails of templates that bring none. */
  readonly sampleArtwork: string
  /** Of the disk with the folder for imports. */
  readonly room: UploadRoom
  /** Storage of one account's own templates. */
  readonly quotaBytes: number
  readonly clock?: Clock
}

/** An import whose body may be received into `file`; the folder and what it holds end with it. */
export type AdmittedImport = AsyncDisposable & { readonly folder: string; readonly file: string }

/** Who imports, and what its templates may become. */
type Ownership = {
  /** Null shares the template with everybody. */
  readonly ownerAccountId: string | null
  /** How many templates the owner may have afterwards, however many imports run at once. */
  readonly ownedMax?: number
}

/** SQLite and PostgreSQL bound the parameters of a statement. */
const PREFIXES_PER_QUERY = 500

const THUMBNAIL_FOLDER = '/thumbnails/'

/**
 * The templates: imported from bundles, listed and found for accounts that may see them, and brought to the
 * disk for rendering.
 */
export class TemplateStore {
  readonly #database: Database
  readonly #storage: ObjectStorage
  readonly #cache: BundleCache
  readonly #previews: PreviewCache
  readonly #packs: PackStore
  readonly #importFolder: string
  readonly #sampleArtwork: string
  readonly #room: UploadRoom
  readonly #quotaBytes: number
  readonly #clock: Clock
  readonly #queue = new ImportQueue()
  readonly #find: ReturnType<typeof buildTemplateFinder>

  constructor({
    database,
    storage,
    cacheFolder,
    cacheBytes,
    previewFolder,
    importFolder,
    sampleArtwork,
    room,
    quotaBytes,
    clock = Date.now,
  }: TemplateStoreOptions) {
    this.#database = database
    this.#find = buildTemplateFinder(database.queries)
    this.#storage = storage
    this.#cache = new BundleCache(cacheFolder, storage, cacheBytes)
    this.#previews = new PreviewCache(previewFolder)
    this.#packs = new PackStore(storage, this.#queue, importFolder)
    this.#importFolder = importFolder
    this.#sampleArtwork = sampleArtwork
    this.#room = room
    this.#quotaBytes = quotaBytes
    this.#clock = clock
  }

  /**
   * Admits an import of at most `sizeBytes` before its body is received. `accountId` is who asks.
   * @throws ImportsBusyError, TemplateStorageFullError, DiskFullError
   */
  async admitImport({
    accountId,
    ownerAccountId,
    sizeBytes,
  }: Ownership & { readonly accountId: string; readonly sizeBytes: number }): Promise<AdmittedImport> {
    await using stack = new AsyncDisposableStack()
    stack.use(this.#queue.admit(accountId))
    if (ownerAccountId !== null) {
      // The zip is about as large as what will be stored; the sum is looked at again when it is known.
      this.#refuseOverQuota(await measureOwnedTemplates(this.#database.queries, ownerAccountId), sizeBytes)
    }
    stack.use(await this.#room.take(COPIES_ON_DISK * sizeBytes))
    const folder = stack.use(await this.#createFolder())
    const held = stack.move()
    return { folder: folder.path, file: folder.file('bundle.zip'), [Symbol.asyncDispose]: () => held.disposeAsync() }
  }

  /**
   * Imports a bundle: a folder, or a file that is a zip. It replaces the owner's template of the same id as a
   * whole, from the next request on; requests under way finish on the version they began with.
   * @throws BundleError with every fault; TemplateIdTakenError; TemplateQuotaReachedError;
   * TemplateStorageFullError; BundleUnreadableError; BundleTooCostlyError; BundleInspectionFailedError
   */
  async importBundle(bundle: Ownership & { readonly path: string }): Promise<ImportedTemplate> {
    await using draft = await this.#createFolder()
    const request = { from: bundle.path, toFolder: draft.path, sampleArtwork: this.#sampleArtwork }
    // The operator's bundles take turns with nobody: any two of them are inspected at once.
    const turn = bundle.ownerAccountId ?? bundle.path
    const looked = await this.#queue.inspect(turn, () => inspectBundle(request))
    if (looked.template === null) throw new BundleError(looked.faults)
    const imported = await this.#store(looked, looked.template, draft.path, bundle)
    return { ...imported, warnings: looked.faults }
  }

  /**
   * Takes over what imports have found out, as shared templates, in one transaction. Templates that are there,
   * or were, stay as they are.
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
          return { stored, values: { looked, template, ownerAccountId: null, objectPrefix, sizeBytes } }
        }),
    )
    if (versions.length === 0) return
    const remains = versions.map(({ values }) => values)
    await this.#database.transaction(transaction => leaveRemains(transaction, remains, this.#clock()))
    const puts = versions.flatMap(({ stored, values: { objectPrefix } }) => [
      ...this.#putsOf(objectPrefix, stored),
      ...stored.packs.map(
        ([widthPx, file]) =>
          () =>
            this.#packs.storeShipped(file, objectPrefix, widthPx),
      ),
    ])
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

  /** Reads an untrusted file in a process of its own, when its turn among the inspections has come. */
  inspectInTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.inspect(accountId, work)
  }

  /** One page of what an account sees. */
  list(query: TemplateQuery): Promise<TemplateList> {
    return listTemplates(this.#database, query)
  }

  /** Every template of everybody, for the operator. */
  listAll(): Promise<readonly TemplateRecord[]> {
    return listAllTemplates(this.#database)
  }

  /** The ids of what an account owns. */
  ownedIds(accountId: string): Promise<readonly string[]> {
    return ownedTemplateIds(this.#database, accountId)
  }

  /** How many templates an account owns. */
  countOwned(accountId: string): Promise<number> {
    return countOwnedTemplates(this.#database.queries, accountId)
  }

  /** Those of the ids that exist for the account, each once: its own template, else the shared one. */
  async find(ids: readonly string[], accountId: string): Promise<ReadonlyMap<string, TemplateRecord>> {
    const records = await this.#find(ids, accountId)
    return new Map(records.map(record => [record.id, record]))
  }

  /** The names of those of the ids that exist for the account. */
  namesOf(ids: readonly string[], accountId: string): Promise<ReadonlyMap<string, string>> {
    return readTemplateNames(this.#database, ids, accountId)
  }

  /** All templates that have this id, for the operator: at most a shared one, and one of each account. */
  namesakes(templateId: string): Promise<readonly TemplateRecord[]> {
    return findNamesakes(this.#database, templateId)
  }

  /** One owner's template; the shared one by default. */
  async get(templateId: string, ownerAccountId: string | null = null): Promise<TemplateRecord | null> {
    const records = await this.namesakes(templateId)
    return records.find(record => record.ownerAccountId === ownerAccountId) ?? null
  }

  /** Takes a template away, from the next request on. Its id stays its owner's. False where there is none. */
  remove(template: TemplateName): Promise<boolean> {
    const removedAtMs = this.#clock()
    return this.#database.transaction(async transaction => {
      const row = await lockTemplate(this.#database, transaction, template)
      if (!row || row.removed_at_ms !== null) return false
      await transaction.updateTable('templates').set({ removed_at_ms: removedAtMs }).where('id', '=', row.id).execute()
      await leaveRemains(transaction, [remainsOf(row)], removedAtMs)
      return true
    })
  }

  /**
   * The folder with this version's files, and a key that names it: both for the render processes, which only
   * read.
   */
  localBundle(record: TemplateRecord): Promise<TemplateBundle> {
    return this.#cache.folderOf(record)
  }

  /** The folder with this version at the width of a preview, for an account that may not have all of it. */
  async previewFolder(
    record: TemplateRecord,
    asker: Pick<PreviewRequest, 'accountId' | 'beforeMaking'>,
  ): Promise<string> {
    const { key, folder } = await this.localBundle(record)
    const make = (toFolder: string) => reduceBundle({ from: folder, toFolder, widthPx: PREVIEW_WIDTH_PX })
    return this.#previews.folderOf({ ...asker, key, make })
  }

  /**
   * The file with the pack of this version as pages of other sites show it; null where it would be too large.
   * `name` stands for the version and the look.
   * @throws BundleTooCostlyError, BundleInspectionFailedError
   */
  async pagePack(
    record: TemplateRecord,
    name: string,
    look: Pick<PackRequest, 'widthPx' | 'watermark'>,
    asker: PackAsker,
  ): Promise<string | null> {
    const { folder: from } = await this.localBundle(record)
    const make = (toFolder: string) => packBundle({ from, toFolder, ...look })
    const folder = await this.#previews.folderOf({ ...asker, key: `page-${name}`, make })
    const file = path.join(folder, packName(look.widthPx))
    return existsSync(file) ? file : null
  }

  /**
   * The preview pack of this version at a width, or null where it would be too large.
   * @throws BundleTooCostlyError, BundleInspectionFailedError
   */
  openPack(record: TemplateRecord, widthPx: PackWidthPx, asker: PackAsker): Promise<OpenObject | null> {
    return this.#packs.open(record, widthPx, asker, async () => (await this.localBundle(record)).folder)
  }

  /**
   * Looks at the local files of this version again, for a render that failed. Replaces them and returns true
   * where they are not those that were imported.
   */
  replaceBroken(record: TemplateRecord): Promise<boolean> {
    return this.#cache.replaceBroken(record)
  }

  /** The thumbnail (a JPEG) that an address path names, or null. */
  async openThumbnail(thumbnailPath: string): Promise<OpenObject | null> {
    const token = new RegExp(`^${THUMBNAIL_FOLDER}([0-9A-Za-z]{32})\\.jpg$`).exec(thumbnailPath)?.[1]
    if (token === undefined) return null
    const row = await this.#database.queries
      .selectFrom('templates')
      .select('object_prefix')
      .where('thumbnail_token', '=', token)
      .where('removed_at_ms', 'is', null)
      .executeTakeFirst()
    if (!row) return null
    return this.#storage.open(`${row.object_prefix}thumbnail`)
  }

  /** Removes what replaced and removed versions have left. For one node, now and then. */
  async prune(): Promise<void> {
    const before = this.#clock() - REMAINS_GRACE_MS
    const rows = await this.#database.queries
      .selectFrom('template_remains')
      .select('object_prefix')
      .where('since_ms', '<', before)
      .execute()
    for (const { object_prefix } of rows) {
      for (const { key } of await this.#storage.list(object_prefix)) await this.#storage.delete(key)
      await this.#previews.remove(await this.#cache.remove(object_prefix))
      await this.#database.queries
        .deleteFrom('template_remains')
        .where('object_prefix', '=', object_prefix)
        .where('since_ms', '<', before)
        .execute()
    }
    await this.#measureOlder()
  }

  /** Drops what this node has on its disk of templates that are gone, and beyond the bound. */
  async trimCache(): Promise<void> {
    const unnamed = await this.#cache.trim(prefixes => this.findNamed(prefixes))
    for (const key of unnamed) await this.#previews.remove(key)
  }

  /** Those of the object prefixes that a template has now. */
  async findNamed(prefixes: readonly string[]): Promise<ReadonlySet<string>> {
    const named = new Set<string>()
    for (let at = 0; at < prefixes.length; at += PREFIXES_PER_QUERY) {
      const rows = await this.#database.queries
        .selectFrom('templates')
        .select('object_prefix')
        .where('object_prefix', 'in', prefixes.slice(at, at + PREFIXES_PER_QUERY))
        .where('removed_at_ms', 'is', null)
        .execute()
      for (const row of rows) named.add(row.object_prefix)
    }
    return named
  }

  /** Notes the sizes of templates that an older version of the service imported. */
  async #measureOlder(): Promise<void> {
    const rows = await this.#database.queries
      .selectFrom('templates')
      .select('object_prefix')
      .where('size_bytes', 'is', null)
      .where('removed_at_ms', 'is', null)
      .limit(SIZES_PER_RUN)
      .execute()
    for (const { object_prefix } of rows) {
      const owned = (await this.#storage.list(object_prefix)).filter(({ key }) => !isPack(key, object_prefix))
      await this.#database.queries
        .updateTable('templates')
        .set({ size_bytes: owned.reduce((sum, object) => sum + object.sizeBytes, 0) })
        .where('object_prefix', '=', object_prefix)
        .execute()
    }
  }

  async #createFolder(): Promise<PrivateFolder> {
    await mkdir(this.#importFolder, { recursive: true, mode: 0o700 })
    return new PrivateFolder(await mkdtemp(path.join(this.#importFolder, 'import-')))
  }

  /**
   * Removes what imports that broke off have left on this node's disk. By age, not by whose process lives:
   * commands may run in another container with the same folder.
   */
  async removeBrokenOff(): Promise<void> {
    const before = this.#clock() - REMAINS_GRACE_MS
    await mkdir(this.#importFolder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.#importFolder)) {
      const folder = path.join(this.#importFolder, name)
      // An import that ends takes its folder away meanwhile.
      const mtimeMs = await stat(folder).then(
        status => status.mtimeMs,
        () => before,
      )
      if (mtimeMs < before) await rm(folder, { recursive: true, force: true })
    }
  }

  #refuseOverQuota(ownedBytes: number, addedBytes: number): void {
    if (ownedBytes + addedBytes <= this.#quotaBytes) return
    throw new TemplateStorageFullError(
      `This bundle of ${mebibytes(addedBytes)} MiB does not fit beside ${mebibytes(ownedBytes)} MiB: ` +
        `templates of one account take at most ${mebibytes(this.#quotaBytes)} MiB.`,
    )
  }

  async #store(
    looked: LookedAt,
    template: NonNullable<LookedAt['template']>,
    draft: string,
    { ownerAccountId, ownedMax }: Ownership,
  ): Promise<Omit<ImportedTemplate, 'warnings'>> {
    const name: TemplateName = { id: template.id, ownerAccountId }
    const present = await selectTemplate(this.#database.queries, name)
      .select(['removed_at_ms', 'digest', 'version', 'look', 'slots'])
      .executeTakeFirst()
    if (!present) await refuseSharedId(this.#database.queries, name)
    const isSame = present?.digest === looked.digest && present.slots === slotsColumn(template)
    const isKnown = isSame && present.look !== null
    if (present?.removed_at_ms === null && isKnown) {
      return { templateId: template.id, version: present.version, isChanged: false }
    }
    // Before anything is stored; what runs at the same time is held to it by the commit.
    if (present?.removed_at_ms !== null && ownerAccountId !== null)
      refuseFull(await this.countOwned(ownerAccountId), ownedMax)
    const files = [...looked.files.keys()].map(index => path.join(draft, FILES_FOLDER, storedName(index)))
    const thumbnail = path.join(draft, THUMBNAIL_FILE)
    const sizeBytes = await measureFiles([...files, thumbnail])

    const objectPrefix = newObjectPrefix(template.id)
    // Noted before there is anything to remove, and forgotten with the commit: a crash in between leaves
    // nothing for good.
    await this.#database.transaction(async transaction => {
      if (ownerAccountId !== null && ownedMax !== undefined) {
        await lockOwner(this.#database, transaction, ownerAccountId)
        this.#refuseOverQuota(await measureOwnedTemplates(transaction, ownerAccountId), sizeBytes)
      }
      await leaveRemains(transaction, [{ objectPrefix, ownerAccountId, sizeBytes }], this.#clock())
    })
    for (const put of this.#putsOf(objectPrefix, { files, thumbnail })) await put()
    for (const widthPx of packWidthsPx) await this.#packs.storeFrom(draft, objectPrefix, widthPx)
    const values = newVersionOf({ looked, template, ownerAccountId, objectPrefix, sizeBytes }, this.#clock())
    const version = await this.#retryWhereLost(() => this.#commit(name, values, ownedMax))
    return { templateId: template.id, version, isChanged: true }
  }

  /** First imports at once: another one of this owner won, or one of another owner names its row so. */
  async #retryWhereLost<Result>(commit: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await commit()
      } catch (error) {
        if (classifyDatabaseError(error) !== 'unique' || attempt >= COMMIT_ATTEMPTS) throw error
      }
    }
  }

  /** Stores the objects of a version: each call stores one. */
  #putsOf(
    objectPrefix: string,
    { files, thumbnail }: Pick<StoredImport, 'files' | 'thumbnail'>,
  ): (() => Promise<void>)[] {
    const put = (name: string, file: string) => () => this.#storage.put(objectPrefix + name, createReadStream(file))
    return [...files.map((file, index) => put(storedName(index), file)), put('thumbnail', thumbnail)]
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
        await lockOwner(this.#database, transaction, owner_account_id)
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
      await leaveRemains(transaction, [remainsOf(before)], imported_at_ms)
      return version
    })
  }
}

type NewVersion = Omit<Selectable<Schema['templates']>, 'id' | 'template_id' | 'version'>

type StoredVersion = {
  readonly looked: LookedAt
  readonly template: NonNullable<LookedAt['template']>
  readonly ownerAccountId: string | null
  readonly objectPrefix: string
  readonly sizeBytes: number
}

function newObjectPrefix(templateId: string): string {
  return `templates/${templateId}/${randomBase62(16)}/`
}

function newVersionOf(version: StoredVersion, importedAtMs: number): NewVersion {
  const { looked, template, ownerAccountId, objectPrefix, sizeBytes } = version
  return {
    owner_account_id: ownerAccountId,
    removed_at_ms: null,
    name: template.name,
    name_folded: foldText(template.name),
    category: template.category,
    category_folded: foldText(template.category),
    type: template.type,
    surface_type: template.surfaceType,
    render_mode: template.renderMode,
    blend_mode: template.blendMode,
    aspect_ratios: JSON.stringify(template.aspectRatios),
    colors: JSON.stringify(template.colors),
    slots: slotsColumn(template),
    object_prefix: objectPrefix,
    files: JSON.stringify(looked.files),
    digest: looked.digest,
    thumbnail_token: randomBase62(32),
    imported_at_ms: importedAtMs,
    look: looked.look && JSON.stringify(looked.look),
    size_bytes: sizeBytes,
    share_bundle: template.sharesBundle ? 1 : 0,
  }
}

function slotsColumn({ slots }: StoredVersion['template']): string | null {
  return slots.length === 0 ? null : JSON.stringify(slots)
}

/** The row of an owner's id, whether its template is there or was removed. */
function selectTemplate(queries: Database['queries'], { id, ownerAccountId }: TemplateName) {
  return ownedBy(queries.selectFrom('templates').where(templateIdColumn, '=', id), ownerAccountId)
}

/** Another import of the same template waits until this transaction is over. */
function lockTemplate(database: Database, transaction: Transaction<Schema>, name: TemplateName) {
  return selectTemplate(transaction, name)
    .select(['id', 'owner_account_id', 'removed_at_ms', 'object_prefix', 'version', 'size_bytes'])
    .$if(database.kind === 'postgres', query => query.forUpdate())
    .executeTakeFirst()
}

/**
 * The row takes the template's id where it is free, so that older versions of the service that still run find
 * the template too.
 */
function rowNameOf(templateId: string, isTaken: boolean) {
  return isTaken ? { id: newId('tpl'), template_id: templateId } : { id: templateId, template_id: null }
}

/** Those of the ids that belong to shared templates, or did once. */
async function findSharedIds(queries: Database['queries'], ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const shared = ownedBy(queries.selectFrom('templates').where(templateIdColumn, 'in', ids), null)
  const rows = await shared.select(templateIdColumn.as('id')).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Two first imports of one owner count one after the other. SQLite has one writer at a time. */
async function lockOwner(database: Database, transaction: Transaction<Schema>, accountId: string): Promise<void> {
  if (database.kind !== 'postgres') return
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
}

function refuseFull(owned: number, ownedMax: number | undefined): void {
  if (ownedMax !== undefined && owned >= ownedMax)
    throw new TemplateQuotaReachedError(`The owner has ${owned} templates, and may have ${ownedMax}.`)
}

async function measureFiles(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}

type Remains = {
  readonly objectPrefix: string
  readonly ownerAccountId: string | null
  readonly sizeBytes: number | null
}

function remainsOf(row: Pick<Selectable<Schema['templates']>, 'object_prefix' | 'owner_account_id' | 'size_bytes'>) {
  return { objectPrefix: row.object_prefix, ownerAccountId: row.owner_account_id, sizeBytes: row.size_bytes }
}

async function leaveRemains(
  transaction: Transaction<Schema>,
  remains: readonly Remains[],
  sinceMs: number,
): Promise<void> {
  const rows = remains.map(({ objectPrefix, ownerAccountId, sizeBytes }) => ({
    object_prefix: objectPrefix,
    since_ms: sinceMs,
    owner_account_id: ownerAccountId,
    size_bytes: sizeBytes,
  }))
  await transaction
    .insertInto('template_remains')
    .values(rows)
    .onConflict(conflict => conflict.column('object_prefix').doUpdateSet({ since_ms: sinceMs }))
    .execute()
}

/** A customer's new template takes no id that customers know, or knew, as a shared template's. */
async function refuseSharedId(queries: Database['queries'], { id, ownerAccountId }: TemplateName): Promise<void> {
  if (ownerAccountId === null) return
  const shared = await selectTemplate(queries, { id, ownerAccountId: null }).select('id').executeTakeFirst()
  if (shared) throw new TemplateIdTakenError(`The id ${id} belongs to a shared template: choose another id.`)
}
