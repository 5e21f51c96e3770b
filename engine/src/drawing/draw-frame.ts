import { blendChunk, buildBlending } from '../blending/blend-chunk.ts'
import { lightChunk } from '../lighting/light-chunk.ts'
import type { FrameCompositing, Ground } from '../operations/operation.ts'
import { moveAllPixels } from '../sampling/frame-rim.ts'
import type { PlacedArtwork } from '../sampling/placed-artwork.ts'
import { type ChunkScratch, finishColors, sampleChunk } from '../sampling/sample-chunk.ts'
import type { SampledFrame } from '../sampling/sampled-frame.ts'
import { buildTexture } from '../sampling/texture.ts'
import type { PreparedFrame } from './prepared-frame.ts'

/** Artwork as a frame shows it: sampled, not yet blended. */
export function sampleFrame(frame: PreparedFrame, placed: PlacedArtwork, scratch: ChunkScratch): SampledFrame {
  const { cut, background } = placed
  const texture = buildTexture(placed)
  const { coverage, light } = frame
  const plan = moveAllPixels(frame.plan)
  const { region } = plan
  const data = new Uint8Array(region.widthPx * region.heightPx * 4)
  for (let chunk = 0; chunk < plan.chunkCount; chunk++) {
    sampleChunk(plan, texture, chunk, scratch)
    const start = plan.chunkStart[chunk] ?? 0
    const length = plan.chunkLength[chunk] ?? 0
    if (cut || background) finishColors(scratch.color, length, cut, start, background)
    data.set(scratch.color.subarray(0, length * 4), start * 4)
  }
  return { region, data, coverage, light }
}

/** Draws artwork into a frame, on pixels that contain all of it: samples, then lights or blends chunks. */
export function drawFrame(
  onto: Ground,
  frame: PreparedFrame,
  placed: PlacedArtwork,
  { blendMode, opacity }: FrameCompositing,
  scratch: ChunkScratch,
): void {
  const { cut, background } = placed
  const texture = buildTexture(placed)
  const { coverage, light } = frame
  const plan = moveAllPixels(frame.plan)
  const { left, top, widthPx, heightPx } = plan.region
  const blending = buildBlending(blendMode)
  for (let row = 0; row < heightPx; row++) {
    const endChunk = plan.rowChunk[row + 1] ?? 0
    const sceneRow = (top + row - onto.top) * onto.pixels.widthPx + left - onto.left
    for (let chunk = plan.rowChunk[row] ?? 0; chunk < endChunk; chunk++) {
      sampleChunk(plan, texture, chunk, scratch)
      const start = plan.chunkStart[chunk] ?? 0
      const length = plan.chunkLength[chunk] ?? 0
      if (cut || background) finishColors(scratch.color, length, cut, start, background)
      const sceneByte = (sceneRow + start - row * widthPx) * 3
      if (light) lightChunk(light, opacity, length, scratch.color, coverage, start, onto.pixels.data, sceneByte)
      else blendChunk(blending, opacity, length, scratch.color, 0, coverage, start, onto.pixels.data, sceneByte)
    }
  }
}
