import {
  buildLightTable,
  type ChosenColors,
  cropPixels,
  dyedSurface,
  homographyFromQuad,
  type LitSurface,
  linearOf,
  type PreparedTemplate,
  prepareSurfaces,
  type RgbColor,
  readHexColor,
  type ToneTables,
  writeHexColor,
} from '@vitrine/engine'
import { type Drawing, scaleDrawing } from '../drawing/drawing.ts'
import { chooseTone } from '../light/choose-tone.ts'
import { chooseProduct, type ProductChoice } from '../light/product-light.ts'
import { darkenScene } from '../masking/darken-scene.ts'
import { findDepths, type ProductDepths } from '../masking/frame-coverage.ts'
import { type DepthsOf, type PlacedFrame, placeFrames } from '../masking/place-frames.ts'
import type { Coverage, Outlines, PhotoPixels } from '../photo-pixels.ts'
import { assertDrawing } from '../read-drawing.ts'
import { buildSurface } from '../surfaces/build-surface.ts'
import type { FrameSurface } from '../surfaces/frame-surface.ts'
import { createLens } from '../surfaces/lens.ts'
import { LiveDye } from './live-dye.ts'
import { type LiveLight, LiveLights } from './live-light.ts'
import { LiveTones } from './live-tones.ts'

/** A drawing on a photo, to be drawn with artwork before the next one is. */
export type LivePicture = {
  readonly prepared: PreparedTemplate
  readonly surfaces: readonly FrameSurface[]
  /** #rrggbb: what the product that may be dyed has in the photo; null: there is none */
  readonly productColor: string | null
}

/** The colour of a product in the photo, and the one that it is to have. */
type Dye = { readonly from: RgbColor; readonly to: RgbColor }

/**
 * Draws one photo as fast as handles are moved on it. Surfaces lie where those of the bundle do; the light on
 * them is nearly that, and what does not change from picture to picture is found once.
 */
export class LivePreview {
  readonly #photo: PhotoPixels
  readonly #lights: LiveLights
  readonly #tones = new LiveTones()
  readonly #dye: LiveDye
  /** of each picture: fresh memory costs more than the copy */
  readonly #scene: Uint8Array
  /** those of the last drawing, from which bodies are followed */
  #surfaces: readonly FrameSurface[] = []

  #depths: (ProductDepths & { readonly of: Coverage }) | null = null

  /** what the last picture did not need and the next may */
  #unknown: (() => void)[] = []

  constructor(photo: PhotoPixels) {
    this.#photo = photo
    this.#lights = new LiveLights(photo)
    this.#dye = new LiveDye(photo, this.#tones)
    this.#scene = new Uint8Array(photo.data.length)
  }

  /** `colors`: of products, by their names. @throws as `makeTemplate` does */
  draw(drawn: Drawing, outlines: Outlines, colors: ChosenColors): LivePicture {
    const photo = this.#photo
    const { widthPx, heightPx } = photo
    this.#unknown = []
    assertDrawing(photo, drawn, outlines)
    const drawing = scaleDrawing(drawn, widthPx, heightPx)
    const lens = createLens(drawing.lens, widthPx, heightPx)
    this.#surfaces = drawing.frames.map((frame, index) =>
      buildSurface(frame, photo, lens, this.#surfaces[index]?.fitted?.parameters ?? null),
    )
    const { frames, taken } = placeFrames(photo, drawing, this.#surfaces, outlines, true, this.#depthsOf)
    const { tone } = chooseTone(photo, taken, drawing.tone)
    const tables = this.#tones.tablesOf(tone)
    const dyed = drawing.product?.dyes === true ? outlines.product : null
    const isDyed = (frame: PlacedFrame): boolean => dyed !== null && frame.isOnProduct
    const lights = frames.map((frame, index) => this.#lights.find(index, frame, tone, isDyed(frame)))
    this.#unknown = frames.map((frame, index) => () => this.#lights.find(index, frame, tone, isDyed(frame), true))
    let [data, product, dye]: [Uint8Array, ProductChoice | null, Dye | null] = [photo.data, null, null]
    if (dyed !== null) {
      this.#dye.rectOf(dyed)
      product = chooseProduct(
        drawing,
        frames,
        lights.map(({ light }) => light.color),
      )
      dye = product && findDye(drawing, product.color, colors)
      const choice = product
      if (choice) this.#unknown.push(() => this.#dye.find(dyed, tone, choice))
      if (product && dye) data = this.#dye.draw(dyed, tone, product, dye.to)
    }
    darkenScene({ widthPx, heightPx, data }, taken, tone, this.#scene)
    const scene = { alpha: 'opaque', widthPx, heightPx, data: this.#scene } as const
    const surfaces = frames.flatMap((frame, index) => {
      const light = lights[index]
      return light ? [litSurface(frame, light, tables, frame.isOnProduct ? dye : null)] : []
    })
    return {
      prepared: prepareSurfaces(scene, surfaces),
      surfaces: this.#surfaces,
      productColor: product && writeHexColor(product.color),
    }
  }

  /** While nothing moves: finds a part of what the next movement or colour needs. False: all is known. */
  rest(): boolean {
    this.#unknown.shift()?.()
    return this.#unknown.length > 0
  }

  /** Over all of the photo: what moves comes everywhere. */
  readonly #depthsOf: DepthsOf = product => {
    if (this.#depths?.of !== product) {
      const { widthPx, heightPx } = product
      this.#depths = { of: product, ...findDepths(product, { left: 0, top: 0, widthPx, heightPx }, 0) }
    }
    return this.#depths
  }
}

/** Null where the product keeps its colour. */
function findDye({ product }: Drawing, from: RgbColor, colors: ChosenColors): Dye | null {
  const chosen = product && colors.get(product.name)?.toLowerCase()
  return chosen && chosen !== writeHexColor(from) ? { from, to: readHexColor(chosen) } : null
}

function litSurface(
  { surface: { aspectRatio, quad }, map: { rect, u, v }, mask }: PlacedFrame,
  { rect: lit, light }: LiveLight,
  tone: ToneTables,
  dye: Dye | null,
): LitSurface {
  return {
    aspectRatio,
    region: rect,
    map: quad ? { kind: 'homography', matrix: homographyFromQuad(quad) } : { kind: 'grid', u, v, wrapsU: false },
    coverage: mask,
    light: {
      tone,
      surface: dye ? dyedSurface(light.color, dye.from, dye.to) : linearOf(light.color),
      layerTable: buildLightTable(light.scale),
      shade: cropPixels(light.shade, 3, lit, rect),
      highlights: cropPixels(light.highlights, 3, lit, rect),
    },
  }
}
