import type { OpaquePixmap } from '../pixmap.ts'
import type { PreparedColorArea } from './color-area.ts'

/** Bounds of the ground's light in a pixel: `share` of the pixel times light from least to greatest. */
export type LightRange = {
  readonly share: number
  readonly least: Float64Array
  readonly greatest: Float64Array
}

/** The ground's light is collected in squares: a pixel's own square and its neighbours give its bounds. */
const SQUARE_PX = 4

/** How far from a pixel its ground may be: rims of masks and filters are narrower. */
export const GROUND_REACH_PX = 2 * SQUARE_PX

/** Masks of area and frame are rounded to bytes; where nothing else is visible, they may still miss 255. */
const ROUNDING_BYTES = 2

/** Upper bound for a pixel without ground nearby. */
const WHITE_LIGHT = 1

/**
 * The possible ground in pixels that an area covers partly. The scene less the area's own light has both
 * errors, which would draw dots around a dark colour; light of pixels beside the area bounds it.
 */
export class RimGround {
  readonly #area: PreparedColorArea
  /** the first square of the region, counted in the picture */
  readonly #firstColumn: number
  readonly #firstRow: number
  readonly #columns: number
  readonly #rows: number
  /** per square and channel, linear light; Infinity and 0 if a square shows no ground */
  readonly #squareLeast: Float64Array
  readonly #squareGreatest: Float64Array
  readonly #least = new Float64Array(3)
  readonly #greatest = new Float64Array(3)

  /** Reads the scene before the area is drawn. */
  constructor(scene: OpaquePixmap, area: PreparedColorArea) {
    const { region, coverage, framed, tone } = area
    this.#area = area
    this.#firstColumn = Math.floor(region.left / SQUARE_PX)
    this.#firstRow = Math.floor(region.top / SQUARE_PX)
    this.#columns = Math.ceil((region.left + region.widthPx) / SQUARE_PX) - this.#firstColumn
    this.#rows = Math.ceil((region.top + region.heightPx) / SQUARE_PX) - this.#firstRow
    this.#squareLeast = new Float64Array(3 * this.#columns * this.#rows).fill(Number.POSITIVE_INFINITY)
    this.#squareGreatest = new Float64Array(3 * this.#columns * this.#rows)
    for (let y = 0, i = 0; y < region.heightPx; y++) {
      let byte = ((region.top + y) * scene.widthPx + region.left) * 3
      const row = (Math.floor((region.top + y) / SQUARE_PX) - this.#firstRow) * this.#columns
      for (let x = 0; x < region.widthPx; x++, i++, byte += 3) {
        if ((coverage[i] ?? 0) > 0 || (framed[i] ?? 0) > 0) continue
        const square = 3 * (row + Math.floor((region.left + x) / SQUARE_PX) - this.#firstColumn)
        for (let channel = 0; channel < 3; channel++) {
          const light = tone.lightFromByte[scene.data[byte + channel] ?? 0] ?? 0
          const at = square + channel
          if (light < (this.#squareLeast[at] ?? 0)) this.#squareLeast[at] = light
          if (light > (this.#squareGreatest[at] ?? 0)) this.#squareGreatest[at] = light
        }
      }
    }
  }

  /** The bounds for a pixel of the region; null if area and frames cover it. Valid until the next call. */
  rangeAt(x: number, y: number): LightRange | null {
    const { region, coverage, framed } = this.#area
    const i = y * region.widthPx + x
    const left = 255 - (coverage[i] ?? 0) - (framed[i] ?? 0)
    if (left <= ROUNDING_BYTES) return null
    this.#least.fill(Number.POSITIVE_INFINITY)
    this.#greatest.fill(0)
    const column = Math.floor((region.left + x) / SQUARE_PX) - this.#firstColumn
    const row = Math.floor((region.top + y) / SQUARE_PX) - this.#firstRow
    for (let near = Math.max(0, row - 1); near <= Math.min(this.#rows - 1, row + 1); near++) {
      for (let beside = Math.max(0, column - 1); beside <= Math.min(this.#columns - 1, column + 1); beside++) {
        this.#takeIn(3 * (near * this.#columns + beside))
      }
    }
    if (this.#least[0] === Number.POSITIVE_INFINITY) {
      this.#least.fill(0)
      this.#greatest.fill(WHITE_LIGHT)
    }
    return { share: left / 255, least: this.#least, greatest: this.#greatest }
  }

  #takeIn(square: number): void {
    for (let channel = 0; channel < 3; channel++) {
      this.#least[channel] = Math.min(this.#least[channel] ?? 0, this.#squareLeast[square + channel] ?? 0)
      this.#greatest[channel] = Math.max(this.#greatest[channel] ?? 0, this.#squareGreatest[square + channel] ?? 0)
    }
  }
}
