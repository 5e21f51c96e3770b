import type { DecodedArtwork, DecodeTarget, ImageCodec, LayerKind, LayerPixmaps } from '../../src/codec.ts'
import type { OpaquePixmap, StraightPixmap } from '../../src/pixmap.ts'
import type { LayerFiles } from '../../src/template/prepare-layer.ts'

type AnyLayer = LayerPixmaps[LayerKind]

/**
 * A bundle whose layers are pixels already: a file holds only its number. No library, so that it runs in a
 * browser too.
 */
export class MemoryBundle implements LayerFiles {
  readonly #layers = new Map<string, AnyLayer>()

  add(path: string, layer: AnyLayer): string {
    this.#layers.set(path, layer)
    return path
  }

  read(path: string): Promise<Uint8Array> {
    return Promise.resolve(new TextEncoder().encode(path))
  }

  codec(): ImageCodec {
    const find = (bytes: Uint8Array): AnyLayer => {
      const layer = this.#layers.get(new TextDecoder().decode(bytes))
      if (!layer) throw new Error(`no layer ${new TextDecoder().decode(bytes)}`)
      return layer
    }
    return {
      decodeLayer: (bytes, kind) => Promise.resolve(pickLayer(find(bytes), kind)),
      decodeArtwork: (bytes, target) => Promise.resolve(reduce(pickLayer(find(bytes), 'rgba'), target)),
      resize: (scene, widthPx, heightPx) => Promise.resolve(resizeScene(scene, widthPx, heightPx)),
      encode: picture => Promise.resolve(picture.data),
    }
  }
}

function isKind<K extends LayerKind>(layer: AnyLayer, kind: K): layer is LayerPixmaps[K] {
  const alpha = { rgb: 'opaque', rgba: 'straight', coverage: 'coverage', uv: 'uv', rgb16: 'wide' }[kind]
  return layer.alpha === alpha
}

function pickLayer<K extends LayerKind>(layer: AnyLayer, kind: K): LayerPixmaps[K] {
  if (!isKind(layer, kind)) throw new Error(`the layer is no ${kind}`)
  return layer
}

/** Decoded artwork from pixels, as a codec without a target gives it. */
export function asDecoded(artwork: StraightPixmap): DecodedArtwork {
  let isOpaque = true
  for (let i = 3; i < artwork.data.length; i += 4) isOpaque &&= artwork.data[i] === 255
  const { widthPx, heightPx } = artwork
  return {
    ...artwork,
    extent: { left: 0, top: 0, width: widthPx, height: heightPx },
    decodedBy: 'memory',
    sourceWidthPx: widthPx,
    sourceHeightPx: heightPx,
    isOpaque,
  }
}

function lanczos3(x: number): number {
  if (x === 0) return 1
  if (Math.abs(x) >= 3) return 0
  return (3 * Math.sin(Math.PI * x) * Math.sin((Math.PI * x) / 3)) / (Math.PI * Math.PI * x * x)
}

/** One axis of a reduction: `stride` numbers between neighbours, `lines` lines `lineStride` apart. */
function reduceAxis(
  source: Float64Array,
  sourcePx: number,
  targetPx: number,
  lines: number,
  at: (line: number, pixel: number, size: number) => number,
): Float64Array {
  const out = new Float64Array(targetPx * lines * 4)
  const ratio = sourcePx / targetPx
  const stretch = Math.max(1, ratio)
  for (let i = 0; i < targetPx; i++) {
    const centre = (i + 0.5) * ratio - 0.5
    const first = Math.ceil(centre - 3 * stretch)
    const last = Math.floor(centre + 3 * stretch)
    let sum = 0
    for (let k = first; k <= last; k++) sum += lanczos3((k - centre) / stretch)
    for (let k = first; k <= last; k++) {
      const weight = lanczos3((k - centre) / stretch) / sum
      const pixel = Math.max(0, Math.min(sourcePx - 1, k))
      for (let line = 0; line < lines; line++) {
        const from = at(line, pixel, sourcePx) * 4
        const to = at(line, i, targetPx) * 4
        for (let channel = 0; channel < 4; channel++) {
          out[to + channel] = (out[to + channel] ?? 0) + (source[from + channel] ?? 0) * weight
        }
      }
    }
  }
  return out
}

/** Lanczos3 in floats, alpha-weighted, as the codec's contract says. */
function reduce(artwork: StraightPixmap, target: DecodeTarget | null): DecodedArtwork {
  const widthPx = Math.min(artwork.widthPx, target?.minWidthPx ?? artwork.widthPx)
  const heightPx = Math.min(artwork.heightPx, target?.minHeightPx ?? artwork.heightPx)
  const decoded = asDecoded(artwork)
  if (widthPx === artwork.widthPx && heightPx === artwork.heightPx) return decoded
  const premultiplied = new Float64Array(artwork.data.length)
  for (let i = 0; i < premultiplied.length; i++) {
    const alpha = (artwork.data[i | 3] ?? 0) / 255
    premultiplied[i] = (artwork.data[i] ?? 0) * (i % 4 === 3 ? 1 : alpha)
  }
  const across = reduceAxis(
    premultiplied,
    artwork.widthPx,
    widthPx,
    artwork.heightPx,
    (line, x, size) => line * size + x,
  )
  const both = reduceAxis(across, artwork.heightPx, heightPx, widthPx, (line, y) => y * widthPx + line)
  const data = new Uint8Array(both.length)
  for (let i = 0; i < data.length; i++) {
    const alpha = Math.max(0, Math.min(255, both[i | 3] ?? 0))
    const value = i % 4 === 3 ? alpha : alpha > 0 ? ((both[i] ?? 0) * 255) / alpha : 0
    data[i] = Math.max(0, Math.min(255, Math.round(value)))
  }
  return { ...decoded, widthPx, heightPx, data, extent: { left: 0, top: 0, width: widthPx, height: heightPx } }
}

/** A scene at another size by its nearest pixels: enough for the plain scenes that tests make. */
function resizeScene(scene: OpaquePixmap, widthPx: number, heightPx: number): OpaquePixmap {
  const data = new Uint8Array(widthPx * heightPx * 3)
  for (let y = 0; y < heightPx; y++) {
    const sy = Math.min(scene.heightPx - 1, Math.floor(((y + 0.5) * scene.heightPx) / heightPx))
    for (let x = 0; x < widthPx; x++) {
      const sx = Math.min(scene.widthPx - 1, Math.floor(((x + 0.5) * scene.widthPx) / widthPx))
      const from = (sy * scene.widthPx + sx) * 3
      data.set(scene.data.subarray(from, from + 3), (y * widthPx + x) * 3)
    }
  }
  return { alpha: 'opaque', widthPx, heightPx, data }
}
