import type { DecodedArtwork } from '../../src/codec.ts'
import type { FrameKernel } from '../../src/kernels/frame-kernel.ts'
import type { OpaquePixmap, StraightPixmap, UvPixmap } from '../../src/pixmap.ts'
import { composeMockup, findDecodeTarget } from '../../src/render.ts'
import { type PreparedTemplate, prepareTemplate } from '../../src/template/prepare-template.ts'
import type { Frame, Template } from '../../src/template/template.ts'
import { buildDetailArtwork } from '../reference/detail-artwork.ts'
import { enlarge } from '../reference/enlarge.ts'
import { MemoryBundle } from '../reference/memory-codec.ts'
import { type PointMap, supersample, type Truth } from '../reference/supersample.ts'
import { type FidelityCase, mapQuad, SCENE_HEIGHT, SCENE_WIDTH } from './cases.ts'

/** How artwork is reduced before sampling: the codec under test. */
export type Decode = (artwork: StraightPixmap, minWidthPx: number, minHeightPx: number) => Promise<DecodedArtwork>

export type Scene = {
  readonly artwork: StraightPixmap
  readonly truth: Truth
  readonly map: PointMap
  readonly scale: number
}

const BACKGROUND = [206, 198, 186] as const

type DetailArtwork = { readonly artwork: StraightPixmap; readonly enlarged: StraightPixmap }

/** The artwork of the case before, which often serves the next: drawing it takes as long as truth itself. */
let lastArtwork: (DetailArtwork & { readonly factor: number }) | null = null

function loadArtwork(widthPx: number, heightPx: number, factor: number): DetailArtwork {
  const isLast =
    lastArtwork?.artwork.widthPx === widthPx &&
    lastArtwork.artwork.heightPx === heightPx &&
    lastArtwork.factor === factor
  if (lastArtwork && isLast) return lastArtwork
  // First, so that two large ones are never in memory at once.
  lastArtwork = null
  const artwork = buildDetailArtwork(widthPx, heightPx)
  lastArtwork = { artwork, enlarged: enlarge(artwork, factor), factor }
  return lastArtwork
}

/** Points per axis of a pixel along the frame's edges, and everywhere where the artwork is not between its own pixels. */
const SAMPLES_PER_AXIS = 16

/**
 * The artwork and the truth of a case at a scene width. `samplesPerAxis` may be less than 16 inside the frame where the artwork's pixels are larger than the
 * scene's or nearly as large: 8 differ from 16 by 0.2 dB there.
 */
export function buildScene(measured: FidelityCase, sceneWidthPx: number, samplesPerAxis = SAMPLES_PER_AXIS): Scene {
  const scale = sceneWidthPx / SCENE_WIDTH
  const { artwork, enlarged } = loadArtwork(
    Math.round(measured.artworkWidth * scale),
    Math.round(measured.artworkHeight * scale),
    measured.enlargement,
  )
  const inUnits = 'quad' in measured.shape ? mapQuad(measured.shape.quad) : measured.shape.map
  const map: PointMap = (x, y, out) => inUnits(x / scale, y / scale, out)
  const truth = supersample(
    enlarged,
    map,
    sceneWidthPx,
    Math.round(SCENE_HEIGHT * scale),
    BACKGROUND,
    measured.enlargement > 1 ? samplesPerAxis : SAMPLES_PER_AXIS,
    SAMPLES_PER_AXIS,
  )
  return { artwork, truth, map, scale }
}

/** A case made ready to be drawn, with its artwork as the renderer gets it. */
export type PreparedCase = { readonly prepared: PreparedTemplate; readonly artwork: DecodedArtwork }

/** What a mockup of the case is made from, by the engine's own steps. */
export async function prepareCase(measured: FidelityCase, scene: Scene, decode: Decode): Promise<PreparedCase> {
  const { truth, scale } = scene
  const bundle = new MemoryBundle()
  const data = new Uint8Array(truth.widthPx * truth.heightPx * 3)
  for (let i = 0; i < data.length; i++) data[i] = BACKGROUND[i % 3] ?? 0
  bundle.add('scene', { alpha: 'opaque', widthPx: truth.widthPx, heightPx: truth.heightPx, data })
  const frame: Frame = {
    aspectRatio: measured.artworkWidth / measured.artworkHeight,
    placement: { kind: 'uvmap', uvmap: { image: 'map', region: null } },
    mask: null,
    opacity: 1,
    surfaceColor: { red: 255, green: 255, blue: 255 },
    lighting: null,
  }
  let placed: Frame
  if ('quad' in measured.shape) {
    const [a, b, c, d] = measured.shape.quad
    const corner = ([x, y]: readonly [number, number]): readonly [number, number] => [x * scale, y * scale]
    placed = { ...frame, placement: { kind: 'corners', corners: [corner(a), corner(b), corner(c), corner(d)] } }
  } else {
    bundle.add('map', buildStoredMap(scene.map, truth.widthPx, truth.heightPx))
    const coverage = Uint8Array.from(truth.covered, share => Math.round(share * 255))
    bundle.add('mask', { alpha: 'coverage', widthPx: truth.widthPx, heightPx: truth.heightPx, data: coverage })
    placed = { ...frame, mask: { image: 'mask', region: null } }
  }
  const template: Template = {
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
    overlays: [],
    thumbnail: null,
  }
  const prepared = await prepareTemplate(template, bundle, truth.widthPx, bundle.codec())
  const [only] = prepared.frames
  if (!only) throw new Error('the template lost its frame')
  const target = findDecodeTarget(only, scene.artwork.widthPx, scene.artwork.heightPx)
  return { prepared, artwork: await decode(scene.artwork, target.minWidthPx, target.minHeightPx) }
}

/** Our picture of a case: by the kernel, as the service draws it, or with `null` by the plain reference. */
export function drawCase({ prepared, artwork }: PreparedCase, kernel: FrameKernel | null): OpaquePixmap {
  return composeMockup(prepared, [artwork], kernel)
}

/** The map as a bundle stores it: 16 bits at half the scene's resolution, at pixel centres, running 2 pixels past the rim (clamped to the artwork). */
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

/** PSNR inside the frame (2 pixels and more from its edge), along its edges (within 2 pixels), and mean SSIM of the luma inside. */
export function scorePicture(data: ArrayLike<number>, truth: Truth): Scores {
  const { widthPx, heightPx, covered } = truth
  const zone = new Uint8Array(widthPx * heightPx)
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
      zone[y * widthPx + x] = least === 1 ? 1 : greatest > 0 ? 2 : 0
    }
  }
  const squares = [0, 0, 0]
  const counts = [0, 0, 0]
  for (let i = 0; i < zone.length; i++) {
    const kind = zone[i] ?? 0
    if (kind === 0) continue
    for (let channel = 0; channel < 3; channel++) {
      const error = (data[3 * i + channel] ?? 0) - (truth.data[3 * i + channel] ?? 0)
      squares[kind] = (squares[kind] ?? 0) + error * error
    }
    counts[kind] = (counts[kind] ?? 0) + 3
  }
  const decibels = (kind: number): number =>
    10 * Math.log10((65025 * (counts[kind] ?? 0)) / Math.max(1e-9, squares[kind] ?? 0))
  return { insideDb: decibels(1), edgeDb: decibels(2), ssim: measureSsim(data, truth, zone) }
}

/** SSIM (Wang et al. 2004, 8 x 8 windows every 4 pixels) of luma over windows inside the frame. */
function measureSsim(data: ArrayLike<number>, truth: Truth, zone: Uint8Array): number {
  const { widthPx, heightPx } = truth
  const luma = (values: ArrayLike<number>, i: number): number =>
    0.299 * (values[3 * i] ?? 0) + 0.587 * (values[3 * i + 1] ?? 0) + 0.114 * (values[3 * i + 2] ?? 0)
  let total = 0
  let windows = 0
  for (let y = 0; y + 8 <= heightPx; y += 4) {
    for (let x = 0; x + 8 <= widthPx; x += 4) {
      const corners = [y * widthPx + x, y * widthPx + x + 7, (y + 7) * widthPx + x, (y + 7) * widthPx + x + 7]
      if (corners.some(i => zone[i] !== 1)) continue
      let a = 0
      let b = 0
      let aa = 0
      let bb = 0
      let ab = 0
      for (let dy = 0; dy < 8; dy++) {
        for (let dx = 0; dx < 8; dx++) {
          const i = (y + dy) * widthPx + x + dx
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
      windows++
    }
  }
  return total / Math.max(1, windows)
}
