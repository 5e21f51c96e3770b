import type { Backdrop, OutputFormat } from '../codec.ts'
import type { KernelModules } from '../kernels/kernel-modules.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { JpegEncoder, type PreparedJpegScene } from './jpeg/jpeg-encoder.ts'
import type { Crc32 } from './png/png-container.ts'
import { PngEncoder, type PreparedPngScene } from './png/png-encoder.ts'

type Prepared =
  | { readonly format: 'jpeg'; readonly scene: PreparedJpegScene }
  | { readonly format: 'png'; readonly scene: PreparedPngScene }

/** What is kept of scenes between mockups, in bytes, where the caller does not say. */
const DEFAULT_SCENES_BYTES = 64 * 1024 * 1024

export type PictureEncoderOptions = {
  /** greatest memory for prepared scenes; the longest unused go first */
  readonly scenesBytes?: number
  /** a fast CRC-32 of the platform's */
  readonly crc32?: Crc32
}

/**
 * Writes finished pictures as JPEG or PNG, and remembers what mockups of the same scene share. What it
 * remembers changes the time that a mockup takes and never its bytes.
 */
export class PictureEncoder {
  readonly #jpeg: JpegEncoder
  readonly #png: PngEncoder
  readonly #scenesBytes: number
  /** In the order of use, the longest unused one first. */
  readonly #scenes = new Map<string, Prepared>()
  /** A scene is known by its object: a template prepared again is another scene. */
  readonly #numbers = new WeakMap<OpaquePixmap, number>()
  #nextNumber = 1
  #keptBytes = 0

  constructor(kernels: KernelModules, options: PictureEncoderOptions = {}) {
    this.#jpeg = new JpegEncoder(kernels.get('jpeg-encoder'))
    this.#png = new PngEncoder(kernels.get('png-encoder'), options.crc32 ?? null)
    this.#scenesBytes = options.scenesBytes ?? DEFAULT_SCENES_BYTES
  }

  /** Memory that prepared scenes take now. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  /**
   * The file of a picture. With a backdrop, the picture equals its scene everywhere but inside `drawn`.
   * Throws RangeError on a size or quality out of range.
   */
  encode(picture: OpaquePixmap, output: OutputFormat, backdrop: Backdrop | null = null): Uint8Array<ArrayBuffer> {
    if (output.format === 'png') {
      return backdrop ? this.#encodePngMockup(picture, backdrop) : this.#png.encode(picture)
    }
    return backdrop
      ? this.#encodeJpegMockup(picture, output.quality, backdrop)
      : this.#jpeg.encode(picture, output.quality)
  }

  #encodeJpegMockup(picture: OpaquePixmap, quality: number, backdrop: Backdrop): Uint8Array<ArrayBuffer> {
    const key = `${this.#numberOf(backdrop.scene)} jpeg ${quality}`
    const known = this.#find(key)
    if (known?.format === 'jpeg') return this.#jpeg.encodeMockup(known.scene, picture, backdrop.drawn)
    // From the scene, as below.
    const scene = this.#jpeg.prepareScene(backdrop.scene, quality, backdrop.drawn)
    this.#keep(key, { format: 'jpeg', scene })
    return this.#jpeg.encodeMockup(scene, picture, backdrop.drawn)
  }

  #encodePngMockup(picture: OpaquePixmap, backdrop: Backdrop): Uint8Array<ArrayBuffer> {
    const key = `${this.#numberOf(backdrop.scene)} png`
    const known = this.#find(key)
    if (known?.format === 'png') return this.#png.encodeMockup(known.scene, picture)
    // From the scene, not from this mockup: else the next mockup's bytes would depend on its artwork.
    const scene = this.#png.prepareScene(backdrop.scene, backdrop.drawn)
    this.#keep(key, { format: 'png', scene })
    return this.#png.encodeMockup(scene, picture)
  }

  #numberOf(scene: OpaquePixmap): number {
    const known = this.#numbers.get(scene)
    if (known !== undefined) return known
    const number = this.#nextNumber
    this.#nextNumber += 1
    this.#numbers.set(scene, number)
    return number
  }

  #find(key: string): Prepared | undefined {
    const known = this.#scenes.get(key)
    if (known) {
      this.#scenes.delete(key)
      this.#scenes.set(key, known)
    }
    return known
  }

  #keep(key: string, prepared: Prepared): void {
    // One that exceeds the bound would evict everything else for nothing.
    if (prepared.scene.sizeBytes > this.#scenesBytes) return
    this.#scenes.set(key, prepared)
    this.#keptBytes += prepared.scene.sizeBytes
    for (const [oldest, { scene }] of this.#scenes) {
      if (this.#keptBytes <= this.#scenesBytes) return
      this.#scenes.delete(oldest)
      this.#keptBytes -= scene.sizeBytes
    }
  }
}
