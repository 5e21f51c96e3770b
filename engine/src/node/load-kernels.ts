import { readFile } from 'node:fs/promises'
import { compileKernels, type KernelModules } from '../kernels/kernel-modules.ts'

/** Reads the committed kernels from the package and compiles them. Modules are immutable: load once, share everywhere. */
export function loadKernels(): Promise<KernelModules> {
  return compileKernels(name => readFile(new URL(`../../kernels/${name}.wasm`, import.meta.url)))
}
