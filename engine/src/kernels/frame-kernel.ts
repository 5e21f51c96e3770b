import { blendChunk, getSeparableTable, scaleOpacity } from '../blending/blend-chunk.ts'
import type { BlendMode } from '../blending/blend-modes.ts'
import type { DecodedArtwork } from '../codec.ts'
import type { CentredCrop } from '../geometry/centred-crop.ts'
import type { Light } from '../lighting/light-chunk.ts'
import { LINEAR_FROM_BYTE } from '../lighting/light-tables.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { ACROSS_TABLES, DOWN_TABLES, findKernelTable } from '../sampling/kernel-tables.ts'
import { buildLocator, chooseLevel, findGreatestPosition } from '../sampling/sample-chunk.ts'
import type { SamplingPlan } from '../sampling/sampling-plan.ts'
import { findParentLevel, GREATEST_LEVEL, placeTexture, TEXTURE_PAD, type TexturePlace } from '../sampling/texture.ts'
import type { PreparedFrame } from '../template/prepare-frame.ts'
import { GREATEST_WIDTH_PX } from '../template/prepare-limits.ts'
import { KernelInstance } from './kernel-instance.ts'

// The layout of the kernel's memory: see engine/kernels/assembly/frame-drawer.ts.
const SLACK_BYTES = 64
const SCRATCH_BYTES = 4 * (1024 + SLACK_BYTES) + 256
const BLEND_TABLE_BYTES = 65536
const LIGHT_SCENE_AT = 2048
const LIGHT_SHADE_AT = 4096
const LIGHT_HIGHLIGHTS_AT = 6144
const LIGHT_SURFACE_AT = 8192
const LIGHT_LAST_STEP_AT = 8216
const LIGHT_BYTES_AT = 8224
const RECORD_BYTES = 64

/** Modes that the kernel blends by formula, by its numbers for them; the others go by their table. */
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
}

/** Every other pixel at most begins a chunk. */
const GREATEST_CHUNKS_PER_ROW = GREATEST_WIDTH_PX / 2 + 1

const align = (address: number): number => Math.ceil(address / 64) * 64

type LevelPlace = {
  readonly widthPx: number
  readonly heightPx: number
  readonly strideBytes: number
  /** address of the first byte of its padding */
  readonly start: number
  /** address of texel (0, 0) */
  readonly origin: number
}

/** An artwork in the kernel's memory. Known by its object, which nobody changes. */
type LoadedTexture = {
  readonly artwork: WeakRef<DecodedArtwork>
  readonly place: TexturePlace
  readonly wraps: boolean
  /** by levelU * (GREATEST_LEVEL + 1) + levelV */
  readonly levels: (LevelPlace | undefined)[]
  /** address behind the last level */
  end: number
}

/** The records' memory as numbers of both kinds. */
type Records = { readonly whole: Uint32Array; readonly floats: Float64Array }

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
  readonly #weightsAcross: number
  readonly #weightsDown: number
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
  #loaded: LoadedTexture | null = null

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
    this.#weightsAcross = take(ACROSS_TABLES.byteLength)
    this.#weightsDown = take(DOWN_TABLES.byteLength)
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
    // The kernel pairs the first tap with the third and the second with the fourth.
    const across = ACROSS_TABLES.map((_, i) => ACROSS_TABLES[(i & ~3) | ((i & 1) << 1) | ((i & 2) >> 1)] ?? 0)
    new Int16Array(instance.bytes.buffer, this.#weightsAcross, across.length).set(across)
    new Int16Array(instance.bytes.buffer, this.#weightsDown, DOWN_TABLES.length).set(DOWN_TABLES)
  }

  get memoryBytes(): number {
    return this.#instance.sizeBytes
  }

  /**
   * As `drawFrame`, from the decoded artwork itself. What lies under the frame is read from `ground`, a picture of the same size that may be
   * another one; only pixels that the frame covers are written.
   */
  draw(
    picture: OpaquePixmap,
    frame: PreparedFrame,
    artwork: DecodedArtwork,
    crop: CentredCrop,
    blendMode: BlendMode,
    ground: OpaquePixmap = picture,
  ): void {
    const { plan } = frame
    if (plan.chunkCount === 0) return
    const texture = this.#loadTexture(artwork, placeTexture(artwork, crop), plan)
    if (frame.light) this.#loadLight(frame.light)
    else this.#loadMode(blendMode)
    const { buffer } = this.#instance.bytes
    const records = {
      whole: new Uint32Array(buffer, this.#records, GREATEST_CHUNKS_PER_ROW * 16),
      floats: new Float64Array(buffer, this.#records, GREATEST_CHUNKS_PER_ROW * 8),
    }
    for (let row = 0; row < plan.region.heightPx; row++) {
      const count = this.#writeRecords(plan, row, texture, records)
      if (count > 0) this.#drawRow(picture, ground, frame, blendMode, row, count)
    }
  }

  /** The artwork and those levels of it that the plan reads, in memory; what is there already, from the mockup before, is not made again. */
  #loadTexture(artwork: DecodedArtwork, place: TexturePlace, plan: SamplingPlan): LoadedTexture {
    const wraps = plan.map.kind === 'grid' && plan.map.wrapsU
    const isKept = this.#loaded !== null && isSame(this.#loaded, artwork, place, wraps)
    const texture: LoadedTexture =
      isKept && this.#loaded
        ? { ...this.#loaded, place }
        : { artwork: new WeakRef(artwork), place, wraps, levels: [], end: this.#textures }
    const added: number[] = []
    const add = (levelU: number, levelV: number): LevelPlace => {
      const key = levelU * (GREATEST_LEVEL + 1) + levelV
      const known = texture.levels[key]
      if (known) return known
      let { widthPx, heightPx } = place
      if (levelU > 0 || levelV > 0) {
        const parent = findParentLevel(levelU, levelV)
        const size = add(parent.levelU, parent.levelV)
        widthPx = parent.halvesU ? (size.widthPx + 1) >> 1 : size.widthPx
        heightPx = parent.halvesU ? size.heightPx : (size.heightPx + 1) >> 1
      }
      const strideBytes = (widthPx + 2 * TEXTURE_PAD) * 4
      const start = texture.end
      const level = {
        widthPx,
        heightPx,
        strideBytes,
        start,
        origin: start + TEXTURE_PAD * strideBytes + TEXTURE_PAD * 4,
      }
      // Texels ahead are touched up to 4 rows past the end.
      texture.end = align(start + strideBytes * (heightPx + 2 * TEXTURE_PAD + 4) + SLACK_BYTES)
      texture.levels[key] = level
      added.push(key)
      return level
    }
    const base = add(0, 0)
    for (let chunk = 0; chunk < plan.chunkCount; chunk++) {
      const levelU = chooseLevel((plan.chunkScaleU[chunk] ?? 0) * place.scaleU, place.widthPx)
      const levelV = chooseLevel((plan.chunkScaleV[chunk] ?? 0) * place.scaleV, place.heightPx)
      if (levelU > 0 || levelV > 0) add(levelU, levelV)
    }
    // Known only once all of it is made: memory may be refused.
    this.#loaded = null
    this.#instance.reserve(texture.end)
    if (!isKept) this.#loadBase(artwork, place, base)
    for (const key of added) {
      const level = texture.levels[key] ?? base
      if (key > 0) {
        const parent = findParentLevel(Math.floor(key / (GREATEST_LEVEL + 1)), key % (GREATEST_LEVEL + 1))
        const source = texture.levels[parent.levelU * (GREATEST_LEVEL + 1) + parent.levelV] ?? base
        const halve = parent.halvesU ? this.#halveAcross : this.#halveDown
        halve(source.origin, source.strideBytes, level.origin, level.strideBytes, level.widthPx, level.heightPx)
      }
      this.#padLevel(level.origin, level.strideBytes, level.widthPx, level.heightPx, wraps ? 1 : 0)
    }
    this.#loaded = texture
    return texture
  }

  #loadBase(artwork: DecodedArtwork, place: TexturePlace, base: LevelPlace): void {
    const { bytes } = this.#instance
    for (let y = 0; y < base.heightPx; y++) {
      const from = ((place.top + y) * artwork.widthPx + place.left) * 4
      const to = base.origin + y * base.strideBytes
      bytes.set(artwork.data.subarray(from, from + base.widthPx * 4), to)
      if (!artwork.isOpaque) this.#premultiply(to, base.widthPx)
    }
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

  /** The records of a row's chunks; how many there are. */
  #writeRecords(plan: SamplingPlan, row: number, { place, levels }: LoadedTexture, records: Records): number {
    const { whole, floats } = records
    const { region, map } = plan
    const first = plan.rowChunk[row] ?? 0
    const count = (plan.rowChunk[row + 1] ?? 0) - first
    const py = region.top + row + 0.5
    for (let i = 0; i < count; i++) {
      const scaleU = (plan.chunkScaleU[first + i] ?? 0) * place.scaleU
      const scaleV = (plan.chunkScaleV[first + i] ?? 0) * place.scaleV
      const levelU = chooseLevel(scaleU, place.widthPx)
      const levelV = chooseLevel(scaleV, place.heightPx)
      const level = levels[levelU * (GREATEST_LEVEL + 1) + levelV]
      if (!level) throw new Error('A chunk reads a level that was not made.')
      const shrinkU = 1 / 2 ** levelU
      const shrinkV = 1 / 2 ** levelV
      whole[i * 16] = (plan.chunkStart[first + i] ?? 0) - row * region.widthPx
      whole[i * 16 + 1] = plan.chunkLength[first + i] ?? 0
      whole[i * 16 + 2] = level.start - level.strideBytes - 4
      whole[i * 16 + 3] = level.strideBytes
      whole[i * 16 + 4] = this.#weightsAcross + findKernelTable(scaleU * shrinkU, levelU > 0) * 2
      whole[i * 16 + 5] = this.#weightsDown + findKernelTable(scaleV * shrinkV, levelV > 0) * 2
      whole[i * 16 + 6] = findGreatestPosition(level.widthPx)
      whole[i * 16 + 7] = findGreatestPosition(level.heightPx)
      const across = buildLocator(map, 'u', place.scaleU * shrinkU, place.offsetU * shrinkU, py)
      const down = buildLocator(map, 'v', place.scaleV * shrinkV, place.offsetV * shrinkV, py)
      floats[i * 8 + 4] = across.factor
      floats[i * 8 + 5] = across.offset
      floats[i * 8 + 6] = down.factor
      floats[i * 8 + 7] = down.offset
    }
    return count
  }

  #drawRow(
    picture: OpaquePixmap,
    ground: OpaquePixmap,
    frame: PreparedFrame,
    blendMode: BlendMode,
    row: number,
    count: number,
  ): void {
    const { plan, coverage, light, opacity } = frame
    const { left, top, widthPx } = plan.region
    const { bytes } = this.#instance
    const regionPixel = row * widthPx
    const { map } = plan
    let perspective = 0
    let constant = 0
    let u = 0
    if (map.kind === 'grid') {
      u = this.#u
      new Float32Array(bytes.buffer, this.#u, widthPx).set(map.u.subarray(regionPixel, regionPixel + widthPx))
      new Float32Array(bytes.buffer, this.#v, widthPx).set(map.v.subarray(regionPixel, regionPixel + widthPx))
    } else {
      perspective = map.matrix[6]
      constant = map.matrix[7] * (top + row + 0.5) + map.matrix[8]
    }
    const position = [perspective, constant, left + 0.5, u, this.#v] as const
    // From the first pixel that is drawn to the last: nothing else of the row is looked at.
    const firstChunk = plan.rowChunk[row] ?? 0
    const lastChunk = firstChunk + count - 1
    const from = plan.chunkStart[firstChunk] ?? 0
    const to = (plan.chunkStart[lastChunk] ?? 0) + (plan.chunkLength[lastChunk] ?? 0)
    const skipped = from - regionPixel
    const sceneByte = ((top + row) * picture.widthPx + left) * 3
    const firstByte = sceneByte + skipped * 3
    const under = ground.data.subarray(firstByte, firstByte + (to - from) * 3)
    if (!light && getSeparableTable(blendMode) === null) {
      const color = this.#block + this.#colorOffset
      if (ground !== picture) picture.data.set(under, firstByte)
      for (let i = 0; i < count; i++) {
        const chunk = firstChunk + i
        this.#sampleChunk(this.#block, this.#records + i * RECORD_BYTES, ...position)
        const start = plan.chunkStart[chunk] ?? 0
        const length = plan.chunkLength[chunk] ?? 0
        const at = sceneByte + (start - regionPixel) * 3
        blendChunk(blendMode, opacity, length, bytes, color, coverage, start, picture.data, at)
      }
      return
    }
    bytes.set(coverage.subarray(from, to), this.#coverage + skipped)
    bytes.set(under, this.#scene + skipped * 3)
    if (light) {
      bytes.set(light.shade.subarray(from * 3, to * 3), this.#shade + skipped * 3)
      if (light.highlights) {
        bytes.set(light.highlights.subarray(from * 3, to * 3), this.#highlights + skipped * 3)
      }
      const highlights = light.highlights ? this.#highlights : 0
      const layers = [this.#coverage, this.#shade, highlights, this.#scene] as const
      this.#lightRow(this.#block, this.#records, count, ...position, this.#lightTables, opacity / 255, ...layers)
    } else {
      const mode = FORMULA_MODES[blendMode] ?? 0
      const target = [mode, this.#blendTable, scaleOpacity(opacity), this.#coverage, this.#scene] as const
      this.#blendRow(this.#block, this.#records, count, ...position, ...target)
    }
    const drawn = this.#scene + skipped * 3
    picture.data.set(bytes.subarray(drawn, drawn + (to - from) * 3), firstByte)
  }
}

function isSame(loaded: LoadedTexture, artwork: DecodedArtwork, place: TexturePlace, wraps: boolean): boolean {
  const before = loaded.place
  return (
    loaded.artwork.deref() === artwork &&
    loaded.wraps === wraps &&
    before.left === place.left &&
    before.top === place.top &&
    before.widthPx === place.widthPx &&
    before.heightPx === place.heightPx
  )
}
