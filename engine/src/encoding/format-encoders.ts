import type { Rect } from '../geometry/rect.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { KernelModules } from '../webassembly/kernel-modules.ts'
import { JpegEncoder } from './jpeg/jpeg-encoder.ts'
import type { Crc32 } from './png/png-container.ts'
import { PngEncoder } from './png/png-encoder.ts'

/** Options of each output format. */
type OutputOptions = {
  /** Quality from 1 to 100, integers. */
  jpeg: { readonly quality: number }
  png: object
}

type OutputFormat = keyof OutputOptions

/** A format and its options. */
export type PictureOutput<Format extends OutputFormat = OutputFormat> = {
  [Name in Format]: { readonly format: Name } & OutputOptions[Name]
}[Format]

/** A scene whose part in every mockup is already encoded. */
export type PreparedScene = {
  /** Memory needed to cache it. */
  readonly sizeBytes: number
  /** The file of a picture that equals the scene everywhere outside `drawn`. */
  encodeMockup(picture: OpaquePixmap, drawn: readonly Rect[]): Uint8Array<ArrayBuffer>
}

type FormatEncoder<Output> = {
  /** Throws RangeError for a size or an option out of range. */
  encode(picture: OpaquePixmap, output: Output): Uint8Array<ArrayBuffer>
  prepareScene(scene: OpaquePixmap, output: Output, drawn: readonly Rect[]): PreparedScene
  /** Equal for outputs that can share a prepared scene. */
  nameOptions(output: Output): string
}

/** The encoder of each output format. How callers see the formats is in the contract's table. */
export type FormatEncoders = { readonly [Format in OutputFormat]: FormatEncoder<PictureOutput<Format>> }

export function buildFormatEncoders(kernels: KernelModules, crc32: Crc32 | null): FormatEncoders {
  const jpeg = new JpegEncoder(kernels.get('jpeg-encoder'))
  const png = new PngEncoder(kernels.get('png-encoder'), crc32)
  return {
    jpeg: {
      encode: (picture, { quality }) => jpeg.encode(picture, quality),
      prepareScene(scene, { quality }, drawn) {
        const prepared = jpeg.prepareScene(scene, quality, drawn)
        return {
          sizeBytes: prepared.sizeBytes,
          encodeMockup: (picture, drawn) => jpeg.encodeMockup(prepared, picture, drawn),
        }
      },
      nameOptions: ({ quality }) => String(quality),
    },
    png: {
      encode: picture => png.encode(picture),
      prepareScene(scene, _output, drawn) {
        const prepared = png.prepareScene(scene, drawn)
        return {
          sizeBytes: prepared.sizeBytes,
          encodeMockup: picture => png.encodeMockup(prepared, picture).bytes,
        }
      },
      nameOptions: () => '',
    },
  }
}
