import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { limits, type PsdRun, psdPictures } from '@vitrine/contract'
import { slugOf } from '@vitrine/engine/bundle'
import { z } from 'zod'
import { isDiskFull } from '../errors/disk-full-error.ts'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import type { ObjectStorage, OpenObject } from '../storage/object-storage.ts'
import type { AdmittedImport, TemplateStore } from '../templates/template-store.ts'
import type { ImportedTemplate } from '../templates/template-versions.ts'
import { importPsdFile, PsdImportRefusedError } from './import-psd-file.ts'
import { PSD_ALIVE_EVERY_MS } from './limits.ts'
import { BUNDLE_FOLDER, DIFFERENCE_FILE, OURS_FILE, PHOTOSHOP_FILE } from './psd-files.ts'
import { INTERRUPTED, type PsdImportRecord, type PsdImportStore, runPrefix } from './psd-import-store.ts'
import { documentOf, mapsOf, type PsdMap, partsOf, type SentFile } from './psd-parts.ts'
import type { ImportedPsd } from './psd-report.ts'

/** An import is not so far that this can be done, or is being converted. */
export class PsdImportStateError extends Error {
  override readonly name = 'PsdImportStateError'
}

const pictureFiles: Readonly<Record<(typeof psdPictures)[number], string>> = {
  photoshop: PHOTOSHOP_FILE,
  ours: OURS_FILE,
  difference: DIFFERENCE_FILE,
}

/** White, as the command has it too. */
const matte = [255, 255, 255] as const

const FAILED = 'This file could not be read, and the fault is the service’s. Its operator finds the reason in the log.'

const NO_ROOM = 'The service had no room on its disk to convert this file. Convert it again later.'

/** Ids that are looked up at once. */
const IDS_PER_LOOK = 10

/** What the bundle says of itself; everything else of it stays as it is. */
const bundleDescription = z.looseObject({ id: z.string() })

/** Who made a template, and what it is called. */
export type PsdTemplateDetails = {
  readonly name: string
  readonly category: string
  readonly type: string
  /** With every account. */
  readonly shared: boolean
}

/** Converts Photoshop files that were received, in the turns of the imports, and makes templates of them. */
export class PsdImports {
  readonly #store: PsdImportStore
  readonly #storage: ObjectStorage
  readonly #templates: TemplateStore
  readonly #onError: (error: unknown) => void
  readonly #onInterrupted: (importId: string) => void
  readonly #background: BackgroundWork | undefined
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(
    store: PsdImportStore,
    storage: ObjectStorage,
    templates: TemplateStore,
    observer: {
      readonly onError: (error: unknown) => void
      /** The stop ended a conversion, which its owner has to start again. */
      readonly onInterrupted?: (importId: string) => void
    },
    background?: BackgroundWork,
  ) {
    this.#store = store
    this.#storage = storage
    this.#templates = templates
    this.#onError = observer.onError
    this.#onInterrupted = observer.onInterrupted ?? (() => undefined)
    this.#background = background
  }

  /**
   * Begins to convert a file whose parts have all come, with the maps that have; it goes on after the answer.
   * @throws PsdImportStateError; ImportsBusyError
   */
  async begin(record: PsdImportRecord, wanted: PsdRun): Promise<void> {
    const missing = new Set(await this.#store.missingParts(record))
    const lacking = partsOf(documentOf(record)).filter(part => missing.has(part))
    if (lacking.length > 0) throw new PsdImportStateError(`Parts ${lacking.slice(0, 10).join(', ')} have not come`)
    const maps = mapsOf(record).filter(map => !partsOf(map).some(part => missing.has(part)))
    await using stack = new AsyncDisposableStack()
    const sizeBytes = maps.reduce((sum, map) => sum + map.sizeBytes, record.sizeBytes)
    const admitted = stack.use(await this.#admit(record, sizeBytes))
    const run = await this.#store.begin(record, wanted.frames)
    if (run === null) throw new PsdImportStateError('It is being converted')
    const held = stack.move()
    const work = async (): Promise<void> => {
      await using _held = held
      await this.#convert(record, wanted, run, admitted.folder, maps)
    }
    const running = work()
      .catch(this.#onError)
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** A picture of the comparison (WebP), or null where there is none. */
  openPicture({ id, run }: PsdImportRecord, picture: (typeof psdPictures)[number]): Promise<OpenObject | null> {
    return this.#storage.open(runPrefix(id, run) + pictureFiles[picture])
  }

  /**
   * Makes a template of a converted file, its owner's or a shared one. The import stays until it is removed.
   * @throws PsdImportStateError; what `TemplateStore.importBundle` throws; ImportsBusyError
   */
  async makeTemplate(record: PsdImportRecord, { shared, ...details }: PsdTemplateDetails): Promise<ImportedTemplate> {
    if (record.state !== 'ready') throw new PsdImportStateError(`It is ${record.state}`)
    const { accountId, id, run, files } = record
    await using admitted = await this.#admit(record, limits.bundleSizeBytesMax)
    const folder = path.join(admitted.folder, BUNDLE_FOLDER)
    await mkdir(folder, { mode: 0o700 })
    for (const name of files) {
      const object = await this.#storage.open(`${runPrefix(id, run)}${BUNDLE_FOLDER}/${name}`)
      if (object === null) throw new PsdImportStateError(`Its file ${name} is gone`)
      await pipeline(object.content, createWriteStream(path.join(folder, name), { mode: 0o600, flags: 'wx' }))
    }
    const descriptionFile = path.join(folder, 'template.json')
    const description = bundleDescription.parse(JSON.parse(await readFile(descriptionFile, 'utf8')))
    const templateId = await this.#freeId(accountId, details.name, description.id)
    await writeFile(descriptionFile, JSON.stringify({ ...description, ...details, id: templateId }, null, 2))
    // Awaited here: the folder ends with this function.
    return await this.#templates.importBundle({
      path: folder,
      ...(shared ? { ownerAccountId: null } : { ownerAccountId: accountId, ownedMax: limits.privateTemplatesMax }),
      origin: 'photoshop',
    })
  }

  /** Ends what runs; each such import says that it may be converted again. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('The service stops'))
    await Promise.all(this.#running)
  }

  #admit({ accountId }: PsdImportRecord, sizeBytes: number): Promise<AdmittedImport> {
    return this.#templates.admitImport({ accountId, ownerAccountId: null, sizeBytes })
  }

  async #convert(
    record: PsdImportRecord,
    wanted: PsdRun,
    run: number,
    folder: string,
    sentMaps: readonly (SentFile & PsdMap)[],
  ): Promise<void> {
    const { id, accountId } = record
    const gone = new AbortController()
    const signal = AbortSignal.any([this.#stop.signal, gone.signal])
    let noted = Promise.resolve()
    // One after the other: a step must not be noted after the end.
    const note = (change: Parameters<PsdImportStore['note']>[2]): Promise<void> => {
      const next = noted
        .catch(() => undefined)
        .then(async () => {
          if (!(await this.#store.note(id, run, change))) gone.abort(new Error('The import was removed'))
        })
      noted = next
      return next
    }
    const alive = setInterval(() => void note({}).catch(this.#onError), PSD_ALIVE_EVERY_MS)
    try {
      const imported = await this.#templates.inspectInTurn(accountId, async () => {
        signal.throwIfAborted()
        await note({ state: 'reading' })
        const fetchFile = async (file: SentFile, name: string): Promise<string> => {
          const to = path.join(folder, name)
          const target = createWriteStream(to, { mode: 0o600, flags: 'wx' })
          await pipeline(this.#store.openFile(record, file), target, { signal })
          return to
        }
        const from = await fetchFile(documentOf(record), 'file.psd')
        const maps: { name: string; path: string }[] = []
        for (const [index, map] of sentMaps.entries())
          maps.push({ name: map.name, path: await fetchFile(map, `map-${index}.psd`) })
        const toFolder = path.join(folder, 'made')
        await mkdir(toFolder, { mode: 0o700 })
        const name = record.fileName.replace(/\.ps[db]$/i, '')
        return importPsdFile(
          { from, toFolder, name, ...wanted, matte, maps },
          { signal, onStep: state => void note({ state }).catch(this.#onError), background: this.#background },
        )
      })
      await this.#keep(id, run, path.join(folder, 'made'), imported)
      const { report, files, hasComparison, missingMaps } = imported
      await note({
        state: 'ready',
        report: JSON.stringify(report),
        files: JSON.stringify(files),
        has_comparison: hasComparison ? 1 : 0,
        missing_maps: JSON.stringify(missingMaps),
      })
      if (gone.signal.aborted) await this.#store.removeRun(id, run)
      else if (run > 1) await this.#store.removeRun(id, run - 1)
    } catch (error) {
      if (error instanceof PsdImportRefusedError) await this.#refuse(id, run, path.join(folder, 'made'), error, note)
      else if (gone.signal.aborted) await this.#store.removeRun(id, run)
      else if (this.#stop.signal.aborted) {
        await note({ state: 'failed', message: INTERRUPTED })
        this.#onInterrupted(id)
      } else {
        await note({ state: 'failed', message: isDiskFull(error) ? NO_ROOM : FAILED })
        this.#onError(error)
      }
    } finally {
      clearInterval(alive)
    }
  }

  /** With the picture to choose frames on, where there is one. */
  async #refuse(
    id: string,
    run: number,
    made: string,
    { message, choices, maps, places }: PsdImportRefusedError,
    note: (change: Parameters<PsdImportStore['note']>[2]) => Promise<void>,
  ): Promise<void> {
    if (places.length > 0)
      await this.#storage.put(runPrefix(id, run) + PHOTOSHOP_FILE, createReadStream(path.join(made, PHOTOSHOP_FILE)))
    await note({
      state: 'refused',
      message,
      choices: JSON.stringify(choices),
      places: JSON.stringify(places),
      missing_maps: JSON.stringify(maps),
    })
    if (run > 1) await this.#store.removeRun(id, run - 1)
  }

  /** Stores what a run made. @throws PsdImportRefusedError where it is too much for a template */
  async #keep(id: string, run: number, made: string, { files, hasComparison }: ImportedPsd): Promise<void> {
    const prefix = runPrefix(id, run)
    const sizes = await Promise.all(files.map(async name => (await stat(path.join(made, BUNDLE_FOLDER, name))).size))
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
    if (sizeBytes > limits.bundleSizeBytesMax) {
      throw new PsdImportRefusedError(
        `The template of this file would have ${Math.ceil(sizeBytes / 1e6)} MB. Choose Image > Image Size, and save a smaller file.`,
      )
    }
    for (const name of files) {
      await this.#storage.put(
        `${prefix}${BUNDLE_FOLDER}/${name}`,
        createReadStream(path.join(made, BUNDLE_FOLDER, name)),
      )
    }
    if (!hasComparison) return
    for (const picture of psdPictures) {
      const file = pictureFiles[picture]
      await this.#storage.put(prefix + file, createReadStream(path.join(made, file)))
    }
  }

  /** An id of the name that neither the account nor everybody has a template of. */
  async #freeId(accountId: string, name: string, fallback: string): Promise<string> {
    const slug = slugOf(name, { maxLength: 56 })
    const base = slug.length >= 2 ? slug : fallback.slice(0, 56)
    const candidates = [base, ...Array.from({ length: 500 }, (_, index) => `${base}-${index + 2}`)]
    for (let at = 0; at < candidates.length; at += IDS_PER_LOOK) {
      const some = candidates.slice(at, at + IDS_PER_LOOK)
      const taken = await this.#templates.find(some, accountId)
      const free = some.find(candidate => !taken.has(candidate))
      if (free !== undefined) return free
    }
    return base
  }
}
