import { TEXTURE_PAD } from '../../kernels/assembly/frame/constants.ts'
import { SLACK_BYTES } from '../../kernels/assembly/frame/layout.ts'
import type { DecodedArtwork } from '../codec.ts'
import { isSameRect, type Rect } from '../geometry/rect.ts'
import type { Extension } from '../sampling/extend-texture.ts'
import type { PlacedArtwork } from '../sampling/placed-artwork.ts'
import { findReduction } from '../sampling/sample-chunk.ts'
import type { SamplingPlan } from '../sampling/sampling-plan.ts'
import { findLevelKey, findParentLevel, type TextureMapping } from '../sampling/texture.ts'
import { alignAddress as align } from '../webassembly/align-address.ts'
import type { KernelInstance } from '../webassembly/kernel-instance.ts'
import type { KernelLevel } from './kernel-level.ts'
import { canGoOn, type Rows, TextureWindow, type WindowPlan } from './texture-window.ts'

/** An artwork in the kernel's memory, identified by its object: decoded artwork never changes. */
type LoadedTexture = {
  readonly artwork: WeakRef<DecodedArtwork>
  readonly rect: Rect
  readonly across: Extension
  readonly down: Extension
  /** by findLevelKey */
  readonly levels: (KernelLevel | undefined)[]
  /** address after the last level */
  end: number
}

/** A level to compute by halving another one. */
type LevelToMake = { readonly level: KernelLevel; readonly source: KernelLevel; readonly halvesU: boolean }

/** Rows of an artwork that a window left in the kernel's memory. */
type LeftRows = { readonly artwork: WeakRef<DecodedArtwork>; readonly rect: Rect; readonly rows: Rows }

/** The artwork that was drawn last, in the frame kernel's memory from `start` on. */
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

  /** Frees everything from the returned address on for other work, and forgets what was loaded. */
  takeMemory(): number {
    this.#loaded = null
    this.#left = null
    return this.#start
  }

  /** Loads the levels of an artwork that the plan reads, except those in memory already. */
  load(placed: PlacedArtwork, mapping: TextureMapping, plan: SamplingPlan): LoadedTexture['levels'] {
    const { rect } = mapping
    const { artwork, across, down } = placed
    const kept = this.#loaded !== null && isSame(this.#loaded, placed, rect) ? this.#loaded : null
    const texture = kept ?? { artwork: new WeakRef(artwork), rect, across, down, levels: [], end: this.#start }
    const toMake: LevelToMake[] = []
    const allocate = (levelU: number, levelV: number, widthPx: number, heightPx: number): KernelLevel => {
      const strideBytes = (widthPx + 2 * TEXTURE_PAD) * 4
      const level = { widthPx, heightPx, strideBytes, start: texture.end }
      // The kernel prefetches texels up to 4 rows after the end.
      texture.end = align(texture.end + strideBytes * (heightPx + 2 * TEXTURE_PAD + 4) + SLACK_BYTES)
      texture.levels[findLevelKey(levelU, levelV)] = level
      return level
    }
    const base = texture.levels[0] ?? allocate(0, 0, rect.widthPx, rect.heightPx)
    const add = (levelU: number, levelV: number): KernelLevel => {
      const known = texture.levels[findLevelKey(levelU, levelV)]
      if (known) return known
      const parent = findParentLevel(levelU, levelV)
      const { halvesU } = parent
      const source = add(parent.levelU, parent.levelV)
      const level = halvesU
        ? allocate(levelU, levelV, (source.widthPx + 1) >> 1, source.heightPx)
        : allocate(levelU, levelV, source.widthPx, (source.heightPx + 1) >> 1)
      toMake.push({ level, source, halvesU })
      return level
    }
    // Most plans need no other level, so their chunks are not examined.
    const greatest = findReduction(mapping, plan.greatestScaleU, plan.greatestScaleV)
    const chunkCount = greatest.levelX > 0 || greatest.levelY > 0 ? plan.chunkCount : 0
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      const { levelX, levelY } = findReduction(mapping, plan.chunkScaleU[chunk] ?? 0, plan.chunkScaleV[chunk] ?? 0)
      add(levelX, levelY)
    }
    // Set again once everything is computed: allocation may fail.
    this.#loaded = null
    this.#left = null
    this.#instance.reserve(texture.end)
    const pad = (level: KernelLevel): void => {
      this.#padLevel(originOf(level), level.strideBytes, level.widthPx, level.heightPx, across, down)
    }
    if (!kept) {
      this.#loadBase(artwork, rect, base)
      pad(base)
    }
    for (const { level, source, halvesU } of toMake) {
      const halve = halvesU ? this.#halveAcross : this.#halveDown
      halve(originOf(source), source.strideBytes, originOf(level), level.strideBytes, level.widthPx, level.heightPx)
      pad(level)
    }
    this.#loaded = texture
    return texture.levels
  }

  /** A window on an artwork, which replaces what was loaded. Rows already in memory are not copied again. */
  openWindow(artwork: DecodedArtwork, plan: WindowPlan): TextureWindow {
    const left = this.#left
    this.#loaded = null
    this.#left = null
    const goesOn = left?.artwork.deref() === artwork && isSameRect(left.rect, plan.rect) && canGoOn(left.rows, plan)
    return new TextureWindow(this.#instance, this.#start, artwork, plan, goesOn ? left.rows : { first: 0, end: 0 })
  }

  /** Rows that a window has loaded remain for the next frame. */
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

function isSame(loaded: LoadedTexture, { artwork, across, down }: PlacedArtwork, rect: Rect): boolean {
  const isContinued = loaded.across === across && loaded.down === down
  return loaded.artwork.deref() === artwork && isContinued && isSameRect(loaded.rect, rect)
}
