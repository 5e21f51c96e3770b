/** The kernel's memory for a frame: where the host writes what it reads, and what all bands of rows share. */
import * as layout from '../../kernels/assembly/frame/layout.ts'
import { scaleOpacity } from '../blending/blend-chunk.ts'
import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import { GREATEST_WIDTH_PX } from '../drawing/width-limits.ts'
import type { RgbColor } from '../hex-color.ts'
import { repeatExtensions } from '../sampling/extend-texture.ts'
import { kernelTables } from '../sampling/kernel-tables.ts'
import type { PlacedArtwork } from '../sampling/placed-artwork.ts'
import { findGreatestPosition } from '../sampling/sample-chunk.ts'
import type { TextureMapping } from '../sampling/texture.ts'
import { lightTermNames } from '../template/light-terms.ts'
import { alignAddress as align } from '../webassembly/align-address.ts'
import type { KernelLevel } from './kernel-level.ts'

/** Rows that one call draws: as many as fit into the second-level cache with their layers and chunks. */
export const BAND_ROWS = 16

const GREATEST_PIXELS = BAND_ROWS * GREATEST_WIDTH_PX

/** A light layer of a band. */
export const LIGHT_LAYER_BYTES = GREATEST_PIXELS * 3

/** Every pixel may be its own chunk. */
const GREATEST_CHUNKS = GREATEST_PIXELS

/** The addresses of what the host writes for the kernel, after the kernel's own memory; `end` is free. */
export function layOutMemory(heapBase: number, blendTableCount: number) {
  const { across, down } = kernelTables()
  let end = align(heapBase)
  const take = (sizeBytes: number): number => {
    const address = end
    end = align(end + sizeBytes + layout.SLACK_BYTES)
    return address
  }
  return {
    block: take(layout.SCRATCH_BYTES),
    frame: take(layout.FRAME_BYTES),
    weightsAcross: take(2 * across.byteLength),
    weightsDown: take(2 * down.byteLength),
    blendTables: take(blendTableCount * layout.BLEND_TABLE_BYTES),
    lightTables: take(layout.LIGHT_TABLES_BYTES),
    rowChunks: take((BAND_ROWS + 1) * 4),
    chunkStart: take(GREATEST_CHUNKS * 4),
    chunkLength: take(GREATEST_CHUNKS * 4),
    chunkScaleU: take(GREATEST_CHUNKS * 4),
    chunkScaleV: take(GREATEST_CHUNKS * 4),
    scene: take(GREATEST_PIXELS * 3),
    coverage: take(GREATEST_PIXELS),
    cut: take(GREATEST_PIXELS),
    lightLayers: take(lightTermNames.length * LIGHT_LAYER_BYTES),
    u: take(GREATEST_PIXELS * 4),
    v: take(GREATEST_PIXELS * 4),
    end,
  }
}

export type FrameAddresses = ReturnType<typeof layOutMemory>

/** Four bytes in the kernel's format: red is the lowest. */
function packOpaque({ red, green, blue }: RgbColor): number {
  return red | (green << 8) | (blue << 16) | (255 << 24)
}

/** A mode for the kernel: the number of its formula, or TABLE_MODE and the address of its table. */
export type FrameBlending = { readonly mode: number; readonly table: number }

type FrameRecord = {
  readonly frame: PreparedFrame
  readonly opacity: number
  /** Null for a lit frame. */
  readonly blending: FrameBlending | null
  readonly mapping: TextureMapping
  readonly placed: PlacedArtwork
}

/** Writes what all bands of a frame share. */
export function writeFrame(view: DataView, at: FrameAddresses, record: FrameRecord): void {
  const { opacity, blending } = record
  const { plan, light } = record.frame
  const { rect, toTexels } = record.mapping
  const { artwork, repeat, cut, background } = record.placed
  const { map, region } = plan
  const f64 = (offset: number, value: number): void => view.setFloat64(at.frame + offset, value, true)
  const i32 = (offset: number, value: number): void => view.setInt32(at.frame + offset, value, true)
  if (map.kind === 'homography') map.matrix.forEach((value, index) => f64(layout.MATRIX + 8 * index, value))
  f64(layout.LEFT, region.left)
  f64(layout.TOP, region.top)
  f64(layout.X_PER_U, toTexels.xPerU)
  f64(layout.X_PER_V, toTexels.xPerV)
  f64(layout.X_START, toTexels.x0)
  f64(layout.Y_PER_U, toTexels.yPerU)
  f64(layout.Y_PER_V, toTexels.yPerV)
  f64(layout.Y_START, toTexels.y0)
  f64(layout.OPACITY_SCALE, light ? opacity / 255 : scaleOpacity(opacity))
  i32(layout.REGION_WIDTH, region.widthPx)
  i32(layout.WIDTH, rect.widthPx)
  i32(layout.HEIGHT, rect.heightPx)
  i32(layout.IS_OPAQUE, artwork.isOpaque ? 1 : 0)
  if (blending) {
    i32(layout.MODE, blending.mode)
    i32(layout.BLEND_TABLE, blending.table)
  }
  i32(layout.LIGHT_TABLES, light ? at.lightTables : 0)
  i32(layout.COVERAGE, at.coverage)
  for (const [index, term] of lightTermNames.entries()) {
    i32(layout.LIGHT_LAYERS + 4 * index, light?.[term] ? at.lightLayers + index * LIGHT_LAYER_BYTES : 0)
  }
  i32(layout.GRID_U, map.kind === 'grid' ? at.u : 0)
  i32(layout.GRID_V, at.v)
  i32(layout.SCENE, at.scene)
  i32(layout.SCENE_STRIDE, region.widthPx * 3)
  i32(layout.ROW_CHUNKS, at.rowChunks)
  i32(layout.CHUNK_START, at.chunkStart)
  i32(layout.CHUNK_LENGTH, at.chunkLength)
  i32(layout.CHUNK_SCALE_U, at.chunkScaleU)
  i32(layout.CHUNK_SCALE_V, at.chunkScaleV)
  i32(layout.WEIGHTS_ACROSS, at.weightsAcross)
  i32(layout.WEIGHTS_DOWN, at.weightsDown)
  i32(layout.BLOCK, at.block)
  i32(layout.CUT, cut ? at.cut : 0)
  i32(layout.BACKGROUND, background ? packOpaque(background) : 0)
  i32(layout.REPEAT, repeatExtensions[repeat])
}

/** Writes where a level of the artwork is, and its size. */
export function writeLevel(view: DataView, at: FrameAddresses, key: number, level: KernelLevel): void {
  const { widthPx, heightPx, strideBytes, start } = level
  const record = at.frame + layout.LEVELS + key * layout.LEVEL_BYTES
  view.setInt32(record + layout.LEVEL_FIRST, start - strideBytes - 4, true)
  view.setInt32(record + layout.LEVEL_STRIDE, strideBytes, true)
  view.setInt32(record + layout.LEVEL_GREATEST_X, findGreatestPosition(widthPx), true)
  view.setInt32(record + layout.LEVEL_GREATEST_Y, findGreatestPosition(heightPx), true)
}
