import { type Deflate, encodePng, type PngPicture } from '../encoding/encode-png.ts'
import type { Rect } from '../geometry/rect.ts'

/** A value as in template.json. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A part of template.json. */
export type Described = { readonly [name: string]: Json }

/** Where the files of a bundle are written. They are read again to check them. */
export type BundleStore = {
  readonly write: (name: string, bytes: Uint8Array) => Promise<void>
  readonly read: (name: string) => Promise<Uint8Array>
}

/** A store whose files may be written again after being removed. */
export type RewritableStore = BundleStore & { readonly remove: (name: string) => Promise<void> }

/** Pixels of a part of the scene, as they are stored. */
export type Raster = PngPicture & {
  readonly left: number
  readonly top: number
  /** the part of the scene that it is stretched over; by default its own size */
  readonly covers?: PictureSize
}

/** A picture that was written. */
export type WrittenFile = PictureSize & { readonly name: string }

type PictureSize = { readonly widthPx: number; readonly heightPx: number }

/** Writes the pictures of a bundle: each is encoded while the next is drawn. */
export class PictureWriter {
  readonly #sizes = new Map<string, PictureSize>()
  readonly #store: BundleStore
  readonly #deflate: Deflate | undefined
  /** the picture being encoded while the next is drawn */
  #packing = Promise.resolve()

  constructor(store: BundleStore, deflate: Deflate | undefined) {
    this.#store = store
    this.#deflate = deflate
  }

  /** The files written so far. */
  get written(): readonly WrittenFile[] {
    return Array.from(this.#sizes, ([name, size]) => ({ name, ...size }))
  }

  /** The size of a written file. */
  sizeOf(file: string): PictureSize {
    return this.#sizes.get(file) ?? { widthPx: 1, heightPx: 1 }
  }

  /** Stores a picture, which is encoded while the next is drawn. Resolves to its file name. */
  async file(name: string, picture: PngPicture): Promise<string> {
    const file = `${name}.png`
    await this.#packing
    this.#sizes.set(file, { widthPx: picture.widthPx, heightPx: picture.heightPx })
    const packing = encodePng(picture, this.#deflate).then(bytes => this.#store.write(file, bytes))
    this.#packing = packing
    // It may fail while the next picture is drawn, before its result is awaited.
    packing.catch(() => undefined)
    return file
  }

  /** Stores a picture of a part of the scene, and returns the layer that names it, in `field`. */
  async layer(name: string, raster: Raster, field = 'image'): Promise<Described> {
    return { [field]: await this.file(name, raster), region: regionOf(raster) }
  }

  /** Rejects if the last picture could not be written. */
  async finish(): Promise<void> {
    await this.#packing
  }

  /** Waits for pending writes after a failed drawing, so that nothing writes to the store afterwards. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#packing])
  }
}

/** A part of the scene as in template.json. */
export function regionOf({ left, top, widthPx, heightPx, covers }: Rect & Pick<Raster, 'covers'>): readonly number[] {
  return [left, top, covers?.widthPx ?? widthPx, covers?.heightPx ?? heightPx]
}
