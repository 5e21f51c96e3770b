/** A text repeated over a preview to discourage other uses: drawn into the scene and over the frames. */
import type { CoveragePixmap, OpaquePixmap, StraightPixmap } from '../pixmap.ts'
import type { CoveredBundle, ReducedBundle, ReducedLayer } from './reduce-template.ts'

/** Letters side by side in one picture. */
export type WatermarkLetters = {
  readonly letters: string
  readonly emPx: number
  /** transparent pixels on both sides of a letter */
  readonly gapPx: number
  /** widths in pixels, by letter */
  readonly advances: readonly number[]
  readonly picture: CoveragePixmap
}

/** The angle of the text, in radians: not parallel to a frame's edge, and hard to crop away. */
const ANGLE = -Math.PI / 7

/** Font height as a fraction of the picture's width. */
const EM_SHARE = 1 / 26

/** The gap between texts of a line, and between lines, in font heights. */
const GAP_EMS = 2
const LINE_EMS = 4

/** Opacity of the text, and of the dark outline that makes it visible on white. */
const TEXT_ALPHA = 0.42
const RIM_ALPHA = 0.28

/** The repeated text, for drawing over a picture of this size. Straight alpha. */
export function drawWatermark(
  text: string,
  letters: WatermarkLetters,
  widthPx: number,
  heightPx: number,
): StraightPixmap {
  const line = setLine(text, letters)
  const scale = (widthPx * EM_SHARE) / letters.emPx
  const periodX = line.widthPx + GAP_EMS * letters.emPx
  const periodY = LINE_EMS * letters.emPx
  const [cos, sin] = [Math.cos(ANGLE) / scale, Math.sin(ANGLE) / scale]
  const at = (x: number, y: number): number => {
    const v = y * cos - x * sin
    const row = Math.floor(v / periodY)
    // Every second line is offset by half, so that there is no free stripe between the texts.
    const u = x * cos + y * sin + (row & 1) * (periodX / 2)
    return sampleLine(line, u - periodX * Math.floor(u / periodX), v - periodY * row)
  }
  const data = new Uint8Array(widthPx * heightPx * 4)
  const rimPx = Math.max(1, scale * 2)
  for (let y = 0, i = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++, i += 4) {
      const white = at(x + 0.5, y + 0.5) * TEXT_ALPHA
      const dark = at(x + 0.5 - rimPx, y + 0.5 - rimPx) * RIM_ALPHA * (1 - white)
      const alpha = white + dark
      if (alpha === 0) continue
      data.fill(Math.round((255 * white) / alpha), i, i + 3)
      data[i + 3] = Math.round(255 * alpha)
    }
  return { alpha: 'straight', widthPx, heightPx, data }
}

/** The text as one line of coverage. Unknown letters are left out. */
function setLine(text: string, { letters, gapPx, advances, picture }: WatermarkLetters): CoveragePixmap {
  const known = Array.from(letters)
  const chosen = Array.from(text, letter => known.indexOf(letter)).filter(index => index >= 0)
  const lefts = advances.map((_, index) =>
    advances.slice(0, index).reduce((sum, advance) => sum + Math.ceil(advance) + 2 * gapPx, 0),
  )
  const { heightPx } = picture
  const widthPx = Math.ceil(chosen.reduce((sum, index) => sum + (advances[index] ?? 0), 0)) + 2 * gapPx
  const data = new Uint8Array(widthPx * heightPx)
  let pen = 0
  for (const index of chosen) {
    const letterWidthPx = Math.ceil(advances[index] ?? 0) + 2 * gapPx
    const [from, to] = [lefts[index] ?? 0, Math.round(pen)]
    for (let y = 0; y < heightPx; y++)
      for (let x = 0; x < Math.min(letterWidthPx, widthPx - to); x++) {
        const o = y * widthPx + to + x
        data[o] = Math.max(data[o] ?? 0, picture.data[y * picture.widthPx + from + x] ?? 0)
      }
    pen += advances[index] ?? 0
  }
  return { alpha: 'coverage', widthPx, heightPx, data }
}

/** Bilinear, 0 to 1; 0 outside the line. */
function sampleLine({ widthPx, heightPx, data }: CoveragePixmap, x: number, y: number): number {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)]
  const [shareX, shareY] = [x - 0.5 - left, y - 0.5 - top]
  const of = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= widthPx || row >= heightPx ? 0 : (data[row * widthPx + column] ?? 0)
  const upper = of(left, top) * (1 - shareX) + of(left + 1, top) * shareX
  const lower = of(left, top + 1) * (1 - shareX) + of(left + 1, top + 1) * shareX
  return (upper * (1 - shareY) + lower * shareY) / 255
}

const OVERLAY = 'overlay-watermark.png'

/**
 * Adds a watermark to a reduced bundle: into its scene, and as the topmost overlay where frames and colour
 * areas draw over the scene. A program that omits the overlay still shows the scene's.
 */
export function addWatermark(reduced: CoveredBundle, text: string, letters: WatermarkLetters): ReducedBundle {
  const described = Object.entries(reduced.description ?? {})
  const fields: Record<string, unknown> = Object.fromEntries(described)
  const sceneName = String(fields['scene'])
  const scene = reduced.layers.get(sceneName)
  if (scene?.alpha !== 'opaque') throw new Error('Expected a scene in the reduced bundle.')
  const mark = drawWatermark(text, letters, scene.widthPx, scene.heightPx)
  const overlays: readonly unknown[] = Array.isArray(fields['overlays']) ? fields['overlays'] : []
  const layers = new Map<string, ReducedLayer>([
    ...reduced.layers,
    [sceneName, layOver(scene, mark)],
    [OVERLAY, within(mark, reduced.covered)],
  ])
  return { description: { ...fields, overlays: [...overlays, { image: OVERLAY }] }, layers }
}

function layOver(scene: OpaquePixmap, mark: StraightPixmap): OpaquePixmap {
  const data = scene.data.slice()
  for (let i = 0, o = 0; o < data.length; i += 4, o += 3) {
    const alpha = (mark.data[i + 3] ?? 0) / 255
    for (let c = 0; c < 3; c++) {
      const below = data[o + c] ?? 0
      data[o + c] = Math.round(below + ((mark.data[i + c] ?? 0) - below) * alpha)
    }
  }
  return { ...scene, data }
}

function within(mark: StraightPixmap, covered: CoveragePixmap): StraightPixmap {
  const data = mark.data.slice()
  for (let i = 3, p = 0; i < data.length; i += 4, p++)
    data[i] = Math.round(((data[i] ?? 0) * (covered.data[p] ?? 0)) / 255)
  return { ...mark, data }
}
