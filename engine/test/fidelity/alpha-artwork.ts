import type { FrameKernel } from '../../src/kernels/frame-kernel.ts'
import type { StraightPixmap } from '../../src/pixmap.ts'
import { buildDetailArtwork } from '../reference/detail-artwork.ts'
import { enlarge } from '../reference/enlarge.ts'
import { supersample } from '../reference/supersample.ts'
import { type FidelityCase, mapQuad, SCENE_HEIGHT, SCENE_WIDTH } from './cases.ts'
import { decodeAsJpeg } from './decode-as-jpeg.ts'
import { decodeAsWebp } from './decode-as-webp.ts'
import { decodeWithSharp } from './decode-with-sharp.ts'
import {
  background,
  type Decode,
  drawCase,
  prepareCase,
  SAMPLES_PER_AXIS,
  type Scene,
  type Scores,
  scorePicture,
} from './measure-case.ts'
import type { AlphaRow } from './page.ts'

/** What is stored in pixels of alpha 0: black, or a colour that must never be seen. */
export type Hidden = 'clear' | 'color'

export type AlphaScene = {
  /** with the artwork drawn over the background, opaque, as a JPEG must be */
  readonly opaque: Scene
  /** with the artwork that has alpha; the truth is the same */
  readonly withAlpha: Readonly<Record<Hidden, Scene>>
}

const hiddenColor = [255, 0, 255] as const

/**
 * The detail artwork cut to stripes and discs, whose edges are one pixel to a twentieth of the width soft.
 */
function cutOut({ widthPx, heightPx, data }: StraightPixmap): Float64Array {
  const alphas = new Float64Array(data.length / 4)
  const discs = Array.from({ length: 24 }, (_, i) => ({
    x: widthPx * (0.12 + 0.25 * (i % 4)),
    y: heightPx * (0.08 + 0.165 * Math.floor(i / 4)),
    radius: widthPx * 0.11,
    softPx: 1 + (i / 24) ** 2 * widthPx * 0.05,
  }))
  for (const disc of discs) {
    const reachPx = disc.radius + disc.softPx
    const bottom = Math.min(heightPx, Math.ceil(disc.y + reachPx))
    const right = Math.min(widthPx, Math.ceil(disc.x + reachPx))
    for (let y = Math.max(0, Math.floor(disc.y - reachPx)); y < bottom; y++) {
      for (let x = Math.max(0, Math.floor(disc.x - reachPx)); x < right; x++) {
        const inside = disc.radius - Math.sqrt((x + 0.5 - disc.x) ** 2 + (y + 0.5 - disc.y) ** 2)
        const alpha = Math.round(Math.min(1, Math.max(0, inside / disc.softPx + 0.5)) * 255) / 255
        const i = y * widthPx + x
        alphas[i] = Math.max(alphas[i] ?? 0, alpha)
      }
    }
  }
  return alphas
}

/** A case whose artwork has soft edges, and the picture as it ought to be. */
export function buildAlphaScene(
  measured: FidelityCase,
  sceneWidthPx: number,
  samplesPerAxis = SAMPLES_PER_AXIS,
): AlphaScene {
  const scale = sceneWidthPx / SCENE_WIDTH
  const size = [Math.round(measured.artworkWidth * scale), Math.round(measured.artworkHeight * scale)] as const
  const detail = buildDetailArtwork(...size)
  const alphas = cutOut(detail)
  const draw = (at: (i: number, channel: number, alpha: number) => number): StraightPixmap => ({
    ...detail,
    data: detail.data.map((_, i) => Math.round(at(i, i & 3, alphas[i >> 2] ?? 0))),
  })
  const opaque = draw((i, channel, alpha) =>
    channel === 3 ? 255 : (detail.data[i] ?? 0) * alpha + (background[channel] ?? 0) * (1 - alpha),
  )
  const cut = (hidden: Hidden): StraightPixmap =>
    draw((i, channel, alpha) => {
      if (channel === 3) return alpha * 255
      if (alpha > 0) return detail.data[i] ?? 0
      return hidden === 'clear' ? 0 : (hiddenColor[channel] ?? 0)
    })
  const inUnits = 'quad' in measured.shape ? mapQuad(measured.shape.quad) : measured.shape.map
  const map: Scene['map'] = (x, y, out) => inUnits(x / scale, y / scale, out)
  const truth = supersample(
    enlarge(opaque, measured.enlargement),
    map,
    sceneWidthPx,
    Math.round(SCENE_HEIGHT * scale),
    background,
    measured.enlargement > 1 ? samplesPerAxis : SAMPLES_PER_AXIS,
    SAMPLES_PER_AXIS,
  )
  const scene = (artwork: StraightPixmap): Scene => ({
    artwork,
    truth,
    map,
    frameMap: map,
    framed: truth.covered,
    scale,
  })
  return { opaque: scene(opaque), withAlpha: { clear: scene(cut('clear')), color: scene(cut('color')) } }
}

/** Scores of a case with soft edges, as PNGs and a WebP with alpha and as a JPEG. */
export async function measureAlpha(
  measured: FidelityCase,
  { opaque, withAlpha }: AlphaScene,
  kernel: FrameKernel,
): Promise<AlphaRow> {
  const score = async (scene: Scene, decode: Decode): Promise<Scores> =>
    scorePicture(drawCase(await prepareCase(measured, scene, decode), kernel).data, scene.truth)
  return {
    measured,
    overClear: await score(withAlpha.clear, decodeWithSharp),
    overColor: await score(withAlpha.color, decodeWithSharp),
    asWebp: await score(withAlpha.clear, decodeAsWebp),
    asJpeg: await score(opaque, decodeAsJpeg),
  }
}
