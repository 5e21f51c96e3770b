/** Masks as pictures: what the bundle gets, and what the stage shows while corners move. */
import type { DraftMask } from './draft.ts'

type Size = { readonly widthPx: number; readonly heightPx: number }

/** White where the frame is seen, at a share of the scene's size; null where all of it is. */
async function drawMask(mask: DraftMask, { widthPx, heightPx }: Size, scale: number): Promise<OffscreenCanvas | null> {
  if (mask.kind === 'none') return null
  const [width, height] = [Math.max(1, Math.round(widthPx * scale)), Math.max(1, Math.round(heightPx * scale))]
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw a mask.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  if (mask.picture !== null) {
    const picture = await createImageBitmap(mask.picture)
    // Clear parts of an uploaded mask hide, as black ones do.
    context.fillStyle = '#000'
    context.fillRect(0, 0, width, height)
    context.filter = 'grayscale(1)'
    context.drawImage(picture, 0, 0, width, height)
    context.filter = 'none'
    picture.close()
  }
  context.fillStyle = '#000'
  for (const polygon of mask.kind === 'drawn' ? mask.polygons : []) {
    context.beginPath()
    for (const [x, y] of polygon) context.lineTo(x * scale, y * scale)
    context.closePath()
    context.fill()
  }
  return canvas
}

/** The mask as a bundle has it: a PNG of the scene's size. */
export async function maskPicture(mask: DraftMask, scene: Size): Promise<Blob | null> {
  return (await drawMask(mask, scene, 1))?.convertToBlob({ type: 'image/png' }) ?? null
}

const SHOWN_WIDTH_PX = 1200

/** The mask as style sheets have it: its grey is the picture's alpha. */
export async function maskStencil(mask: DraftMask, scene: Size): Promise<Blob | null> {
  const canvas = await drawMask(mask, scene, Math.min(1, SHOWN_WIDTH_PX / scene.widthPx))
  const context = canvas?.getContext('2d') ?? null
  if (canvas === null || context === null) return null
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height)
  for (let i = 0; i < pixels.data.length; i += 4) pixels.data[i + 3] = pixels.data[i] ?? 0
  context.putImageData(pixels, 0, 0)
  return canvas.convertToBlob({ type: 'image/png' })
}
