import { type AxisPlan, planAxis, SHARPENING, WHOLE } from '../../src/decoding/reduction/axis-plan.ts'

/** RGBA, straight alpha. */
type Rgba = { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array }

/** x * w / 32768 to the nearest. */
function share(x: number, w: number): number {
  return (x * w + 16_384) >> 15
}

/**
 * The definition of the reduction of rows (engine/kernels/assembly/reduction/reduce.ts), number by number.
 * `isOpaque`: alpha is known to be 255 everywhere.
 */
export function reducePicture(picture: Rgba, widthPx: number, heightPx: number, isOpaque: boolean): Uint8Array {
  const across = planAxis(picture.widthPx, widthPx)
  const down = planAxis(picture.heightPx, heightPx)
  const premultiplied = isOpaque ? picture.data : premultiply(picture.data)
  // sums are bytes times 128, what comes next bytes times 64
  const sums = reduceDown(premultiplied, picture.widthPx, down)
  const middle = reduceAcross(sums, picture.widthPx, heightPx, across)
  const amountX = widthPx === picture.widthPx ? 0 : SHARPENING
  const amountY = heightPx === picture.heightPx ? 0 : SHARPENING
  const sharp = sharpen(middle, widthPx, heightPx, amountX, amountY)
  return toPixels(sharp, isOpaque)
}

/**
 * The definition of a lossy WebP's reduction by half and more. `planes`: Y, U, V and 255 for each pixel; U
 * and V are those of the pair of pixels that it is in, whose weights they have together.
 */
export function reducePlanes(planes: Rgba, widthPx: number, heightPx: number): Uint8Array {
  const across = planAxis(planes.widthPx, widthPx)
  const sums = reduceDown(planes.data, planes.widthPx, planAxis(planes.heightPx, heightPx))
  const middle = reducePairsAcross(sums, planes.widthPx, heightPx, across)
  return toColors(sharpen(middle, widthPx, heightPx, SHARPENING, SHARPENING))
}

function premultiply(data: Uint8Array): Uint8Array {
  return data.map((value, i) => {
    if ((i & 3) === 3) return value
    const product = value * (data[i | 3] ?? 0) + 128
    return (product + (product >> 8)) >> 8
  })
}

function reduceDown(data: Uint8Array, sourceWidthPx: number, plan: AxisPlan): Int16Array {
  const stride = sourceWidthPx * 4
  const sums = new Int16Array(plan.outPx * stride)
  for (let out = 0; out < plan.outPx; out++) {
    for (let tap = 0; tap < (plan.counts[out] ?? 0); tap++) {
      const weight = plan.weights[out * plan.mostTaps + tap] ?? 0
      const from = ((plan.firsts[out] ?? 0) + tap) * stride
      for (let i = 0; i < stride; i++) {
        const to = out * stride + i
        sums[to] = (sums[to] ?? 0) + share((data[from + i] ?? 0) * 128, weight)
      }
    }
  }
  return sums
}

function reduceAcross(sums: Int16Array, sourceWidthPx: number, heightPx: number, plan: AxisPlan): Int16Array {
  const middle = new Int16Array(plan.outPx * heightPx * 4)
  for (let y = 0, to = 0; y < heightPx; y++) {
    for (let out = 0; out < plan.outPx; out++) {
      for (let channel = 0; channel < 4; channel++, to++) {
        let sum = 0
        for (let tap = 0; tap < (plan.counts[out] ?? 0); tap++) {
          const from = (y * sourceWidthPx + (plan.firsts[out] ?? 0) + tap) * 4 + channel
          sum += share(sums[from] ?? 0, plan.weights[out * plan.mostTaps + tap] ?? 0)
        }
        middle[to] = (sum + 1) >> 1
      }
    }
  }
  return middle
}

/** To the sum of the left pixels' Y, that of the right ones, of U and of V. */
function reducePairsAcross(sums: Int16Array, sourceWidthPx: number, heightPx: number, plan: AxisPlan): Int16Array {
  const middle = new Int16Array(plan.outPx * heightPx * 4)
  for (let y = 0, to = 0; y < heightPx; y++) {
    for (let out = 0; out < plan.outPx; out++, to += 4) {
      const totals = [0, 0, 0, 0]
      const first = plan.firsts[out] ?? 0
      const weightAt = (x: number): number =>
        x < first || x >= first + (plan.counts[out] ?? 0) ? 0 : (plan.weights[out * plan.mostTaps + x - first] ?? 0)
      const add = (channel: number, from: number, weight: number): void => {
        totals[channel] = (totals[channel] ?? 0) + share(sums[from] ?? 0, weight)
      }
      for (let x = first - (first % 2); x < first + (plan.counts[out] ?? 0); x += 2) {
        const from = (y * sourceWidthPx + x) * 4
        const both = Math.min(WHOLE - 1, weightAt(x) + weightAt(x + 1))
        add(0, from, weightAt(x))
        add(1, from + 4, weightAt(x + 1))
        add(2, from + 1, both)
        add(3, from + 2, both)
      }
      middle.set(
        totals.map(total => (total + 1) >> 1),
        to,
      )
    }
  }
  return middle
}

/** BT.601 of limited range. The numbers are what is left over whole ones, of 32768. */
function toColors(values: Int16Array): Uint8Array {
  const byte = (sum: number): number => Math.max(0, Math.min(255, (sum + 32) >> 6))
  const bytes = new Uint8Array(values.length)
  for (let i = 0; i < bytes.length; i += 4) {
    const y = (values[i] ?? 0) + (values[i + 1] ?? 0) - 16 * 64
    const u = (values[i + 2] ?? 0) - 128 * 64
    const v = (values[i + 3] ?? 0) - 128 * 64
    const luma = y + share(y, 5386)
    bytes[i] = byte(luma + v + share(v, 19_531))
    bytes[i + 1] = byte(luma - share(u, 12_837) - share(v, 26_639))
    bytes[i + 2] = byte(luma + 2 * u + share(u, 565))
    bytes[i + 3] = 255
  }
  return bytes
}

/** Down, then across; the edges repeat outwards. */
function sharpen(middle: Int16Array, widthPx: number, heightPx: number, amountX: number, amountY: number): Int16Array {
  const along = (values: Int16Array, amount: number, stepX: number, stepY: number): Int16Array =>
    values.map((here, i) => {
      const x = (i >> 2) % widthPx
      const y = Math.floor((i >> 2) / widthPx)
      const at = (x: number, y: number): number => {
        const inX = Math.max(0, Math.min(widthPx - 1, x))
        const inY = Math.max(0, Math.min(heightPx - 1, y))
        return values[(inY * widthPx + inX) * 4 + (i & 3)] ?? 0
      }
      return here + share(2 * here - at(x - stepX, y - stepY) - at(x + stepX, y + stepY), amount)
    })
  return along(along(middle, amountY, 0, 1), amountX, 1, 0)
}

function toPixels(values: Int16Array, isOpaque: boolean): Uint8Array {
  const bytes = Uint8Array.from(values, value => Math.max(0, Math.min(255, (value + 32) >> 6)))
  for (let i = 0; i < bytes.length; i += 4) {
    if (isOpaque) {
      bytes[i + 3] = 255
      continue
    }
    const alpha = bytes[i + 3] ?? 0
    for (let channel = i; channel < i + 3; channel++) {
      // no colour above its alpha: sharpening would make it so
      bytes[channel] = straighten(Math.min(bytes[channel] ?? 0, alpha), alpha)
    }
  }
  return bytes
}

/** In single precision, as the kernel divides. */
function straighten(color: number, alpha: number): number {
  if (alpha === 0 || alpha === 255) return color
  return Math.trunc(Math.fround(Math.fround(color * Math.fround(255 / alpha)) + 0.5))
}
