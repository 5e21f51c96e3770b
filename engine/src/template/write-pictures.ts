import { type Deflate, encodePng, type PngPicture } from '../encoding/encode-png.ts'
import type { Rect } from '../geometry/rect.ts'

/** A value as template.json has it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A part of template.json. */
export type Described = { readonly [name: string]: Json }

/** Where the files of a bundle go. They are read again to check what was written. */
export type BundleStore = {
  readonly write: (name: string, bytes: Uint8Array) => Promise<void>
  readonly read: (name: string) => Promise<Uint8Array>
}

/** A store whose files may be written again, once they are removed. */
export type RewritableStore = BundleStore & { readonly remove: (name: string) => Promise<void> }

/** Pixels of a part of the scene, as they are stored. */
export type Raster = PngPicture & {
  readonly left: number
  readonly top: number
  /** how much of the scene it is stretched over; missing: its own size */
  readonly covers?: PictureSize
}

/** A picture that was written. */
export type WrittenFile = PictureSize & { readonly name: string }

type PictureSize = { readonly widthPx: number; readonly heightPx: number }

/** Writes the pictures of a bundle: each is packed while the next one is drawn. */
export class PictureWriter {
  readonly #sizes = new Map<string, PictureSize>()
  readonly #store: BundleStore
  readonly #deflate: Deflate | undefined
  /** the picture that is being packed while the next one is drawn */
  #packing = Promise.resolve()

  constructor(store: BundleStore, deflate: Deflate | undefined) {
    this.#store = store
    this.#deflate = deflate
  }

  /** The files that it wrote. */
  get written(): readonly WrittenFile[] {
    return Array.from(this.#sizes, ([name, size]) => ({ name, ...size }))
  }

  /** The size of a file that it wrote. */
  sizeOf(file: string): PictureSize {
    return this.#sizes.get(file) ?? { widthPx: 1, heightPx: 1 }
  }

  /** Stores a picture, which is packed while the next one is drawn. Resolves to the name of its file. */
  async file(name: string, picture: PngPicture): Promise<string> {
    const file = `${name}.png`
    await this.#packing
    this.#sizes.set(file, { widthPx: picture.widthPx, heightPx: picture.heightPx })
    const packing = encodePng(picture, this.#deflate).then(bytes => this.#store.write(file, bytes))
    this.#packing = packing
    // It may fail while the next picture is drawn, before anybody waits for it.
    packing.catch(() => undefined)
    return file
  }

  /** Stores a picture of a part of the scene, as a layer of the bundle names it, in `field`. */
  async layer(name: string, raster: Raster, field = 'image'): Promise<Described> {
    return { [field]: await this.file(name, raster), region: regionOf(raster) }
  }

  /** Rejects where the last picture was not written. */
  async finish(): Promise<void> {
    await this.#packing
  }

  /** Where drawing failed, nothing may go on writing to the store. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#packing])
  }
}

/** A part of the scene, as template.json says it. */
export function regionOf({ left, top, widthPx, heightPx, covers }: Rect & Pick<Raster, 'covers'>): readonly number[] {
  return [left, top, covers?.widthPx ?? widthPx, covers?.heightPx ?? heightPx]
}
