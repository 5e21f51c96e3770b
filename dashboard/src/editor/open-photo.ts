/** Opens a photo as a scene: upright (EXIF orientation) and in sRGB (colour profiles). */
import { inspectArtwork } from '@vitrine/engine'
import { type Draft, newDraft } from './draft.ts'

const SIDE_PX_MAX = 8000
const PIXELS_MAX = 40_000_000

/** `notice`: what was done to the photo, in a sentence. Throws errors with messages for the user. */
export async function draftOfPhoto(photo: File): Promise<{ draft: Draft; notice: string | null }> {
  const facts = inspectArtwork(new Uint8Array(await photo.arrayBuffer()))
  if (facts.type === 'gif') throw new Error('Expected a JPEG, PNG or WebP for the photo but received a GIF.')
  const ratio = facts.widthPx / facts.heightPx
  if (ratio < 0.25 || ratio > 4)
    throw new Error(`Expected a photo between 1:4 and 4:1 but received one of ${facts.widthPx} x ${facts.heightPx} px.`)
  const scale = Math.min(
    1,
    SIDE_PX_MAX / Math.max(facts.widthPx, facts.heightPx),
    Math.sqrt(PIXELS_MAX / (facts.widthPx * facts.heightPx)),
  )
  const changes = [
    ...(facts.orientation === 1 ? [] : ['turned upright']),
    ...((facts.profile === null || facts.profile.isSrgb) && facts.colorModel !== 'cmyk' ? [] : ['converted to sRGB']),
    ...(facts.bitsPerChannel === 16 ? ['brought to 8 bits a channel'] : []),
    ...(scale < 1 ? ['reduced to at most 8,000 pixels a side and 40 megapixels'] : []),
  ]
  if (changes.length === 0) return { draft: newDraft(photo, facts.widthPx, facts.heightPx), notice: null }
  const [widthPx, heightPx] = [Math.floor(facts.widthPx * scale), Math.floor(facts.heightPx * scale)]
  const canvas = new OffscreenCanvas(widthPx, heightPx)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot read the pixels of a photo.')
  const bitmap = await createImageBitmap(photo)
  context.drawImage(bitmap, 0, 0, widthPx, heightPx)
  bitmap.close()
  const type = facts.type === 'png' ? 'image/png' : 'image/jpeg'
  const upright = new File([await canvas.convertToBlob({ type, quality: 0.95 })], photo.name, { type })
  return { draft: newDraft(upright, widthPx, heightPx), notice: `The photo was ${changes.join(', ')}.` }
}
