import path from 'node:path'
import {
  applyTone,
  type BundleFiles,
  type ChosenColors,
  checkBundle,
  composeMockup,
  decodeArtworks,
  type ImageCodec,
  invertTone,
  type OpaquePixmap,
  prepareTemplate,
  recolorTemplate,
  type Template,
} from '@vitrine/engine'
import { createFrameKernel, openBundleFolder } from '@vitrine/engine/node'
import { sharp } from '../../engine/src/node/hardened-sharp.ts'
import { gaussianFilter } from '../src/filters/gaussian-filter.ts'
import type { PhotoPixels } from '../src/photo-pixels.ts'
import { type Artworks, drawArtworks } from './artworks.ts'
import { createNormalRandom } from './normal-random.ts'
import { readTruth, type TruthMap } from './truth-map.ts'

export type SceneKind = 'mug' | 'cloth' | 'flat'
export type Goods = 'tote' | 'cushion' | 'shirt' | 'hoodie' | 'black shirt' | 'shirt on a form'

type SceneChoice = {
  readonly id: string
  readonly kind: SceneKind
  /** what cloth is, which says how it is drawn; absent: no cloth */
  readonly goods?: Goods
  readonly surface: 'ceramic' | 'fabric' | 'glass' | 'paper'
  /** the artwork of the blank product: clear shows the product's own colour */
  readonly blank: 'white' | 'clear'
  readonly frame: number
  /** the starter whose photo got a phone's tone curve and sharpening; absent: that of the id */
  readonly takenByPhone?: string
  /** of a scene in photo/bench/truth: its width, at which it is measured; absent: a starter */
  readonly widthPx?: number
}

const mug = { kind: 'mug', surface: 'ceramic', blank: 'white', frame: 0 } as const
const cloth = { kind: 'cloth', surface: 'fabric', blank: 'clear', frame: 0 } as const
const flat = { kind: 'flat', surface: 'paper', blank: 'white', frame: 0 } as const

/** Products, path-traced, with the truth of every layer: starters, and scenes that are no starters. */
export const sceneChoices: readonly SceneChoice[] = [
  { id: 'oak-frame-portrait', ...flat, surface: 'glass' },
  { id: 'greeting-card-standing', ...flat },
  { id: 'white-mug-walnut-table', ...mug },
  { id: 'white-mug-marble', ...mug },
  { id: 'canvas-tote-peg-rail', ...cloth, goods: 'tote' },
  { id: 'square-cushion-sofa', ...cloth, goods: 'cushion' },
  { id: 'white-tee-flat-lay', ...cloth, goods: 'shirt' },
  { id: 'hoodie-flat-lay', ...cloth, goods: 'hoodie' },
  { id: 'black-tee-wooden-boards', ...cloth, goods: 'black shirt' },
  { id: 'phone-white-mug-walnut-table', ...mug, takenByPhone: 'white-mug-walnut-table' },
  { id: 'phone-white-tee-flat-lay', ...cloth, goods: 'shirt', takenByPhone: 'white-tee-flat-lay' },
  { id: 'truth-bottle-label', ...mug, surface: 'paper', widthPx: 1200 },
  { id: 'truth-tumbler', ...mug, widthPx: 1200 },
  { id: 'truth-mug-from-above', ...mug, widthPx: 1200 },
  { id: 'truth-tee-on-form', ...cloth, goods: 'shirt on a form', widthPx: 1200 },
]

export type Scene = SceneChoice & {
  readonly photo: PhotoPixels
  readonly artworks: Artworks
  readonly truth: TruthMap
  readonly aspectRatio: number
  /** the part that is dyed; null where there is none */
  readonly part: { readonly name: string; readonly coverage: Float32Array } | null
  readonly render: (artwork: Uint8Array, colors?: ChosenColors) => Promise<OpaquePixmap>
}

/** Seed of a photo's noise. */
const NOISE_SEED = 11

/** A scene as somebody's photo of a blank product, and what is true of it. */
export async function loadScene(choice: SceneChoice, startersWidthPx: number, codec: ImageCodec): Promise<Scene> {
  const { widthPx = startersWidthPx } = choice
  const folder = choice.widthPx === undefined ? '../../templates' : 'truth'
  const files = await openBundleFolder(path.join(import.meta.dirname, folder, choice.takenByPhone ?? choice.id))
  const render = await createRender(files, widthPx, codec)
  const frame = render.template.frames[choice.frame]
  if (!frame) throw new Error(`${choice.id} has no frame ${choice.frame}.`)
  const artworks = await drawArtworks(frame.aspectRatio)
  const draw: Scene['render'] = async (artwork, colors) => {
    const drawn = await render.draw(artwork, colors)
    return choice.takenByPhone === undefined ? drawn : developByPhone(drawn)
  }
  const blank = await draw(artworks[choice.blank])
  const { truth, part } = await readTruth(files, render.template, choice.frame, blank, codec)
  return {
    ...choice,
    photo: await likeCamera(blank),
    artworks,
    truth,
    part,
    aspectRatio: frame.aspectRatio,
    render: draw,
  }
}

/** Draws mockups of a checked bundle at one width. */
export async function createRender(files: BundleFiles, widthPx: number, codec: ImageCodec) {
  const { template, faults } = await checkBundle(files, codec)
  if (template === null || faults.length > 0) throw new Error(`A bundle has faults: ${JSON.stringify(faults)}`)
  const kernel = createFrameKernel()
  const base = await prepareTemplate(template, files, widthPx, codec, kernel)
  const draw = async (artwork: Uint8Array, colors: ChosenColors = new Map()): Promise<OpaquePixmap> => {
    const prepared = await recolorTemplate(base, template, files, colors, codec, kernel)
    return composeMockup(prepared, await decodeArtworks(prepared.frames, { bytes: artwork }, codec), kernel)
  }
  return { template: template satisfies Template, draw }
}

/** How much of a smooth step a phone's tone curve has, and what it adds of what a blur takes away. */
const PHONE_CONTRAST = 0.35
const PHONE_SHARPENING = 0.8
const PHONE_BLUR_SIGMA_PX = 1.2

/** A tone curve with more contrast, and sharpening by an unsharp mask, as phones develop photos. */
function developByPhone(picture: OpaquePixmap): OpaquePixmap {
  const { widthPx, heightPx } = picture
  const data = new Uint8Array(picture.data.length)
  for (let channel = 0; channel < 3; channel++) {
    const plane = Float32Array.from({ length: widthPx * heightPx }, (_, i) => {
      const value = (picture.data[3 * i + channel] ?? 0) / 255
      return value + PHONE_CONTRAST * (value * value * (3 - 2 * value) - value)
    })
    const blurred = gaussianFilter(plane, widthPx, heightPx, PHONE_BLUR_SIGMA_PX)
    for (const [i, value] of plane.entries()) {
      const sharp = value + PHONE_SHARPENING * (value - (blurred[i] ?? value))
      data[3 * i + channel] = Math.round(255 * Math.min(1, Math.max(0, sharp)))
    }
  }
  return { ...picture, data }
}

/** Shot and read noise, and a JPEG of quality 92. */
async function likeCamera({ widthPx, heightPx, data }: OpaquePixmap): Promise<PhotoPixels> {
  const normal = createNormalRandom(NOISE_SEED)
  const noisy = Uint8Array.from(data, byte => {
    const light = byte === 255 ? 1 : invertTone('srgb', byte / 255)
    const seen = applyTone('srgb', light + normal() * Math.sqrt(2e-6 + 1.5e-4 * light))
    return Math.min(255, Math.max(0, Math.round(255 * seen)))
  })
  const raw = { width: widthPx, height: heightPx, channels: 3 } as const
  const jpeg = await sharp(noisy, { raw }).jpeg({ quality: 92 }).toBuffer()
  return { widthPx, heightPx, data: await sharp(jpeg).removeAlpha().raw().toBuffer() }
}
