import { type Described, type PngPicture, type RgbColor, regionOf, writeHexColor } from '@vitrine/engine'
import type { EncodedLight } from '../light/encode-light.ts'
import type { MappedSurface, SurfaceMap } from '../surfaces/frame-surface.ts'
import type { Pictures } from './pictures.ts'

/** Writes the layers of a frame, and returns it as in template.json. */
export async function describeFrame(
  pictures: Pictures,
  name: string,
  { aspectRatio, quad }: MappedSurface,
  { rect, u, v }: SurfaceMap,
  mask: Uint8Array,
  light: EncodedLight & { readonly color: RgbColor },
  surface: string | null,
): Promise<Described> {
  const placement: Described = quad
    ? { corners: quad.map(([x, y]) => [round(x, 3), round(y, 3)]) }
    : { uvmap: { image: await pictures.file(`${name}-uv`, halfSizeMap(rect, u, v)), region: regionOf(rect) } }
  return {
    aspect_ratio: round(aspectRatio, 5),
    ...placement,
    mask: await pictures.layer(`${name}-mask`, { ...rect, channels: 1, samples: mask }),
    ...(surface === null ? {} : { surface }),
    surface_color: writeHexColor(light.color),
    lighting: await describeLight(pictures, name, rect, light),
  }
}

/** The lighting of a frame or a part of the product, as in template.json. */
export async function describeLight(
  pictures: Pictures,
  name: string,
  rect: SurfaceMap['rect'],
  { shade, highlights, scale }: EncodedLight,
): Promise<Described> {
  return {
    shade: await pictures.layer(`${name}-shade`, { ...rect, channels: 3, samples: shade }),
    highlights: await pictures.layer(`${name}-highlights`, { ...rect, channels: 3, samples: highlights }),
    scale,
  }
}

/** A map as 16-bit RGB at half the scene's size, as the format takes it: red = u, green = v. */
function halfSizeMap(rect: SurfaceMap['rect'], u: Float32Array, v: Float32Array): PngPicture {
  const [widthPx, heightPx] = [rect.widthPx >> 1, rect.heightPx >> 1]
  const samples = new Uint16Array(widthPx * heightPx * 3)
  for (let y = 0, to = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, to += 3) {
      const at = 2 * y * rect.widthPx + 2 * x
      samples[to] = encode(meanOfFour(u, at, rect.widthPx))
      samples[to + 1] = encode(meanOfFour(v, at, rect.widthPx))
    }
  }
  return { widthPx, heightPx, channels: 3, samples }
}

/** The mean of those of four pixels that have a value; pixels without one do not count. */
function meanOfFour(plane: Float32Array, at: number, widthPx: number): number {
  let [sum, count] = [0, 0]
  for (const i of [at, at + 1, at + widthPx, at + widthPx + 1]) {
    const value = plane[i] ?? NaN
    if (Number.isNaN(value)) continue
    sum += value
    count++
  }
  return count === 0 ? 0 : sum / count
}

function encode(value: number): number {
  return Math.min(1, Math.max(0, value)) * 65_535 + 0.5
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
