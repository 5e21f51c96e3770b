/** Pictures of a template that was never stored, for the engine as if from a bundle. */
import type { ImageCodec, LayerKind, LayerPixmaps, PngPicture } from '@vitrine/engine'

type Layers = {
  readonly files: { readonly read: (path: string) => Promise<Uint8Array> }
  readonly codec: ImageCodec
}

/** `codec`: for artwork and for other sizes. */
export function unpackedLayers(pictures: ReadonlyMap<string, PngPicture>, codec: ImageCodec): Layers {
  // Bytes that represent a picture: the engine passes them to the codec unchanged.
  const names = new Map([...pictures].map(([name, picture]) => [name, { bytes: new Uint8Array(), picture }]))
  const byBytes = new Map<Uint8Array, PngPicture>(
    [...names.values()].map(({ bytes, picture }) => [bytes, picture] as const),
  )
  return {
    files: {
      async read(path) {
        const found = names.get(path)
        if (found === undefined) throw new Error(`The template has no picture ${path}.`)
        return found.bytes
      },
    },
    codec: {
      ...codec,
      async decodeLayer(bytes, kind) {
        const picture = byBytes.get(bytes)
        if (picture === undefined) throw new Error('Expected a picture of the template.')
        return layerOf[kind](picture)
      },
    },
  }
}

const bytesOf = ({ samples }: PngPicture): Uint8Array =>
  samples instanceof Uint8Array ? samples : Uint8Array.from(samples, sample => sample >> 8)

const sizeOf = ({ widthPx, heightPx }: PngPicture) => ({ widthPx, heightPx })

const wideOf = ({ samples }: PngPicture): Uint16Array =>
  samples instanceof Uint16Array ? samples : Uint16Array.from(samples, byte => byte * 257)

const layerOf: { readonly [Kind in LayerKind]: (picture: PngPicture) => LayerPixmaps[Kind] } = {
  rgb: picture => ({ alpha: 'opaque', ...sizeOf(picture), data: bytesOf(picture) }),
  rgba: picture => ({ alpha: 'straight', ...sizeOf(picture), data: bytesOf(picture) }),
  coverage: picture => ({ alpha: 'coverage', ...sizeOf(picture), data: bytesOf(picture) }),
  rgb16: picture => ({ alpha: 'wide', ...sizeOf(picture), data: wideOf(picture) }),
  uv: picture => {
    const data = new Uint16Array(wideOf(picture))
    // Red and green are u and v; blue is how much of a pixel has them.
    for (let i = 2; i < data.length; i += 3) data[i] = 65_535
    return { alpha: 'uv', ...sizeOf(picture), hasCoverage: false, data }
  },
}
