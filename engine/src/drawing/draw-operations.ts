import { areaOf, intersectRects, type Rect } from '../geometry/rect.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { Area, Pixels, StackArithmetic, Target } from '../stack/stack-arithmetic.ts'
import type { Steps } from '../steps.ts'
import { copyPixels } from './copy-pixels.ts'
import type { Drawer } from './drawer.ts'
import type { Drawing, FrameOperation, PreparedOperation, SampledFrame } from './operation.ts'
import type { FrameWithArtwork } from './place-artwork.ts'

/** Frames with their artwork, by index; null where a frame is not drawn. */
export type FindFrame = (index: number) => FrameWithArtwork | null

/** Draws over a picture of the scene, a part or a band of it in each step. */
export function* drawInSteps(
  picture: OpaquePixmap,
  drawing: Drawing,
  findFrame: FindFrame,
  drawer: Drawer,
): Steps<void> {
  if (drawing.arithmetic === 'bytes') yield* drawBytesInSteps(picture, drawing, findFrame, drawer)
  else yield* drawFloatsInSteps(picture, drawing, findFrame, drawer)
}

/** Frames are sampled, blended and covered a band at a time; where several meet, one after the other. */
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

/** All frames are sampled, then each band goes through the whole list. */
function* drawFloatsInSteps(
  picture: OpaquePixmap,
  { operations, parts }: Drawing,
  findFrame: FindFrame,
  drawer: Drawer,
): Steps<void> {
  const sampled = new Map<number, SampledFrame>()
  for (const { index } of listFrames(operations)) {
    const found = findFrame(index)
    if (found) sampled.set(index, yield* drawer.sampleInSteps(found.frame, found.placed))
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
  for (const frame of sampled.values()) drawer.giveBack(frame)
}

/** The frames of a list and of the lists in it. */
function* listFrames(operations: readonly PreparedOperation[]): Generator<FrameOperation> {
  for (const operation of operations) {
    if (operation.kind === 'frame' || operation.kind === 'light') yield operation
    if (operation.kind === 'group' || operation.kind === 'mix') yield* listFrames(operation.operations)
    if (operation.kind === 'group') yield* listFrames(operation.clip)
  }
}

/** A rectangle as areas of at most `maxPx` pixels, of whole rows where they fit. */
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

/** Draws lists of operations on the surfaces of one band. */
class BandDrawer {
  readonly #band: Rect
  readonly #frames: ReadonlyMap<number, SampledFrame>
  readonly #arithmetic: StackArithmetic

  constructor(band: Rect, frames: ReadonlyMap<number, SampledFrame>, arithmetic: StackArithmetic) {
    this.#band = band
    this.#frames = frames
    this.#arithmetic = arithmetic
  }

  /** Surfaces from `free` on are of no use to anybody else. */
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
        return arithmetic.drawSurface(target, area, free, mask, operation)
      case 'mix':
        arithmetic.copy(target.surface, free, area)
        this.drawList(operation.operations, target, part, free + 1)
        return arithmetic.mix(target, area, free, mask, operation.opacity)
    }
  }

  #drawFrame(operation: FrameOperation, target: Target, part: Rect, free: number): void {
    const frame = this.#frames.get(operation.index)
    if (!frame) return
    const arithmetic = this.#arithmetic
    const area = areaIn(part, this.#band)
    const { region, light } = frame
    const colors = pixelsAt(part, region, frame.data)
    const coverage = pixelsAt(part, region, frame.coverage)
    if (!light && operation.inner.length === 0) return arithmetic.drawFrame(target, area, colors, coverage, operation)
    // Of a lit frame coverage is a share of light, not a part of the artwork's alpha.
    arithmetic.placeFrame(free, area, colors, light ? null : coverage)
    this.drawList(operation.inner, { surface: free, isOpaque: true }, part, free + 1)
    if (light) arithmetic.light(target, area, free, coverage, light, operation.opacity)
    else arithmetic.drawSurface(target, area, free, null, operation)
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

/** The pixels of a picture of `region` that lie on a part of it. */
function pixelsAt<Data>(part: Rect, region: Omit<Rect, 'heightPx'>, data: Data): Pixels<Data> {
  const { left, top, widthPx } = region
  return { data, first: (part.top - top) * widthPx + part.left - left, rowPx: widthPx }
}
