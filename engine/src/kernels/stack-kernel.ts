import { LIGHT_TABLES_BYTES } from '../../kernels/assembly/frame/layout.ts'
import * as stack from '../../kernels/assembly/stack/constants.ts'
import { blendModeNames } from '../blending/blend-modes.ts'
import type { RgbColor } from '../hex-color.ts'
import type { Light } from '../lighting/light-chunk.ts'
import type { Compositing, PreparedAdjustment } from '../operations/operation.ts'
import type { Area, Bytes, Mask, Pixels, StackArithmetic, Target } from '../stack/stack-arithmetic.ts'
import { weighColors } from '../stack/weigh-colors.ts'
import { lightTermNames } from '../template/light-terms.ts'
import { alignAddress as align } from '../webassembly/align-address.ts'
import { KernelInstance } from '../webassembly/kernel-instance.ts'
import { writeLightTables } from './light-memory.ts'

/** Unused bytes after every region, as whole vectors are loaded. */
const SLACK_BYTES = 64

/** A light layer, RGB. */
const LAYER_BYTES = stack.BAND_PX * 3

/** Tables of an adjustment, or of light. */
const TABLE_BYTES = Math.max(3 * 256 * 4, LIGHT_TABLES_BYTES)

const CUBE_COLORS = stack.CUBE_SIDE ** 3

/** Cubes that stay in memory from band to band. More than most templates have; 4.6 MB. */
const MOST_CUBES = 8

/** Draws operations with WebAssembly, byte for byte like `PlainArithmetic`. It retains its memory. */
export class StackKernel implements StackArithmetic {
  readonly #instance: KernelInstance
  /** addresses of an area's pictures and masks, of tables, and of light layers after their addresses */
  readonly #at: Readonly<Record<'first' | 'second' | 'table' | 'layers', number>>
  readonly #surfaces: number[] = []
  /** those in memory; a new one replaces the oldest */
  readonly #cubes: { readonly address: number; readonly values: WeakRef<Float32Array> }[] = []
  /** number of cubes loaded so far */
  #cubeCount = 0
  /** end of the memory in use */
  #end: number

  constructor(module: WebAssembly.Module) {
    this.#instance = new KernelInstance(module)
    this.#end = align(this.#instance.function('heapBase')() >>> 0)
    const wideBytes = stack.BAND_PX * 6
    const layers = this.#take((lightTermNames.length + 1) * LAYER_BYTES)
    this.#at = {
      layers,
      first: this.#take(wideBytes),
      second: this.#take(wideBytes),
      table: this.#take(TABLE_BYTES),
    }
  }

  get memoryBytes(): number {
    return this.#instance.sizeBytes
  }

  loadScene(area: Area, scene: Bytes): void {
    const [surface, start, bandWidth, width, rows] = this.#place(0, area)
    const from = this.#put(this.#at.first, scene, 3, area)
    this.#instance.function('loadScene')(surface, start, bandWidth, width, rows, from)
  }

  storeScene(area: Area, { data, first, rowPx }: Bytes): void {
    const to = this.#at.first
    this.#instance.function('storeScene')(...this.#place(0, area), to)
    const rowBytes = area.widthPx * 3
    for (let row = 0; row < area.heightPx; row++) {
      const from = to + row * rowBytes
      data.set(this.#instance.bytes.subarray(from, from + rowBytes), (first + row * rowPx) * 3)
    }
  }

  clear(surface: number, area: Area): void {
    this.#instance.function('clearSurface')(...this.#place(surface, area))
  }

  copy(from: number, to: number, area: Area): void {
    const [target, ...rest] = this.#place(to, area)
    this.#instance.function('copySurface')(this.#surface(from), target, ...rest)
  }

  placeFrame(surface: number, area: Area, colors: Bytes, coverage: Mask): void {
    const place = this.#place(surface, area)
    const from = this.#put(this.#at.first, colors, 4, area)
    this.#instance.function('placeFrame')(...place, from, this.#putMask(coverage, area))
  }

  light(target: Target, area: Area, from: number, coverage: Bytes, light: Light, opacity: number): void {
    const lit = this.#surface(from)
    const place = this.#place(target.surface, area)
    const { table, layers } = this.#at
    writeLightTables(this.#instance.bytes, table, light)
    const covered = this.#putMask(coverage, area)
    const addresses = lightTermNames.map((term, index) => {
      const data = light[term]
      return data ? this.#put(layers + (index + 1) * LAYER_BYTES, { ...coverage, data }, 3, area) : 0
    })
    new Uint32Array(this.#instance.bytes.buffer, layers, addresses.length).set(addresses)
    const draw = this.#instance.function('lightSurface')
    draw(...place, lit, covered, layers, table, opacity / 255, Number(target.isOpaque))
  }

  drawPicture(target: Target, area: Area, picture: Bytes, compositing: Compositing): void {
    const place = this.#place(target.surface, area)
    const from = this.#put(this.#at.first, picture, 4, area)
    this.#instance.function('drawPicture')(...place, from, ...this.#compositing(compositing), Number(target.isOpaque))
  }

  drawFrame(target: Target, area: Area, colors: Bytes, coverage: Bytes, compositing: Compositing): void {
    const place = this.#place(target.surface, area)
    const from = this.#put(this.#at.first, colors, 4, area)
    const covered = this.#put(this.#at.second, coverage, 1, area)
    const draw = this.#instance.function('drawFrameColors')
    draw(...place, from, covered, ...this.#compositing(compositing), Number(target.isOpaque))
  }

  drawColor(target: Target, area: Area, color: RgbColor, mask: Mask, compositing: Compositing): void {
    const place = this.#place(target.surface, area)
    const shares = [color.red, color.green, color.blue].map(byte => Math.fround(byte * Math.fround(1 / 255)))
    const covered = this.#putMask(mask, area)
    const draw = this.#instance.function('drawColor')
    draw(...place, ...shares, covered, ...this.#compositing(compositing), Number(target.isOpaque))
  }

  drawSurface(target: Target, area: Area, from: number, mask: Mask, compositing: Compositing): void {
    const source = this.#surface(from)
    const place = this.#place(target.surface, area)
    const covered = this.#putMask(mask, area)
    const draw = this.#instance.function('drawSurface')
    draw(...place, source, covered, ...this.#compositing(compositing), Number(target.isOpaque))
  }

  weigh({ surface, isOpaque }: Target, area: Area, weights: Float32Array, mask: Mask): Bytes {
    const address = this.#surface(surface)
    const plane = (index: number): Float32Array =>
      new Float32Array(this.#instance.bytes.buffer, address + index * stack.PLANE_BYTES, stack.BAND_PX)
    return weighColors([plane(0), plane(1), plane(2), plane(3)], isOpaque, area, weights, mask)
  }

  adjust(surface: number, area: Area, adjustment: PreparedAdjustment, mask: Mask, compositing: Compositing): void {
    const place = this.#place(surface, area)
    const covered = this.#putMask(mask, area)
    const draw = this.#instance.function('adjust')
    const by = (kind: number, values: number, level: number): number =>
      draw(...place, kind, values, level, covered, ...this.#compositing(compositing))
    switch (adjustment.kind) {
      case 'threshold':
        by(stack.BY_THRESHOLD, 0, adjustment.level)
        break
      case 'cube':
        by(stack.BY_CUBE, this.#putCube(adjustment.values), 0)
        break
      case 'tables':
        new Float32Array(this.#instance.bytes.buffer, this.#at.table, adjustment.values.length).set(adjustment.values)
        by(stack.BY_TABLES, this.#at.table, 0)
    }
  }

  multiplyAndAdd(surface: number, area: Area, multiply: Pixels<Uint16Array>, add: Pixels<Uint16Array>): void {
    const place = this.#place(surface, area)
    const factors = this.#put(this.#at.first, multiply, 3, area)
    this.#instance.function('multiplyAndAdd')(...place, factors, this.#put(this.#at.second, add, 3, area))
  }

  mix(target: Target, area: Area, before: number, mask: Mask, opacity: number): void {
    const then = this.#surface(before)
    const place = this.#place(target.surface, area)
    const covered = this.#putMask(mask, area)
    this.#instance.function('mixSurfaces')(...place, then, covered, opacity, Number(target.isOpaque))
  }

  #take(sizeBytes: number): number {
    const address = this.#end
    this.#end = align(address + sizeBytes + SLACK_BYTES)
    this.#instance.reserve(this.#end)
    return address
  }

  /** The address of a surface, which is created if needed. */
  #surface(index: number): number {
    return (this.#surfaces[index] ??= this.#take(stack.SURFACE_BYTES))
  }

  /** The address of a cube's colours, four floats each. */
  #putCube(values: Float32Array): number {
    const found = this.#cubes.find(cube => cube.values.deref() === values)
    if (found) return found.address
    const at = this.#cubeCount++ % MOST_CUBES
    const address = this.#cubes[at]?.address ?? this.#take(CUBE_COLORS * 16)
    this.#cubes[at] = { address, values: new WeakRef(values) }
    const colors = new Float32Array(this.#instance.bytes.buffer, address, CUBE_COLORS * 4)
    for (let from = 0, to = 0; to < colors.length; from += 3, to += 4) {
      colors[to] = values[from] ?? 0
      colors[to + 1] = values[from + 1] ?? 0
      colors[to + 2] = values[from + 2] ?? 0
    }
    return address
  }

  #place(
    surface: number,
    { start, bandWidthPx, widthPx, heightPx }: Area,
  ): readonly [number, number, number, number, number] {
    return [this.#surface(surface), start, bandWidthPx, widthPx, heightPx]
  }

  #compositing({ blendMode, opacity, fill }: Compositing): readonly [mode: number, opacity: number, fill: number] {
    return [blendModeNames.indexOf(blendMode), opacity, fill]
  }

  /** Copies the rows of an area without gaps. Returns their address. */
  #put(
    to: number,
    { data, first, rowPx }: Pixels<Uint8Array | Uint16Array>,
    channelCount: number,
    { widthPx, heightPx }: Area,
  ): number {
    const { bytes } = this.#instance
    const target = data instanceof Uint16Array ? new Uint16Array(bytes.buffer) : bytes
    const at = to / data.BYTES_PER_ELEMENT
    const rowLength = widthPx * channelCount
    const put = (row: number, rows: number): void => {
      const from = (first + row * rowPx) * channelCount
      target.set(data.subarray(from, from + rows * rowLength), at + row * rowLength)
    }
    if (rowPx === widthPx) put(0, heightPx)
    else for (let row = 0; row < heightPx; row++) put(row, 1)
    return to
  }

  /** 0 if there is none. */
  #putMask(mask: Mask, area: Area): number {
    return mask ? this.#put(this.#at.second, mask, 1, area) : 0
  }
}
