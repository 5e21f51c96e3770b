import * as layout from '../../kernels/assembly/frame/layout.ts'
import { buildBlendTable, scaleOpacity } from '../blending/blend-chunk.ts'
import type { BlendMode } from '../blending/blend-modes.ts'
import type { Drawer } from '../drawing/drawer.ts'
import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import { areaOf, intersectRects, type Rect } from '../geometry/rect.ts'
import type { FrameCompositing, Ground, PictureOperation } from '../operations/operation.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { ReusedMemory } from '../reused-memory.ts'
import { movePixels } from '../sampling/frame-rim.ts'
import { kernelTables } from '../sampling/kernel-tables.ts'
import type { PlacedArtwork } from '../sampling/placed-artwork.ts'
import type { ReduceTaps } from '../sampling/reduce-by-taps.ts'
import type { SampledFrame } from '../sampling/sampled-frame.ts'
import { mapTexture } from '../sampling/texture.ts'
import type { StackArithmetic } from '../stack/stack-arithmetic.ts'
import { runSteps, type Steps } from '../steps.ts'
import { lightTermNames } from '../template/light-terms.ts'
import { KernelInstance } from '../webassembly/kernel-instance.ts'
import { findBlendings, type KernelBlending } from './find-blendings.ts'
import {
  BAND_ROWS,
  type FrameAddresses,
  type FrameBlending,
  LIGHT_LAYER_BYTES,
  layOutMemory,
  writeFrame,
  writeLevel,
} from './frame-memory.ts'
import { FrameTextures } from './frame-textures.ts'
import { writeLightTables } from './light-memory.ts'
import { StackKernel } from './stack-kernel.ts'
import { planWindow } from './texture-window.ts'
import { TileReducer } from './tile-reducer.ts'

/** Memory of sampled frames that is retained for the next mockup: of one that covers 8 megapixels. */
const sampledBounds = { maxBytes: 32 * 1024 * 1024, maxCount: 4 }

/** For frames that are only sampled. */
const sampledCompositing: FrameCompositing = { blendMode: 'normal', opacity: 1 }

/** Views of the kernel's memory. */
type Memory = {
  readonly bytes: Uint8Array
  readonly whole: Int32Array
  readonly single: Float32Array
  readonly view: DataView
}

/** Draws with WebAssembly, byte for byte like `PlainDrawer`. One per thread; it retains its memory. */
export class FrameKernel implements Drawer {
  readonly #instance: KernelInstance
  readonly #drawBand
  readonly #layOver
  readonly #sampleBand
  readonly #module: WebAssembly.Module
  #stack: StackKernel | null = null
  readonly #at: FrameAddresses
  readonly #textures: FrameTextures
  readonly #tiles: TileReducer
  readonly #sampled = new ReusedMemory(sampledBounds)
  readonly #blendings: ReadonlyMap<BlendMode, KernelBlending>
  /** address of each table loaded so far */
  readonly #blendTables = new Map<BlendMode, number>()

  constructor(module: WebAssembly.Module) {
    const instance = new KernelInstance(module)
    this.#instance = instance
    this.#drawBand = instance.function('drawBand')
    this.#layOver = instance.function('layOver')
    this.#sampleBand = instance.function('sampleBand')
    this.#module = module
    this.#blendings = findBlendings(name => instance.constant(name))
    const tableCount = [...this.#blendings.values()].filter(({ tableOf }) => tableOf !== null).length
    this.#at = layOutMemory(instance.function('heapBase')() >>> 0, tableCount)
    this.#textures = new FrameTextures(instance, this.#at.end)
    this.#tiles = new TileReducer(instance, () => this.#textures.takeMemory())
    instance.reserve(this.#at.end)
    // In the kernel's order: horizontally in pairs 0 2 and 1 3, vertically one weight for two channels.
    const tables = kernelTables()
    const across = new Int16Array(instance.bytes.buffer, this.#at.weightsAcross, 2 * tables.across.length)
    const down = new Int16Array(instance.bytes.buffer, this.#at.weightsDown, 2 * tables.down.length)
    for (let i = 0; i < across.length; i++) {
      const phase = (i >> 3) * 4
      across[i] = (i & 4) === 0 ? (tables.across[phase + ((i & 1) << 1) + ((i >> 1) & 1)] ?? 0) : 0
      down[i] = tables.down[phase + ((i >> 1) & 3)] ?? 0
    }
  }

  get memoryBytes(): number {
    return this.#instance.sizeBytes + (this.#stack?.memoryBytes ?? 0) + this.#sampled.idleBytes
  }

  /** Draws stacks, in separate memory. */
  get stack(): StackArithmetic {
    return (this.#stack ??= new StackKernel(this.#module))
  }

  /** Like `drawInSteps`, in one step. */
  draw(...parameters: Parameters<FrameKernel['drawInSteps']>): void {
    runSteps(this.drawInSteps(...parameters))
  }

  /** One band of rows per step. Between steps, this kernel must not draw anything else. */
  *drawInSteps(
    picture: OpaquePixmap,
    frame: PreparedFrame,
    placed: PlacedArtwork,
    compositing: FrameCompositing,
    ground: Ground = { left: 0, top: 0, pixels: picture },
    over: readonly PictureOperation[] = [],
  ): Steps<void> {
    const draw = (memory: Memory, row: number, end: number): void => {
      this.#drawRows(memory, picture, ground, frame, placed.cut, over, row, end)
    }
    yield* this.#bandsInSteps(frame, placed, compositing, draw)
  }

  /** Like `sampleFrame`, one band of rows per step. Between steps, nothing else may be drawn. */
  *sampleInSteps(frame: PreparedFrame, placed: PlacedArtwork): Steps<SampledFrame> {
    const { plan, coverage, light } = frame
    const { region } = plan
    const data = this.#sampled.take(region.widthPx * region.heightPx * 4)
    // Without a chunk, nothing is sampled.
    if (plan.chunkCount === 0) data.fill(0)
    yield* this.#bandsInSteps(frame, placed, sampledCompositing, (memory, row, end) => {
      this.#sampleRows(memory, frame, placed.cut, data, row, end)
    })
    return { region, data, coverage, light }
  }

  /** Releases a sampled frame: its memory is reused for the next one. */
  giveBack({ data }: SampledFrame): void {
    this.#sampled.giveBack(data)
  }

  /** Loads the frame and its artwork into the kernel, and calls `draw` for each band of its rows. */
  *#bandsInSteps(
    frame: PreparedFrame,
    placed: PlacedArtwork,
    compositing: FrameCompositing,
    draw: (memory: Memory, firstRow: number, endRow: number) => void,
  ): Steps<void> {
    const { plan } = frame
    if (plan.chunkCount === 0) return
    const { artwork } = placed
    const mapping = mapTexture(placed)
    const windowPlan = planWindow(placed, mapping, plan, BAND_ROWS)
    const window = windowPlan && this.#textures.openWindow(artwork, windowPlan)
    const levels = window ? [] : this.#textures.load(placed, mapping, plan)
    if (frame.light) writeLightTables(this.#instance.bytes, this.#at.lightTables, frame.light)
    const bytes = this.#instance.bytes
    const { buffer } = bytes
    const memory = {
      bytes,
      whole: new Int32Array(buffer),
      single: new Float32Array(buffer),
      view: new DataView(buffer),
    }
    const { blendMode, opacity } = compositing
    const blending = frame.light ? null : this.#findBlending(blendMode)
    writeFrame(memory.view, this.#at, { frame, opacity, blending, mapping, placed })
    levels.forEach((level, key) => {
      if (level) writeLevel(memory.view, this.#at, key, level)
    })
    const { heightPx } = plan.region
    for (let row = 0; row < heightPx; row += BAND_ROWS) {
      if (window) writeLevel(memory.view, this.#at, 0, window.moveTo(row / BAND_ROWS))
      draw(memory, row, Math.min(heightPx, row + BAND_ROWS))
      yield
    }
    if (window) this.#textures.closeWindow(artwork, windowPlan, window)
  }

  /** Like `reduceByTaps`, byte for byte. */
  readonly reduce: ReduceTaps = (artwork, across, down, extension) =>
    this.#tiles.reduce(artwork, across, down, extension)

  drawPicture(picture: OpaquePixmap, operation: PictureOperation): void {
    const { left, top, widthPx, heightPx } = operation.region
    const { bytes } = this.#instance
    const rowBytes = widthPx * 3
    for (let from = 0; from < heightPx; from += BAND_ROWS) {
      const rows = Math.min(BAND_ROWS, heightPx - from)
      const band = { left, top: top + from, widthPx, heightPx: rows }
      const first = (band.top * picture.widthPx + left) * 3
      for (let row = 0; row < rows; row++) {
        const offset = first + row * picture.widthPx * 3
        bytes.set(picture.data.subarray(offset, offset + rowBytes), this.#at.scene + row * rowBytes)
      }
      this.#layOverBand(operation, band)
      for (let row = 0; row < rows; row++) {
        const drawn = this.#at.scene + row * rowBytes
        picture.data.set(bytes.subarray(drawn, drawn + rowBytes), first + row * picture.widthPx * 3)
      }
    }
  }

  /** Blends a picture over a band of pixels, which is in the kernel's memory without gaps between rows. */
  #layOverBand({ region, data, blendMode, opacity }: PictureOperation, band: Rect): void {
    const part = intersectRects(region, band)
    if (areaOf(part) === 0) return
    const { left, top, widthPx, heightPx } = part
    const first = (top - region.top) * region.widthPx * 4
    const colors = data.subarray(first, first + heightPx * region.widthPx * 4)
    // The band's map is no longer needed: the picture's colours overwrite it.
    this.#instance.bytes.set(colors, this.#at.u)
    const { mode, table } = this.#findBlending(blendMode)
    this.#layOver(
      mode,
      this.#at.u + (left - region.left) * 4,
      region.widthPx * 4,
      widthPx,
      heightPx,
      table,
      scaleOpacity(opacity),
      this.#at.scene + ((top - band.top) * band.widthPx + left - band.left) * 3,
      band.widthPx * 3,
    )
  }

  #findBlending(name: BlendMode): FrameBlending {
    const blending = this.#blendings.get(name)
    if (!blending) throw new Error(`The kernel does not know the blending mode ${name}`)
    if (blending.tableOf === null) return { mode: blending.mode, table: 0 }
    const loaded = this.#blendTables.get(name)
    if (loaded !== undefined) return { mode: blending.mode, table: loaded }
    const table = this.#at.blendTables + this.#blendTables.size * layout.BLEND_TABLE_BYTES
    this.#instance.bytes.set(buildBlendTable(blending.tableOf), table)
    this.#blendTables.set(name, table)
    return { mode: blending.mode, table }
  }

  /** Loads the artwork positions of rows [from, end) of the region. Returns whether any pixel is covered. */
  #loadRows(
    { bytes, whole, single }: Memory,
    { plan }: PreparedFrame,
    cut: Uint8Array | null,
    from: number,
    end: number,
  ): boolean {
    const { region, map, rowChunk } = plan
    const firstChunk = rowChunk[from] ?? 0
    const endChunk = rowChunk[end] ?? 0
    if (firstChunk === endChunk) return false
    whole.set(rowChunk.subarray(from, end + 1), this.#at.rowChunks / 4)
    whole.set(plan.chunkStart.subarray(firstChunk, endChunk), this.#at.chunkStart / 4)
    whole.set(plan.chunkLength.subarray(firstChunk, endChunk), this.#at.chunkLength / 4)
    single.set(plan.chunkScaleU.subarray(firstChunk, endChunk), this.#at.chunkScaleU / 4)
    single.set(plan.chunkScaleV.subarray(firstChunk, endChunk), this.#at.chunkScaleV / 4)
    const firstPixel = from * region.widthPx
    const endPixel = end * region.widthPx
    if (map.kind === 'grid') {
      single.set(map.u.subarray(firstPixel, endPixel), this.#at.u / 4)
      single.set(map.v.subarray(firstPixel, endPixel), this.#at.v / 4)
      if (plan.moves)
        movePixels(map, plan.moves, firstPixel, endPixel, (pixel, u, v) => {
          single[this.#at.u / 4 + pixel] = u
          single[this.#at.v / 4 + pixel] = v
        })
    }
    if (cut) bytes.set(cut.subarray(firstPixel, endPixel), this.#at.cut)
    return true
  }

  /** Samples rows [from, end) of the frame's region into its RGBA. */
  #sampleRows(
    memory: Memory,
    frame: PreparedFrame,
    cut: Uint8Array | null,
    data: Uint8Array,
    from: number,
    end: number,
  ): void {
    const rowBytes = frame.plan.region.widthPx * 4
    if (!this.#loadRows(memory, frame, cut, from, end)) {
      data.fill(0, from * rowBytes, end * rowBytes)
      return
    }
    // Light is not needed here: its layers' memory receives the colours.
    const colors = this.#at.lightLayers
    memory.bytes.fill(0, colors, colors + (end - from) * rowBytes)
    this.#sampleBand(this.#at.frame, from, end - from, colors)
    data.set(memory.bytes.subarray(colors, colors + (end - from) * rowBytes), from * rowBytes)
  }

  /** Draws rows [from, end) of the frame's region. */
  #drawRows(
    memory: Memory,
    picture: OpaquePixmap,
    ground: Ground,
    frame: PreparedFrame,
    cut: Uint8Array | null,
    over: readonly PictureOperation[],
    from: number,
    end: number,
  ): void {
    if (!this.#loadRows(memory, frame, cut, from, end)) return
    const { bytes } = memory
    const { plan, coverage, light } = frame
    const { region } = plan
    const { widthPx } = region
    const firstPixel = from * widthPx
    const endPixel = end * widthPx
    bytes.set(coverage.subarray(firstPixel, endPixel), this.#at.coverage)
    for (const [index, term] of lightTermNames.entries()) {
      const layer = light?.[term]?.subarray(firstPixel * 3, endPixel * 3)
      if (layer) bytes.set(layer, this.#at.lightLayers + index * LIGHT_LAYER_BYTES)
    }
    const { rowStart, rowEnd } = plan
    const under = ground.pixels.data
    const underStride = ground.pixels.widthPx * 3
    let underRow = (region.top + from - ground.top) * underStride + (region.left - ground.left) * 3
    let sceneRow = this.#at.scene
    if (ground.pixels.widthPx === widthPx) {
      // The frame's own scene: no gaps between its rows.
      bytes.set(under.subarray(underRow, underRow + (end - from) * underStride), sceneRow)
    } else {
      for (let row = from; row < end; row++, underRow += underStride, sceneRow += widthPx * 3) {
        const start = (rowStart[row] ?? 0) * 3
        bytes.set(under.subarray(underRow + start, underRow + (rowEnd[row] ?? 0) * 3), sceneRow + start)
      }
    }
    this.#drawBand(this.#at.frame, from, end - from)
    const band = { left: region.left, top: region.top + from, widthPx, heightPx: end - from }
    for (const operation of over) this.#layOverBand(operation, band)
    const pictureStride = picture.widthPx * 3
    let pictureRow = (region.top + from) * pictureStride + region.left * 3
    sceneRow = this.#at.scene
    for (let row = from; row < end; row++, pictureRow += pictureStride, sceneRow += widthPx * 3) {
      const start = (rowStart[row] ?? 0) * 3
      picture.data.set(bytes.subarray(sceneRow + start, sceneRow + (rowEnd[row] ?? 0) * 3), pictureRow + start)
    }
  }
}
