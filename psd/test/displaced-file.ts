import { paint, pixelLayer, type Rgba, writePsd } from './make-psd.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd } from './mockup-file.ts'
import { filteredDesign, storedMask } from './smart-filter.ts'

export type Settings = {
  readonly horizontalScale: number
  readonly verticalScale: number
  readonly displacementMap?: 'stretch to fit' | 'tile'
  readonly undefinedAreas?: 'wrap around' | 'repeat edge pixels'
}

/** A design at 20..68 x 16..52 that a map moves. */
export function displacedPsd(
  { displacementMap = 'stretch to fit', undefinedAreas = 'repeat edge pixels', ...scales }: Settings,
  levelOfMask?: (x: number) => number,
): Uint8Array {
  const displacementFile = { signature: 'txtu', path: 'D:\\Mockups\\Folds.psd' }
  const filter = { ...scales, displacementMap, undefinedAreas, displacementFile }
  const design = filteredDesign({ type: 'displace', filter }, { maskEnabled: levelOfMask !== undefined })
  const { placedLayer } = design
  return mockupPsd({
    above: [],
    design,
    ...(levelOfMask && placedLayer
      ? { filterMasks: [storedMask(placedLayer, MOCKUP_WIDTH, MOCKUP_HEIGHT, levelOfMask)] }
      : {}),
    merged: (x, y): Rgba => [200 - x, 180 - y, 150],
  })
}

/** A document of one layer, whose colours move pixels. */
export function mapPsd(
  colorAt: (x: number, y: number) => Rgba,
  widthPx = MOCKUP_WIDTH,
  heightPx = MOCKUP_HEIGHT,
): Uint8Array {
  const merged = paint(widthPx, heightPx, colorAt)
  return writePsd(widthPx, heightPx, [pixelLayer('folds', 0, 0, merged)], { merged })
}

/** Moves content to the left and downwards. */
export const evenMapPsd: Uint8Array = mapPsd(() => [148, 118, 0])

/** A flat grey document of one level, without layers. */
export function greyMapPsd(level: number): Uint8Array {
  const [widthPx, heightPx] = [MOCKUP_WIDTH, MOCKUP_HEIGHT]
  const headerBytes = 26
  // Three sections without content, and the word for uncompressed pixels.
  const bytes = new Uint8Array(headerBytes + 12 + 2 + widthPx * heightPx)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('8BPS'))
  view.setUint16(4, 1)
  view.setUint16(12, 1)
  view.setUint32(14, heightPx)
  view.setUint32(18, widthPx)
  view.setUint16(22, 8)
  view.setUint16(24, 1)
  bytes.fill(level, headerBytes + 14)
  return bytes
}
