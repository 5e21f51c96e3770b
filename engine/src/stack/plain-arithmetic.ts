import { BAND_PX, CUBE_SIDE, LEAST_ALPHA, RUN_PX } from '../../kernels/assembly/stack/constants.ts'
import type { RgbColor } from '../hex-color.ts'
import type { Light } from '../lighting/light-chunk.ts'
import { encodeShare, lightBetween, reflectShare } from '../lighting/light-share.ts'
import type { Compositing, PreparedAdjustment } from '../operations/operation.ts'
import { floatBlending, floatLum } from './float-formulas.ts'
import type { Area, Bytes, Mask, Pixels, StackArithmetic, Target } from './stack-arithmetic.ts'
import { weighColors } from './weigh-colors.ts'

const F = Math.fround

/** Converts a byte to 0..1; 255 becomes exactly 1. */
const ofByte = F(1 / 255)
const ofWide = F(1 / 65_535)
const leastAlpha = F(LEAST_ALPHA)

type Planes = readonly [red: Float32Array, green: Float32Array, blue: Float32Array, alpha: Float32Array]

function createPlanes(length: number): Planes {
  const plane = (): Float32Array => new Float32Array(length)
  return [plane(), plane(), plane(), plane()]
}

/** The reference arithmetic, which defines every result. */
export class PlainArithmetic implements StackArithmetic {
  readonly #surfaces: Planes[] = []
  /** a run's source: colour, and alpha times opacity */
  readonly #source = createPlanes(RUN_PX)
  /** the blended colour of source and backdrop */
  readonly #blended = createPlanes(RUN_PX)

  loadScene(area: Area, { data, first, rowPx }: Bytes): void {
    const planes = this.#surface(0)
    forRows(area, (at, row) => {
      let from = (first + row * rowPx) * 3
      for (let i = at; i < at + area.widthPx; i++) {
        for (let c = 0; c < 3; c++) channel(planes, c)[i] = F((data[from++] ?? 0) * ofByte)
      }
    })
  }

  storeScene(area: Area, { data, first, rowPx }: Bytes): void {
    const planes = this.#surface(0)
    forRows(area, (at, row) => {
      let to = (first + row * rowPx) * 3
      for (let i = at; i < at + area.widthPx; i++) {
        for (let c = 0; c < 3; c++) data[to++] = Math.floor(F(F((channel(planes, c)[i] ?? 0) * 255) + 0.5))
      }
    })
  }

  clear(surface: number, area: Area): void {
    for (const plane of this.#surface(surface)) forRows(area, at => plane.fill(0, at, at + area.widthPx))
  }

  copy(from: number, to: number, area: Area): void {
    const [source, target] = [this.#surface(from), this.#surface(to)]
    for (let c = 0; c < 4; c++) {
      const [a, b] = [channel(source, c), channel(target, c)]
      forRows(area, at => b.set(a.subarray(at, at + area.widthPx), at))
    }
  }

  placeFrame(surface: number, area: Area, colors: Bytes, coverage: Mask): void {
    const planes = this.#surface(surface)
    this.#forRuns(area, (at, row, column, length) => {
      this.#loadFrame(colors, coverage, row, column, length, 1)
      for (let c = 0; c < 4; c++) channel(planes, c).set(channel(this.#source, c).subarray(0, length), at)
    })
  }

  light({ surface, isOpaque }: Target, area: Area, from: number, coverage: Bytes, light: Light, opacity: number): void {
    const [planes, lit] = [this.#surface(surface), this.#surface(from)]
    const { lightFromByte } = light.tone
    const scale = opacity / 255
    forRows(area, (at, row) => {
      for (let i = at; i < at + area.widthPx; i++) {
        const pixel = coverage.first + row * coverage.rowPx + i - at
        const mask = (coverage.data[pixel] ?? 0) * scale
        if (mask === 0) continue
        const below = isOpaque ? 1 : (planes[3][i] ?? 0)
        const alpha = isOpaque ? 1 : F(below + F(F(1 - below) * F(mask)))
        for (let c = 0; c < 3; c++) {
          const plane = channel(planes, c)
          const reflected = reflectShare(light, channel(lit, c)[i] ?? 0, lit[3][i] ?? 0, 3 * pixel + c, c)
          const sum = below * lightBetween(lightFromByte, plane[i] ?? 0) + mask * reflected
          plane[i] = F(encodeShare(light.tone, sum / Math.max(alpha, leastAlpha)))
        }
        if (!isOpaque) planes[3][i] = alpha
      }
    })
  }

  drawPicture(target: Target, area: Area, { data, first, rowPx }: Bytes, compositing: Compositing): void {
    const opacity = F(compositing.opacity)
    this.#forRuns(area, (at, row, column, length) => {
      let from = (first + row * rowPx + column) * 4
      for (let i = 0; i < length; i++) {
        for (let c = 0; c < 4; c++) channel(this.#source, c)[i] = F((data[from++] ?? 0) * ofByte)
      }
      weigh(this.#source[3], length, opacity)
      this.#composite(target, at, length, compositing)
    })
  }

  drawFrame(target: Target, area: Area, colors: Bytes, coverage: Bytes, compositing: Compositing): void {
    const opacity = F(compositing.opacity)
    this.#forRuns(area, (at, row, column, length) => {
      this.#loadFrame(colors, coverage, row, column, length, opacity)
      this.#composite(target, at, length, compositing)
    })
  }

  drawColor(target: Target, area: Area, color: RgbColor, mask: Mask, compositing: Compositing): void {
    const opacity = F(compositing.opacity)
    this.#forRuns(area, (at, row, column, length) => {
      this.#source[0].fill(F(color.red * ofByte), 0, length)
      this.#source[1].fill(F(color.green * ofByte), 0, length)
      this.#source[2].fill(F(color.blue * ofByte), 0, length)
      this.#source[3].fill(1, 0, length)
      this.#cover(mask, row, column, length)
      weigh(this.#source[3], length, opacity)
      this.#composite(target, at, length, compositing)
    })
  }

  drawSurface(target: Target, area: Area, from: number, mask: Mask, compositing: Compositing): void {
    const planes = this.#surface(from)
    const opacity = F(compositing.opacity)
    this.#forRuns(area, (at, row, column, length) => {
      for (let c = 0; c < 4; c++) channel(this.#source, c).set(channel(planes, c).subarray(at, at + length))
      this.#cover(mask, row, column, length)
      weigh(this.#source[3], length, opacity)
      this.#composite(target, at, length, compositing)
    })
  }

  weigh({ surface, isOpaque }: Target, area: Area, weights: Float32Array, mask: Mask): Bytes {
    return weighColors(this.#surface(surface), isOpaque, area, weights, mask)
  }

  adjust(surface: number, area: Area, adjustment: PreparedAdjustment, mask: Mask, compositing: Compositing): void {
    const planes = this.#surface(surface)
    const opacity = F(compositing.opacity)
    this.#forRuns(area, (at, row, column, length) => {
      adjustRun(adjustment, planes, at, length, this.#source)
      this.#source[3].fill(1, 0, length)
      this.#cover(mask, row, column, length)
      weigh(this.#source[3], length, opacity)
      this.#composite({ surface, isOpaque: true }, at, length, compositing)
    })
  }

  multiplyAndAdd(surface: number, area: Area, multiply: Pixels<Uint16Array>, add: Pixels<Uint16Array>): void {
    const planes = this.#surface(surface)
    forRows(area, (at, row) => {
      let factor = (multiply.first + row * multiply.rowPx) * 3
      let addend = (add.first + row * add.rowPx) * 3
      for (let i = at; i < at + area.widthPx; i++) {
        for (let c = 0; c < 3; c++) {
          const plane = channel(planes, c)
          const m = F((multiply.data[factor++] ?? 0) * ofWide)
          const o = F((add.data[addend++] ?? 0) * ofWide)
          plane[i] = clamp(F(F((plane[i] ?? 0) * m) + o))
        }
      }
    })
  }

  mix({ surface, isOpaque }: Target, area: Area, before: number, mask: Mask, opacity: number): void {
    const [now, then] = [this.#surface(surface), this.#surface(before)]
    const share = this.#source[3]
    this.#forRuns(area, (at, row, column, length) => {
      share.fill(1, 0, length)
      this.#cover(mask, row, column, length)
      weigh(share, length, F(opacity))
      for (let i = 0; i < length; i++) {
        const w = share[i] ?? 0
        const rest = F(1 - w)
        const shareNow = isOpaque ? w : F(w * (now[3][at + i] ?? 0))
        const shareThen = isOpaque ? rest : F(rest * (then[3][at + i] ?? 0))
        const alpha = isOpaque ? 1 : F(shareThen + shareNow)
        for (let c = 0; c < 3; c++) {
          const plane = channel(now, c)
          const sum = F(F(shareThen * (channel(then, c)[at + i] ?? 0)) + F(shareNow * (plane[at + i] ?? 0)))
          plane[at + i] = clamp(isOpaque ? sum : F(sum / Math.max(alpha, leastAlpha)))
        }
        if (!isOpaque) now[3][at + i] = alpha
      }
    })
  }

  #surface(index: number): Planes {
    return (this.#surfaces[index] ??= createPlanes(BAND_PX))
  }

  #forRuns(
    { start, bandWidthPx, widthPx, heightPx }: Area,
    draw: (at: number, row: number, column: number, length: number) => void,
  ): void {
    for (let row = 0; row < heightPx; row++) {
      for (let column = 0; column < widthPx; column += RUN_PX) {
        draw(start + row * bandWidthPx + column, row, column, Math.min(RUN_PX, widthPx - column))
      }
    }
  }

  #loadFrame(colors: Bytes, coverage: Mask, row: number, column: number, length: number, opacity: number): void {
    const { data, first, rowPx } = colors
    let from = (first + row * rowPx + column) * 4
    for (let i = 0; i < length; i++, from += 4) {
      const alpha = data[from + 3] ?? 0
      for (let c = 0; c < 3; c++) channel(this.#source, c)[i] = F((data[from + c] ?? 0) / Math.max(alpha, 1))
      this.#source[3][i] = F(alpha * ofByte)
    }
    this.#cover(coverage, row, column, length)
    weigh(this.#source[3], length, opacity)
  }

  #cover(mask: Mask, row: number, column: number, length: number): void {
    if (!mask) return
    const alpha = this.#source[3]
    const first = mask.first + row * mask.rowPx + column
    for (let i = 0; i < length; i++) alpha[i] = F((alpha[i] ?? 0) * F((mask.data[first + i] ?? 0) * ofByte))
  }

  /** Composites the source of a run with a surface (PDF 32000-1, 11.3.6). */
  #composite({ surface, isOpaque }: Target, at: number, length: number, { blendMode, fill }: Compositing): void {
    const planes = this.#surface(surface)
    blendRun(blendMode, F(fill), planes, at, length, this.#source, this.#blended)
    const [alphas, backAlphas] = [this.#source[3], planes[3]]
    for (let c = 0; c < 3; c++) {
      const [plane, source, blended] = [channel(planes, c), channel(this.#source, c), channel(this.#blended, c)]
      for (let i = 0; i < length; i++) {
        const weight = alphas[i] ?? 0
        const back = plane[at + i] ?? 0
        if (isOpaque) {
          plane[at + i] = clamp(F(F(F(1 - weight) * back) + F(weight * (blended[i] ?? 0))))
          continue
        }
        const backAlpha = backAlphas[at + i] ?? 0
        const grown = F(F(1 - backAlpha) * F(weight * F(fill)))
        const kept = F(F(F(1 - weight) * backAlpha) * back)
        const mixed = F(F(weight * backAlpha) * (blended[i] ?? 0))
        const sum = F(F(kept + mixed) + F(grown * (source[i] ?? 0)))
        plane[at + i] = clamp(F(sum / Math.max(F(backAlpha + grown), leastAlpha)))
      }
    }
    if (isOpaque) return
    for (let i = 0; i < length; i++) {
      const backAlpha = backAlphas[at + i] ?? 0
      backAlphas[at + i] = F(backAlpha + F(F(1 - backAlpha) * F((alphas[i] ?? 0) * F(fill))))
    }
  }
}

/** A plane by its number. */
function channel(planes: Planes, index: number): Float32Array {
  return planes[index] ?? planes[0]
}

function clamp(value: number): number {
  return Math.max(0, Math.min(1, value))
}

function weigh(alpha: Float32Array, length: number, opacity: number): void {
  for (let i = 0; i < length; i++) alpha[i] = F((alpha[i] ?? 0) * opacity)
}

function forRows({ start, bandWidthPx, heightPx }: Area, draw: (at: number, row: number) => void): void {
  for (let row = 0; row < heightPx; row++) draw(start + row * bandWidthPx, row)
}

/** Blends a run's source with the pixels of a surface from `at` on. */
function blendRun(
  mode: Compositing['blendMode'],
  fill: number,
  back: Planes,
  at: number,
  length: number,
  source: Planes,
  out: Planes,
): void {
  const blending = floatBlending(mode, fill)
  if (blending.kind === 'separable') {
    for (let c = 0; c < 3; c++) {
      const [b, s, result] = [channel(back, c), channel(source, c), channel(out, c)]
      for (let i = 0; i < length; i++) result[i] = clamp(blending.blend(b[at + i] ?? 0, s[i] ?? 0))
    }
    return
  }
  const color = new Float32Array(3)
  for (let i = 0; i < length; i++) {
    const [red, green, blue] = [back[0][at + i] ?? 0, back[1][at + i] ?? 0, back[2][at + i] ?? 0]
    blending.blend(red, green, blue, source[0][i] ?? 0, source[1][i] ?? 0, source[2][i] ?? 0, color)
    for (let c = 0; c < 3; c++) channel(out, c)[i] = clamp(color[c] ?? 0)
  }
}

/** The adjusted colours of a surface's pixels from `at` on. */
function adjustRun(adjustment: PreparedAdjustment, from: Planes, at: number, length: number, out: Planes): void {
  for (let i = 0; i < length; i++) {
    const [red, green, blue] = [from[0][at + i] ?? 0, from[1][at + i] ?? 0, from[2][at + i] ?? 0]
    if (adjustment.kind === 'threshold') {
      const isLight = Math.floor(F(F(floatLum(red, green, blue) * 255) + 0.5)) >= adjustment.level
      for (let c = 0; c < 3; c++) channel(out, c)[i] = isLight ? 1 : 0
    } else if (adjustment.kind === 'tables') {
      out[0][i] = lookUp(adjustment.values, 0, red)
      out[1][i] = lookUp(adjustment.values, 256, green)
      out[2][i] = lookUp(adjustment.values, 512, blue)
    } else lookUpColor(adjustment.values, red, green, blue, out, i)
  }
}

/** Linear interpolation between two entries of a table. */
function lookUp(table: Float32Array, first: number, value: number): number {
  const position = F(value * 255)
  const below = Math.min(254, Math.floor(position))
  const share = F(position - below)
  return F(F(F(1 - share) * (table[first + below] ?? 0)) + F(share * (table[first + below + 1] ?? 0)))
}

/** Distance of neighbouring entries of a cube along each axis. */
const RED_STEP = CUBE_SIDE * CUBE_SIDE * 3
const GREEN_STEP = CUBE_SIDE * 3
const BLUE_STEP = 3

/** Tetrahedral interpolation within a cell. */
function lookUpColor(cube: Float32Array, red: number, green: number, blue: number, out: Planes, i: number): void {
  const last = CUBE_SIDE - 2
  const [r, g, b] = [F(red * (CUBE_SIDE - 1)), F(green * (CUBE_SIDE - 1)), F(blue * (CUBE_SIDE - 1))]
  const [cellR, cellG, cellB] = [
    Math.min(last, Math.floor(r)),
    Math.min(last, Math.floor(g)),
    Math.min(last, Math.floor(b)),
  ]
  const [shareR, shareG, shareB] = [F(r - cellR), F(g - cellG), F(b - cellB)]
  let [most, middle, least] = [shareR, shareG, shareB]
  let [stepMost, stepMiddle] = [RED_STEP, GREEN_STEP]
  let stepLeast = BLUE_STEP
  // Sorted by three exchanges, always in this order.
  if (most < middle) {
    ;[most, middle] = [middle, most]
    ;[stepMost, stepMiddle] = [stepMiddle, stepMost]
  }
  if (middle < least) {
    ;[middle, least] = [least, middle]
    ;[stepMiddle, stepLeast] = [stepLeast, stepMiddle]
  }
  if (most < middle) {
    ;[most, middle] = [middle, most]
    ;[stepMost, stepMiddle] = [stepMiddle, stepMost]
  }
  const first = cellR * RED_STEP + cellG * GREEN_STEP + cellB * BLUE_STEP
  const second = first + stepMost
  const third = second + stepMiddle
  const fourth = third + stepLeast
  const weights = [F(1 - most), F(most - middle), F(middle - least)] as const
  for (let c = 0; c < 3; c++) {
    const start = F(F(weights[0] * (cube[first + c] ?? 0)) + F(weights[1] * (cube[second + c] ?? 0)))
    channel(out, c)[i] = F(F(start + F(weights[2] * (cube[third + c] ?? 0))) + F(least * (cube[fourth + c] ?? 0)))
  }
}
