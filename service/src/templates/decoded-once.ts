import type { BundleFiles, ImageCodec, LayerKind, LayerPixmaps } from '@vitrine/engine'

type Decoded = Promise<LayerPixmaps[LayerKind]>

/** A bundle that reads each file once, and a codec that decodes each once, up to a limit in bytes. */
export class DecodedOnce {
  readonly files: BundleFiles
  readonly codec: ImageCodec
  readonly #read = new Map<string, Uint8Array>()
  readonly #decoded = new WeakMap<Uint8Array, Map<LayerKind, Decoded>>()
  #leftBytes: number

  constructor(files: BundleFiles, codec: ImageCodec, maxBytes: number) {
    this.#leftBytes = maxBytes
    this.files = { list: () => files.list(), read: path => this.#readOnce(path, files) }
    this.codec = { ...codec, decodeLayer: (bytes, kind) => this.#decodeOnce(bytes, kind, codec) }
  }

  async #readOnce(path: string, files: BundleFiles): Promise<Uint8Array> {
    const known = this.#read.get(path)
    if (known !== undefined) return known
    const bytes = await files.read(path)
    if (this.#take(bytes.byteLength)) this.#read.set(path, bytes)
    return bytes
  }

  async #decodeOnce<K extends LayerKind>(bytes: Uint8Array, kind: K, codec: ImageCodec): Promise<LayerPixmaps[K]> {
    const kinds = this.#decoded.get(bytes) ?? new Map<LayerKind, Decoded>()
    const known = kinds.get(kind)
    // The value under a kind's key was decoded as that kind.
    if (known !== undefined) return (await known) as LayerPixmaps[K]
    const layer = await codec.decodeLayer(bytes, kind)
    if (!this.#take(layer.data.byteLength)) return layer
    kinds.set(kind, Promise.resolve(layer))
    this.#decoded.set(bytes, kinds)
    return layer
  }

  #take(sizeBytes: number): boolean {
    if (sizeBytes > this.#leftBytes) return false
    this.#leftBytes -= sizeBytes
    return true
  }
}
