/** Converts decoded pixels to artwork, after decoders that only decode. */
import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { cut } from '../decoding/declined.ts'
import { turnPixels } from '../decoding/turn-pixels.ts'
import { freshMemory } from '../reused-memory.ts'
import { resizeSamples } from './lanczos.ts'
import { rgbaOf } from './rgba-of.ts'

/** Straight alpha. `hasInks`: four inks instead, 0 = none. */
export type Rgba = {
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
  readonly hasInks?: boolean
}

/** Places a picture on its canvas, turns it and reduces it as libvips does in the service. */
export function finishArtwork(facts: ArtworkFacts, decoded: Rgba, target: DecodeTarget | null): DecodedArtwork {
  const stored = placeOnCanvas(facts, decoded)
  if (stored.widthPx !== facts.storedWidthPx || stored.heightPx !== facts.storedHeightPx)
    throw cut(new Error(`${stored.widthPx} x ${stored.heightPx} px, not what the file says.`))
  const extent = { left: 0, top: 0, width: stored.widthPx, height: stored.heightPx }
  const whole = turnPixels({ ...stored, extent }, facts.orientation, freshMemory)
  const opaque = !facts.hasAlpha || isOpaque(whole.data)
  const widthPx = Math.min(whole.widthPx, Math.max(1, Math.ceil(target?.minWidthPx ?? whole.widthPx)))
  const heightPx = Math.min(whole.heightPx, Math.max(1, Math.ceil(target?.minHeightPx ?? whole.heightPx)))
  const reduce = (): Uint8Array => {
    if (!opaque) return resizeSamples({ ...whole, channels: 4 }, widthPx, heightPx, 3)
    const colors = resizeSamples({ ...whole, data: pick(whole, 3), channels: 3 }, widthPx, heightPx, null)
    return new Uint8Array(rgbaOf(colors).buffer)
  }
  const data = widthPx === whole.widthPx && heightPx === whole.heightPx ? whole.data : reduce()
  return {
    alpha: 'straight',
    widthPx,
    heightPx,
    data,
    extent: { left: 0, top: 0, width: widthPx, height: heightPx },
    decodedBy: 'general',
    sourceWidthPx: facts.widthPx,
    sourceHeightPx: facts.heightPx,
    isOpaque: opaque,
  }
}

function placeOnCanvas({ frame, storedWidthPx, storedHeightPx }: ArtworkFacts, picture: Rgba): Rgba {
  if (frame === null || picture.widthPx !== frame.widthPx || picture.heightPx !== frame.heightPx) return picture
  const data = new Uint8Array(storedWidthPx * storedHeightPx * 4)
  for (let y = 0; y < frame.heightPx; y++) {
    const row = picture.data.subarray(y * frame.widthPx * 4, (y + 1) * frame.widthPx * 4)
    data.set(row, ((frame.topPx + y) * storedWidthPx + frame.leftPx) * 4)
  }
  return { widthPx: storedWidthPx, heightPx: storedHeightPx, data }
}

/** The first `channels` channels of each pixel. */
export function pick({ data }: Rgba, channels: number): Uint8Array {
  const picked = new Uint8Array((data.length / 4) * channels)
  for (let i = 0, o = 0; i < data.length; i += 4) for (let c = 0; c < channels; c++) picked[o++] = data[i + c] ?? 0
  return picked
}

function isOpaque(data: Uint8Array): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return false
  return true
}
