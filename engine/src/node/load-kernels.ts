import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { PictureEncoder, type PictureEncoderOptions } from '../encoding/picture-encoder.ts'
import { FrameKernel } from '../kernels/frame-kernel.ts'
import { KERNEL_NAMES, type KernelModules, type KernelName, kernelModules } from '../kernels/kernel-modules.ts'

let loaded: KernelModules | null = null

/** The committed kernels, read and compiled at the first call (a few milliseconds) and shared by all others. */
export function loadKernels(): KernelModules {
  if (loaded) return loaded
  const modules = new Map<KernelName, WebAssembly.Module>()
  for (const name of KERNEL_NAMES) {
    const bytes = readFileSync(new URL(`../../kernels/${name}.wasm`, import.meta.url))
    modules.set(name, new WebAssembly.Module(bytes))
  }
  loaded = kernelModules(modules)
  return loaded
}

/** Draws frames several times as fast as the plain TypeScript, to the same bytes. One per thread: it holds the frame's texture. */
export function createFrameKernel(): FrameKernel {
  return new FrameKernel(loadKernels().get('frame-drawer'))
}

/** Our encoders with what Node has to offer them. */
export function createPictureEncoder(options: Omit<PictureEncoderOptions, 'crc32'> = {}): PictureEncoder {
  return new PictureEncoder(loadKernels(), { ...options, crc32 })
}
