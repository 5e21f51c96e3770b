import { type Layer, type LinkedFile, type PixelData, type Psd, writePsdUint8Array } from 'ag-psd'

// Photoshop files of our own for tests, written with ag-psd.

export type Rgba = readonly [number, number, number, number?]

/** A picture of one colour, or of what a function says. */
export function paint(width: number, height: number, color: Rgba | ((x: number, y: number) => Rgba)): PixelData {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const [r, g, b, a = 255] = typeof color === 'function' ? color(x, y) : color
      data.set([r, g, b, a], at)
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
