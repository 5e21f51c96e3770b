import { JpegEncoder } from '../encoding/jpeg/jpeg-encoder.ts'
import { JpegKernel, packQuantisers } from '../encoding/jpeg/jpeg-kernel.ts'
import { encodeJpegReference, mcuCoefficients } from '../encoding/jpeg/jpeg-reference.ts'
import { MCU_PX } from '../encoding/jpeg/mcu-runs.ts'
import { quantisationTables } from '../encoding/jpeg/quantiser.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { KernelModules } from './kernel-modules.ts'

/** A step of rendering in two forms: plain TypeScript that defines the result, and WebAssembly that is fast. */
export type Kernel<Step> = {
  readonly reference: Step
  readonly simd: (modules: KernelModules) => Step
  /** greatest difference of any value of the result; 0 = the same bytes */
  readonly tolerance: number
}

/** Quantised coefficients of one MCU, six blocks of 64 in natural order. */
type JpegCoefficients = (picture: OpaquePixmap, quality: number, mcu: number) => Int16Array

/** A whole file. */
type JpegFile = (picture: OpaquePixmap, quality: number) => Uint8Array

const jpegCoefficients: Kernel<JpegCoefficients> = {
  reference: (picture, quality, mcu) => {
    const columns = Math.ceil(picture.widthPx / MCU_PX)
    const blocks = mcuCoefficients(picture, quantisationTables(quality), mcu % columns, Math.floor(mcu / columns))
    return Int16Array.from(blocks.flatMap(block => [...block]))
  },
  simd: modules => {
    const kernel = new JpegKernel(modules.get('jpeg-encoder'))
    return (picture, quality, mcu) => {
      kernel.setQuantisers(packQuantisers(quantisationTables(quality)))
      return kernel.coefficients(picture, mcu)
    }
  },
  tolerance: 0,
}

const jpegFile: Kernel<JpegFile> = {
  reference: (picture, quality) => encodeJpegReference(picture, quality),
  simd: modules => {
    const encoder = new JpegEncoder(modules.get('jpeg-encoder'))
    return (picture, quality) => encoder.encode(picture, quality)
  },
  tolerance: 0,
}

/** Every kernel by name. A kernel's test compares its two forms over sizes 0, 1, odd ones and tails. */
export const KERNELS = { jpegCoefficients, jpegFile } as const
