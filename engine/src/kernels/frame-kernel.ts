import { getSeparableTable, scaleOpacity } from '../blending/blend-chunk.ts'
import { type BlendMode, blendModeNames } from '../blending/blend-modes.ts'
import type { DecodedArtwork } from '../codec.ts'
import type { CentredCrop } from '../geometry/centred-crop.ts'
import type { Rect } from '../geometry/rect.ts'
import type { Light } from '../lighting/light-chunk.ts'
import { LINEAR_FROM_BYTE } from '../lighting/light-tables.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { ACROSS_TABLES, DOWN_TABLES } from '../sampling/kernel-tables.ts'
import { findGreatestPosition } from '../sampling/sample-chunk.ts'
import { placeTexture, type TexturePlace } from '../sampling/texture.ts'
import type { PreparedFrame } from '../template/prepare-frame.ts'
import { GREATEST_WIDTH_PX } from '../template/prepare-limits.ts'
import type { PreparedOverlay } from '../template/prepare-overlay.ts'
import { alignAddress as align } from './align-address.ts'
import { FrameTextures } from './frame-textures.ts'
import { KernelInstance } from './kernel-instance.ts'
import type { LevelPlace } from './level-place.ts'
import { planWindow } from './texture-window.ts'

// The layout of the kernel's memory: see engine/kernels/assembly/frame/layout.ts.
const SLACK_BYTES = 64
const SCRATCH_BYTES = 4 * (1024 + SLACK_BYTES) + 192
const FRAME_BYTES = 256 + 49 * 16
const LEVELS_AT = 256
const BLEND_TABLE_BYTES = 65536
const LIGHT_SCENE_AT = 2048
const LIGHT_SHADE_AT = 4096
const LIGHT_HIGHLIGHTS_AT = 6144
const LIGHT_SURFACE_AT = 8192
const LIGHT_LAST_STEP_AT = 8216
const LIGHT_BYTES_AT = 8224

/** Rows that one call draws: their layers and chunks lie in the kernel's memory together, and stay in the second-level cache. */
const BAND_ROWS = 16

/** Modes that the kernel blends by formula, by its numbers for them (kernels/assembly/frame/modes.ts); the others go by their table. */
const FORMULA_MODES: { readonly [K in BlendMode]?: number } = {
  normal: 1,
  multiply: 2,
  screen: 3,
  darken: 4,
  lighten: 5,
  overlay: 6,
  'hard-light': 7,
  difference: 8,
  'linear-dodge': 9,
  'linear-burn': 10,
  subtract: 11,
  hue: 12,
  saturation: 13,
  color: 14,
  luminosity: 15,
  'darker-color': 16,
  'lighter-color': 17,
}

/** Modes with a place for their table in the kernel's memory, in this order. */
const TABLE_MODES = blendModeNames.filter(mode => FORMULA_MODES[mode] === undefined)

const GREATEST_PIXELS = BAND_ROWS * GREATEST_WIDTH_PX

/** Every other pixel at most begins a chunk. */
const GREATEST_CHUNKS = BAND_ROWS * (GREATEST_WIDTH_PX / 2 + 1)

/** What lies under a frame: pixels, of which the first is at `left`, `top` of the mockup. */
export type Ground = { readonly left: number; readonly top: number; readonly pixels: OpaquePixmap }

/** The kernel's memory as numbers of all kinds. */
type Memory = {
  readonly bytes: Uint8Array
  readonly whole: Int32Array
  readonly single: Float32Array
  readonly double: Float64Array
}

/** Draws frames with WebAssembly, equal byte for byte to `drawFrame`. One per thread; its memory stays for the next frame. */
export class FrameKernel {
  readonly #instance: KernelInstance
  readonly #drawBand
  readonly #layOver
  readonly #block: number
  readonly #weightsAcross: number
  readonly #weightsDown: number
  readonly #blendTables: number
  readonly #lightTables: number
  readonly #frame: number
  readonly #rowChunks: number
  readonly #chunkStart: number
  readonly #chunkLength: number
  readonly #chunkScaleU: number
  readonly #chunkScaleV: number
  readonly #scene: number
  readonly #coverage: number
  readonly #shade: number
  readonly #highlights: number
  readonly #u: number
  readonly #v: number
  readonly #textures: FrameTextures
  readonly #loadedModes = new Set<BlendMode>()

  constructor(module: WebAssembly.Module) {
    const instance = new KernelInstance(module)
    this.#instance = instance
    this.#drawBand = instance.function('drawBand')
    this.#layOver = instance.function('layOver')
    let next = align(instance.function('heapBase')() >>> 0)
    const take = (sizeBytes: number): number => {
      const at = next
      next = align(next + sizeBytes + SLACK_BYTES)
      return at
    }
    this.#block = take(SCRATCH_BYTES)
    this.#frame = take(FRAME_BYTES)
    this.#weightsAcross = take(2 * ACROSS_TABLES.byteLength)
    this.#weightsDown = take(2 * DOWN_TABLES.byteLength)
    this.#blendTables = take(BLEND_TABLE_BYTES * TABLE_MODES.length)
    this.#lightTables = take(LIGHT_BYTES_AT + 2 * 65536 + 1)
    this.#rowChunks = take((BAND_ROWS + 1) * 4)
    this.#chunkStart = take(GREATEST_CHUNKS * 4)
    this.#chunkLength = take(GREATEST_CHUNKS * 4)
    this.#chunkScaleU = take(GREATEST_CHUNKS * 4)
    this.#chunkScaleV = take(GREATEST_CHUNKS * 4)
    this.#scene = take(GREATEST_PIXELS * 3)
    this.#coverage = take(GREATEST_PIXELS)
    this.#shade = take(GREATEST_PIXELS * 3)
    this.#highlights = take(GREATEST_PIXELS * 3)
    this.#u = take(GREATEST_PIXELS * 4)
    this.#v = take(GREATEST_PIXELS * 4)
    this.#textures = new FrameTextures(instance, next)
    instance.reserve(next)
    // As the kernel multiplies them: across in the pairs 0 2 and 1 3, down one weight for two channels.
    const across = new Int16Array(instance.bytes.buffer, this.#weightsAcross, 2 * ACROSS_TABLES.length)
    const down = new Int16Array(instance.bytes.buffer, this.#weightsDown, 2 * DOWN_TABLES.length)
    for (let i = 0; i < across.length; i++) {
      const phase = (i >> 3) * 4
      across[i] = (i & 4) === 0 ? (ACROSS_TABLES[phase + ((i & 1) << 1) + ((i >> 1) & 1)] ?? 0) : 0
      down[i] = DOWN_TABLES[phase + ((i >> 1) & 3)] ?? 0
    }
  }

  get memoryBytes(): number {
    return this.#instance.sizeBytes
  }

  /**
   * As `drawFrame`, from the decoded artwork itself. What lies under the frame is read from `ground`, which may be another picture, and `overlays`
   * are laid over what was drawn. In each row the pixels from the first that the frame covers to the last are written, and no others.
   */
  draw(
    picture: OpaquePixmap,
    frame: PreparedFrame,
    artwork: DecodedArtwork,
    crop: CentredCrop,
    blendMode: BlendMode,
    ground: Ground = { left: 0, top: 0, pixels: picture },
    overlays: readonly PreparedOverlay[] = [],
  ): void {
    const { plan } = frame
    if (plan.chunkCount === 0) return
    const place = placeTexture(artwork, crop)
    const windowPlan = planWindow(artwork, place, plan, BAND_ROWS)
    const window = windowPlan && this.#textures.openWindow(artwork, windowPlan)
    const levels = window ? [] : this.#textures.load(artwork, place, plan).levels
    if (frame.light) this.#loadLight(frame.light)
    const bytes = this.#instance.bytes
    const { buffer } = bytes
    const memory = {
      bytes,
      whole: new Int32Array(buffer),
      single: new Float32Array(buffer),
      double: new Float64Array(buffer),
    }
    this.#writeFrame(memory, frame, blendMode, place, artwork.isOpaque)
    levels.forEach((level, key) => {
      if (level) this.#writeLevel(memory, key, level)
    })
    const { heightPx } = plan.region
    for (let row = 0; row < heightPx; row += BAND_ROWS) {
      if (window) this.#writeLevel(memory, 0, window.moveTo(row / BAND_ROWS))
      this.#drawRows(memory, picture, ground, frame, overlays, row, Math.min(heightPx, row + BAND_ROWS))
    }
    if (window) this.#textures.closeWindow(artwork, windowPlan, window)
  }

  /** As the plain `drawOverlay`. */
  drawOverlay(picture: OpaquePixmap, overlay: PreparedOverlay): void {
    const { left, top, widthPx, heightPx } = overlay.region
    const { bytes } = this.#instance
    const rowBytes = widthPx * 3
    for (let from = 0; from < heightPx; from += BAND_ROWS) {
      const rows = Math.min(BAND_ROWS, heightPx - from)
      const band = { left, top: top + from, widthPx, heightPx: rows }
      const first = (band.top * picture.widthPx + left) * 3
      for (let row = 0; row < rows; row++) {
        const at = first + row * picture.widthPx * 3
        bytes.set(picture.data.subarray(at, at + rowBytes), this.#scene + row * rowBytes)
      }
      this.#layOverBand(overlay, band)
      for (let row = 0; row < rows; row++) {
        const drawn = this.#scene + row * rowBytes
        picture.data.set(bytes.subarray(drawn, drawn + rowBytes), first + row * picture.widthPx * 3)
      }
    }
  }

  /** Blends what an overlay has there over the band of pixels that lies in memory without gaps. */
  #layOverBand({ region, data, blendMode, opacity }: PreparedOverlay, band: Rect): void {
    const left = Math.max(region.left, band.left)
    const widthPx = Math.min(region.left + region.widthPx, band.left + band.widthPx) - left
    const top = Math.max(region.top, band.top)
    const rows = Math.min(region.top + region.heightPx, band.top + band.heightPx) - top
    if (widthPx <= 0 || rows <= 0) return
    const first = (top - region.top) * region.widthPx * 4
    const colors = data.subarray(first, first + rows * region.widthPx * 4)
    // The map of the positions has served when overlays are drawn: their colours take its place.
    this.#instance.bytes.set(colors, this.#u)
    this.#layOver(
      FORMULA_MODES[blendMode] ?? 0,
      this.#u + (left - region.left) * 4,
      region.widthPx * 4,
      widthPx,
      rows,
      this.#loadTable(blendMode),
      scaleOpacity(opacity),
      this.#scene + ((top - band.top) * band.widthPx + left - band.left) * 3,
      band.widthPx * 3,
    )
  }

  /** The address of a mode's table; 0 where the kernel knows its formula. */
  #loadTable(mode: BlendMode): number {
    const index = TABLE_MODES.indexOf(mode)
    const table = index < 0 ? null : getSeparableTable(mode)
    if (!table) return 0
    const at = this.#blendTables + index * BLEND_TABLE_BYTES
    if (!this.#loadedModes.has(mode)) this.#instance.bytes.set(table, at)
    this.#loadedModes.add(mode)
    return at
  }

  #loadLight(light: Light): void {
    const { buffer } = this.#instance.bytes
    const at = this.#lightTables
    new Float64Array(buffer, at, 256).set(LINEAR_FROM_BYTE)
    new Float64Array(buffer, at + LIGHT_SCENE_AT, 256).set(light.tone.lightFromByte)
    new Float64Array(buffer, at + LIGHT_SHADE_AT, 256).set(light.shadeTable)
    new Float64Array(buffer, at + LIGHT_HIGHLIGHTS_AT, 256).set(light.highlightsTable)
    new Float64Array(buffer, at + LIGHT_SURFACE_AT, 3).set(light.surface)
    new Int32Array(buffer, at + LIGHT_LAST_STEP_AT, 1)[0] = light.tone.byteFromLight.length - 1
    this.#instance.bytes.set(light.tone.byteFromLight, at + LIGHT_BYTES_AT)
  }

  /** What all bands of a frame share. */
  #writeFrame(
    { whole, double }: Memory,
    frame: PreparedFrame,
    blendMode: BlendMode,
    place: TexturePlace,
    isOpaque: boolean,
  ): void {
    const { plan, light, opacity } = frame
    const { map, region } = plan
    const isGrid = map.kind === 'grid'
    if (!isGrid) double.set(map.matrix, this.#frame / 8)
    const scale = light ? opacity / 255 : scaleOpacity(opacity)
    double.set(
      [region.left, region.top, place.scaleU, place.offsetU, place.scaleV, place.offsetV, scale],
      this.#frame / 8 + 9,
    )
    whole.set(
      [
        region.widthPx,
        place.widthPx,
        place.heightPx,
        isOpaque ? 1 : 0,
        FORMULA_MODES[blendMode] ?? 0,
        light ? 0 : this.#loadTable(blendMode),
        light ? this.#lightTables : 0,
        this.#coverage,
        this.#shade,
        light?.highlights ? this.#highlights : 0,
        isGrid ? this.#u : 0,
        this.#v,
        this.#scene,
        region.widthPx * 3,
        this.#rowChunks,
        this.#chunkStart,
        this.#chunkLength,
        this.#chunkScaleU,
        this.#chunkScaleV,
        this.#weightsAcross,
        this.#weightsDown,
        this.#block,
      ],
      this.#frame / 4 + 32,
    )
  }

  #writeLevel({ whole }: Memory, key: number, { widthPx, heightPx, strideBytes, start }: LevelPlace): void {
    const record = [start - strideBytes - 4, strideBytes, findGreatestPosition(widthPx), findGreatestPosition(heightPx)]
    whole.set(record, (this.#frame + LEVELS_AT) / 4 + key * 4)
  }

  /** Draws rows [from, end) of the frame's region. */
  #drawRows(
    { bytes, whole, single }: Memory,
    picture: OpaquePixmap,
    ground: Ground,
    frame: PreparedFrame,
    overlays: readonly PreparedOverlay[],
    from: number,
    end: number,
  ): void {
    const { plan, coverage, light } = frame
    const { region, map, rowChunk } = plan
    const { widthPx } = region
    const firstChunk = rowChunk[from] ?? 0
    const endChunk = rowChunk[end] ?? 0
    if (firstChunk === endChunk) return
    whole.set(rowChunk.subarray(from, end + 1), this.#rowChunks / 4)
    whole.set(plan.chunkStart.subarray(firstChunk, endChunk), this.#chunkStart / 4)
    whole.set(plan.chunkLength.subarray(firstChunk, endChunk), this.#chunkLength / 4)
    single.set(plan.chunkScaleU.subarray(firstChunk, endChunk), this.#chunkScaleU / 4)
    single.set(plan.chunkScaleV.subarray(firstChunk, endChunk), this.#chunkScaleV / 4)
    const firstPixel = from * widthPx
    const endPixel = end * widthPx
    if (map.kind === 'grid') {
      single.set(map.u.subarray(firstPixel, endPixel), this.#u / 4)
      single.set(map.v.subarray(firstPixel, endPixel), this.#v / 4)
    }
    bytes.set(coverage.subarray(firstPixel, endPixel), this.#coverage)
    if (light) {
      bytes.set(light.shade.subarray(firstPixel * 3, endPixel * 3), this.#shade)
      if (light.highlights) bytes.set(light.highlights.subarray(firstPixel * 3, endPixel * 3), this.#highlights)
    }
    const { rowStart, rowEnd } = plan
    const under = ground.pixels.data
    const underStride = ground.pixels.widthPx * 3
    let underRow = (region.top + from - ground.top) * underStride + (region.left - ground.left) * 3
    let sceneRow = this.#scene
    if (ground.pixels.widthPx === widthPx) {
      // The frame's own scene: no gaps between its rows.
      bytes.set(under.subarray(underRow, underRow + (end - from) * underStride), sceneRow)
    } else {
      for (let row = from; row < end; row++, underRow += underStride, sceneRow += widthPx * 3) {
        const start = (rowStart[row] ?? 0) * 3
        bytes.set(under.subarray(underRow + start, underRow + (rowEnd[row] ?? 0) * 3), sceneRow + start)
      }
    }
    this.#drawBand(this.#frame, from, end - from)
    for (const overlay of overlays) {
      this.#layOverBand(overlay, { left: region.left, top: region.top + from, widthPx, heightPx: end - from })
    }
    const pictureStride = picture.widthPx * 3
    let pictureRow = (region.top + from) * pictureStride + region.left * 3
    sceneRow = this.#scene
    for (let row = from; row < end; row++, pictureRow += pictureStride, sceneRow += widthPx * 3) {
      const start = (rowStart[row] ?? 0) * 3
      picture.data.set(bytes.subarray(sceneRow + start, sceneRow + (rowEnd[row] ?? 0) * 3), pictureRow + start)
    }
  }
}
