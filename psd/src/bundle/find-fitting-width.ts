import {
  type BundleStore,
  estimateTemplateCost,
  type FindLayer,
  GREATEST_WIDTH_PX,
  isTooCostly,
  MAX_BUNDLE_PIXELS,
  MAX_BUNDLE_SIZE_BYTES,
  parseTemplate,
} from '@vitrine/engine'
import { DESCRIPTION_FILE, SCENE_FILE } from './write-bundle.ts'

/** A picture of a bundle as it is stored: trimmed to its visible part. */
export type WrittenPicture = { readonly widthPx: number; readonly heightPx: number; readonly sizeBytes: number }

/** Widths that are tried. */
const STEP_PX = 50

/** Share of the bundle's limits that is used: rounding can give a reduced picture one more row or column. */
const MARGIN = 0.98

/**
 * The greatest width at which a bundle may be drawn, at most the greatest width of mockups; its pictures are
 * reduced to it if they are larger. Null if no width from `leastPx` on fits.
 */
export async function findFittingWidth(
  bundle: Pick<BundleStore, 'read'>,
  pictures: ReadonlyMap<string, WrittenPicture>,
  leastPx: number,
): Promise<number | null> {
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await bundle.read(DESCRIPTION_FILE))))
  const scene = pictures.get(SCENE_FILE)
  if (!scene) throw new Error('Expected the scene among the pictures of a bundle.')
  const all = [...pictures.values()]
  const pixels = all.reduce((sum, { widthPx, heightPx }) => sum + widthPx * heightPx, 0)
  const sizeBytes = all.reduce((sum, picture) => sum + picture.sizeBytes, 0)
  const fits = (maxWidth: number | null, margin: number): boolean => {
    const scale = maxWidth === null ? 1 : Math.min(1, maxWidth / scene.widthPx)
    const findLayer: FindLayer = (use, path) => {
      const { widthPx, heightPx } = pictures.get(path) ?? { widthPx: 1, heightPx: 1 }
      // Positions refer to the scene before it is reduced.
      const isScaled = use !== 'scene' && use !== 'tables' && use !== 'cube'
      const size = (px: number): number => (isScaled ? Math.ceil(px * scale) : px)
      const stored = { widthPx: size(widthPx), heightPx: size(heightPx) }
      return { ...stored, shown: { left: 0, top: 0, ...stored } }
    }
    const { timeMs, memoryBytes } = estimateTemplateCost({ ...template, maxWidth }, findLayer)
    const isBounded = pixels * scale ** 2 <= margin * MAX_BUNDLE_PIXELS
    const isSmall = sizeBytes * scale ** 2 <= margin * MAX_BUNDLE_SIZE_BYTES
    return isBounded && isSmall && !isTooCostly({ timeMs: timeMs / margin, memoryBytes: memoryBytes / margin })
  }
  if (fits(null, 1)) return GREATEST_WIDTH_PX
  for (let widthPx = GREATEST_WIDTH_PX - STEP_PX; widthPx >= leastPx; widthPx -= STEP_PX) {
    if (fits(widthPx, MARGIN)) return widthPx
  }
  return fits(leastPx, MARGIN) ? leastPx : null
}
