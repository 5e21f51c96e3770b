import path from 'node:path'
import { type ImageCodec, type PreparedTemplate, parseTemplate, prepareTemplate } from '@vitrine/engine'
import { openBundleFolder } from '@vitrine/engine/node'
import { type TemplateBundle, warmKey } from '../render-job.ts'

/**
 * Room that is made for a template before it is prepared, per pixel of a square of its width: what the larger
 * ones of those that ship take.
 */
const BYTES_PER_SQUARE_PX = 6

/**
 * Templates that are prepared for an output width, the longest unused one dropped first when they outgrow
 * their memory. Preparing takes hundreds of milliseconds, drawing into a prepared template tens.
 */
export class TemplateCache {
  readonly #codec: ImageCodec
  readonly #maxBytes: number
  /** In the order of use, the longest unused one first. */
  readonly #prepared = new Map<string, PreparedTemplate>()
  #sizeBytes = 0

  constructor(codec: ImageCodec, maxBytes: number) {
    this.#codec = codec
    this.#maxBytes = maxBytes
  }

  /** The `warmKey`s of what is here. */
  get keys(): string[] {
    return [...this.#prepared.keys()]
  }

  /** The template at a width, prepared now unless it is here. */
  async get(bundle: TemplateBundle, widthPx: number): Promise<PreparedTemplate> {
    const key = warmKey(bundle, widthPx)
    const known = this.#prepared.get(key)
    if (known !== undefined) {
      this.#prepared.delete(key)
      this.#prepared.set(key, known)
      return known
    }
    // Before, not after: else the old ones and all that preparing takes for itself would be in memory at
    // once.
    this.#dropBeyond(Math.max(0, this.#maxBytes - BYTES_PER_SQUARE_PX * widthPx * widthPx))
    // What was dropped, and the decoders' memory, weighs little to the collector and hundreds of MiB to the
    // machine: 20 ms where preparing takes 300 and more.
    globalThis.gc?.()
    const prepared = await this.#prepare(bundle, widthPx)
    this.#prepared.set(key, prepared)
    this.#sizeBytes += prepared.sizeBytes
    this.#dropBeyond(this.#maxBytes, 1)
    return prepared
  }

  async #prepare(bundle: TemplateBundle, widthPx: number): Promise<PreparedTemplate> {
    try {
      const files = await openBundleFolder(path.resolve(bundle.folder))
      const description = new TextDecoder().decode(await files.read('template.json'))
      return await prepareTemplate(parseTemplate(JSON.parse(description)), files, widthPx, this.#codec)
    } catch (error) {
      // A layer that can't be decoded raises what a bad artwork raises, and must not be blamed on the
      // customer's.
      throw new Error(`The template ${bundle.key} can't be prepared: ${String(error)}`, { cause: error })
    }
  }

  /**
   * The longest unused go until the rest fits. One that is larger than the bound by itself stays until the
   * next comes, or a batch would prepare it over and over.
   */
  #dropBeyond(maxBytes: number, keptCount = 0): void {
    for (const [key, prepared] of this.#prepared) {
      if (this.#sizeBytes <= maxBytes || this.#prepared.size <= keptCount) return
      this.#prepared.delete(key)
      this.#sizeBytes -= prepared.sizeBytes
    }
  }
}
