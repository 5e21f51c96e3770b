import { PlainDrawer } from '../../src/drawing/drawer.ts'
import type { PreparedFrame } from '../../src/drawing/prepared-frame.ts'
import { JpegEncoder } from '../../src/encoding/jpeg/jpeg-encoder.ts'
import { JpegKernel } from '../../src/encoding/jpeg/jpeg-kernel.ts'
import { packQuantisers } from '../../src/encoding/jpeg/kernel-tables.ts'
import { MCU_PX } from '../../src/encoding/jpeg/mcu-runs.ts'
import { quantisationTables } from '../../src/encoding/jpeg/quantiser.ts'
import type { Crc32 } from '../../src/encoding/png/png-container.ts'
import { PngKernel } from '../../src/encoding/png/png-kernel.ts'
import { FrameKernel } from '../../src/kernels/frame-kernel.ts'
import type { FrameCompositing, PictureOperation } from '../../src/operations/operation.ts'
import type { OpaquePixmap } from '../../src/pixmap.ts'
import type { PlacedArtwork } from '../../src/sampling/placed-artwork.ts'
import { runSteps } from '../../src/steps.ts'
import type { KernelModules } from '../../src/webassembly/kernel-modules.ts'
import { encodeJpegReference, mcuCoefficients } from './jpeg-reference.ts'
import { chooseFilter, crc32 as crc32Reference, filterRow } from './png-reference.ts'

/** A step in two forms: plain TypeScript that defines the result, and WebAssembly that equals it. */
export type Kernel<Step> = {
  readonly reference: Step
  readonly simd: (modules: KernelModules) => Step
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
      kernel.begin(picture.widthPx, packQuantisers(quantisationTables(quality)))
      return kernel.coefficients(picture, mcu)
    }
  },
}

const jpegFile: Kernel<JpegFile> = {
  reference: (picture, quality) => encodeJpegReference(picture, quality),
  simd: modules => {
    const encoder = new JpegEncoder(modules.get('jpeg-encoder'))
    return (picture, quality) => encoder.encode(picture, quality)
  },
}

/** Residuals of a row under a filter from 0 to 4. */
type PngFilter = (picture: OpaquePixmap, row: number, filter: number) => Uint8Array

/** The filter from 1 to 4 for a row. */
type PngFilterChoice = (picture: OpaquePixmap, row: number) => number

function rowOf(picture: OpaquePixmap, row: number): Uint8Array {
  const rowBytes = 3 * picture.widthPx
  return row < 0 ? new Uint8Array(rowBytes) : picture.data.subarray(row * rowBytes, (row + 1) * rowBytes)
}

const pngFilter: Kernel<PngFilter> = {
  reference: (picture, row, filter) => filterRow(rowOf(picture, row), rowOf(picture, row - 1), filter),
  simd: modules => {
    const kernel = new PngKernel(modules.get('png-encoder'))
    return (picture, row, filter) => {
      kernel.begin(picture, 0, picture.widthPx, 0)
      kernel.filterPixels(row, filter, 0, picture.widthPx)
      return kernel.residuals(1, 1 + 3 * picture.widthPx)
    }
  },
}

const pngFilterChoice: Kernel<PngFilterChoice> = {
  reference: (picture, row) => chooseFilter(rowOf(picture, row), rowOf(picture, row - 1)),
  simd: modules => {
    const kernel = new PngKernel(modules.get('png-encoder'))
    return (picture, row) => {
      kernel.begin(picture, 0, picture.widthPx, 0)
      return kernel.chooseFilter(row)
    }
  },
}

const crc32: Kernel<Crc32> = {
  reference: crc32Reference,
  simd: modules => {
    const kernel = new PngKernel(modules.get('png-encoder'))
    return kernel.crc32
  },
}

/** A copy of the picture with artwork drawn into a frame. */
type FrameDrawing = (
  picture: OpaquePixmap,
  frame: PreparedFrame,
  placed: PlacedArtwork,
  compositing: FrameCompositing,
) => OpaquePixmap

const frame: Kernel<FrameDrawing> = {
  reference: (picture, frame, placed, compositing) => {
    const drawn = { ...picture, data: new Uint8Array(picture.data) }
    runSteps(new PlainDrawer().drawInSteps(drawn, frame, placed, compositing))
    return drawn
  },
  simd: modules => {
    const kernel = new FrameKernel(modules.get('frame-drawer'))
    return (picture, frame, placed, compositing) => {
      const drawn = { ...picture, data: new Uint8Array(picture.data) }
      kernel.draw(drawn, frame, placed, compositing)
      return drawn
    }
  },
}

/** A copy of the picture with an overlay over it. */
type OverlayDrawing = (picture: OpaquePixmap, overlay: PictureOperation) => OpaquePixmap

const overlay: Kernel<OverlayDrawing> = {
  reference: (picture, overlay) => {
    const drawn = { ...picture, data: new Uint8Array(picture.data) }
    new PlainDrawer().drawPicture(drawn, overlay)
    return drawn
  },
  simd: modules => {
    const kernel = new FrameKernel(modules.get('frame-drawer'))
    return (picture, overlay) => {
      const drawn = { ...picture, data: new Uint8Array(picture.data) }
      kernel.drawPicture(drawn, overlay)
      return drawn
    }
  },
}

/** Every kernel by name. A kernel's test compares its two forms over sizes 0, 1, odd ones and tails. */
export const kernels = { frame, overlay, jpegCoefficients, jpegFile, pngFilter, pngFilterChoice, crc32 } as const
