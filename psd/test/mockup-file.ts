import { encodePng } from '@vitrine/engine'
import type { Layer, Psd } from 'ag-psd'
import { CONTENT_ID, paint, pixelLayer, type Rgba, smartLayer, writePsd } from './make-psd.ts'

export const MOCKUP_WIDTH = 96
export const MOCKUP_HEIGHT = 72

/** Where the design lies: 48 x 36 pixels at (20, 16), not scaled. */
const { left, top, width, height } = { left: 20, top: 16, width: 48, height: 36 } as const

const groundAt = (x: number, y: number): Rgba => [200 - x, 180 - y, 150]
const designAt = (x: number, y: number): Rgba => [60 + 3 * x, 250 - 4 * y, 120]
const glassAt = (x: number): Rgba => [255, 255, 255, 2 * x]

/** The design as the smart object embeds it. */
export const designPng: Uint8Array = await encodePng({
  widthPx: width,
  heightPx: height,
  channels: 4,
  samples: new Uint8Array(paint(width, height, designAt).data),
})

/** What Photoshop shows: the design multiplied on the ground, the glass over all. */
function shownAt(x: number, y: number): Rgba {
  const ground = groundAt(x, y)
  const isDesign = x >= left && x < left + width && y >= top && y < top + height
  const color = designAt(x - left, y - top)
  const alpha = (2 * x) / 255
  const channel = (c: 0 | 1 | 2): number => {
    const below = isDesign ? (ground[c] * color[c]) / 255 : ground[c]
    return Math.round(below + alpha * (255 - below))
  }
  return [channel(0), channel(1), channel(2)]
}

/** A layer in so many isolated groups. */
function nest(layer: Layer, depth: number): Layer {
  if (depth === 0) return layer
  return { name: `group ${depth}`, blendMode: 'multiply', opacity: 0.5, children: [nest(layer, depth - 1)] }
}

/** `depth`: of isolated groups around the design. */
export function nestedMockupPsd(depth: number): Uint8Array {
  return mockupPsd({ depth })
}

/** A small mockup: a ground, a design in multiply, glass above. `merged`: what is said to be the whole. */
export function mockupPsd(
  options: {
    readonly merged?: (x: number, y: number) => Rgba
    readonly design?: Layer
    readonly above?: Layer[]
    readonly depth?: number
    readonly filterMasks?: Psd['filterEffectsMasks']
  } = {},
): Uint8Array {
  const corners = [left, top, left + width, top, left + width, top + height, left, top + height] as const
  const look: Layer = { blendMode: 'multiply', ...options.design }
  const layers = [
    pixelLayer('ground', 0, 0, paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, groundAt)),
    nest(smartLayer('Your design here', corners, { width, height }, look), options.depth ?? 0),
    ...(options.above ?? [pixelLayer('glass', 0, 0, paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, glassAt))]),
  ]
  return writePsd(MOCKUP_WIDTH, MOCKUP_HEIGHT, layers, {
    merged: paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, options.merged ?? shownAt),
    linked: [{ id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng }],
    ...(options.filterMasks ? { filterEffectsMasks: options.filterMasks } : {}),
  })
}
