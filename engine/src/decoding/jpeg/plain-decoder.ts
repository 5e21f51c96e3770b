/**
 * JPEG in plain TypeScript, for what the kernel declines: CMYK, RGB, any sampling, several sequential scans,
 * tiny pictures. The arithmetic is libjpeg's (jdhuff.c, jdphuff.c, jidctint.c, jdsample.c, jdcolor.c).
 */
import { DeclinedError } from '../declined.ts'
import {
  type FrameHeader,
  type JpegColors,
  parseJpeg,
  parseNextScan,
  readQuantisers,
  type ScanHeader,
} from './parse-jpeg.ts'
import { type CoefficientPlane, decodeScan } from './plain-scans.ts'
import { clampByte, inverseTransform } from './plain-transform.ts'
import { upsample } from './plain-upsampling.ts'
import { ScanOrder } from './scan-order.ts'

/** The samples of each component at the size of the picture, plane by plane. */
export type PlainJpeg = {
  readonly widthPx: number
  readonly heightPx: number
  readonly colors: JpegColors
  readonly planes: readonly Uint8Array[]
}

/** Larger pictures are left to the general decoder: all coefficients are held, of two bytes each. */
const MAX_COEFFICIENTS = 64 * 1024 * 1024

/** Decodes an inspected JPEG. `scanEnds`: the marker after each scan. Throws DeclinedError. */
export function decodePlainJpeg(bytes: Uint8Array, scanEnds: readonly number[]): PlainJpeg {
  const { frame, tables, scan: first } = parseJpeg(bytes)
  const planes = frame.components.map((component): CoefficientPlane => {
    const strideBlocks = frame.mcusX * component.factorX
    const size = strideBlocks * frame.mcusY * component.factorY * 64
    if (size > MAX_COEFFICIENTS) throw new DeclinedError('too-large', `${size} coefficients are too many.`)
    return { component, strideBlocks, coefficients: new Int16Array(size), quantiser: undefined }
  })
  const order = frame.isProgressive ? new ScanOrder(frame) : null
  let scan: ScanHeader | null = first
  for (const end of scanEnds) {
    if (scan === null) break
    order?.advance(scan)
    for (const { index, component } of scan.components) {
      const plane = planes[index]
      if (plane) plane.quantiser ??= tables.quantisers[component.quantiser]
    }
    decodeScan(bytes.subarray(0, end), frame, scan, tables, planes)
    scan = parseNextScan(bytes, end, tables, frame, (marker, body) => {
      if (marker === 0xdb) readQuantisers(body, tables)
    })
  }
  return {
    widthPx: frame.widthPx,
    heightPx: frame.heightPx,
    colors: frame.colors,
    planes: planes.map(samplesOf(frame)),
  }
}

/** Transforms a component and upsamples it to the picture's size. */
function samplesOf(frame: FrameHeader): (plane: CoefficientPlane) => Uint8Array {
  return ({ component, strideBlocks, coefficients, quantiser }) => {
    if (quantiser === undefined) throw new DeclinedError('doubtful', 'A component is in no scan.')
    const { blocksX, blocksY, factorX, factorY } = component
    const stride = blocksX * 8
    const samples = new Uint8Array(stride * blocksY * 8)
    for (let y = 0; y < blocksY; y++) {
      for (let x = 0; x < blocksX; x++) {
        const at = (y * strideBlocks + x) * 64
        inverseTransform(coefficients.subarray(at, at + 64), quantiser, samples, y * 8 * stride + x * 8, stride)
      }
    }
    return upsample(
      {
        samples,
        stride,
        widthPx: Math.ceil((frame.widthPx * factorX) / frame.factorX),
        heightPx: Math.ceil((frame.heightPx * factorY) / frame.factorY),
      },
      frame,
      component,
    )
  }
}

/** RGBA, or for CMYK and YCCK the four inks, 0 = none. */
export function colorsOf({ widthPx, heightPx, colors, planes }: PlainJpeg): Uint8Array {
  const data = new Uint8Array(widthPx * heightPx * 4)
  const [one, two, three, four] = planes
  const isYcc = colors === 'ycc' || colors === 'ycck'
  const hasInks = colors === 'cmyk' || colors === 'ycck'
  for (let i = 0, to = 0; to < data.length; i++, to += 4) {
    const first = one?.[i] ?? 0
    if (isYcc) {
      const cb = (two?.[i] ?? 0) - 128
      const cr = (three?.[i] ?? 0) - 128
      data[to] = clampByte(first + ((91_881 * cr + 32_768) >> 16))
      data[to + 1] = clampByte(first + ((-22_554 * cb - 46_802 * cr + 32_768) >> 16))
      data[to + 2] = clampByte(first + ((116_130 * cb + 32_768) >> 16))
    } else {
      data[to] = first
      data[to + 1] = two?.[i] ?? first
      data[to + 2] = three?.[i] ?? first
    }
    if (!hasInks) data[to + 3] = 255
    else {
      // The YCC of YCCK is that of the inks' complement, which is stored inverted.
      if (colors === 'cmyk') for (let c = 0; c < 3; c++) data[to + c] = 255 - (data[to + c] ?? 0)
      data[to + 3] = 255 - (four?.[i] ?? 0)
    }
  }
  return data
}
