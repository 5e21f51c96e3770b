import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type BundleFiles,
  type Drawer,
  findColorChanges,
  type ImageCodec,
  type Pause,
  type PreparedTemplate,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
  type Template,
} from '@vitrine/engine'
import { openBundleFolder, unpackPrepared } from '@vitrine/engine/node'
import type { PreparedFile, PreparedFrom, TemplateBundle } from '../../templates/template-bundle.ts'
import { warmKey } from '../render-job.ts'
import type { ChosenColors } from '../request-artwork.ts'
import { ColorVariants } from './color-variants.ts'
import { JobCancelledError } from './job-cancelled-error.ts'

/** The memory that preparing a template may need, per squared pixel of its width; freed in advance. */
const BYTES_PER_SQUARE_PX = 6

/** The share of the cache's memory for templates in other colours. */
const VARIANTS_SHARE = 1 / 4

/** A prepared template. Its description is read when other colours are first requested. */
type Entry = { readonly prepared: PreparedTemplate; template: Template | null }

/** The requested colours, and for which account. */
export type ColorRequest = { readonly accountId: string; readonly colors: ChosenColors }

const noColors: ColorRequest = { accountId: '', colors: [] }

type Options = {
  /** The cached prepared template. If the file is damaged, the template is prepared again. */
  readonly preparedFile?: PreparedFile | undefined
  /** Called before each picture. */
  readonly pause?: Pause
  readonly colors?: ColorRequest
}

type Found = { readonly prepared: PreparedTemplate; readonly from: PreparedFrom }

/**
 * Templates prepared for an output width, with eviction of the least recently used. Preparing takes hundreds
 * of milliseconds, drawing into a prepared template tens.
 */
export class TemplateCache {
  readonly #codec: ImageCodec
  readonly #maxBytes: number
  readonly #kernel: Drawer | null
  /** Least recently used first. */
  readonly #prepared = new Map<string, Entry>()
  readonly #variants: ColorVariants
  #sizeBytes = 0

  constructor(codec: ImageCodec, maxBytes: number, kernel: Drawer | null = null) {
    this.#codec = codec
    this.#maxBytes = maxBytes
    this.#kernel = kernel
    this.#variants = new ColorVariants(maxBytes * VARIANTS_SHARE)
  }

  /** The `warmKey`s of the prepared templates. */
  get keys(): string[] {
    return [...this.#prepared.keys()]
  }

  /** The template for a width in some colours, prepared now unless cached in memory or in the file. */
  async get(bundle: TemplateBundle, widthPx: number, options: Options = {}): Promise<Found> {
    const { pause = () => undefined, colors: { accountId, colors } = noColors } = options
    const { entry, from } = await this.#find(bundle, widthPx, { ...options, pause })
    const { prepared } = entry
    if (colors.length === 0) return { prepared, from }
    const template = (entry.template ??= await this.#blameTemplate(bundle, async () => describe(await filesOf(bundle))))
    const chosen = new Map(colors)
    const changes = findColorChanges(template.colors, chosen)
    if (changes.length === 0) return { prepared, from }
    const base = warmKey(bundle, widthPx)
    const key = `${base} ${changes.map(({ area }) => `${area.name}=${chosen.get(area.name)}`).join(' ')}`
    const known = this.#variants.find(key, accountId)
    if (known !== undefined) return { prepared: known, from }
    // No template is evicted for a variant: else an account with many colours would evict everyone's.
    globalThis.gc?.()
    const variant = await this.#blameTemplate(bundle, async () =>
      recolorTemplate(prepared, template, await filesOf(bundle), chosen, this.#pausing(pause), this.#kernel),
    )
    this.#variants.add(key, base, accountId, variant)
    this.#dropBeyond(this.#maxBytes, 1)
    return { prepared: variant, from }
  }

  async #find(
    bundle: TemplateBundle,
    widthPx: number,
    { preparedFile, pause }: { readonly preparedFile?: PreparedFile | undefined; readonly pause: Pause },
  ): Promise<{ readonly entry: Entry; readonly from: PreparedFrom }> {
    const key = warmKey(bundle, widthPx)
    const known = this.#prepared.get(key)
    if (known !== undefined) {
      this.#prepared.delete(key)
      this.#prepared.set(key, known)
      return { entry: known, from: 'memory' }
    }
    // Evicts before preparing, which needs more memory than its result.
    this.#dropBeyond(Math.max(0, this.#maxBytes - BYTES_PER_SQUARE_PX * widthPx * widthPx))
    // The garbage collector does not see hundreds of MiB outside its heap. It takes 20 ms, preparing 300.
    globalThis.gc?.()
    const unpacked =
      preparedFile === undefined ? null : unpackPrepared(readFileSync(preparedFile.file), preparedFile.name)
    const entry: Entry =
      unpacked === null ? await this.#prepare(bundle, widthPx, pause) : { prepared: unpacked, template: null }
    this.#prepared.set(key, entry)
    this.#sizeBytes += entry.prepared.sizeBytes
    this.#dropBeyond(this.#maxBytes, 1)
    return { entry, from: unpacked === null ? 'bundle' : 'file' }
  }

  #prepare(bundle: TemplateBundle, widthPx: number, pause: Pause): Promise<Entry> {
    return this.#blameTemplate(bundle, async () => {
      const files = await filesOf(bundle)
      const template = await describe(files)
      const prepared = await prepareTemplate(template, files, widthPx, this.#pausing(pause), this.#kernel)
      return { prepared, template }
    })
  }

  #pausing(pause: Pause): ImageCodec {
    return {
      ...this.#codec,
      decodeLayer: async (bytes, kind) => {
        await pause()
        return this.#codec.decodeLayer(bytes, kind)
      },
    }
  }

  async #blameTemplate<Made>(bundle: TemplateBundle, make: () => Promise<Made>): Promise<Made> {
    try {
      return await make()
    } catch (error) {
      if (error instanceof JobCancelledError) throw error
      // A layer that can't be decoded raises an ArtworkError, too, but it is not the customer's fault.
      throw new Error(`The template ${bundle.key} can't be prepared: ${String(error)}`, { cause: error })
    }
  }

  /** Evicts all but the last `retainedCount`: else a batch would prepare a large template repeatedly. */
  #dropBeyond(maxBytes: number, retainedCount = 0): void {
    for (const [key, { prepared }] of this.#prepared) {
      if (this.#sizeBytes + this.#variants.sizeBytes <= maxBytes || this.#prepared.size <= retainedCount) return
      this.#prepared.delete(key)
      this.#sizeBytes -= prepared.sizeBytes
      this.#variants.dropOf(key)
    }
  }
}

function filesOf(bundle: TemplateBundle): Promise<BundleFiles> {
  return openBundleFolder(path.resolve(bundle.folder))
}

async function describe(files: BundleFiles): Promise<Template> {
  return parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
}
