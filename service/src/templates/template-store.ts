import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { BundleError, type PackWidthPx } from '@vitrine/engine/bundle'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import type { ObjectStorage, OpenObject } from '../storage/object-storage.ts'
import { PrivateFolder } from '../storage/private-folders.ts'
import type { UploadRoom } from '../storage/upload-room.ts'
import { BundleCache } from './bundle-cache.ts'
import { packName, THUMBNAIL_OBJECT } from './bundle-files.ts'
import { type PackRequest } from './bundle-report.ts'
import { changeOwner } from './change-owner.ts'
import { dropVersionsOf, listVersions, restoreVersion, type TemplateVersion } from './earlier-versions.ts'
import { ImportQueue } from './import-queue.ts'
import { inspectBundle, packBundle, reduceBundle } from './inspect-bundle.ts'
import { COPIES_ON_DISK, PARAMETERS_PER_QUERY, PREVIEW_WIDTH_PX, REMAINS_GRACE_MS } from './limits.ts'
import { type PackAsker, PackStore } from './pack-store.ts'
import { PreviewCache, type PreviewRequest } from './preview-cache.ts'
import type { StoredImport } from './stored-import.ts'
import type { TemplateBundle } from './template-bundle.ts'
import { listTemplates } from './template-list.ts'
import {
  buildTemplateFinder,
  countOwnedTemplates,
  findNamesakes,
  listAllTemplates,
  ownedTemplateIds,
  readTemplateNames,
} from './template-queries.ts'
import { TemplateQuota } from './template-quota.ts'
import type { TemplateList, TemplateName, TemplateQuery, TemplateRecord } from './template-record.ts'
import { leaveRemains, lockTemplate, remainsOf } from './template-rows.ts'
import { type Import, type ImportedTemplate, type Ownership, TemplateVersions } from './template-versions.ts'

export type TemplateStoreOptions = {
  readonly database: Database
  readonly storage: ObjectStorage
  /** Folder for copies of bundles that render processes read; may be deleted whenever nothing is running. */
  readonly cacheFolder: string
  /** Its size limit, not counting copies in use. */
  readonly cacheBytes: number
  /** Folder for reduced bundles, which pages preview; may be deleted in the same way. */
  readonly previewFolder: string
  /** Folder for bundles that are being imported, on a disk with room for several of them. */
  readonly importFolder: string
  /** The picture in the thumbnails of templates that have none of their own. */
  readonly sampleArtwork: string
  /** The room on the disk with the folder for imports. */
  readonly room: UploadRoom
  /** Storage quota of one account's own templates. */
  readonly quotaBytes: number
  /** Called when this process has imported an account's own template. */
  readonly onImported?: (accountId: string, templateId: string) => void
  readonly clock?: Clock
  /** Mockups that have priority over inspections, packs and previews. */
  readonly background?: BackgroundWork | undefined
} & Partial<BundleWork>

/** What reads a bundle’s pictures. Replaced only in tests, by another way to the same results. */
export type BundleWork = {
  readonly inspect: typeof inspectBundle
  readonly reduce: typeof reduceBundle
  readonly pack: typeof packBundle
}

/** An admitted import, whose body may be received into `file`. Disposing removes the folder. */
export type AdmittedImport = AsyncDisposable & { readonly folder: string; readonly file: string }

const THUMBNAIL_FOLDER = '/thumbnails/'

/**
 * The templates: imports bundles, lists and finds templates for accounts that may see them, and copies them
 * to the local disk for rendering.
 */
export class TemplateStore {
  readonly #database: Database
  readonly #storage: ObjectStorage
  readonly #cache: BundleCache
  readonly #previews: PreviewCache
  readonly #packs: PackStore
  readonly #versions: TemplateVersions
  readonly #quota: TemplateQuota
  readonly #importFolder: string
  readonly #sampleArtwork: string
  readonly #room: UploadRoom
  readonly #onImported: NonNullable<TemplateStoreOptions['onImported']>
  readonly #clock: Clock
  readonly #background: BackgroundWork | undefined
  readonly #work: BundleWork
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
    onImported = () => undefined,
    clock = Date.now,
    background,
    inspect = inspectBundle,
    reduce = reduceBundle,
    pack = packBundle,
  }: TemplateStoreOptions) {
    this.#database = database
    this.#find = buildTemplateFinder(database.queries)
    this.#storage = storage
    this.#cache = new BundleCache(cacheFolder, storage, cacheBytes)
    this.#previews = new PreviewCache(previewFolder)
    this.#packs = new PackStore(storage, this.#queue, importFolder, request => pack(request, background))
    this.#quota = new TemplateQuota(quotaBytes)
    this.#versions = new TemplateVersions({ database, storage, packs: this.#packs, quota: this.#quota, clock })
    this.#importFolder = importFolder
    this.#sampleArtwork = sampleArtwork
    this.#room = room
    this.#onImported = onImported
    this.#clock = clock
    this.#background = background
    this.#work = { inspect, reduce, pack }
  }

  /**
   * Admits an import of at most `sizeBytes` before its body is received. `accountId` is the caller's.
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
      // The zip is about as large as what will be stored; the exact size is checked once it is known.
      await this.#quota.assertFits(this.#database.queries, ownerAccountId, sizeBytes, this.#clock())
    }
    stack.use(await this.#room.take(COPIES_ON_DISK * sizeBytes))
    const folder = stack.use(await this.#createFolder())
    const held = stack.move()
    return { folder: folder.path, file: folder.file('bundle.zip'), [Symbol.asyncDispose]: () => held.disposeAsync() }
  }

  /**
   * Imports a bundle: a folder or a zip file. It replaces the owner's template of the same id as a whole,
   * from the next request on. Requests in progress finish with the previous version, which is retained.
   * @throws BundleError with every fault; TemplateIdTakenError; TemplateQuotaReachedError;
   * TemplateStorageFullError; BundleUnreadableError; BundleTooCostlyError; BundleInspectionFailedError
   */
  async importBundle(bundle: Import & { readonly path: string }): Promise<ImportedTemplate> {
    await using draft = await this.#createFolder()
    const request = { from: bundle.path, toFolder: draft.path, sampleArtwork: this.#sampleArtwork }
    // Bundles of the operator have no common owner, so they do not take turns.
    const turn = bundle.ownerAccountId ?? bundle.path
    const looked = await this.#queue.inspect(turn, () => this.#work.inspect(request, undefined, this.#background))
    if (looked.template === null) throw new BundleError(looked.faults)
    const imported = await this.#versions.store(looked, looked.template, draft.path, bundle)
    if (bundle.ownerAccountId !== null) this.#onImported(bundle.ownerAccountId, imported.templateId)
    return { ...imported, warnings: looked.faults }
  }

  /**
   * Takes over stored imports as shared templates, in one transaction. Templates that exist, or once did,
   * stay unchanged.
   */
  takeOver(imports: readonly StoredImport[]): Promise<void> {
    return this.#versions.takeOver(imports)
  }

  /** Reads an untrusted file in a separate process, when its turn among the inspections comes. */
  inspectInTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.inspect(accountId, work)
  }

  /** One page of the templates that an account sees. */
  list(query: TemplateQuery): Promise<TemplateList> {
    return listTemplates(this.#database, query)
  }

  /** All templates of all owners, for the operator. */
  listAll(): Promise<readonly TemplateRecord[]> {
    return listAllTemplates(this.#database)
  }

  /** The ids of an account's own templates. */
  ownedIds(accountId: string): Promise<readonly string[]> {
    return ownedTemplateIds(this.#database, accountId)
  }

  /** The number of an account's own templates. */
  countOwned(accountId: string): Promise<number> {
    return countOwnedTemplates(this.#database.queries, accountId)
  }

  /** The account's templates with these ids, each once: its own, else the shared one. */
  async find(ids: readonly string[], accountId: string): Promise<ReadonlyMap<string, TemplateRecord>> {
    const records = await this.#find(ids, accountId)
    return new Map(records.map(record => [record.id, record]))
  }

  /** The names of the account's templates with these ids. */
  namesOf(ids: readonly string[], accountId: string): Promise<ReadonlyMap<string, string>> {
    return readTemplateNames(this.#database, ids, accountId)
  }

  /** All templates with this id, for the operator: at most a shared one, and one of each account. */
  namesakes(templateId: string): Promise<readonly TemplateRecord[]> {
    return findNamesakes(this.#database, templateId)
  }

  /** One owner's template; the shared one by default. */
  async get(templateId: string, ownerAccountId: string | null = null): Promise<TemplateRecord | null> {
    const records = await this.namesakes(templateId)
    return records.find(record => record.ownerAccountId === ownerAccountId) ?? null
  }

  /**
   * Gives a template to another owner, or to everyone if null. False if there is no such template.
   * @throws TemplateIdTakenError, TemplateQuotaReachedError, TemplateStorageFullError
   */
  changeOwner(template: TemplateName, { ownerAccountId, ownedMax }: Ownership): Promise<boolean> {
    const owner = { ownerAccountId, ...(ownedMax === undefined ? {} : { ownedMax }) }
    return changeOwner(this.#database, template, { ...owner, quota: this.#quota, nowMs: this.#clock() })
  }

  /** The versions of a template, the current one first, then newest first. Empty if there is none. */
  versionsOf(template: TemplateName): Promise<readonly TemplateVersion[]> {
    return listVersions(this.#database, template)
  }

  /**
   * Makes an earlier version the current one, from the next request on, and retains the one that it replaces.
   * Resolves with its new number, or null if there is no such version.
   */
  async restore(template: TemplateName, version: number): Promise<number | null> {
    const restored = await restoreVersion(this.#database, template, version, this.#clock())
    if (restored !== null && template.ownerAccountId !== null) this.#onImported(template.ownerAccountId, template.id)
    return restored
  }

  /** The thumbnail of a version (a JPEG). */
  openVersionThumbnail({ objectPrefix }: TemplateVersion): Promise<OpenObject | null> {
    return this.#storage.open(objectPrefix + THUMBNAIL_OBJECT)
  }

  /**
   * Removes a template with its versions, from the next request on. Its id stays reserved for its owner.
   * False if there is no such template.
   */
  remove(template: TemplateName): Promise<boolean> {
    const removedAtMs = this.#clock()
    return this.#database.transaction(async transaction => {
      const row = await lockTemplate(this.#database, transaction, template)
      if (!row || row.removed_at_ms !== null) return false
      await transaction.updateTable('templates').set({ removed_at_ms: removedAtMs }).where('id', '=', row.id).execute()
      await leaveRemains(transaction, [remainsOf(row)], removedAtMs)
      await dropVersionsOf(transaction, row, removedAtMs)
      return true
    })
  }

  /** The folder of this version's files, which render processes may only read, and a unique key. */
  localBundle(record: TemplateRecord): Promise<TemplateBundle> {
    return this.#cache.folderOf(record)
  }

  /** The folder of this version at a preview's width, for an account that may not download all of it. */
  async previewFolder(
    record: TemplateRecord,
    asker: Pick<PreviewRequest, 'accountId' | 'beforeMaking'>,
  ): Promise<string> {
    const { key, folder } = await this.localBundle(record)
    const make = (toFolder: string) =>
      this.#work.reduce({ from: folder, toFolder, widthPx: PREVIEW_WIDTH_PX }, undefined, this.#background)
    return this.#previews.folderOf({ ...asker, key, make })
  }

  /**
   * The file with this version's pack for pages of other sites; null if it would be too large. `name`
   * identifies the version and the look.
   * @throws BundleTooCostlyError, BundleInspectionFailedError
   */
  async pagePack(
    record: TemplateRecord,
    name: string,
    look: Pick<PackRequest, 'widthPx' | 'watermark'>,
    asker: PackAsker,
  ): Promise<string | null> {
    const { folder: from } = await this.localBundle(record)
    const make = (toFolder: string) => this.#work.pack({ from, toFolder, ...look }, this.#background)
    const folder = await this.#previews.folderOf({ ...asker, key: `page-${name}`, make })
    const file = path.join(folder, packName(look.widthPx))
    return existsSync(file) ? file : null
  }

  /**
   * This version's preview pack of a width, or null if it would be too large.
   * @throws BundleTooCostlyError, BundleInspectionFailedError
   */
  openPack(record: TemplateRecord, widthPx: PackWidthPx, asker: PackAsker): Promise<OpenObject | null> {
    return this.#packs.open(record, widthPx, asker, async () => (await this.localBundle(record)).folder)
  }

  /**
   * Verifies this version's local files after a failed render. If they differ from the imported ones,
   * replaces them and returns true.
   */
  replaceBroken(record: TemplateRecord): Promise<boolean> {
    return this.#cache.replaceBroken(record)
  }

  /** The thumbnail (a JPEG) at a URL path, or null. */
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
    return this.#storage.open(row.object_prefix + THUMBNAIL_OBJECT)
  }

  /** Removes the objects of replaced and removed versions. To be run occasionally, by one node. */
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
  }

  /** Removes removed templates from this node's disk, and evicts others beyond the limits. */
  async trimCache(): Promise<void> {
    const unnamed = await this.#cache.trim(prefixes => this.findNamed(prefixes))
    for (const key of unnamed) await this.#previews.remove(key)
  }

  /** Filters object prefixes, leaving those that a template has now. */
  async findNamed(prefixes: readonly string[]): Promise<ReadonlySet<string>> {
    const named = new Set<string>()
    for (let at = 0; at < prefixes.length; at += PARAMETERS_PER_QUERY) {
      const rows = await this.#database.queries
        .selectFrom('templates')
        .select('object_prefix')
        .where('object_prefix', 'in', prefixes.slice(at, at + PARAMETERS_PER_QUERY))
        .where('removed_at_ms', 'is', null)
        .execute()
      for (const row of rows) named.add(row.object_prefix)
    }
    return named
  }

  async #createFolder(): Promise<PrivateFolder> {
    await mkdir(this.#importFolder, { recursive: true, mode: 0o700 })
    return new PrivateFolder(await mkdtemp(path.join(this.#importFolder, 'import-')))
  }

  /**
   * Removes what aborted imports have left on this node's disk. It goes by age, not by living processes:
   * commands may run in another container with the same folder.
   */
  async removeBrokenOff(): Promise<void> {
    const before = this.#clock() - REMAINS_GRACE_MS
    await mkdir(this.#importFolder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.#importFolder)) {
      const folder = path.join(this.#importFolder, name)
      // A concurrent import may end and remove its folder.
      const mtimeMs = await stat(folder).then(
        status => status.mtimeMs,
        () => before,
      )
      if (mtimeMs < before) await rm(folder, { recursive: true, force: true })
    }
  }
}
