import { GREATEST_LEVEL, TEXTURE_PAD } from '../../kernels/assembly/frame/constants.ts'
import { SLACK_BYTES } from '../../kernels/assembly/frame/layout.ts'
import type { DecodedArtwork } from '../codec.ts'
import type { Rect } from '../geometry/rect.ts'
import { findReduction } from '../sampling/sample-chunk.ts'
import type { SamplingPlan } from '../sampling/sampling-plan.ts'
import { findParentLevel, type TextureMapping } from '../sampling/texture.ts'
import { alignAddress as align } from './align-address.ts'
import type { KernelInstance } from './kernel-instance.ts'
import type { KernelLevel } from './kernel-level.ts'
import { canGoOn, type Rows, TextureWindow, type WindowPlan } from './texture-window.ts'

/** An artwork in the kernel's memory. Known by its object, which never changes. */
export type LoadedTexture = {
  readonly artwork: WeakRef<DecodedArtwork>
  readonly rect: Rect
  readonly wraps: boolean
  /** by levelU * (GREATEST_LEVEL + 1) + levelV */
  readonly levels: (KernelLevel | undefined)[]
  /** address behind the last level */
  end: number
}

/** Rows of an artwork that a window left in the kernel's memory. */
type LeftRows = { readonly artwork: WeakRef<DecodedArtwork>; readonly rect: Rect; readonly rows: Rows }

/** The artwork that was drawn last and its levels, in the frame kernel's memory from `start` on. */
export class FrameTextures {
  readonly #instance: KernelInstance
  readonly #start: number
  readonly #premultiply
  readonly #padLevel
  readonly #halveAcross
  readonly #halveDown
  #loaded: LoadedTexture | null = null
  #left: LeftRows | null = null

  constructor(instance: KernelInstance, start: number) {
    this.#instance = instance
    this.#start = start
    this.#premultiply = instance.function('premultiply')
    this.#padLevel = instance.function('padLevel')
    this.#halveAcross = instance.function('halveAcross')
    this.#halveDown = instance.function('halveDown')
  }

  /** Loads the artwork and the levels that the plan reads, unless they are in memory already. */
  load(artwork: DecodedArtwork, mapping: TextureMapping, plan: SamplingPlan): LoadedTexture {
    const { rect } = mapping
    const wraps = plan.map.kind === 'grid' && plan.map.wrapsU
    const isKept = this.#loaded !== null && isSame(this.#loaded, artwork, rect, wraps)
    const texture: LoadedTexture =
      isKept && this.#loaded
        ? { ...this.#loaded }
        : { artwork: new WeakRef(artwork), rect, wraps, levels: [], end: this.#start }
    const added: number[] = []
    const add = (levelU: number, levelV: number): KernelLevel => {
      const key = levelU * (GREATEST_LEVEL + 1) + levelV
      const known = texture.levels[key]
      if (known) return known
      let { widthPx, heightPx } = rect
      if (levelU > 0 || levelV > 0) {
        const parent = findParentLevel(levelU, levelV)
        const size = add(parent.levelU, parent.levelV)
        widthPx = parent.halvesU ? (size.widthPx + 1) >> 1 : size.widthPx
        heightPx = parent.halvesU ? size.heightPx : (size.heightPx + 1) >> 1
      }
      const strideBytes = (widthPx + 2 * TEXTURE_PAD) * 4
      const start = texture.end
      const level = { widthPx, heightPx, strideBytes, start }
      // Texels ahead are touched up to 4 rows past the end.
      texture.end = align(start + strideBytes * (heightPx + 2 * TEXTURE_PAD + 4) + SLACK_BYTES)
      texture.levels[key] = level
      added.push(key)
      return level
    }
    const base = add(0, 0)
    // Most plans need no other level anywhere: then no chunk is looked at.
    const greatest = findReduction(mapping, plan.greatestScaleU, plan.greatestScaleV)
    const chunkCount = greatest.levelX > 0 || greatest.levelY > 0 ? plan.chunkCount : 0
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      const { levelX, levelY } = findReduction(mapping, plan.chunkScaleU[chunk] ?? 0, plan.chunkScaleV[chunk] ?? 0)
      if (levelX > 0 || levelY > 0) add(levelX, levelY)
    }
    // Known only once all of it is made: memory may be refused.
    this.#loaded = null
    this.#left = null
    this.#instance.reserve(texture.end)
    if (!isKept) this.#loadBase(artwork, rect, base)
    for (const key of added) {
      const level = texture.levels[key] ?? base
      if (key > 0) {
        const parent = findParentLevel(Math.floor(key / (GREATEST_LEVEL + 1)), key % (GREATEST_LEVEL + 1))
        const source = texture.levels[parent.levelU * (GREATEST_LEVEL + 1) + parent.levelV] ?? base
        const halve = parent.halvesU ? this.#halveAcross : this.#halveDown
        halve(originOf(source), source.strideBytes, originOf(level), level.strideBytes, level.widthPx, level.heightPx)
      }
      this.#padLevel(originOf(level), level.strideBytes, level.widthPx, level.heightPx, wraps ? 1 : 0)
    }
    this.#loaded = texture
    return texture
  }

  /** Rows of an artwork as they are needed, instead of what was loaded. Rows in memory are kept. */
  openWindow(artwork: DecodedArtwork, plan: WindowPlan): TextureWindow {
    const left = this.#left
    this.#loaded = null
    this.#left = null
    const goesOn = left?.artwork.deref() === artwork && isSameRect(left.rect, plan.rect) && canGoOn(left.rows, plan)
    return new TextureWindow(this.#instance, this.#start, artwork, plan, goesOn ? left.rows : { first: 0, end: 0 })
  }

  /** The rows that a window has loaded stay for the next frame. */
  closeWindow(artwork: DecodedArtwork, { rect }: WindowPlan, { rows }: TextureWindow): void {
    this.#left = { artwork: new WeakRef(artwork), rect, rows }
  }

  #loadBase(artwork: DecodedArtwork, rect: Rect, base: KernelLevel): void {
    const { bytes } = this.#instance
    for (let y = 0; y < base.heightPx; y++) {
      const from = ((rect.top + y) * artwork.widthPx + rect.left) * 4
      const to = originOf(base) + y * base.strideBytes
      bytes.set(artwork.data.subarray(from, from + base.widthPx * 4), to)
      if (!artwork.isOpaque) this.#premultiply(to, base.widthPx)
    }
  }
}

/** Address of texel (0, 0). */
function originOf({ start, strideBytes }: KernelLevel): number {
  return start + TEXTURE_PAD * strideBytes + TEXTURE_PAD * 4
}

function isSame(loaded: LoadedTexture, artwork: DecodedArtwork, rect: Rect, wraps: boolean): boolean {
  return loaded.artwork.deref() === artwork && loaded.wraps === wraps && isSameRect(loaded.rect, rect)
}

function isSameRect(a: Rect, b: Rect): boolean {
  return a.left === b.left && a.top === b.top && a.widthPx === b.widthPx && a.heightPx === b.heightPx
}
