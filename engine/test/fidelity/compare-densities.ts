import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { makeArtwork } from '../../bench/artworks.ts'
import { measureInTurn, type Task } from '../../bench/measure.ts'
import type { DecodeTarget } from '../../src/codec.ts'
import type { FrameKernel } from '../../src/kernels/frame-kernel.ts'
import { createSharpCodec } from '../../src/node/index.ts'
import type { StraightPixmap } from '../../src/pixmap.ts'
import { buildDetailArtwork } from '../reference/detail-artwork.ts'
import { enlarge } from '../reference/enlarge.ts'
import { supersample } from '../reference/supersample.ts'
import { type FidelityCase, fidelityCases, mapQuad, SCENE_HEIGHT, SCENE_WIDTH } from './cases.ts'
import { decodeAsJpeg } from './decode-as-jpeg.ts'
import { background, drawCase, prepareCase, SAMPLES_PER_AXIS, type Scene, scorePicture } from './measure-case.ts'

/**
 * Our JPEG decoder at an N that just reaches the least density, and at the next one: PSNR inside the frame in
 * dB, and CPU milliseconds.
 */
export type DensityComparison = {
  readonly eighths: number
  readonly hardEdgedDb: readonly [number, number]
  readonly photographDb: readonly [number, number]
  /** decoding the bench's artwork of 3000 x 4500 px, or of another width */
  readonly costMs: readonly [number, number]
}

/**
 * The least density that our JPEG decoder gives from 4/8 on, in pixels per pixel of the frame, and what every
 * other decoder is asked for.
 */
export const LEAST_DENSITY = 1.5
const ASKED_DENSITY = 1.6

/** Not 1: one eighth is taken from twice the density on. 8 has no next. */
const eighths: readonly number[] = [2, 3, 4, 5, 6, 7]

const codec = createSharpCodec()

/** A photograph of Debian's mate-backgrounds; without it the largest picture of the starter pack. */
const photographs = [
  '/usr/share/backgrounds/mate/abstract/Elephants_5640x3172.jpg',
  path.resolve(import.meta.dirname, '../../../templates/artworks/evening-hills.jpg'),
] as const

async function loadPhotograph(widthPx: number, heightPx: number): Promise<StraightPixmap> {
  const file = photographs.find(name => existsSync(name)) ?? photographs[1]
  const data = await sharp(await readFile(file))
    .resize(widthPx, heightPx, { fit: 'cover' })
    .ensureAlpha()
    .raw()
    .toBuffer()
  return { alpha: 'straight', widthPx, heightPx, data }
}

/** The cost at the worst place for every N: artwork of the size at which N eighths are just enough. */
export async function compareDensities(
  sceneWidthPx: number,
  kernel: FrameKernel,
  rounds: number,
  all = eighths,
  samplesPerAxis = SAMPLES_PER_AXIS,
  costWidthPx = 3000,
): Promise<readonly DensityComparison[]> {
  const [gentle] = fidelityCases
  if (!gentle) throw new Error('There are no cases.')
  const costs = await measureCosts(all, rounds, costWidthPx)
  const compared: DensityComparison[] = []
  for (const eighths of all) {
    const { widthPx, heightPx } = await findWorstSize(gentle, sceneWidthPx, eighths)
    const score = async (artwork: StraightPixmap): Promise<readonly [number, number]> => {
      const scene = buildScene(gentle, artwork, sceneWidthPx, samplesPerAxis)
      return [await scoreAt(gentle, scene, eighths, kernel), await scoreAt(gentle, scene, eighths + 1, kernel)]
    }
    compared.push({
      eighths,
      hardEdgedDb: await score(buildDetailArtwork(widthPx, heightPx)),
      photographDb: await score(await loadPhotograph(widthPx, heightPx)),
      costMs: [costs.get(`${eighths}`) ?? Number.NaN, costs.get(`${eighths + 1}`) ?? Number.NaN],
    })
  }
  return compared
}

/** The artwork of which `eighths` eighths have `LEAST_DENSITY` in that case's frame. */
async function findWorstSize(measured: FidelityCase, sceneWidthPx: number, eighths: number) {
  let target: DecodeTarget | null = null
  const any = buildDetailArtwork(64, 64)
  await prepareCase(measured, buildScene(measured, any, sceneWidthPx, 1), (artwork, wanted) => {
    // of the whole side, of which the crop shows a part
    const { width = 1, height = 1 } = wanted.shown ?? {}
    target = { minWidthPx: wanted.minWidthPx * width, minHeightPx: wanted.minHeightPx * height }
    return decodeAsJpeg(artwork, wanted)
  })
  const { minWidthPx, minHeightPx } = target ?? { minWidthPx: 0, minHeightPx: 0 }
  const enlarged = (LEAST_DENSITY / ASKED_DENSITY) * (8 / eighths)
  return { widthPx: Math.floor(minWidthPx * enlarged), heightPx: Math.floor(minHeightPx * enlarged) }
}

function buildScene(measured: FidelityCase, artwork: StraightPixmap, sceneWidthPx: number, samples: number): Scene {
  if (!('quad' in measured.shape)) throw new Error('The case has no corners.')
  const scale = sceneWidthPx / SCENE_WIDTH
  const inUnits = mapQuad(measured.shape.quad)
  const map: Scene['map'] = (x, y, out) => inUnits(x / scale, y / scale, out)
  const heightPx = Math.round(SCENE_HEIGHT * scale)
  const truth = supersample(enlarge(artwork, 2), map, sceneWidthPx, heightPx, background, samples)
  return { artwork, truth, map, frameMap: map, framed: truth.covered, scale }
}

async function scoreAt(measured: FidelityCase, scene: Scene, eighths: number, kernel: FrameKernel): Promise<number> {
  const { widthPx, heightPx } = scene.artwork
  const shape = { ...measured, artworkWidth: widthPx, artworkHeight: heightPx }
  const prepared = await prepareCase(shape, scene, (artwork, target) =>
    decodeAsJpeg(artwork, {
      ...target,
      minWidthPx: (widthPx * eighths) / 8,
      minHeightPx: (heightPx * eighths) / 8,
    }),
  )
  const decodedAt = Math.round((8 * prepared.artwork.extent.width) / widthPx)
  if (decodedAt !== eighths) throw new Error(`Expected ${eighths} eighths but received ${decodedAt}.`)
  return scorePicture(drawCase(prepared, kernel).data, scene.truth).insideDb
}

async function measureCosts(
  all: readonly number[],
  rounds: number,
  widthPx: number,
): Promise<ReadonlyMap<string, number>> {
  const heightPx = 1.5 * widthPx
  const jpeg = await makeArtwork(widthPx, heightPx, 'jpeg')
  const tasks = [...new Set(all.flatMap(eighths => [eighths, eighths + 1]))].map((eighths): [string, Task] => [
    `${eighths}`,
    async () => {
      await codec.decodeArtwork(jpeg, { minWidthPx: (widthPx * eighths) / 8, minHeightPx: (heightPx * eighths) / 8 })
      return undefined
    },
  ])
  return measureInTurn(new Map(tasks), rounds)
}
