import { intersectRects, isSameRect, linearFromByte, type Rect, type Tone } from '@vitrine/engine'
import { type FoundLight, findSurfaceLight, type SurfaceChoice } from '../light/surface-light.ts'
import type { PlacedFrame } from '../masking/place-frames.ts'
import type { PhotoPixels } from '../photo-pixels.ts'

/** The light on a part of a photo. */
export type LiveLight = { readonly rect: Rect; readonly light: FoundLight }

type KnownLight = LiveLight & { readonly of: string; readonly level: number }

/** Where the light under a frame is so many times that of before, a colour that it told is told again. */
const MOST_CHANGE = 1.1

/** Every so many pixels of a mask tell how light it is under it. */
const LEVEL_STEP = 16

/**
 * The light on surfaces that move over a photo. It depends on what a surface is and hardly on where it lies:
 * it is found once, as nearly as it is seen in passing, with noise and without the windows on bodies.
 */
export class LiveLights {
  readonly #photo: PhotoPixels
  /** of each frame */
  readonly #known: (KnownLight | undefined)[] = []

  constructor(photo: PhotoPixels) {
    this.#photo = photo
  }

  /** The light on a frame and around it; `everywhere`: wherever it may be moved. */
  find(index: number, { drawn, map, mask }: PlacedFrame, tone: Tone, isDyed: boolean, everywhere = false): LiveLight {
    const { surface, color, sheen, gloss, brightness } = drawn
    const choice: SurfaceChoice = { surface, color, sheen, gloss, brightness, cleans: false }
    const of = JSON.stringify([choice, tone, isDyed])
    const former = this.#known[index]
    const level = color === null ? this.#levelUnder(map.rect, mask) : 1
    const { widthPx, heightPx } = this.#photo
    const whole = { left: 0, top: 0, widthPx, heightPx }
    const wanted = everywhere ? whole : map.rect
    if (former?.of === of && holds(former.rect, wanted) && isNear(former.level, level)) return former
    // What is only turned, or what has a slider, stays where it is; what moves comes everywhere.
    const rect = former?.of === of ? whole : wanted
    const shown = placeMask(mask, map.rect, rect)
    const masks = { coverage: shown, weights: new Float32Array(shown.length).fill(1), scaled: shown }
    const light = findSurfaceLight(this.#photo, rect, tone, choice, masks, null, isDyed)
    const known = { of, level, rect, light }
    this.#known[index] = known
    return known
  }

  /** How light the photo is under a mask, on average. */
  #levelUnder(rect: Rect, mask: Uint8Array): number {
    let [sum, count] = [0, 0]
    for (let i = 0; i < mask.length; i += LEVEL_STEP) {
      if ((mask[i] ?? 0) < 250) continue
      const pixel = (rect.top + Math.floor(i / rect.widthPx)) * this.#photo.widthPx + rect.left + (i % rect.widthPx)
      sum += linearFromByte[this.#photo.data[3 * pixel + 1] ?? 0] ?? 0
      count++
    }
    return sum / Math.max(1, count)
  }
}

const isNear = (level: number, other: number): boolean => level <= MOST_CHANGE * other && other <= MOST_CHANGE * level

const holds = (outer: Rect, inner: Rect): boolean => isSameRect(intersectRects(outer, inner), inner)

/** A mask as shares of a rectangle that holds its own. */
function placeMask(mask: Uint8Array, from: Rect, to: Rect): Float32Array {
  const placed = new Float32Array(to.widthPx * to.heightPx)
  for (let y = 0, i = 0; y < from.heightPx; y++) {
    let at = (from.top + y - to.top) * to.widthPx + from.left - to.left
    for (let x = 0; x < from.widthPx; x++, i++, at++) placed[at] = (mask[i] ?? 0) / 255
  }
  return placed
}
