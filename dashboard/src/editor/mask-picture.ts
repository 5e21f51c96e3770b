/** Masks as pictures: for the bundle, and for the stage while corners move. */
import type { DraftMask } from './draft.ts'

type Size = { readonly widthPx: number; readonly heightPx: number }

/** The meaning of polygons: they hide a frame, or are the visible part of a colour area. */
type PolygonMeaning = 'hidden' | 'seen'

/** White where a frame or an area is visible, at a share of the scene's size; null if there is no mask. */
async function drawMask(
  mask: DraftMask,
  { widthPx, heightPx }: Size,
  scale: number,
  polygons: PolygonMeaning,
): Promise<OffscreenCanvas | null> {
  if (mask.kind === 'none') return null
  const [width, height] = [Math.max(1, Math.round(widthPx * scale)), Math.max(1, Math.round(heightPx * scale))]
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw a mask.')
  context.fillStyle = polygons === 'hidden' ? '#fff' : '#000'
  context.fillRect(0, 0, width, height)
  if (mask.picture !== null) {
    const picture = await createImageBitmap(mask.picture)
    // Transparent parts of an uploaded mask hide, as black ones do.
    context.fillStyle = '#000'
    context.fillRect(0, 0, width, height)
    context.filter = 'grayscale(1)'
    context.drawImage(picture, 0, 0, width, height)
    context.filter = 'none'
    picture.close()
  }
  context.fillStyle = polygons === 'hidden' ? '#000' : '#fff'
  for (const polygon of mask.kind === 'drawn' ? mask.polygons : []) {
    context.beginPath()
    for (const [x, y] of polygon) context.lineTo(x * scale, y * scale)
    context.closePath()
    context.fill()
  }
  return canvas
}

/** The mask for a bundle: a PNG of the scene's size. */
export async function maskPicture(mask: DraftMask, scene: Size, polygons: PolygonMeaning): Promise<Blob | null> {
  return (await drawMask(mask, scene, 1, polygons))?.convertToBlob({ type: 'image/png' }) ?? null
}

const SHOWN_WIDTH_PX = 1200

/** The mask for a style sheet: its grey is the picture's alpha. */
export async function maskStencil(mask: DraftMask, scene: Size): Promise<Blob | null> {
  const canvas = await drawMask(mask, scene, Math.min(1, SHOWN_WIDTH_PX / scene.widthPx), 'hidden')
  const context = canvas?.getContext('2d') ?? null
  if (canvas === null || context === null) return null
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height)
  for (let i = 0; i < pixels.data.length; i += 4) pixels.data[i + 3] = pixels.data[i] ?? 0
  context.putImageData(pixels, 0, 0)
  return canvas.convertToBlob({ type: 'image/png' })
}

/** Enough to know a colour. */
const LOOKED_AT_PX = 200

/**
 * The colour of a photo in an area: the mean of its light, with no channel darker than light may be divided
 * by. Null if the mask shows nothing.
 */
export async function colorUnderMask(mask: DraftMask, photo: Blob, scene: Size): Promise<string | null> {
  const canvas = await drawMask(mask, scene, LOOKED_AT_PX / scene.widthPx, 'seen')
  const shares = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
  if (canvas === null || shares === undefined) return null
  const picture = await createImageBitmap(photo)
  const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data
  return pixels === undefined ? null : meanColor(pixels, shares)
}

/** Of RGBA pixels, weighted with the red channel of others; in about linear light. */
function meanColor(pixels: Uint8ClampedArray, shares: Uint8ClampedArray): string | null {
  const sums = [0, 0, 0]
  let weight = 0
  for (let i = 0; i < pixels.length; i += 4) {
    const share = shares[i] ?? 0
    weight += share
    for (let channel = 0; channel < 3; channel++)
      sums[channel] = (sums[channel] ?? 0) + share * ((pixels[i + channel] ?? 0) / 255) ** 2.2
  }
  if (weight === 0) return null
  const channels = sums.map(sum => Math.max(LEAST_CHANNEL, Math.round((sum / weight) ** (1 / 2.2) * 255)))
  return `#${channels.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** A darker default is refused. */
const LEAST_CHANNEL = 48
