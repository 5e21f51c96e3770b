import type { Rect } from '@vitrine/engine'
import type { AdjustmentLayer, BlendMode, Layer, LayerMaskData } from 'ag-psd'
import { paint, pixelLayer, smartLayer, writePsd } from './make-psd.ts'
import type { Random } from './random.ts'

/** Canvas of the random trees, in pixels. */
export const TREE_WIDTH = 40
export const TREE_HEIGHT = 32

/** The smart object of a tree. */
export const treeDesign: Rect = { left: 6, top: 5, widthPx: 24, heightPx: 20 }

/** What the layers of trees may be. */
export type TreeKinds = {
  readonly modes: readonly [BlendMode, ...BlendMode[]]
  readonly adjustments: readonly [AdjustmentLayer, ...AdjustmentLayer[]]
  /** whether layers have ranges of "Blend If" */
  readonly hasRanges?: boolean
}

/** Where colours change little, results change little: half a step of rounding stays small. */
export const smoothKinds: TreeKinds = {
  modes: [
    'normal',
    'normal',
    'multiply',
    'multiply',
    'screen',
    'overlay',
    'soft light',
    'linear burn',
    'linear light',
    'luminosity',
    'darken',
  ],
  adjustments: [
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
  ],
}

/** With a mode and an adjustment whose results jump. */
export const allKinds: TreeKinds = {
  modes: [...smoothKinds.modes, 'color dodge'],
  adjustments: [...smoothKinds.adjustments, { type: 'threshold', level: 110 }],
  hasRanges: true,
}

/** A file with a random tree of layers, a smart object somewhere in it. */
export function randomTree(random: Random, kinds: TreeKinds = allKinds): Uint8Array {
  return new TreeMaker(random, kinds).make()
}

class TreeMaker {
  readonly #random: Random
  readonly #kinds: TreeKinds

  constructor(random: Random, kinds: TreeKinds) {
    this.#random = random
    this.#kinds = kinds
  }

  make(): Uint8Array {
    const ground = pixelLayer('ground', 0, 0, this.#picture(TREE_WIDTH, TREE_HEIGHT, false))
    return writePsd(TREE_WIDTH, TREE_HEIGHT, [ground, ...this.#layers(2, true)])
  }

  #picture(width: number, height: number, hasAlpha: boolean) {
    const random = this.#random
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

  #mask(): LayerMaskData {
    const imageData = paint(TREE_WIDTH, TREE_HEIGHT, () => {
      const value = this.#random.next() < 0.5 ? 255 : this.#random.below(256)
      return [value, value, value]
    })
    return { top: 0, left: 0, bottom: TREE_HEIGHT, right: TREE_WIDTH, defaultColor: 0, imageData }
  }

  /** Of a layer's own colours and of those below it, in gray and in one channel. */
  #ranges(): NonNullable<Layer['blendingRanges']> {
    const range = (): number[] => Array.from({ length: 4 }, () => this.#random.below(256)).toSorted((a, b) => a - b)
    const all = [0, 0, 255, 255]
    const ranges = [0, 1, 2, 3].map(channel => ({ sourceRange: all, destRange: channel === 1 ? range() : all }))
    return { compositeGrayBlendSource: range(), compositeGraphBlendDestinationRange: range(), ranges }
  }

  #look(): Layer {
    const random = this.#random
    const opacity = random.next() < 0.5 ? 1 : random.below(256) / 255
    const fillOpacity = random.next() < 0.8 ? 1 : random.below(256) / 255
    return {
      blendMode: random.pick(this.#kinds.modes),
      opacity,
      fillOpacity,
      ...(random.next() < 0.3 ? { mask: this.#mask() } : {}),
      ...(this.#kinds.hasRanges && random.next() < 0.2 ? { blendingRanges: this.#ranges() } : {}),
    }
  }

  #pixels(): Layer {
    const random = this.#random
    const [width, height] = [8 + random.below(30), 8 + random.below(22)]
    const [left, top] = [random.below(TREE_WIDTH - width), random.below(TREE_HEIGHT - height)]
    return pixelLayer('pixels', left, top, this.#picture(width, height, true), this.#look())
  }

  #adjustment(): Layer {
    return {
      name: 'adjustment',
      ...this.#look(),
      fillOpacity: 1,
      adjustment: this.#random.pick(this.#kinds.adjustments),
    }
  }

  #smart(): Layer {
    const { left, top, widthPx, heightPx } = treeDesign
    const [right, bottom] = [left + widthPx, top + heightPx]
    const corners = [left, top, right, top, right, bottom, left, bottom] as const
    return smartLayer('Your design', corners, { width: widthPx, height: heightPx }, this.#look())
  }

  #group(depth: number, hasSmart: boolean): Layer {
    return {
      name: 'group',
      ...this.#look(),
      fillOpacity: 1,
      ...(this.#random.next() < 0.5 ? { blendMode: 'pass through' as const } : {}),
      children: this.#layers(depth - 1, hasSmart),
    }
  }

  #layers(depth: number, hasSmart: boolean): Layer[] {
    const random = this.#random
    const count = 2 + random.below(4)
    const smartAt = hasSmart ? random.below(count) : -1
    const layers: Layer[] = []
    for (let i = 0; i < count; i++) {
      const isGroup = depth > 0 && random.next() < (i === smartAt ? 0.6 : 0.15)
      const layer = isGroup
        ? this.#group(depth, i === smartAt)
        : i === smartAt
          ? this.#smart()
          : random.next() < 0.2
            ? this.#adjustment()
            : this.#pixels()
      const below = layers.at(-1)
      const isBase = below && (below.clipping || (!below.adjustment && below.blendMode !== 'pass through'))
      if (isBase && !layer.children && random.next() < 0.25) layer.clipping = true
      layers.push(layer)
    }
    return layers
  }
}
