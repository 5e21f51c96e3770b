import {
  type BundleStore,
  type Deflate,
  type Described,
  type ImageCodec,
  PictureWriter,
  type PngPicture,
  type Rect,
  type RgbColor,
  type Tone,
  writeHexColor,
} from '@vitrine/engine'
import { describeFrame, describeLight } from './bundle/describe-frame.ts'
import { type Pictures, PicturesInMemory } from './bundle/pictures.ts'
import { doubtsOf, doubtsOfCloth, doubtsOfDye } from './doubts.ts'
import { DRAWING_FILE, type Drawing, scaleDrawing } from './drawing/drawing.ts'
import { gaussianFilter } from './filters/gaussian-filter.ts'
import { chooseTone } from './light/choose-tone.ts'
import { chooseProduct, findProductLight } from './light/product-light.ts'
import { findSurfaceLight } from './light/surface-light.ts'
import { MAX_DRAWING_BYTES } from './limits.ts'
import { darkenScene } from './masking/darken-scene.ts'
import { type PlacedFrames, placeFrames } from './masking/place-frames.ts'
import { requireProductRect } from './masking/product-coverage.ts'
import type { Outlines, PhotoPixels } from './photo-pixels.ts'
import { PhotoRefusedError } from './photo-refused-error.ts'
import type { Doubt, FrameReport, PhotoReport } from './photo-report.ts'
import { isAffordable } from './planned-cost.ts'
import { readDrawing } from './read-drawing.ts'
import { reducePhoto } from './reduce-photo.ts'
import { buildRest, composeClear, greatestDifference, type LitFrame } from './rest/clear-artwork.ts'
import { buildSurface } from './surfaces/build-surface.ts'
import type { FrameSurface, MappedSurface, SurfaceMap } from './surfaces/frame-surface.ts'
import { createLens } from './surfaces/lens.ts'

/** The template's own description. */
export type TemplateDetails = { readonly id: string; readonly name: string; readonly category: string }

export type TemplateTools = {
  /** where the bundle is written */
  readonly store: BundleStore
  /** if missing, fflate's, in one piece */
  readonly deflate?: Deflate
  /** Makes a photo smaller; if missing, one that would cost too much at its size is refused. */
  readonly codec?: Pick<ImageCodec, 'resize'>
}

export type MadeTemplate = { readonly files: readonly string[]; readonly report: PhotoReport }

const SCENE = 'scene'
const REST_MODE = 'linear-light'
const DESCRIPTION_FILE = 'template.json'

/**
 * Makes a bundle from a photo of a blank product and a drawing on it, as in drawing.json.
 * @throws BundleError for a faulty drawing; PhotoRefusedError if its points form no surface
 */
export async function makeTemplate(
  details: TemplateDetails,
  photo: PhotoPixels,
  json: unknown,
  outlines: Outlines,
  tools: TemplateTools,
): Promise<MadeTemplate> {
  const drawn = readDrawing(photo, json, outlines)
  const { codec } = tools
  for (let share = 1; ; share *= SMALLER_SHARE) {
    const [widthPx, heightPx] = [Math.round(photo.widthPx * share), Math.round(photo.heightPx * share)]
    const smaller = share === 1 ? { photo, outlines } : await reducePhoto(photo, outlines, widthPx, heightPx, codec)
    try {
      return await makeAtSize(details, smaller.photo, drawn, smaller.outlines, json, tools)
    } catch (error) {
      const isLast = codec === undefined || widthPx * SMALLER_SHARE < LEAST_REDUCED_PX
      if (!(error instanceof PhotoTooCostlyError) || isLast) throw error
    }
  }
}

/** If products and prints of a photo would cost too much, it is tried again at this share of its size. */
const SMALLER_SHARE = 0.75

/** A photo is not made narrower than this: mockups would be blurred. */
const LEAST_REDUCED_PX = 1200

async function makeAtSize(
  details: TemplateDetails,
  photo: PhotoPixels,
  drawn: Drawing,
  outlines: Outlines,
  json: unknown,
  { store, deflate }: TemplateTools,
): Promise<MadeTemplate> {
  const drawing = scaleDrawing(drawn, photo.widthPx, photo.heightPx)
  const lens = createLens(drawing.lens, photo.widthPx, photo.heightPx)
  const surfaces = drawing.frames.map(frame => buildSurface(frame, photo, lens))
  const source = { photo, drawing, surfaces, outlines }
  return writeTemplate(details, source, json, { store, deflate })
}

/** A template that is drawn immediately and not stored. */
export type PreviewedTemplate = {
  /** as template.json has it */
  readonly template: Described
  /** by the names that the template has for them */
  readonly pictures: ReadonlyMap<string, PngPicture>
  readonly surfaces: readonly FrameSurface[]
}

/** The template of a photo without its files. @throws BundleError, PhotoRefusedError */
export async function previewTemplate(
  photo: PhotoPixels,
  json: unknown,
  outlines: Outlines,
): Promise<PreviewedTemplate> {
  const drawing = scaleDrawing(readDrawing(photo, json, outlines), photo.widthPx, photo.heightPx)
  const lens = createLens(drawing.lens, photo.widthPx, photo.heightPx)
  const surfaces = drawing.frames.map(frame => buildSurface(frame, photo, lens))
  const pictures = new PicturesInMemory()
  const { template } = await new TemplateMaker({ photo, drawing, surfaces, outlines }, pictures).make(previewDetails)
  return { template, pictures: pictures.all, surfaces }
}

const previewDetails: TemplateDetails = { id: 'preview', name: 'Preview', category: 'Preview' }

/** The same for surfaces that are known. `json`: the drawing as it is stored. */
export async function writeTemplate(
  details: TemplateDetails,
  source: TemplateSource,
  json: unknown,
  { store, deflate }: { readonly store: BundleStore; readonly deflate: Deflate | undefined },
): Promise<MadeTemplate> {
  const pictures = new PictureWriter(store, deflate)
  try {
    const { template, report } = await new TemplateMaker(source, pictures).make(details)
    await pictures.finish()
    await store.write(DRAWING_FILE, encodeJson(json, 0))
    await store.write(DESCRIPTION_FILE, encodeJson(template, 2))
    return { files: [DESCRIPTION_FILE, DRAWING_FILE, ...pictures.written.map(({ name }) => name)], report }
  } finally {
    await pictures.settle()
  }
}

function encodeJson(value: unknown, spaces: number): Uint8Array {
  const bytes = new TextEncoder().encode(`${JSON.stringify(value, null, spaces)}\n`)
  if (bytes.length <= MAX_DRAWING_BYTES) return bytes
  throw new PhotoRefusedError(`The drawing has more than ${MAX_DRAWING_BYTES / 1024 / 1024} MiB: draw fewer strokes.`)
}

/** The drawing covers more of the photo than can be rendered in the time of a mockup at its size. */
class PhotoTooCostlyError extends PhotoRefusedError {
  override readonly name = 'PhotoTooCostlyError'
}

/** A photo, its outlines, the drawing in its pixels, and a surface for each frame. */
export type TemplateSource = {
  readonly photo: PhotoPixels
  readonly drawing: Drawing
  readonly surfaces: readonly MappedSurface[]
  readonly outlines: Outlines
}

class TemplateMaker {
  readonly #photo: PhotoPixels
  readonly #drawing: Drawing
  readonly #surfaces: readonly MappedSurface[]
  readonly #outlines: Outlines
  readonly #pictures: Pictures

  constructor({ photo, drawing, surfaces, outlines }: TemplateSource, pictures: Pictures) {
    this.#photo = photo
    this.#drawing = drawing
    this.#surfaces = surfaces
    this.#outlines = outlines
    this.#pictures = pictures
  }

  async make(details: TemplateDetails): Promise<{ template: Described; report: PhotoReport }> {
    const { widthPx, heightPx } = this.#photo
    const { product } = this.#drawing
    const placed = placeFrames(this.#photo, this.#drawing, this.#surfaces, this.#outlines, false)
    const { frames, taken } = placed
    const part = product?.dyes === true && this.#outlines.product ? requireProductRect(this.#outlines.product) : null
    const planned = frames.map(({ map, surface }) => ({ rect: map.rect, quad: surface.quad }))
    if (!isAffordable({ widthPx, heightPx, frames: planned, product: part })) {
      throw new PhotoTooCostlyError(
        'What is drawn covers more of this photo than can be drawn in the time of a mockup. ' +
          'Use a smaller photo, crop it less tall, draw fewer frames, or leave the dye out.',
      )
    }
    const chosen = chooseTone(this.#photo, taken, this.#drawing.tone)
    const { tone } = chosen
    const scene = darkenScene(this.#photo, taken, tone)
    const described: Described[] = []
    const reports: FrameReport[] = []
    const lit: LitFrame[] = []
    for (const [index, { drawn, surface, map, mask, isOnProduct }] of frames.entries()) {
      const isDyed = isOnProduct && product?.dyes === true
      const coverage = new Float32Array(mask.length)
      for (let i = 0; i < mask.length; i++) coverage[i] = (mask[i] ?? 0) / 255
      const masks = { coverage, weights: widen(coverage, map.rect) }
      const curved = surface.isCurved ? map : null
      const light = findSurfaceLight(this.#photo, map.rect, tone, drawn, masks, curved, isDyed)
      lit.push({ rect: map.rect, mask, light, color: light.color })
      const name = isDyed ? product.name : null
      described.push(await describeFrame(this.#pictures, `frame-${index}`, surface, map, mask, light, name))
      reports.push({
        residualPx: surface.residualPx,
        region: [map.rect.left, map.rect.top, map.rect.widthPx, map.rect.heightPx],
        color: writeHexColor(light.color),
        doubts: [
          ...surface.doubts,
          ...doubtsOf(this.#photo, map.rect, mask, drawn.surface, light, chosen),
          ...doubtsOfCloth(this.#photo, drawn, map, mask, tone),
        ],
      })
    }
    // What cleaning removes is added again above the artwork.
    const clear = composeClear(scene, widthPx, tone, lit)
    const overlays: Described[] = []
    for (const [index, { rect, mask }] of lit.entries()) {
      const rest = buildRest(clear, this.#photo, rect, mask)
      if (rest) overlays.push({ ...(await this.#pictures.layer(`rest-${index}`, rest)), blending_mode: REST_MODE })
    }
    await this.#pictures.file(SCENE, { widthPx, heightPx, channels: 3, samples: scene })
    const dyed = await this.#dye(placed, lit, part, tone)
    const template = {
      format: 1,
      ...details,
      ...this.#kindOfProduct(),
      render_mode: frames.every(({ surface }) => surface.quad) ? 'corners' : 'uvmap',
      scene: `${SCENE}.png`,
      tone,
      drawing: DRAWING_FILE,
      ...(dyed ? { colors: [dyed.described] } : {}),
      frames: described,
      ...(overlays.length > 0 ? { overlays } : {}),
    }
    return {
      template,
      report: {
        widthPx,
        heightPx,
        tone,
        frames: reports,
        productColor: dyed && writeHexColor(dyed.color),
        productDoubts: dyed?.doubts ?? [],
        clearDifference: greatestDifference(clear, this.#photo, taken.rect),
      },
    }
  }

  /** The part that is dyed, with the light on it; null if there is none. */
  async #dye(
    { frames, taken }: PlacedFrames,
    lit: readonly LitFrame[],
    rect: Rect | null,
    tone: Tone,
  ): Promise<{ described: Described; color: RgbColor; doubts: Doubt[] } | null> {
    const { product } = this.#drawing
    const outline = this.#outlines.product
    const choice = chooseProduct(
      this.#drawing,
      frames,
      lit.map(({ color }) => color),
    )
    if (product === null || choice === null || rect === null || outline === null) return null
    const { mask, light } = findProductLight(this.#photo, outline, rect, taken.shares, tone, choice)
    const { color } = choice
    const described = {
      name: product.name,
      default: writeHexColor(color),
      mask: await this.#pictures.layer('product-mask', { ...rect, channels: 1, samples: mask }),
      lighting: await describeLight(this.#pictures, 'product', rect, light),
      ...(product.suggestions.length === 0 ? {} : { suggestions: product.suggestions.map(each => ({ ...each })) }),
    }
    return { described, color, doubts: doubtsOfDye(light, tone) }
  }

  /** Prints are flat; everything else is a product, of the material of its first frame. */
  #kindOfProduct(): Described {
    const { frames, product } = this.#drawing
    const isPrint = product === null && frames.every(({ kind, surface }) => kind === 'flat' && surface !== 'fabric')
    return isPrint ? { type: 'print' } : { type: 'product', surface_type: frames[0]?.surface ?? 'fabric' }
  }
}

/** Light is computed a little beyond the mask, because filters and other sizes of the mockup reach there. */
const WIDENED_SIGMA_PX = 2
const LEAST_WEIGHT = 0.002

function widen(coverage: Float32Array, { widthPx, heightPx }: SurfaceMap['rect']): Float32Array {
  const smooth = gaussianFilter(coverage, widthPx, heightPx, WIDENED_SIGMA_PX)
  for (let i = 0; i < smooth.length; i++) smooth[i] = (smooth[i] ?? 0) > LEAST_WEIGHT ? 1 : 0
  return smooth
}
