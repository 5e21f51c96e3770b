/** A photo for templates: upright, in sRGB, at most 4,000 pixels a side. */
import { ArtworkError, type ArtworkFacts, describeFile, inspectArtwork } from '@vitrine/engine'
import { MAX_PHOTO_SIDE_PX, MIN_PHOTO_SIDE_PX } from '@vitrine/photo'
import { formatAdvice } from '../../format-advice.ts'
import { newTemplateNamed } from '../id-of-name.ts'
import type { PhotoDraft, ProductKind } from './photo-draft.ts'
import { categoryOf, startFrame } from './start-frames.ts'

type OpenedPhoto = Pick<PhotoDraft, 'photo' | 'widthPx' | 'heightPx'> & {
  /** What was done to the file, in a sentence. */
  readonly notice: string | null
}

/** Throws errors with messages for the user. Accepts what the browser decodes: on many devices HEIC too. */
export async function openProductPhoto(file: File): Promise<OpenedPhoto> {
  const facts = await factsOf(file)
  if (facts !== null && isPlain(facts)) {
    const { widthPx, heightPx } = facts
    assertSize(widthPx, heightPx)
    return { photo: file, widthPx, heightPx, notice: null }
  }
  const bitmap = await decodeInBrowser(file)
  const scale = Math.min(1, MAX_PHOTO_SIDE_PX / Math.max(bitmap.width, bitmap.height))
  const [widthPx, heightPx] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
  const canvas = new OffscreenCanvas(widthPx, heightPx)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot read the pixels of a photo.')
  context.imageSmoothingQuality = 'high'
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, widthPx, heightPx)
  context.drawImage(bitmap, 0, 0, widthPx, heightPx)
  bitmap.close()
  assertSize(widthPx, heightPx)
  const photo = await canvas.convertToBlob({ type: 'image/png' })
  const size = scale < 1 ? ' It was reduced to 4,000 pixels on its longer side, the most that mockups have.' : ''
  return { photo, widthPx, heightPx, notice: `The photo was turned upright and converted to sRGB.${size}` }
}

/** A file as this browser decodes it. Throws an error that says what the file is, and what to do. */
export async function decodeInBrowser(file: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file)
  } catch (cause) {
    throw new Error(await refusalOf(file), { cause })
  }
}

/** Formats that only Safari reads, on Apple's devices. */
const readBySafari = /HEIC|TIFF|JPEG XL/

async function refusalOf(file: File): Promise<string> {
  const described = describeFile(new Uint8Array(await file.arrayBuffer()))
  if (described === null || described.advice === null)
    return formatAdvice(file) ?? `“${file.name}” is no picture that this browser can read.`
  const { what, advice } = described
  const todo = readBySafari.test(what) ? `Safari can, or ${advice.charAt(0).toLowerCase()}${advice.slice(1)}` : advice
  return `“${file.name}” is ${what}: this browser can’t read it. ${todo}`
}

/** The file, or the browser's picture of one that the engine does not read. */
export async function asArtworkFile(file: File): Promise<File> {
  if ((await factsOf(file)) !== null) return file
  const { photo } = await openProductPhoto(file)
  return new File([photo], file.name.replace(/\.\w+$/, '.png'), { type: photo.type })
}

async function factsOf(file: File): Promise<ArtworkFacts | null> {
  try {
    return inspectArtwork(new Uint8Array(await file.arrayBuffer()))
  } catch (error) {
    if (error instanceof ArtworkError) return null
    throw error
  }
}

/** Whether the engine decodes the same pixels as the browser, at a size that templates may have. */
function isPlain(facts: ArtworkFacts): boolean {
  const { type, orientation, profile, colorModel, bitsPerChannel, widthPx, heightPx } = facts
  return (
    type !== 'gif' &&
    orientation === 1 &&
    (profile === null || profile.isSrgb) &&
    colorModel !== 'cmyk' &&
    bitsPerChannel === 8 &&
    Math.max(widthPx, heightPx) <= MAX_PHOTO_SIDE_PX
  )
}

function assertSize(widthPx: number, heightPx: number): void {
  if (Math.min(widthPx, heightPx) >= MIN_PHOTO_SIDE_PX) return
  throw new Error(`Expected a photo of a product but received a picture of ${widthPx} x ${heightPx} px.`)
}

export function newPhotoDraft({ photo, widthPx, heightPx }: OpenedPhoto, file: string, kind: ProductKind): PhotoDraft {
  return {
    from: 'photo',
    ...newTemplateNamed(file.replace(/\.\w+$/, '')),
    photo,
    widthPx,
    heightPx,
    category: categoryOf(kind),
    lens: 0,
    tone: 'auto',
    frames: [startFrame(kind, { widthPx, heightPx })],
    product: null,
    sample: 'sample',
    shared: false,
    kept: {},
  }
}
