import type { DecodedArtwork, DecodeTarget } from '../../src/codec.ts'
import { findDecodeTarget } from '../../src/decode-plan.ts'
import type { Placements } from '../../src/geometry/artwork-placement.ts'
import type { FrameKernel } from '../../src/kernels/frame-kernel.ts'
import type { OpaquePixmap, StraightPixmap, UvPixmap } from '../../src/pixmap.ts'
import { composeMockup } from '../../src/render.ts'
import { noFilters } from '../../src/template/filter-fields.ts'
import { type PreparedTemplate, prepareTemplate } from '../../src/template/prepare-template.ts'
import type { Frame, Template } from '../../src/template/template.ts'
import { buildDetailArtwork } from '../reference/detail-artwork.ts'
import { enlarge } from '../reference/enlarge.ts'
import { MemoryBundle } from '../reference/memory-codec.ts'
import { type PointMap, supersample, type Truth } from '../reference/supersample.ts'
import {
  type FidelityCase,
  findFrameRatio,
  isRepeated,
  mapQuad,
  placeInFrame,
  SCENE_HEIGHT,
  SCENE_WIDTH,
} from './cases.ts'

/** How artwork is reduced before sampling: the codec under test. */
export type Decode = (artwork: StraightPixmap, target: DecodeTarget) => Promise<DecodedArtwork>

export type Scene = {
  readonly artwork: StraightPixmap
  readonly truth: Truth
  /** scene to artwork */
  readonly map: PointMap
  /** scene to frame */
  readonly frameMap: PointMap
  /** how much of each pixel lies in the frame; the artwork may cover less */
  readonly framed: Float32Array
  readonly scale: number
}

/** The scene's colour beside the frame. */
export const background = [206, 198, 186] as const

type DetailArtwork = { readonly artwork: StraightPixmap; readonly enlarge: () => StraightPixmap }

/** The artwork of the case before, which often serves the next: drawing it takes as long as truth itself. */
let lastArtwork: (DetailArtwork & { readonly factor: number }) | null = null

function loadArtwork(widthPx: number, heightPx: number, factor: number, keep: Keep): DetailArtwork {
  const last = lastArtwork
  const isLast = last?.artwork.widthPx === widthPx && last.artwork.heightPx === heightPx
  if (isLast && last.factor === factor) return last
  // First, so that two large ones are never in memory at once.
  lastArtwork = null
  const artwork = isLast ? last.artwork : keep.artwork(widthPx, heightPx, () => buildDetailArtwork(widthPx, heightPx))
  let enlarged: StraightPixmap | null = null
  lastArtwork = { artwork, factor, enlarge: () => (enlarged ??= enlarge(artwork, factor)) }
  return lastArtwork
}

/**
 * Points per axis of a pixel along the frame's edges, and everywhere where the artwork's pixels are the
 * smaller ones.
 */
export const SAMPLES_PER_AXIS = 16

/** Truth and artwork from where they were kept, or made now. */
export type Keep = {
  readonly truth: (name: string, make: () => Truth) => Truth
  readonly artwork: (widthPx: number, heightPx: number, make: () => StraightPixmap) => StraightPixmap
}

const keepNothing: Keep = { truth: (_, make) => make(), artwork: (_, __, make) => make() }

/**
 * The artwork and the truth of a case at a scene width. Samples may be fewer than 16 per axis where the
 * artwork is enlarged before they are taken of it: 5 inside the frame differ from 16 by at most 0.9 dB there.
 */
export function buildScene(
  measured: FidelityCase,
  sceneWidthPx: number,
  samplesPerAxis = SAMPLES_PER_AXIS,
  keep = keepNothing,
  edgeSamplesPerAxis = SAMPLES_PER_AXIS,
): Scene {
  const scale = sceneWidthPx / SCENE_WIDTH
  const { artwork, enlarge: enlargeArtwork } = loadArtwork(
    Math.round(measured.artworkWidth * scale),
    Math.round(measured.artworkHeight * scale),
    measured.enlargement,
    keep,
  )
  const inFrame = 'quad' in measured.shape ? mapQuad(measured.shape.quad) : measured.shape.map
  const inArtwork = placeInFrame(measured, inFrame)
  const map: PointMap = (x, y, out) => inArtwork(x / scale, y / scale, out)
  const frameMap: PointMap = (x, y, out) => inFrame(x / scale, y / scale, out)
  const truth = keep.truth(measured.name, () =>
    supersample(
      enlargeArtwork(),
      map,
      sceneWidthPx,
      Math.round(SCENE_HEIGHT * scale),
      background,
      ...(measured.enlargement > 1
        ? ([samplesPerAxis, edgeSamplesPerAxis] as const)
        : ([SAMPLES_PER_AXIS, SAMPLES_PER_AXIS] as const)),
      isRepeated(measured),
    ),
  )
  const framed =
    measured.placement && 'map' in measured.shape
      ? measureCovered(frameMap, truth.widthPx, truth.heightPx)
      : truth.covered
  return { artwork, truth, map, frameMap, framed, scale }
}

/**
 * The share of each pixel of the scene that the frame covers: 16 x 16 points where the centres of pixels
 * around it lie on both sides of an edge.
 */
function measureCovered(frameMap: PointMap, widthPx: number, heightPx: number): Float32Array {
  const at = new Float64Array(2)
  const isCentreInside = new Uint8Array(widthPx * heightPx)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) isCentreInside[i] = frameMap(x + 0.5, y + 0.5, at) ? 1 : 0
  }
  const isNearEdge = (x: number, y: number): boolean => {
    const here = isCentreInside[y * widthPx + x]
    for (let nearY = Math.max(0, y - 1); nearY <= Math.min(heightPx - 1, y + 1); nearY++) {
      for (let nearX = Math.max(0, x - 1); nearX <= Math.min(widthPx - 1, x + 1); nearX++) {
        if (isCentreInside[nearY * widthPx + nearX] !== here) return true
      }
    }
    return false
  }
  const covered = Float32Array.from(isCentreInside)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      if (!isNearEdge(x, y)) continue
      let hits = 0
      for (let point = 0; point < SAMPLES_PER_AXIS ** 2; point++) {
        const px = x + ((point % SAMPLES_PER_AXIS) + 0.5) / SAMPLES_PER_AXIS
        const py = y + (Math.floor(point / SAMPLES_PER_AXIS) + 0.5) / SAMPLES_PER_AXIS
        if (frameMap(px, py, at)) hits++
      }
      covered[i] = hits / SAMPLES_PER_AXIS ** 2
    }
  }
  return covered
}

/** A case made ready to be drawn, with its artwork as the renderer gets it. */
export type PreparedCase = {
  readonly prepared: PreparedTemplate
  readonly artwork: DecodedArtwork
  readonly placements: Placements
}

/** What a mockup of the case is made from, by the engine's own steps. */
export async function prepareCase(measured: FidelityCase, scene: Scene, decode: Decode): Promise<PreparedCase> {
  const { truth, scale } = scene
  const bundle = new MemoryBundle()
  const data = new Uint8Array(truth.widthPx * truth.heightPx * 3)
  for (let i = 0; i < data.length; i++) data[i] = background[i % 3] ?? 0
  bundle.add('scene', { alpha: 'opaque', widthPx: truth.widthPx, heightPx: truth.heightPx, data })
  const frame: Frame = {
    aspectRatio: findFrameRatio(measured),
    placement: { kind: 'uvmap', uvmap: { image: 'map', region: null } },
    mask: null,
    opacity: 1,
    slot: null,
    blendMode: null,
    fill: 1,
    inner: [],
    effects: [],
    ...noFilters,
    surface: null,
    surfaceColor: { red: 255, green: 255, blue: 255 },
    lighting: null,
    darkLighting: null,
  }
  let placed: Frame
  if ('quad' in measured.shape) {
    const [a, b, c, d] = measured.shape.quad
    const corner = ([x, y]: readonly [number, number]): readonly [number, number] => [x * scale, y * scale]
    placed = { ...frame, placement: { kind: 'corners', corners: [corner(a), corner(b), corner(c), corner(d)] } }
  } else {
    bundle.add('map', buildStoredMap(scene.frameMap, truth.widthPx, truth.heightPx))
    const coverage = Uint8Array.from(scene.framed, share => Math.round(share * 255))
    bundle.add('mask', { alpha: 'coverage', widthPx: truth.widthPx, heightPx: truth.heightPx, data: coverage })
    placed = { ...frame, mask: { image: 'mask', region: null } }
  }
  const template: Template = {
    format: 1,
    id: measured.name,
    name: measured.name,
    category: 'test',
    type: 'print',
    surfaceType: null,
    renderMode: placed.placement.kind,
    blendMode: 'normal',
    scene: 'scene',
    tone: 'srgb',
    frames: [placed],
    colors: [],
    overlays: [],
    stack: null,
    maxWidth: null,
    thumbnail: null,
    drawing: null,
    sharesBundle: false,
  }
  const prepared = await prepareTemplate(template, bundle, truth.widthPx, bundle.codec())
  const [only] = prepared.frames
  if (!only) throw new Error('the template lost its frame')
  const placements = { all: measured.placement }
  const target = findDecodeTarget(only, scene.artwork.widthPx, scene.artwork.heightPx, measured.placement)
  return { prepared, artwork: await decode(scene.artwork, target), placements }
}

/** Our picture of a case: by the kernel, as the service draws it, or with `null` by the plain reference. */
export function drawCase({ prepared, artwork, placements }: PreparedCase, kernel: FrameKernel | null): OpaquePixmap {
  return composeMockup(prepared, [artwork], kernel, null, placements)
}

/** The map as a bundle stores it: 16 bits at half the scene's resolution, at pixel centres. */
function buildStoredMap(map: PointMap, sceneWidthPx: number, sceneHeightPx: number): UvPixmap {
  const widthPx = Math.ceil(sceneWidthPx / 2)
  const heightPx = Math.ceil(sceneHeightPx / 2)
  const data = new Uint16Array(widthPx * heightPx * 3)
  const at = new Float64Array(2)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i += 3) {
      const inside = map(((x + 0.5) * sceneWidthPx) / widthPx, ((y + 0.5) * sceneHeightPx) / heightPx, at)
      if (!inside) continue
      data[i] = Math.round((at[0] ?? 0) * 65535)
      data[i + 1] = Math.round((at[1] ?? 0) * 65535)
      data[i + 2] = 65535
    }
  }
  return { alpha: 'uv', widthPx, heightPx, hasCoverage: false, data }
}

export type Scores = { readonly insideDb: number; readonly edgeDb: number; readonly ssim: number }

/** Which of a truth's pixels are compared. */
type Zones = {
  /** pixels inside the frame, 2 and more from its edge */
  readonly inside: Uint32Array
  /** pixels along its edges, within 2 of them */
  readonly edge: Uint32Array
  /** first pixels of the windows of SSIM: 8 x 8 pixels, every 4, wholly inside */
  readonly windows: Uint32Array
}

/** Kept, because many pictures are compared with one truth. */
const zonesOfTruth = new WeakMap<Truth, Zones>()

function findZones(truth: Truth): Zones {
  const known = zonesOfTruth.get(truth)
  if (known) return known
  const { widthPx, heightPx, covered } = truth
  const isInside = new Uint8Array(widthPx * heightPx)
  const inside: number[] = []
  const edge: number[] = []
  for (let y = 2; y < heightPx - 2; y++) {
    for (let x = 2; x < widthPx - 2; x++) {
      let least = 1
      let greatest = 0
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          const share = covered[(y + dy) * widthPx + x + dx] ?? 0
          least = Math.min(least, share)
          greatest = Math.max(greatest, share)
        }
      }
      const i = y * widthPx + x
      if (least === 1) {
        isInside[i] = 1
        inside.push(i)
      } else if (greatest > 0) edge.push(i)
    }
  }
  const windows: number[] = []
  for (let y = 0; y + 8 <= heightPx; y += 4) {
    for (let x = 0; x + 8 <= widthPx; x += 4) {
      const corners = [y * widthPx + x, y * widthPx + x + 7, (y + 7) * widthPx + x, (y + 7) * widthPx + x + 7]
      if (corners.every(i => isInside[i] === 1)) windows.push(y * widthPx + x)
    }
  }
  const zones = { inside: Uint32Array.from(inside), edge: Uint32Array.from(edge), windows: Uint32Array.from(windows) }
  zonesOfTruth.set(truth, zones)
  return zones
}

/** PSNR inside the frame and along its edges, and mean SSIM of the luma inside. */
export function scorePicture(data: ArrayLike<number>, truth: Truth): Scores {
  const { inside, edge, windows } = findZones(truth)
  return {
    insideDb: measurePsnr(data, truth, inside),
    edgeDb: measurePsnr(data, truth, edge),
    ssim: measureSsim(data, truth, windows),
  }
}

function measurePsnr(data: ArrayLike<number>, truth: Truth, pixels: Uint32Array): number {
  let squares = 0
  for (const pixel of pixels) {
    for (let i = 3 * pixel; i < 3 * pixel + 3; i++) squares += ((data[i] ?? 0) - (truth.data[i] ?? 0)) ** 2
  }
  return 10 * Math.log10((65025 * 3 * pixels.length) / Math.max(1e-9, squares))
}

/** SSIM (Wang et al. 2004, 8 x 8 windows) of luma. */
function measureSsim(data: ArrayLike<number>, truth: Truth, windows: Uint32Array): number {
  const luma = (values: ArrayLike<number>, i: number): number =>
    0.299 * (values[3 * i] ?? 0) + 0.587 * (values[3 * i + 1] ?? 0) + 0.114 * (values[3 * i + 2] ?? 0)
  let total = 0
  for (const first of windows) {
    let a = 0
    let b = 0
    let aa = 0
    let bb = 0
    let ab = 0
    for (let dy = 0; dy < 8; dy++) {
      for (let dx = 0; dx < 8; dx++) {
        const i = first + dy * truth.widthPx + dx
        const p = luma(data, i)
        const q = luma(truth.data, i)
        a += p
        b += q
        aa += p * p
        bb += q * q
        ab += p * q
      }
    }
    a /= 64
    b /= 64
    const varianceA = aa / 64 - a * a
    const varianceB = bb / 64 - b * b
    const covariance = ab / 64 - a * b
    total +=
      ((2 * a * b + 6.5025) * (2 * covariance + 58.5225)) /
      ((a * a + b * b + 6.5025) * (varianceA + varianceB + 58.5225))
  }
  return total / Math.max(1, windows.length)
}
