import { intersectRects } from '../geometry/rect.ts'
import type { FrameCompositing, Ground, PictureOperation } from '../operations/operation.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { PlacedArtwork } from '../sampling/placed-artwork.ts'
import { type ReduceTaps, reduceByTaps } from '../sampling/reduce-by-taps.ts'
import { createChunkScratch } from '../sampling/sample-chunk.ts'
import type { SampledFrame } from '../sampling/sampled-frame.ts'
import { PlainArithmetic } from '../stack/plain-arithmetic.ts'
import type { StackArithmetic } from '../stack/stack-arithmetic.ts'
import type { Steps } from '../steps.ts'
import { copyPixels } from './copy-pixels.ts'
import { drawFrame, sampleFrame } from './draw-frame.ts'
import { drawPicture } from './draw-picture.ts'
import type { PreparedFrame } from './prepared-frame.ts'

/** The implementation of drawing: the kernel, or the plain TypeScript that defines its results. */
export type Drawer = {
  /** arithmetic of operations in floats */
  readonly stack: StackArithmetic
  /** reduction of repeated artwork */
  readonly reduce: ReduceTaps
  /**
   * Draws artwork into a frame over the pixels of `ground` (by default the picture), and `over` on top.
   * Writes the pixels of each row from the first that the frame covers to the last, and no others.
   */
  drawInSteps(
    picture: OpaquePixmap,
    frame: PreparedFrame,
    placed: PlacedArtwork,
    compositing: FrameCompositing,
    ground?: Ground,
    over?: readonly PictureOperation[],
  ): Steps<void>
  /** Blends a premultiplied picture whose region lies inside. */
  drawPicture(picture: OpaquePixmap, operation: PictureOperation): void
  sampleInSteps(frame: PreparedFrame, placed: PlacedArtwork): Steps<SampledFrame>
  /** Releases the buffers of a sampled frame. */
  giveBack(frame: SampledFrame): void
}

/** The drawer that defines every result. */
export class PlainDrawer implements Drawer {
  readonly stack = new PlainArithmetic()
  readonly reduce = reduceByTaps
  readonly #scratch = createChunkScratch()

  drawPicture(picture: OpaquePixmap, operation: PictureOperation): void {
    drawPicture({ left: 0, top: 0, pixels: picture }, operation, operation.region)
  }

  *drawInSteps(
    picture: OpaquePixmap,
    frame: PreparedFrame,
    placed: PlacedArtwork,
    compositing: FrameCompositing,
    ground: Ground = { left: 0, top: 0, pixels: picture },
    over: readonly PictureOperation[] = [],
  ): Steps<void> {
    const { region, rowStart, rowEnd } = frame.plan
    const { left, top, widthPx, heightPx } = region
    const part: OpaquePixmap = { alpha: 'opaque', widthPx, heightPx, data: new Uint8Array(widthPx * heightPx * 3) }
    const here: Ground = { left, top, pixels: part }
    copyPixels(ground, here, region)
    drawFrame(here, frame, placed, compositing, this.#scratch)
    for (const operation of over) drawPicture(here, operation, intersectRects(operation.region, region))
    for (let y = 0; y < heightPx; y++) {
      const start = rowStart[y] ?? 0
      const row = { left: left + start, top: top + y, widthPx: (rowEnd[y] ?? 0) - start, heightPx: 1 }
      if (row.widthPx > 0) copyPixels(here, { left: 0, top: 0, pixels: picture }, row)
    }
    yield
  }

  *sampleInSteps(frame: PreparedFrame, placed: PlacedArtwork): Steps<SampledFrame> {
    const sampled = sampleFrame(frame, placed, this.#scratch)
    yield
    return sampled
  }

  giveBack(): void {}
}
