import { type Layer, type LinkedFile, type PixelData, type Psd, writePsdUint8Array } from 'ag-psd'
import { iccProfile } from '../../engine/test/artwork/build-files.ts'

// Photoshop files of our own for tests, written with ag-psd.

export type Rgba = readonly [number, number, number, number?]

/** A picture of one colour, or of what a function says. */
export function paint(width: number, height: number, color: Rgba | ((x: number, y: number) => Rgba)): PixelData {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const [r, g, b, a = 255] = typeof color === 'function' ? color(x, y) : color
      data[at] = r
      data[at + 1] = g
      data[at + 2] = b
      data[at + 3] = a
    }
  }
  return { width, height, data }
}

/** A layer of pixels at a place. */
export function pixelLayer(name: string, left: number, top: number, imageData: PixelData, more: Layer = {}): Layer {
  return { name, left, top, right: left + imageData.width, bottom: top + imageData.height, imageData, ...more }
}

export const CONTENT_ID = '20953ddb-9391-11ec-b4f1-c15674f50bc4'

/** A smart object of a content at four corners; `imageData` is the raster that Photoshop would store. */
export function smartLayer(
  name: string,
  corners: readonly [number, number, number, number, number, number, number, number],
  size: { readonly width: number; readonly height: number },
  more: Layer = {},
): Layer {
  const [left, top] = [Math.min(corners[0], corners[6]), Math.min(corners[1], corners[3])]
  const [right, bottom] = [Math.max(corners[2], corners[4]), Math.max(corners[5], corners[7])]
  const [x, y] = [Math.floor(left), Math.floor(top)]
  const imageData = paint(Math.ceil(right) - x, Math.ceil(bottom) - y, [128, 128, 128])
  return {
    ...pixelLayer(name, x, y, imageData),
    placedLayer: {
      id: CONTENT_ID,
      placed: '20953ddb-9391-11ec-b4f1-c15674f50bc5',
      type: 'raster',
      transform: [...corners],
      ...size,
      resolution: { value: 72, units: 'Density' },
    },
    ...more,
  }
}

/** A file's bytes. `merged`: the picture of the whole; white where none is given. */
export function writePsd(
  width: number,
  height: number,
  children: Layer[],
  more: Partial<Psd> & { readonly merged?: PixelData; readonly linked?: LinkedFile[] } = {},
): Uint8Array {
  const { merged, linked, ...rest } = more
  return writePsdUint8Array({
    width,
    height,
    children,
    imageData: merged ?? paint(width, height, [255, 255, 255]),
    ...(linked ? { linkedFiles: linked } : {}),
    ...rest,
  })
}

/** The file with a colour profile (image resource 1039). */
export function withProfile(bytes: Uint8Array, profile: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes)
  const at = 30 + file.readUInt32BE(26)
  const head = Buffer.from('8BIM\x04\x0f\0\0\0\0\0\0', 'latin1')
  head.writeUInt32BE(profile.byteLength, 8)
  const resource = Buffer.concat([head, profile, Buffer.alloc(profile.byteLength % 2)])
  const before = Buffer.from(file.subarray(0, at + 4))
  before.writeUInt32BE(file.readUInt32BE(at) + resource.length, at)
  return Buffer.concat([before, resource, file.subarray(at + 4)])
}

/** A profile of version 2 with a name and nothing that tells its colours. */
export function namedProfile(name: string): Uint8Array {
  const text = Buffer.from(`desc\0\0\0\0\0\0\0\0${name}\0\0\0\0\0\0\0\0\0\0\0\0\0`, 'latin1')
  text.writeUInt32BE(name.length + 1, 8)
  return iccProfile('RGB ', { desc: text })
}

const numbers = (type: string, values: readonly number[]): Buffer => {
  const tag = Buffer.alloc(8 + values.length * 4)
  tag.write(type, 0, 'latin1')
  for (const [i, value] of values.entries()) tag.writeInt32BE(Math.round(value * 65_536), 8 + i * 4)
  return tag
}

/** sRGB by its primaries and tone curve, whatever it is called. */
export function srgbProfile(): Uint8Array {
  const curve = numbers('para', [0, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
  curve.writeUInt16BE(3, 8)
  return iccProfile('RGB ', {
    rXYZ: numbers('XYZ ', [0.4361, 0.2225, 0.0139]),
    gXYZ: numbers('XYZ ', [0.3851, 0.7169, 0.0971]),
    bXYZ: numbers('XYZ ', [0.1431, 0.0606, 0.7141]),
    rTRC: curve,
    gTRC: curve,
    bTRC: curve,
  })
}
