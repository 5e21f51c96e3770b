import { blendChunk, getSeparableTable, scaleOpacity } from '../blending/blend-chunk.ts'
import type { BlendMode } from '../blending/blend-modes.ts'
import type { DecodedArtwork } from '../codec.ts'
import type { CentredCrop } from '../geometry/centred-crop.ts'
import type { Light } from '../lighting/light-chunk.ts'
import { LINEAR_FROM_BYTE } from '../lighting/light-tables.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { findKernelTable, KERNEL_TABLES } from '../sampling/kernel-tables.ts'
import { chooseLevel } from '../sampling/sample-chunk.ts'
import type { SamplingPlan } from '../sampling/sampling-plan.ts'
import { findParentLevel, GREATEST_LEVEL, placeTexture, TEXTURE_PAD, type TexturePlace } from '../sampling/texture.ts'
import type { PreparedFrame } from '../template/prepare-frame.ts'
import { GREATEST_WIDTH_PX } from '../template/prepare-limits.ts'
import { KernelInstance } from './kernel-instance.ts'

// The layout of the kernel's memory: see engine/kernels/assembly/frame-drawer.ts.
const SLACK_BYTES = 64
const SCRATCH_BYTES = 4 * (1024 + SLACK_BYTES) + 256
const MATRIX_BYTES = 9 * 8
const BLEND_TABLE_BYTES = 65536
const LIGHT_SCENE_AT = 2048
const LIGHT_SHADE_AT = 4096
const LIGHT_HIGHLIGHTS_AT = 6144
const LIGHT_SURFACE_AT = 8192
const LIGHT_LAST_STEP_AT = 8216
const LIGHT_BYTES_AT = 8224
const RECORD_BYTES = 64

/** Every other pixel at most begins a chunk. */
const GREATEST_CHUNKS_PER_ROW = GREATEST_WIDTH_PX / 2 + 1

const align = (address: number): number => Math.ceil(address / 64) * 64

type LevelPlace = {
  readonly widthPx: number
  readonly heightPx: number
  readonly strideBytes: number
  /** address of the first byte of its padding */
  readonly start: number
}

/** Draws frames with WebAssembly, equal byte for byte to `drawFrame`. One per thread; its memory stays for the next frame. */
export class FrameKernel {
  readonly #instance: KernelInstance
  readonly #blendRow
  readonly #lightRow
  readonly #sampleChunk
  readonly #premultiply
  readonly #padLevel
  readonly #halveAcross
  readonly #halveDown
  readonly #colorOffset: number
  readonly #block: number
  readonly #weights: number
  readonly #matrix: number
  readonly #blendTable: number
  readonly #lightTables: number
  readonly #records: number
  readonly #scene: number
  readonly #coverage: number
  readonly #shade: number
  readonly #highlights: number
  readonly #u: number
  readonly #v: number
  readonly #textures: number
  #loadedMode: BlendMode | null = null

  constructor(module: WebAssembly.Module) {
    const instance = new KernelInstance(module)
    this.#instance = instance
    this.#blendRow = instance.function('blendRow')
    this.#lightRow = instance.function('lightRow')
    this.#sampleChunk = instance.function('sampleChunk')
    this.#premultiply = instance.function('premultiply')
    this.#padLevel = instance.function('padLevel')
    this.#halveAcross = instance.function('halveAcross')
    this.#halveDown = instance.function('halveDown')
    this.#colorOffset = instance.function('colorOffset')()
    let next = align(instance.function('heapBase')() >>> 0)
    const take = (sizeBytes: number): number => {
      const at = next
      next = align(next + sizeBytes + SLACK_BYTES)
      return at
    }
    this.#block = take(SCRATCH_BYTES)
    this.#weights = take(KERNEL_TABLES.byteLength)
    this.#matrix = take(MATRIX_BYTES)
    this.#blendTable = take(BLEND_TABLE_BYTES)
    this.#lightTables = take(LIGHT_BYTES_AT + 2 * 65536 + 1)
    this.#records = take(GREATEST_CHUNKS_PER_ROW * RECORD_BYTES)
    this.#scene = take(GREATEST_WIDTH_PX * 3)
    this.#coverage = take(GREATEST_WIDTH_PX)
    this.#shade = take(GREATEST_WIDTH_PX * 3)
    this.#highlights = take(GREATEST_WIDTH_PX * 3)
    this.#u = take(GREATEST_WIDTH_PX * 4)
    this.#v = take(GREATEST_WIDTH_PX * 4)
    this.#textures = next
    instance.reserve(next)
    new Int16Array(instance.bytes.buffer, this.#weights, KERNEL_TABLES.length).set(KERNEL_TABLES)
  }

  get memoryBytes(): number {
    return this.#instance.sizeBytes
  }

  /** As `drawFrame`, from the decoded artwork itself. */
  draw(
    picture: OpaquePixmap,
    frame: PreparedFrame,
    artwork: DecodedArtwork,
    crop: CentredCrop,
    blendMode: BlendMode,
  ): void {
    const { plan } = frame
    if (plan.chunkCount === 0) return
    const place = placeTexture(artwork, crop)
    const levels = this.#loadTexture(artwork, place, plan)
    if (plan.map.kind === 'homography') {
      new Float64Array(this.#instance.bytes.buffer, this.#matrix, 9).set(plan.map.matrix)
    }
    if (frame.light) this.#loadLight(frame.light)
    else this.#loadMode(blendMode)
    for (let row = 0; row < plan.region.heightPx; row++) this.#drawRow(picture, frame, place, levels, blendMode, row)
  }

  /** Puts the artwork and the levels of it that the plan reads into memory. Levels are indexed by levelU * (GREATEST_LEVEL + 1) + levelV. */
  #loadTexture(artwork: DecodedArtwork, place: TexturePlace, plan: SamplingPlan): readonly (LevelPlace | undefined)[] {
    const levels: LevelPlace[] = []
    const order: number[] = []
    let next = this.#textures
    const add = (levelU: number, levelV: number): LevelPlace => {
      const key = levelU * (GREATEST_LEVEL + 1) + levelV
      const known = levels[key]
      if (known) return known
      let { widthPx, heightPx } = place
      if (levelU > 0 || levelV > 0) {
        const parent = findParentLevel(levelU, levelV)
        const size = add(parent.levelU, parent.levelV)
        widthPx = parent.halvesU ? (size.widthPx + 1) >> 1 : size.widthPx
        heightPx = parent.halvesU ? size.heightPx : (size.heightPx + 1) >> 1
      }
      const strideBytes = (widthPx + 2 * TEXTURE_PAD) * 4
      const level = { widthPx, heightPx, strideBytes, start: next }
      // Texels ahead are touched up to 4 rows past the end.
      next = align(next + strideBytes * (heightPx + 2 * TEXTURE_PAD + 4) + SLACK_BYTES)
      levels[key] = level
      order.push(key)
      return level
    }
    const base = add(0, 0)
    for (let chunk = 0; chunk < plan.chunkCount; chunk++) {
      const levelU = chooseLevel((plan.chunkScaleU[chunk] ?? 0) * place.scaleU, place.widthPx)
      const levelV = chooseLevel((plan.chunkScaleV[chunk] ?? 0) * place.scaleV, place.heightPx)
      if (levelU > 0 || levelV > 0) add(levelU, levelV)
    }
    this.#instance.reserve(next)
    const wraps = plan.map.kind === 'grid' && plan.map.wrapsU ? 1 : 0
    const { bytes } = this.#instance
    const baseOrigin = base.start + TEXTURE_PAD * base.strideBytes + TEXTURE_PAD * 4
    for (let y = 0; y < base.heightPx; y++) {
      const from = ((place.top + y) * artwork.widthPx + place.left) * 4
      const to = baseOrigin + y * base.strideBytes
      bytes.set(artwork.data.subarray(from, from + base.widthPx * 4), to)
      if (!artwork.isOpaque) this.#premultiply(to, base.widthPx)
    }
    for (const key of order) {
      const level = levels[key] ?? base
      const origin = level.start + TEXTURE_PAD * level.strideBytes + TEXTURE_PAD * 4
      if (key > 0) {
        const parent = findParentLevel(Math.floor(key / (GREATEST_LEVEL + 1)), key % (GREATEST_LEVEL + 1))
        const source = levels[parent.levelU * (GREATEST_LEVEL + 1) + parent.levelV] ?? base
        const sourceOrigin = source.start + TEXTURE_PAD * source.strideBytes + TEXTURE_PAD * 4
        const halve = parent.halvesU ? this.#halveAcross : this.#halveDown
        halve(sourceOrigin, source.strideBytes, origin, level.strideBytes, level.widthPx, level.heightPx)
      }
      this.#padLevel(origin, level.strideBytes, level.widthPx, level.heightPx, wraps)
    }
    return levels
  }

  #loadMode(mode: BlendMode): void {
    if (this.#loadedMode === mode) return
    const table = getSeparableTable(mode)
    if (!table) return
    this.#instance.bytes.set(table, this.#blendTable)
    this.#loadedMode = mode
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

  /** The records of a row's chunks. */
  #writeRecords(
    plan: SamplingPlan,
    row: number,
    place: TexturePlace,
    levels: readonly (LevelPlace | undefined)[],
  ): number {
    const { buffer } = this.#instance.bytes
    const first = plan.rowChunk[row] ?? 0
    const count = (plan.rowChunk[row + 1] ?? 0) - first
    const whole = new Uint32Array(buffer, this.#records, count * 16)
    const floats = new Float64Array(buffer, this.#records, count * 8)
    for (let i = 0; i < count; i++) {
      const scaleU = (plan.chunkScaleU[first + i] ?? 0) * place.scaleU
      const scaleV = (plan.chunkScaleV[first + i] ?? 0) * place.scaleV
      const levelU = chooseLevel(scaleU, place.widthPx)
      const levelV = chooseLevel(scaleV, place.heightPx)
      const level = levels[levelU * (GREATEST_LEVEL + 1) + levelV]
      if (!level) throw new Error('A chunk reads a level that was not made.')
      const shrinkU = 1 / 2 ** levelU
      const shrinkV = 1 / 2 ** levelV
      whole[i * 16] = (plan.chunkStart[first + i] ?? 0) - row * plan.region.widthPx
      whole[i * 16 + 1] = plan.chunkLength[first + i] ?? 0
      whole[i * 16 + 2] = level.start - level.strideBytes - 4
      whole[i * 16 + 3] = level.strideBytes
      whole[i * 16 + 4] = this.#weights + findKernelTable(scaleU * shrinkU, levelU > 0) * 2
      whole[i * 16 + 5] = this.#weights + findKernelTable(scaleV * shrinkV, levelV > 0) * 2
      whole[i * 16 + 6] = level.widthPx
      whole[i * 16 + 7] = level.heightPx
      floats[i * 8 + 4] = place.scaleU * shrinkU
      floats[i * 8 + 5] = place.offsetU * shrinkU
      floats[i * 8 + 6] = place.scaleV * shrinkV
      floats[i * 8 + 7] = place.offsetV * shrinkV
    }
    return count
  }

  #drawRow(
    picture: OpaquePixmap,
    frame: PreparedFrame,
    place: TexturePlace,
    levels: readonly (LevelPlace | undefined)[],
    blendMode: BlendMode,
    row: number,
  ): void {
    const { plan, coverage, light, opacity } = frame
    const count = this.#writeRecords(plan, row, place, levels)
    if (count === 0) return
    const { left, top, widthPx } = plan.region
    const { bytes } = this.#instance
    const regionPixel = row * widthPx
    const { map } = plan
    if (map.kind === 'grid') {
      new Float32Array(bytes.buffer, this.#u, widthPx).set(map.u.subarray(regionPixel, regionPixel + widthPx))
      new Float32Array(bytes.buffer, this.#v, widthPx).set(map.v.subarray(regionPixel, regionPixel + widthPx))
    }
    const u = map.kind === 'grid' ? this.#u : 0
    const position = [this.#matrix, left + 0.5, top + row + 0.5, u, this.#v] as const
    const sceneByte = ((top + row) * picture.widthPx + left) * 3
    if (!light && getSeparableTable(blendMode) === null) {
      const color = this.#block + this.#colorOffset
      for (let i = 0; i < count; i++) {
        const chunk = (plan.rowChunk[row] ?? 0) + i
        this.#sampleChunk(this.#block, this.#records + i * RECORD_BYTES, ...position)
        const start = plan.chunkStart[chunk] ?? 0
        const length = plan.chunkLength[chunk] ?? 0
        const at = sceneByte + (start - regionPixel) * 3
        blendChunk(blendMode, opacity, length, bytes, color, coverage, start, picture.data, at)
      }
      return
    }
    bytes.set(coverage.subarray(regionPixel, regionPixel + widthPx), this.#coverage)
    bytes.set(picture.data.subarray(sceneByte, sceneByte + widthPx * 3), this.#scene)
    if (light) {
      bytes.set(light.shade.subarray(regionPixel * 3, (regionPixel + widthPx) * 3), this.#shade)
      if (light.highlights) {
        bytes.set(light.highlights.subarray(regionPixel * 3, (regionPixel + widthPx) * 3), this.#highlights)
      }
      const highlights = light.highlights ? this.#highlights : 0
      const layers = [this.#coverage, this.#shade, highlights, this.#scene] as const
      this.#lightRow(this.#block, this.#records, count, ...position, this.#lightTables, opacity / 255, ...layers)
    } else {
      const scale = scaleOpacity(opacity)
      const target = [this.#blendTable, scale, this.#coverage, this.#scene] as const
      this.#blendRow(this.#block, this.#records, count, ...position, ...target)
    }
    picture.data.set(bytes.subarray(this.#scene, this.#scene + widthPx * 3), sceneByte)
  }
}
