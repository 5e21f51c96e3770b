import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { PictureEncoder, type PictureEncoderOptions } from '../encoding/picture-encoder.ts'
import { FrameKernel } from '../kernels/frame-kernel.ts'
import { Renderer } from '../render.ts'
import { type KernelModules, type KernelName, relaxedKernelNames } from '../webassembly/kernel-modules.ts'

const relaxed: readonly KernelName[] = relaxedKernelNames

/**
 * The committed kernels, with relaxed SIMD where available, since Node supports it. Each call of `get` reads
 * and compiles one, which takes a millisecond or two.
 */
export function loadKernels(): KernelModules {
  return {
    get: name => {
      const file = relaxed.includes(name) ? `${name}-relaxed` : name
      return new WebAssembly.Module(readFileSync(new URL(`../../kernels/${file}.wasm`, import.meta.url)))
    },
  }
}

/** Draws frames faster than the plain TypeScript, with the same bytes. One per thread. */
export function createFrameKernel(): FrameKernel {
  return new FrameKernel(loadKernels().get('frame-drawer'))
}

/** A renderer with a kernel and the process's clock; one per thread. */
export function createRenderer(kernel: FrameKernel = createFrameKernel()): Renderer {
  return new Renderer(kernel, () => performance.now())
}

/** Our encoders with Node's CRC-32. */
export function createPictureEncoder(options: Omit<PictureEncoderOptions, 'crc32'> = {}): PictureEncoder {
  return new PictureEncoder(loadKernels(), { ...options, crc32 })
}
