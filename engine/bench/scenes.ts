import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Point, Quad } from '../src/geometry/quad.ts'
import { type ImageCodec, type PreparedTemplate, prepareTemplate } from '../src/index.ts'
import type { UvPixmap } from '../src/pixmap.ts'
import type { Frame } from '../src/template/template.ts'
import { buildFrame, buildTemplate } from '../test/properties/build-template.ts'
import { MemoryBundle } from '../test/reference/memory-codec.ts'

/** A benchmark's scene: frames of shape 2:3 that cover a share of a picture of shape 4:5. */
export type SceneKind = {
  readonly widthPx: number
  /** share of the picture that all frames together cover, 0..1 */
  readonly share: number
  readonly frames: 1 | 3
  readonly placement: 'corners' | 'map'
}

const sceneFile = path.resolve(import.meta.dirname, '../../templates/oak-frame-portrait/scene.webp')

export function nameScene({ widthPx, share, frames, placement }: SceneKind): string {
  return `q${Math.round(share * 100)} ${placement}${frames === 1 ? '' : `, ${frames} frames`}, ${widthPx} px`
}

/** The frames' quads: seen slightly from the side, one in the middle or three in a row. */
export function placeFrames({ widthPx, share, frames }: SceneKind): readonly Quad[] {
  const heightPx = Math.round(widthPx * 1.25)
  const area = (share * widthPx * heightPx) / frames
  const width = Math.min(Math.sqrt((area * 2) / 3), (widthPx / frames) * 0.94)
  const height = area / width
  const at = (x: number, y: number): Point => [x, y]
  const slant = width * 0.012
  return Array.from({ length: frames }, (_, index) => {
    const left = (widthPx * (index + 0.5)) / frames - width / 2
    const top = (heightPx - height) / 2
    return [
      at(left, top + slant),
      at(left + width, top - slant),
      at(left + width + slant / 2, top + height + slant),
      at(left - slant / 2, top + height - slant),
    ]
  })
}

/** Gentle folds inside the rectangle round a quad, at half the scene's resolution. */
function buildMap(quad: Quad, widthPx: number, heightPx: number): UvPixmap {
  const xs = quad.map(corner => corner[0])
  const ys = quad.map(corner => corner[1])
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const width = Math.ceil(widthPx / 2)
  const height = Math.ceil(heightPx / 2)
  const data = new Uint16Array(width * height * 3)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) {
      const px = ((x + 0.5) * 2 - left) / (right - left)
      const py = ((y + 0.5) * 2 - top) / (bottom - top)
      if (px < 0 || px > 1 || py < 0 || py > 1) continue
      const u = px + 0.012 * Math.sin(9 * py + 3 * px)
      const v = py + 0.012 * Math.sin(7 * px - 4 * py)
      data[i] = Math.round(Math.max(0, Math.min(1, u)) * 65535)
      data[i + 1] = Math.round(Math.max(0, Math.min(1, v)) * 65535)
      data[i + 2] = 65535
    }
  }
  return { alpha: 'uv', widthPx: width, heightPx: height, hasCoverage: true, data }
}

/** A template of that kind around the starter pack's oak frame scene, artwork multiplied into it. */
export async function prepareScene(kind: SceneKind, codec: ImageCodec): Promise<PreparedTemplate> {
  const bundle = new MemoryBundle()
  const stored = await codec.decodeLayer(readFileSync(sceneFile), 'rgb')
  const widthPx = Math.min(kind.widthPx, stored.widthPx, Math.floor(stored.heightPx * 0.8))
  const heightPx = Math.round(widthPx * 1.25)
  bundle.add('scene', await codec.resize(stored, widthPx, heightPx))
  const frames = placeFrames({ ...kind, widthPx }).map((quad, index): Frame => {
    if (kind.placement === 'corners') return buildFrame(2 / 3, { kind: 'corners', corners: quad })
    const image = bundle.add(`map-${index}`, buildMap(quad, widthPx, heightPx))
    return buildFrame(2 / 3, { kind: 'uvmap', uvmap: { image, region: null } })
  })
  const template = buildTemplate(frames, { blendMode: 'multiply' })
  const layers = bundle.codec()
  return prepareTemplate(template, bundle, kind.widthPx, {
    ...codec,
    decodeLayer: (bytes, layerKind) => layers.decodeLayer(bytes, layerKind),
  })
}
