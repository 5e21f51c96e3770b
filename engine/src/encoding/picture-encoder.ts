import type { Backdrop } from '../codec.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { KernelModules } from '../webassembly/kernel-modules.ts'
import { buildFormatEncoders, type FormatEncoders, type PictureOutput, type PreparedScene } from './format-encoders.ts'
import type { Crc32 } from './png/png-container.ts'

/** Default memory limit for prepared scenes, in bytes. */
const DEFAULT_SCENES_BYTES = 64 * 1024 * 1024

export type PictureEncoderOptions = {
  /** memory limit for prepared scenes; the least recently used are dropped first */
  readonly scenesBytes?: number
  /** the platform's CRC-32, if it has a fast one */
  readonly crc32?: Crc32
}

/** Encodes finished pictures. Caching prepared scenes never changes the bytes. */
export class PictureEncoder {
  readonly #encoders: FormatEncoders
  readonly #scenesBytes: number
  /** In order of use, the least recently used first. */
  readonly #scenes = new Map<string, PreparedScene>()
  /** Scenes are identified by object: a template prepared again has another scene. */
  readonly #numbers = new WeakMap<OpaquePixmap, number>()
  #nextNumber = 1
  #keptBytes = 0

  constructor(kernels: KernelModules, options: PictureEncoderOptions = {}) {
    this.#encoders = buildFormatEncoders(kernels, options.crc32 ?? null)
    this.#scenesBytes = options.scenesBytes ?? DEFAULT_SCENES_BYTES
  }

  /** Memory of the cached scenes. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  /** With a backdrop, the picture equals its scene outside `drawn`. Throws RangeError for bad input. */
  encode<Format extends PictureOutput['format']>(
    picture: OpaquePixmap,
    output: PictureOutput<Format>,
    backdrop: Backdrop | null = null,
  ): Uint8Array<ArrayBuffer> {
    const encoder = this.#encoders[output.format]
    if (backdrop === null) return encoder.encode(picture, output)
    const { scene, drawn } = backdrop
    const key = `${this.#numberOf(scene)} ${output.format} ${encoder.nameOptions(output)}`
    const known = this.#find(key)
    if (known !== undefined) return known.encodeMockup(picture, drawn)
    // From the scene alone: otherwise the next mockup's bytes would depend on this one's artwork.
    const prepared = encoder.prepareScene(scene, output, drawn)
    this.#keep(key, prepared)
    return prepared.encodeMockup(picture, drawn)
  }

  #numberOf(scene: OpaquePixmap): number {
    const known = this.#numbers.get(scene)
    if (known !== undefined) return known
    const number = this.#nextNumber++
    this.#numbers.set(scene, number)
    return number
  }

  #find(key: string): PreparedScene | undefined {
    const known = this.#scenes.get(key)
    if (known) {
      this.#scenes.delete(key)
      this.#scenes.set(key, known)
    }
    return known
  }

  #keep(key: string, prepared: PreparedScene): void {
    // A scene larger than the limit would evict all others and then itself.
    if (prepared.sizeBytes > this.#scenesBytes) return
    this.#scenes.set(key, prepared)
    this.#keptBytes += prepared.sizeBytes
    for (const [oldest, { sizeBytes }] of this.#scenes) {
      if (this.#keptBytes <= this.#scenesBytes) return
      this.#scenes.delete(oldest)
      this.#keptBytes -= sizeBytes
    }
  }
}
