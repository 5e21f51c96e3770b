import { type Described, type PictureWriter, type PngPicture, type Raster, regionOf } from '@vitrine/engine'

/** Receives the pictures of a template. */
export type Pictures = Pick<PictureWriter, 'file' | 'layer'>

/** Holds pictures unencoded, for templates that are drawn and never stored. */
export class PicturesInMemory implements Pictures {
  readonly #byName = new Map<string, PngPicture>()

  get all(): ReadonlyMap<string, PngPicture> {
    return this.#byName
  }

  async file(name: string, picture: PngPicture): Promise<string> {
    const file = `${name}.png`
    this.#byName.set(file, picture)
    return file
  }

  async layer(name: string, raster: Raster): Promise<Described> {
    return { image: await this.file(name, raster), region: regionOf(raster) }
  }
}
