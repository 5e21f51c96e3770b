import type { AdjustmentLayer, BlendMode, Layer, LayerMaskData } from 'ag-psd'
import { paint, pixelLayer, smartLayer, writePsd } from './make-psd.ts'
import type { Random } from './random.ts'

/** Canvas of the random trees, in pixels. */
export const TREE_WIDTH = 40
export const TREE_HEIGHT = 32

const modes: readonly [BlendMode, ...BlendMode[]] = [
  'normal',
  'normal',
  'multiply',
  'multiply',
  'screen',
  'overlay',
  'soft light',
  'linear burn',
  'color dodge',
  'linear light',
  'luminosity',
  'darken',
]

function randomPicture(random: Random, width: number, height: number, hasAlpha: boolean) {
  const isSoft = random.next() < 0.5
  const base = [random.below(256), random.below(256), random.below(256)] as const
  const channel = (value: number): number => Math.min(255, Math.max(0, value + (random.next() - 0.5) * 120))
  const alpha = (): number => {
    if (!hasAlpha) return 255
    if (isSoft) return random.below(256)
    return random.next() < 0.8 ? 255 : 0
  }
  return paint(width, height, () => [channel(base[0]), channel(base[1]), channel(base[2]), alpha()])
}

function randomMask(random: Random): LayerMaskData {
  const imageData = paint(TREE_WIDTH, TREE_HEIGHT, () => {
    const value = random.next() < 0.5 ? 255 : random.below(256)
    return [value, value, value]
  })
  return { top: 0, left: 0, bottom: TREE_HEIGHT, right: TREE_WIDTH, defaultColor: 0, imageData }
}

function randomLook(random: Random): Layer {
  const opacity = random.next() < 0.5 ? 1 : random.below(256) / 255
  const fillOpacity = random.next() < 0.8 ? 1 : random.below(256) / 255
  return {
    blendMode: random.pick(modes),
    opacity,
    fillOpacity,
    ...(random.next() < 0.3 ? { mask: randomMask(random) } : {}),
  }
}

function randomPixels(random: Random): Layer {
  const [width, height] = [8 + random.below(30), 8 + random.below(22)]
  const [left, top] = [random.below(TREE_WIDTH - width), random.below(TREE_HEIGHT - height)]
  return pixelLayer('pixels', left, top, randomPicture(random, width, height, true), randomLook(random))
}

const adjustments: readonly [AdjustmentLayer, ...AdjustmentLayer[]] = [
  { type: 'invert' },
  {
    type: 'curves',
    rgb: [
      { input: 0, output: 20 },
      { input: 120, output: 160 },
      { input: 255, output: 240 },
    ],
  },
  { type: 'black & white', reds: 40, yellows: 60, greens: 40, cyans: 60, blues: 20, magentas: 80 },
  { type: 'threshold', level: 110 },
]

function randomAdjustment(random: Random): Layer {
  return {
    name: 'adjustment',
    ...randomLook(random),
    fillOpacity: 1,
    adjustment: random.pick(adjustments),
  }
}

/** The smart object of a tree: 24 x 20 pixels at (6, 5). */
function randomSmart(random: Random): Layer {
  return smartLayer('Your design', [6, 5, 30, 5, 30, 25, 6, 25], { width: 24, height: 20 }, randomLook(random))
}

function randomGroup(random: Random, depth: number, hasSmart: boolean): Layer {
  return {
    name: 'group',
    ...randomLook(random),
    fillOpacity: 1,
    ...(random.next() < 0.5 ? { blendMode: 'pass through' as const } : {}),
    children: randomLayers(random, depth - 1, hasSmart),
  }
}

function randomLayers(random: Random, depth: number, hasSmart: boolean): Layer[] {
  const count = 2 + random.below(4)
  const smartAt = hasSmart ? random.below(count) : -1
  const layers: Layer[] = []
  for (let i = 0; i < count; i++) {
    const isGroup = depth > 0 && random.next() < (i === smartAt ? 0.6 : 0.15)
    const layer = isGroup
      ? randomGroup(random, depth, i === smartAt)
      : i === smartAt
        ? randomSmart(random)
        : random.next() < 0.2
          ? randomAdjustment(random)
          : randomPixels(random)
    const below = layers.at(-1)
    const isBase = below && (below.clipping || (!below.adjustment && below.blendMode !== 'pass through'))
    if (isBase && !layer.children && random.next() < 0.25) layer.clipping = true
    layers.push(layer)
  }
  return layers
}

/** A file with a random tree of layers, a smart object somewhere in it. */
export function randomTree(random: Random): Uint8Array {
  const ground = pixelLayer('ground', 0, 0, randomPicture(random, TREE_WIDTH, TREE_HEIGHT, false))
  return writePsd(TREE_WIDTH, TREE_HEIGHT, [ground, ...randomLayers(random, 2, true)])
}
