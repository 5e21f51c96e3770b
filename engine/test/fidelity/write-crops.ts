import sharp from 'sharp'
import type { Scene } from './measure-case.ts'

/** Side of a crop in pixels, how many times it is enlarged, and the white between two. */
export const CROP_PX = 80
export const CROP_ZOOM = 3
const GAP_PX = 8

/** Errors are summed over squares of this side; crops begin at their corners. */
const CELL_PX = 16

type Place = { readonly left: number; readonly top: number }

/** The crop wholly inside the frame in which a picture errs most. */
function findWorstCrop(data: ArrayLike<number>, { truth }: Scene): Place {
  const { widthPx, heightPx, covered } = truth
  const columns = Math.floor(widthPx / CELL_PX)
  const rows = Math.floor(heightPx / CELL_PX)
  const errors = new Float64Array(columns * rows)
  for (let y = 0; y < rows * CELL_PX; y++) {
    for (let x = 0; x < columns * CELL_PX; x++) {
      const cell = Math.floor(y / CELL_PX) * columns + Math.floor(x / CELL_PX)
      const i = y * widthPx + x
      let error = 0
      for (let channel = 3 * i; channel < 3 * i + 3; channel++) {
        error += ((data[channel] ?? 0) - (truth.data[channel] ?? 0)) ** 2
      }
      errors[cell] = (errors[cell] ?? 0) + (covered[i] === 1 ? error : Number.NEGATIVE_INFINITY)
    }
  }
  const side = CROP_PX / CELL_PX
  let best = { left: 0, top: 0, error: Number.NEGATIVE_INFINITY }
  for (let row = 0; row + side <= rows; row++) {
    for (let column = 0; column + side <= columns; column++) {
      let error = 0
      for (let cell = 0; cell < side * side; cell++) {
        error += errors[(row + Math.floor(cell / side)) * columns + column + (cell % side)] ?? 0
      }
      if (error > best.error) best = { left: column * CELL_PX, top: row * CELL_PX, error }
    }
  }
  return best
}

/** Where small text stands on the artwork, across and down, as shares of its width: the middle of a crop. */
const textAt = { across: 0.2, down: 0.945 }

/** The crop wholly on the scene whose middle shows the artwork's text. */
function findTextCrop({ artwork, truth, map }: Scene): Place {
  const textV = (textAt.down * artwork.widthPx) / artwork.heightPx
  const { widthPx, heightPx } = truth
  const at = new Float64Array(2)
  let best = { left: 0, top: 0, distance: Number.POSITIVE_INFINITY }
  for (let top = 0; top + CROP_PX <= heightPx; top += 4) {
    for (let left = 0; left + CROP_PX <= widthPx; left += 4) {
      if (!map(left + CROP_PX / 2, top + CROP_PX / 2, at)) continue
      const distance = Math.hypot((at[0] ?? 0) - textAt.across, (at[1] ?? 0) - textV)
      if (distance < best.distance) best = { left, top, distance }
    }
  }
  return best
}

/**
 * Writes one file with the same parts of several pictures beside one another, enlarged without smoothing:
 * above the part of the scene in which the second picture errs most, below small text.
 */
export async function writeCrops(file: string, scene: Scene, pictures: readonly ArrayLike<number>[]): Promise<void> {
  const places = [findWorstCrop(pictures[1] ?? [], scene), findTextCrop(scene)]
  const { widthPx, heightPx } = scene.truth
  const sidePx = CROP_PX * CROP_ZOOM
  const crops = pictures.flatMap((data, column) => {
    const bytes = Uint8Array.from(data, value => Math.max(0, Math.min(255, Math.round(value))))
    return places.map(async ({ left, top }, row) => ({
      input: await sharp(bytes, { raw: { width: widthPx, height: heightPx, channels: 3 } })
        .extract({ left, top, width: CROP_PX, height: CROP_PX })
        .resize(sidePx, sidePx, { kernel: 'nearest' })
        .png()
        .toBuffer(),
      left: column * (sidePx + GAP_PX),
      top: row * (sidePx + GAP_PX),
    }))
  })
  const width = pictures.length * (sidePx + GAP_PX) - GAP_PX
  const height = places.length * (sidePx + GAP_PX) - GAP_PX
  await sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite(await Promise.all(crops))
    .webp({ lossless: true, effort: 6 })
    .toFile(file)
}
