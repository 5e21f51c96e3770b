import { fillOf } from '../blending/blend-modes.ts'
import { filterArtwork } from '../effects/filter-artwork.ts'
import { areaOf, intersectRects, type Rect } from '../geometry/rect.ts'
import type { PreparedRanges } from '../operations/color-ranges.ts'
import type {
  Compositing,
  Drawing,
  DrawnEffect,
  FrameOperation,
  PreparedOperation,
  SampledEffects,
} from '../operations/operation.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { SampledFrame } from '../sampling/sampled-frame.ts'
import type { Area, Mask, Pixels, StackArithmetic, Target } from '../stack/stack-arithmetic.ts'
import type { Steps } from '../steps.ts'
import { copyPixels } from './copy-pixels.ts'
import { sampleEffects } from './draw-effects.ts'
import type { Drawer } from './drawer.ts'
import type { FrameWithArtwork } from './place-artwork.ts'

/** Returns a frame with its artwork by index; null if the frame is not drawn. */
export type FindFrame = (index: number) => FrameWithArtwork | null

/** Draws over a picture of the scene, one part or band per step. */
export function* drawInSteps(
  picture: OpaquePixmap,
  drawing: Drawing,
  findFrame: FindFrame,
  drawer: Drawer,
): Steps<void> {
  if (drawing.arithmetic === 'bytes') yield* drawBytesInSteps(picture, drawing, findFrame, drawer)
  else yield* drawFloatsInSteps(picture, drawing, findFrame, drawer)
}

/** Frames are sampled, blended and covered band by band; overlapping frames one after another. */
function* drawBytesInSteps(
  picture: OpaquePixmap,
  { operations, parts }: Drawing,
  findFrame: FindFrame,
  drawer: Drawer,
): Steps<void> {
  for (const part of parts) {
    const here = operations.filter(({ region }) => areaOf(intersectRects(region, part)) > 0)
    const scene = here.find(operation => operation.kind === 'scene')
    const frames = here.filter(operation => operation.kind === 'frame' || operation.kind === 'light')
    const pictures = here.filter(operation => operation.kind === 'picture')
    const [only] = frames
    if (scene && only && frames.length === 1) {
      const found = findFrame(only.index)
      if (found) yield* drawer.drawInSteps(picture, found.frame, found.placed, only, scene, pictures)
      continue
    }
    if (scene) copyPixels(scene, { left: 0, top: 0, pixels: picture }, part)
    for (const operation of frames) {
      const found = findFrame(operation.index)
      if (found) yield* drawer.drawInSteps(picture, found.frame, found.placed, operation)
    }
    for (const operation of pictures) {
      drawer.drawPicture(picture, operation)
      yield
    }
  }
}

/** All frames are sampled first, then each band goes through the whole list. */
function* drawFloatsInSteps(
  picture: OpaquePixmap,
  { operations, parts }: Drawing,
  findFrame: FindFrame,
  drawer: Drawer,
): Steps<void> {
  const sampled = new Map<number, SampledFrame & WithEffects>()
  const lent: SampledFrame[] = []
  for (const { index, effects, filters } of listFrames(operations)) {
    const found = findFrame(index)
    if (!found) continue
    const sharp = yield* drawer.sampleInSteps(found.frame, found.placed)
    lent.push(sharp)
    const frame = filters ? filterArtwork(sharp, found.frame.reach, filters) : sharp
    if (filters) yield
    sampled.set(index, { ...frame, effects: effects && sampleEffects(effects, frame, found.frame.reach) })
    if (effects) yield
  }
  const arithmetic = drawer.stack
  for (const band of parts) {
    new BandDrawer(band, sampled, arithmetic).drawList(operations, { surface: 0, isOpaque: true }, band, 1)
    arithmetic.storeScene(
      areaIn(band, band),
      pixelsAt(band, { left: 0, top: 0, widthPx: picture.widthPx }, picture.data),
    )
    yield
  }
  for (const frame of lent) drawer.giveBack(frame)
}

/** The frames of a list, including nested lists. */
function* listFrames(operations: readonly PreparedOperation[]): Generator<FrameOperation> {
  for (const operation of operations) {
    if (operation.kind === 'frame' || operation.kind === 'light') yield operation
    if (operation.kind === 'group' || operation.kind === 'mix') yield* listFrames(operation.operations)
    if (operation.kind === 'group') yield* listFrames(operation.clip)
  }
}

/** Splits a rectangle into areas of at most `maxPx` pixels, of whole rows if they fit. */
export function splitIntoBands({ left, top, widthPx, heightPx }: Rect, maxPx: number): readonly Rect[] {
  if (widthPx === 0 || heightPx === 0) return []
  const rows = Math.max(1, Math.floor(maxPx / widthPx))
  return Array.from({ length: Math.ceil(heightPx / rows) }, (_, index) => ({
    left,
    top: top + index * rows,
    widthPx,
    heightPx: Math.min(rows, heightPx - index * rows),
  }))
}

type WithEffects = { readonly effects: SampledEffects | null }
type FramesWithEffects = ReadonlyMap<number, SampledFrame & WithEffects>

/** Draws lists of operations on the surfaces of one band. */
class BandDrawer {
  readonly #band: Rect
  readonly #frames: FramesWithEffects
  readonly #arithmetic: StackArithmetic

  constructor(band: Rect, frames: FramesWithEffects, arithmetic: StackArithmetic) {
    this.#band = band
    this.#frames = frames
    this.#arithmetic = arithmetic
  }

  /** Surfaces from `free` on are not in use. */
  drawList(operations: readonly PreparedOperation[], target: Target, within: Rect, free: number): void {
    for (const operation of operations) {
      const part = intersectRects(operation.region, within)
      if (part.widthPx > 0 && part.heightPx > 0) this.#draw(operation, target, part, free)
    }
  }

  #draw(operation: PreparedOperation, target: Target, part: Rect, free: number): void {
    const arithmetic = this.#arithmetic
    const area = areaIn(part, this.#band)
    const here = <Data>(data: Data): Pixels<Data> => pixelsAt(part, operation.region, data)
    const mask = 'mask' in operation && operation.mask !== null ? here(operation.mask) : null
    const above: Target = { surface: free, isOpaque: true }
    switch (operation.kind) {
      case 'scene': {
        const { left, top, pixels } = operation
        return arithmetic.loadScene(area, pixelsAt(part, { left, top, widthPx: pixels.widthPx }, pixels.data))
      }
      case 'picture':
        return arithmetic.drawPicture(target, area, here(operation.data), operation)
      case 'frame':
      case 'light':
        return this.#drawFrame(operation, target, part, free)
      case 'color':
        return arithmetic.drawColor(target, area, operation.color, mask, operation)
      case 'adjust':
        return arithmetic.adjust(target.surface, area, operation.adjustment, mask, operation)
      case 'affine':
        return arithmetic.multiplyAndAdd(target.surface, area, here(operation.multiply), here(operation.add))
      case 'group':
        arithmetic.clear(free, area)
        this.drawList(operation.operations, { surface: free, isOpaque: false }, part, free + 1)
        this.drawList(operation.clip, above, part, free + 1)
        return arithmetic.drawSurface(target, area, free, this.#weigh(operation, free, true, area, mask), operation)
      case 'mix':
        arithmetic.copy(target.surface, free, area)
        this.drawList(operation.operations, target, part, free + 1)
        return arithmetic.mix(
          target,
          area,
          free,
          this.#weigh(operation, free, target.isOpaque, area, mask),
          operation.opacity,
        )
    }
  }

  /** The mask, weighted by the colour ranges of a surface. */
  #weigh(
    { where }: { readonly where: PreparedRanges | null },
    surface: number,
    isOpaque: boolean,
    area: Area,
    mask: Mask,
  ): Mask {
    return where ? this.#arithmetic.weigh({ surface, isOpaque }, area, where.weights, mask) : mask
  }

  #drawFrame(operation: FrameOperation, target: Target, part: Rect, free: number): void {
    const frame = this.#frames.get(operation.index)
    if (!frame) return
    const { effects } = frame
    const opacity = operation.effects?.opacity ?? 1
    for (const effect of effects?.below ?? []) this.#drawEffect(effect, frame, target, part, opacity)
    const own = intersectRects(part, frame.region)
    if (own.widthPx > 0 && own.heightPx > 0) {
      if (operation.effects && effects?.whole) {
        this.#drawApart(operation, operation.effects, frame, effects.whole, target, own, free)
      } else this.#drawArtwork(operation, frame, target, own, free)
    }
  }

  #drawArtwork(
    operation: FrameOperation,
    frame: SampledFrame & WithEffects,
    target: Target,
    part: Rect,
    free: number,
  ): void {
    const arithmetic = this.#arithmetic
    const area = areaIn(part, this.#band)
    const { region, light } = frame
    const inside = frame.effects?.inside ?? []
    const colors = pixelsAt(part, region, frame.data)
    const coverage = pixelsAt(part, region, frame.coverage)
    const isBare = operation.inner.length === 0 && inside.length === 0
    if (!light && isBare) return arithmetic.drawFrame(target, area, colors, coverage, operation)
    // For lit frames, coverage weights the light; it is not part of the artwork's alpha.
    arithmetic.placeFrame(free, area, colors, light ? null : coverage)
    const above: Target = { surface: free, isOpaque: true }
    this.drawList(operation.inner, above, part, free + 1)
    for (const effect of inside) this.#drawEffect(effect, frame, above, part, 1)
    if (light) arithmetic.light(target, area, free, coverage, light, operation.opacity)
    else arithmetic.drawSurface(target, area, free, null, operation)
  }

  /** Draws the artwork as if opaque, then effects on the result, then mixes by the artwork's shape. */
  #drawApart(
    { inner }: FrameOperation,
    compositing: Compositing,
    frame: SampledFrame & WithEffects,
    whole: NonNullable<SampledEffects['whole']>,
    target: Target,
    part: Rect,
    free: number,
  ): void {
    const arithmetic = this.#arithmetic
    const area = areaIn(part, this.#band)
    const { effects, region } = frame
    if (!effects) return
    arithmetic.copy(target.surface, free, area)
    arithmetic.placeFrame(free + 1, area, pixelsAt(part, region, whole.colors), null)
    this.drawList(inner, { surface: free + 1, isOpaque: true }, part, free + 2)
    const { blendMode, fill } = compositing
    const filled = fillOf(blendMode) !== null ? { blendMode, opacity: 1, fill } : { blendMode, opacity: fill, fill: 1 }
    arithmetic.drawSurface(target, area, free + 1, null, filled)
    for (const effect of effects.inside) this.#drawEffect(effect, frame, target, part, 1)
    arithmetic.mix(target, area, free, pixelsAt(part, effects.reach, whole.shape), compositing.opacity)
  }

  #drawEffect(
    { paint, mask, ...compositing }: DrawnEffect,
    { effects }: WithEffects,
    target: Target,
    part: Rect,
    opacity: number,
  ): void {
    if (!effects) return
    const weighed = { ...compositing, opacity: compositing.opacity * opacity }
    if ('color' in paint) {
      const covered = mask && pixelsAt(part, effects.reach, mask)
      return this.#arithmetic.drawColor(target, areaIn(part, this.#band), paint.color, covered, weighed)
    }
    const { region, data } = paint.picture
    const shown = intersectRects(part, region)
    if (shown.widthPx <= 0 || shown.heightPx <= 0) return
    this.#arithmetic.drawPicture(target, areaIn(shown, this.#band), pixelsAt(shown, region, data), weighed)
  }
}

function areaIn(part: Rect, band: Rect): Area {
  return {
    start: (part.top - band.top) * band.widthPx + part.left - band.left,
    bandWidthPx: band.widthPx,
    widthPx: part.widthPx,
    heightPx: part.heightPx,
  }
}

/** The part of a picture of `region` that covers `part`. */
function pixelsAt<Data>(part: Rect, region: Omit<Rect, 'heightPx'>, data: Data): Pixels<Data> {
  const { left, top, widthPx } = region
  return { data, first: (part.top - top) * widthPx + part.left - left, rowPx: widthPx }
}
