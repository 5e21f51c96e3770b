import path from 'node:path'
import { type ImageCodec, type Pause, type PreparedTemplate, parseTemplate, prepareTemplate } from '@vitrine/engine'
import { openBundleFolder } from '@vitrine/engine/node'
import { type TemplateBundle, warmKey } from '../render-job.ts'
import { JobCancelledError } from './job-cancelled-error.ts'

/** Memory freed before a template is prepared, per pixel of its squared width: what larger templates take. */
const BYTES_PER_SQUARE_PX = 6

/**
 * Templates that are prepared for an output width; the least recently used are dropped beyond a size.
 * Preparing takes hundreds of milliseconds, drawing into a prepared template tens.
 */
export class TemplateCache {
  readonly #codec: ImageCodec
  readonly #maxBytes: number
  /** Least recently used first. */
  readonly #prepared = new Map<string, PreparedTemplate>()
  #sizeBytes = 0

  constructor(codec: ImageCodec, maxBytes: number) {
    this.#codec = codec
    this.#maxBytes = maxBytes
  }

  /** The `warmKey`s of the prepared templates. */
  get keys(): string[] {
    return [...this.#prepared.keys()]
  }

  /** The template for a width, prepared now unless it is kept; `pause` is called before each picture. */
  async get(bundle: TemplateBundle, widthPx: number, pause: Pause = () => undefined): Promise<PreparedTemplate> {
    const key = warmKey(bundle, widthPx)
    const known = this.#prepared.get(key)
    if (known !== undefined) {
      this.#prepared.delete(key)
      this.#prepared.set(key, known)
      return known
    }
    // Before preparing, which needs memory beyond the result.
    this.#dropBeyond(Math.max(0, this.#maxBytes - BYTES_PER_SQUARE_PX * widthPx * widthPx))
    // The collector does not see hundreds of MiB outside its heap. It takes 20 ms, preparing 300 and more.
    globalThis.gc?.()
    const prepared = await this.#prepare(bundle, widthPx, pause)
    this.#prepared.set(key, prepared)
    this.#sizeBytes += prepared.sizeBytes
    this.#dropBeyond(this.#maxBytes, 1)
    return prepared
  }

  async #prepare(bundle: TemplateBundle, widthPx: number, pause: Pause): Promise<PreparedTemplate> {
    const codec: ImageCodec = {
      ...this.#codec,
      decodeLayer: async (bytes, kind) => {
        await pause()
        return this.#codec.decodeLayer(bytes, kind)
      },
    }
    try {
      const files = await openBundleFolder(path.resolve(bundle.folder))
      const description = new TextDecoder().decode(await files.read('template.json'))
      return await prepareTemplate(parseTemplate(JSON.parse(description)), files, widthPx, codec)
    } catch (error) {
      if (error instanceof JobCancelledError) throw error
      // A layer that can't be decoded raises an ArtworkError, too: the customer must not be blamed.
      throw new Error(`The template ${bundle.key} can't be prepared: ${String(error)}`, { cause: error })
    }
  }

  /** Keeps the last `keptCount`, also beyond the bound: a batch would prepare a large one over and over. */
  #dropBeyond(maxBytes: number, keptCount = 0): void {
    for (const [key, prepared] of this.#prepared) {
      if (this.#sizeBytes <= maxBytes || this.#prepared.size <= keptCount) return
      this.#prepared.delete(key)
      this.#sizeBytes -= prepared.sizeBytes
    }
  }
}
