/** Every kernel module: `engine/kernels/assembly/<name>.ts`, compiled to `engine/kernels/<name>.wasm`. */
export const KERNEL_NAMES = ['frame-drawer', 'jpeg-decoder', 'jpeg-encoder', 'png-encoder'] as const

export type KernelName = (typeof KERNEL_NAMES)[number]

/** Compiled modules, ready to be instantiated any number of times. */
export type KernelModules = {
  /** Throws where the module is missing, which is a defect: all of them are compiled together. */
  get(name: KernelName): WebAssembly.Module
}

/** Compiled modules as the engine wants them. */
export function kernelModules(modules: ReadonlyMap<KernelName, WebAssembly.Module>): KernelModules {
  return {
    get: name => {
      const module = modules.get(name)
      if (!module) throw new Error(`Kernel ${name} was not compiled`)
      return module
    },
  }
}

/**
 * Compiles every kernel, where waiting is wanted (browsers refuse to compile large modules at once on the main thread).
 * The engine reads no files, so the caller brings the bytes; in Node, `loadKernels` of the Node edge does it all.
 */
export async function compileKernels(
  readBytes: (name: KernelName) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<KernelModules> {
  const compiled = KERNEL_NAMES.map(async name => [name, await WebAssembly.compile(await readBytes(name))] as const)
  return kernelModules(new Map(await Promise.all(compiled)))
}
