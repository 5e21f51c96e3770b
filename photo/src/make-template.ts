import {
  applyTone,
  type BundleStore,
  type Deflate,
  type Described,
  type ImageCodec,
  invertTone,
  linearOf,
  PictureWriter,
  type PngPicture,
  type Rect,
  type RgbColor,
  readHexColor,
  type Tone,
  writeHexColor,
} from '@vitrine/engine'
import { describeFrame, describeLight } from './bundle/describe-frame.ts'
import { type Pictures, PicturesInMemory } from './bundle/pictures.ts'
import { doubtsOf, doubtsOfCloth } from './doubts.ts'
import { DRAWING_FILE, type Drawing, type DrawnFrame, parseDrawing, scaleDrawing } from './drawing/drawing.ts'
import { gaussianFilter } from './filters/gaussian-filter.ts'
import { type ChosenTone, chooseTone } from './light/choose-tone.ts'
import { findSurfaceLight, isDarkLight } from './light/surface-light.ts'
import { MAX_DRAWING_BYTES, MAX_PHOTO_SIDE_PX, MIN_PHOTO_SIDE_PX } from './limits.ts'
import { frameCoverage } from './masking/frame-coverage.ts'
import { productCoverage, productRect } from './masking/product-coverage.ts'
import type { Coverage, Outlines, PhotoPixels } from './photo-pixels.ts'
import { PhotoRefusedError } from './photo-refused-error.ts'
import type { FrameReport, PhotoReport } from './photo-report.ts'
import { isAffordable } from './planned-cost.ts'
import { reducePhoto } from './reduce-photo.ts'
import { buildRest, composeClear, greatestDifference, type LitFrame } from './rest/clear-artwork.ts'
import { buildSurface } from './surfaces/build-surface.ts'
import type { FrameSurface, MappedSurface, SurfaceMap } from './surfaces/frame-surface.ts'
import { createLens } from './surfaces/lens.ts'

/** What a template says of itself. */
export type TemplateDetails = { readonly id: string; readonly name: string; readonly category: string }

export type TemplateTools = {
  /** receives the bundle */
  readonly store: BundleStore
  /** missing: fflate's, in one piece */
  readonly deflate?: Deflate
  /** Makes a photo smaller; missing: one that would be too costly at its size is refused. */
  readonly codec?: Pick<ImageCodec, 'resize'>
}

export type MadeTemplate = { readonly files: readonly string[]; readonly report: PhotoReport }

const SCENE = 'scene'
const REST_MODE = 'linear-light'
const DESCRIPTION_FILE = 'template.json'

/** Sides of photo and drawing may be rounded; a part that was cut off is more. */
const RATIO_ERROR = 0.01

/**
 * Makes a bundle of a photo of a blank product and a drawing on it, as drawing.json has it.
 * @throws BundleError for a faulty drawing; PhotoRefusedError where its points make no surface
 */
export async function makeTemplate(
  details: TemplateDetails,
  photo: PhotoPixels,
  json: unknown,
  outlines: Outlines,
  tools: TemplateTools,
): Promise<MadeTemplate> {
  const drawn = parseDrawing(json)
  assertPhoto(photo, drawn)
  assertOutlines(drawn, outlines)
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

/** A photo whose products and prints would cost too much is tried at this share of its size. */
const SMALLER_SHARE = 0.75

/** A narrower photo is no longer made smaller: mockups would be soft. */
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

/** A template that is drawn at once and not stored. */
export type PreviewedTemplate = {
  /** as template.json has it */
  readonly template: Described
  /** by the names that the template has for them */
  readonly pictures: ReadonlyMap<string, PngPicture>
  readonly surfaces: readonly FrameSurface[]
}

/**
 * The template of a photo without its files. While something is moved (`isMoving`) its light is only nearly
 * that of the bundle, and bodies are fitted from where they were (`last`).
 * @throws BundleError, PhotoRefusedError
 */
export async function previewTemplate(
  photo: PhotoPixels,
  json: unknown,
  outlines: Outlines,
  { isMoving, last }: { readonly isMoving: boolean; readonly last: PreviewedTemplate | null },
): Promise<PreviewedTemplate> {
  const drawn = parseDrawing(json)
  assertPhoto(photo, drawn)
  assertOutlines(drawn, outlines)
  const drawing = scaleDrawing(drawn, photo.widthPx, photo.heightPx)
  const lens = createLens(drawing.lens, photo.widthPx, photo.heightPx)
  const surfaces = drawing.frames.map((frame, index) =>
    buildSurface(frame, photo, lens, (isMoving && last?.surfaces[index]?.fitted?.parameters) || null),
  )
  const pictures = new PicturesInMemory()
  const source = { photo, drawing, surfaces, outlines }
  const { template } = await new TemplateMaker(source, pictures, isMoving).make(previewDetails)
  return { template, pictures: pictures.all, surfaces }
}

const previewDetails: TemplateDetails = { id: 'preview', name: 'Preview', category: 'Preview' }

/** The same of surfaces that are known. `json`: what is stored as the drawing. */
export async function writeTemplate(
  details: TemplateDetails,
  source: TemplateSource,
  json: unknown,
  { store, deflate }: { readonly store: BundleStore; readonly deflate: Deflate | undefined },
): Promise<MadeTemplate> {
  const pictures = new PictureWriter(store, deflate)
  try {
    const { template, report } = await new TemplateMaker(source, pictures, false).make(details)
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

/** What was brushed over needs its outline, which is not in the drawing. */
function assertOutlines({ frames, product }: Drawing, outlines: Outlines): void {
  const isTraced =
    (product === null || outlines.product !== null) &&
    frames.every(({ front }, index) => front.length === 0 || (outlines.fronts[index] ?? null) !== null)
  if (!isTraced) throw new PhotoRefusedError('The outline of what was brushed over is not known.')
}

/** What is drawn covers more of the photo than can be drawn in the time of a mockup, at its size. */
class PhotoTooCostlyError extends PhotoRefusedError {
  override readonly name = 'PhotoTooCostlyError'
}

function assertPhoto({ widthPx, heightPx }: PhotoPixels, { width, height }: Drawing): void {
  if (Math.min(widthPx, heightPx) < MIN_PHOTO_SIDE_PX || Math.max(widthPx, heightPx) > MAX_PHOTO_SIDE_PX) {
    const sides = `${MIN_PHOTO_SIDE_PX} to ${MAX_PHOTO_SIDE_PX}`
    throw new PhotoRefusedError(`Expected a photo of ${sides} px a side but received ${widthPx} x ${heightPx} px.`)
  }
  if (Math.abs(Math.log((widthPx * height) / (heightPx * width))) > RATIO_ERROR) {
    const received = `one on ${width} x ${height} px`
    throw new PhotoRefusedError(
      `Expected a drawing on a photo of ${widthPx} x ${heightPx} px but received ${received}.`,
    )
  }
}

/** A photo with what is known of it; the drawing in its pixels, a surface for each of its frames. */
export type TemplateSource = {
  readonly photo: PhotoPixels
  readonly drawing: Drawing
  readonly surfaces: readonly MappedSurface[]
  readonly outlines: Outlines
}

/** A frame whose surface and mask are found. */
type PlacedFrame = {
  readonly drawn: DrawnFrame
  readonly surface: MappedSurface
  readonly map: SurfaceMap
  readonly mask: Uint8Array
  readonly coverage: Float32Array
  readonly isOnProduct: boolean
}

class TemplateMaker {
  readonly #photo: PhotoPixels
  readonly #drawing: Drawing
  readonly #surfaces: readonly MappedSurface[]
  readonly #outlines: Outlines
  readonly #pictures: Pictures
  readonly #isRough: boolean
  /** per pixel of the photo: how much of it shows artwork */
  readonly #taken: Uint8Array

  /** `isRough`: light is found as fast as a handle is moved: with noise, and without windows on bodies. */
  constructor({ photo, drawing, surfaces, outlines }: TemplateSource, pictures: Pictures, isRough: boolean) {
    this.#photo = photo
    this.#drawing = drawing
    this.#surfaces = surfaces
    this.#outlines = outlines
    this.#pictures = pictures
    this.#isRough = isRough
    this.#taken = new Uint8Array(photo.widthPx * photo.heightPx)
  }

  async make(details: TemplateDetails): Promise<{ template: Described; report: PhotoReport }> {
    const { widthPx, heightPx } = this.#photo
    const { product } = this.#drawing
    const frames = this.#place()
    const part = this.#findPart()
    const planned = frames.map(({ map, surface }) => ({ rect: map.rect, quad: surface.quad }))
    if (!isAffordable({ widthPx, heightPx, frames: planned, product: part })) {
      throw new PhotoTooCostlyError(
        'What is drawn covers more of this photo than can be drawn in the time of a mockup. ' +
          'Use a smaller photo, crop it less tall, draw fewer frames, or leave the dye out.',
      )
    }
    const chosen = this.#chooseTone()
    const { tone } = chosen
    const scene = this.#darken(tone)
    const described: Described[] = []
    const reports: FrameReport[] = []
    const lit: LitFrame[] = []
    for (const [index, frame] of frames.entries()) {
      const { drawn, surface, map, mask, coverage, isOnProduct } = frame
      const isDyed = isOnProduct && product?.dyes === true
      const masks = { coverage, weights: widen(coverage, map.rect) }
      const curved = surface.isCurved && !this.#isRough ? map : null
      const choice = this.#isRough ? { ...drawn, cleans: false } : drawn
      const light = findSurfaceLight(this.#photo, map.rect, tone, choice, masks, curved, isDyed)
      lit.push({ rect: map.rect, mask, light, color: light.color })
      const name = isDyed ? product.name : null
      described.push(await describeFrame(this.#pictures, `frame-${index}`, surface, map, mask, light, name))
      reports.push({
        residualPx: surface.residualPx,
        region: [map.rect.left, map.rect.top, map.rect.widthPx, map.rect.heightPx],
        color: writeHexColor(light.color),
        // Nobody reads them of what is being moved.
        doubts: this.#isRough
          ? []
          : [
              ...surface.doubts,
              ...doubtsOf(this.#photo, map.rect, mask, drawn.surface, light, chosen),
              ...doubtsOfCloth(this.#photo, drawn, map, mask, tone),
            ],
      })
    }
    // What cleaning takes away is put back above the artwork; rough light has no need of it.
    const clear = this.#isRough ? this.#photo.data : composeClear(scene, widthPx, tone, lit)
    const overlays: Described[] = []
    for (const [index, { rect, mask }] of this.#isRough ? [] : lit.entries()) {
      const rest = buildRest(clear, this.#photo, rect, mask)
      if (rest) overlays.push({ ...(await this.#pictures.layer(`rest-${index}`, rest)), blending_mode: REST_MODE })
    }
    await this.#pictures.file(SCENE, { widthPx, heightPx, channels: 3, samples: scene })
    const dyed = await this.#dye(frames, lit, part, tone)
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
        clearDifference: clear === this.#photo.data ? 0 : greatestDifference(clear, this.#photo.data),
      },
    }
  }

  #chooseTone(): ChosenTone {
    const { tone } = this.#drawing
    return tone === 'auto' ? chooseTone(this.#photo, this.#taken) : { tone, isKnown: true }
  }

  /** Surfaces and masks of all frames; each takes the pixels that former ones left. */
  #place(): PlacedFrame[] {
    const { widthPx } = this.#photo
    return this.#surfaces.map((surface, index) => {
      const drawn = this.#drawing.frames[index]
      if (!drawn) throw new RangeError(`Expected a frame for surface ${index}.`)
      const map = surface.rasterize(this.#isRough ? ROUGH_SEARCHED_POINTS : undefined)
      const { product } = this.#outlines
      if (drawn.inset !== null && product === null) {
        throw new PhotoRefusedError('A print with an inset needs the outline of its product: brush over the product.')
      }
      const mask = frameCoverage(map, widthPx, {
        front: this.#outlines.fronts[index] ?? null,
        product: drawn.inset === null ? null : product,
        insetPx: drawn.inset ?? 0,
        taken: this.#taken,
      })
      if (!mask.some(byte => byte > 127)) {
        throw new PhotoRefusedError(`Nothing of frame ${index + 1} lies on the photo. Move its points.`)
      }
      const coverage = Float32Array.from(mask, byte => byte / 255)
      return { drawn, surface, map, mask, coverage, isOnProduct: product !== null && liesOn(product, map, mask) }
    })
  }

  /** The photo without the light of what shows artwork. */
  #darken(tone: Tone): Uint8Array {
    const { data } = this.#photo
    const scene = Uint8Array.from(data)
    const light = Float64Array.from({ length: 256 }, (_, byte) => invertTone(tone, byte / 255))
    const dark = Math.round(255 * applyTone(tone, 0))
    for (let i = 0; i < this.#taken.length; i++) {
      const taken = this.#taken[i] ?? 0
      if (taken === 0) continue
      if (taken === 255) {
        scene.fill(dark, 3 * i, 3 * i + 3)
        continue
      }
      for (let at = 3 * i; at < 3 * i + 3; at++) {
        const left = (light[data[at] ?? 0] ?? 0) * (1 - taken / 255)
        scene[at] = Math.round(255 * applyTone(tone, left))
      }
    }
    return scene
  }

  /** Where the product is that is dyed; null where none is. */
  #findPart(): Rect | null {
    const outline = this.#outlines.product
    if (this.#drawing.product?.dyes !== true || outline === null) return null
    const part = productRect(outline)
    if (part === null) throw new PhotoRefusedError('The brush found no product. Brush over all of it.')
    return part
  }

  /** The part that is dyed, with the light on it; null where there is none. */
  async #dye(
    frames: readonly PlacedFrame[],
    lit: readonly LitFrame[],
    rect: Rect | null,
    tone: Tone,
  ): Promise<{ described: Described; color: RgbColor } | null> {
    const { product } = this.#drawing
    const outline = this.#outlines.product
    if (product === null || rect === null || outline === null) return null
    const on = Math.max(
      0,
      frames.findIndex(({ isOnProduct }) => isOnProduct),
    )
    const first = frames[on]
    const ground = lit[on]
    if (!first || !ground) return null
    const color = product.color === null ? ground.color : readHexColor(product.color)
    const { mask, coverage, weights } = productCoverage(outline, rect, this.#taken, isDarkLight(linearOf(color)))
    const light = findSurfaceLight(
      this.#photo,
      rect,
      tone,
      { ...first.drawn, color },
      { coverage, weights },
      null,
      true,
    )
    const described = {
      name: product.name,
      default: writeHexColor(color),
      mask: await this.#pictures.layer('product-mask', { ...rect, channels: 1, samples: mask }),
      lighting: await describeLight(this.#pictures, 'product', rect, light),
      ...(product.suggestions.length === 0 ? {} : { suggestions: product.suggestions.map(each => ({ ...each })) }),
    }
    return { described, color }
  }

  /** Prints are flat; everything else is a product, of the material of its first frame. */
  #kindOfProduct(): Described {
    const { frames, product } = this.#drawing
    const isPrint = product === null && frames.every(({ kind, surface }) => kind === 'flat' && surface !== 'fabric')
    return isPrint ? { type: 'print' } : { type: 'product', surface_type: frames[0]?.surface ?? 'fabric' }
  }
}

/** Points a side by which the artwork is searched for while something is moved. */
const ROUGH_SEARCHED_POINTS = 96

/** Light is found a little beyond the mask: filters and other sizes of the mockup reach there. */
const WIDENED_SIGMA_PX = 2
const LEAST_WEIGHT = 0.002

function widen(coverage: Float32Array, { widthPx, heightPx }: SurfaceMap['rect']): Float32Array {
  const smooth = gaussianFilter(coverage, widthPx, heightPx, WIDENED_SIGMA_PX)
  for (let i = 0; i < smooth.length; i++) smooth[i] = (smooth[i] ?? 0) > LEAST_WEIGHT ? 1 : 0
  return smooth
}

/** Whether most of a frame lies on the product. */
function liesOn(product: Coverage, { rect }: SurfaceMap, mask: Uint8Array): boolean {
  let [on, all] = [0, 0]
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let at = (rect.top + y) * product.widthPx + rect.left
    for (let x = 0; x < rect.widthPx; x++, i++, at++) {
      const seen = mask[i] ?? 0
      all += seen
      on += (seen * (product.data[at] ?? 0)) / 255
    }
  }
  return on > all / 2
}
