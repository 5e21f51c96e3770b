import { GREATEST_LEVEL, TEXTURE_PAD } from '../../kernels/assembly/frame/constants.ts'
import { SLACK_BYTES } from '../../kernels/assembly/frame/layout.ts'
import type { DecodedArtwork } from '../codec.ts'
import { chooseLevel } from '../sampling/sample-chunk.ts'
import type { SamplingPlan } from '../sampling/sampling-plan.ts'
import { findParentLevel, type TexturePlace } from '../sampling/texture.ts'
import { alignAddress as align } from './align-address.ts'
import type { KernelInstance } from './kernel-instance.ts'
import type { LevelPlace } from './level-place.ts'
import { canGoOn, type Rows, TextureWindow, type WindowPlan } from './texture-window.ts'

/** An artwork in the kernel's memory. Known by its object, which nobody changes. */
export type LoadedTexture = {
  readonly artwork: WeakRef<DecodedArtwork>
  readonly place: TexturePlace
  readonly wraps: boolean
  /** by levelU * (GREATEST_LEVEL + 1) + levelV */
  readonly levels: (LevelPlace | undefined)[]
  /** address behind the last level */
  end: number
}

/** Rows of an artwork that a window left in the kernel's memory. */
type LeftRows = { readonly artwork: WeakRef<DecodedArtwork>; readonly place: TexturePlace; readonly rows: Rows }

/** The artworks in the frame kernel's memory, from `start` on: the one that was drawn last, with its levels. */
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

  /** The artwork and those levels of it that the plan reads, in memory; what is there already, from the mockup before, is not made again. */
  load(artwork: DecodedArtwork, place: TexturePlace, plan: SamplingPlan): LoadedTexture {
    const wraps = plan.map.kind === 'grid' && plan.map.wrapsU
    const isKept = this.#loaded !== null && isSame(this.#loaded, artwork, place, wraps)
    const texture: LoadedTexture =
      isKept && this.#loaded
        ? { ...this.#loaded, place }
        : { artwork: new WeakRef(artwork), place, wraps, levels: [], end: this.#start }
    const added: number[] = []
    const add = (levelU: number, levelV: number): LevelPlace => {
      const key = levelU * (GREATEST_LEVEL + 1) + levelV
      const known = texture.levels[key]
      if (known) return known
      let { widthPx, heightPx } = place
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
    // Most plans ask for no other level anywhere, which looking at every chunk would tell too late.
    const needsLevels =
      chooseLevel(plan.greatestScaleU * place.scaleU, place.widthPx) > 0 ||
      chooseLevel(plan.greatestScaleV * place.scaleV, place.heightPx) > 0
    const chunkCount = needsLevels ? plan.chunkCount : 0
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      const levelU = chooseLevel((plan.chunkScaleU[chunk] ?? 0) * place.scaleU, place.widthPx)
      const levelV = chooseLevel((plan.chunkScaleV[chunk] ?? 0) * place.scaleV, place.heightPx)
      if (levelU > 0 || levelV > 0) add(levelU, levelV)
    }
    // Known only once all of it is made: memory may be refused.
    this.#loaded = null
    this.#left = null
    this.#instance.reserve(texture.end)
    if (!isKept) this.#loadBase(artwork, place, base)
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

  /** Rows of an artwork as they are wanted, in place of what was loaded; what is there of it already is not copied again. */
  openWindow(artwork: DecodedArtwork, plan: WindowPlan): TextureWindow {
    const left = this.#left
    this.#loaded = null
    this.#left = null
    const goesOn = left?.artwork.deref() === artwork && isSamePlace(left.place, plan.place) && canGoOn(left.rows, plan)
    return new TextureWindow(this.#instance, this.#start, artwork, plan, goesOn ? left.rows : { first: 0, end: 0 })
  }

  /** What a window has made be there stays for the next frame. */
  closeWindow(artwork: DecodedArtwork, { place }: WindowPlan, { rows }: TextureWindow): void {
    this.#left = { artwork: new WeakRef(artwork), place, rows }
  }

  #loadBase(artwork: DecodedArtwork, place: TexturePlace, base: LevelPlace): void {
    const { bytes } = this.#instance
    for (let y = 0; y < base.heightPx; y++) {
      const from = ((place.top + y) * artwork.widthPx + place.left) * 4
      const to = originOf(base) + y * base.strideBytes
      bytes.set(artwork.data.subarray(from, from + base.widthPx * 4), to)
      if (!artwork.isOpaque) this.#premultiply(to, base.widthPx)
    }
  }
}

/** Address of texel (0, 0). */
function originOf({ start, strideBytes }: LevelPlace): number {
  return start + TEXTURE_PAD * strideBytes + TEXTURE_PAD * 4
}

function isSame(loaded: LoadedTexture, artwork: DecodedArtwork, place: TexturePlace, wraps: boolean): boolean {
  return loaded.artwork.deref() === artwork && loaded.wraps === wraps && isSamePlace(loaded.place, place)
}

function isSamePlace(a: TexturePlace, b: TexturePlace): boolean {
  return a.left === b.left && a.top === b.top && a.widthPx === b.widthPx && a.heightPx === b.heightPx
}
