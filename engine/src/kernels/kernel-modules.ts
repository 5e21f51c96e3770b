/** Every kernel module: `engine/kernels/assembly/<name>.ts`, compiled to `engine/kernels/<name>.wasm`. */
export const KERNEL_NAMES = ['jpeg-encoder', 'png-encoder'] as const

export type KernelName = (typeof KERNEL_NAMES)[number]

/** Compiled modules, ready to be instantiated any number of times. */
export type KernelModules = {
  /** Throws where the module is missing, which is a defect: all of them are compiled together. */
  get(name: KernelName): WebAssembly.Module
}

/**
 * Compiles every kernel. The engine reads no files, so the caller brings the bytes:
 * from a folder in Node (`loadKernels` of the Node edge), from a URL in a browser.
 */
export async function compileKernels(readBytes: (name: KernelName) => Promise<Uint8Array>): Promise<KernelModules> {
  const modules = new Map(
    await Promise.all(
      KERNEL_NAMES.map(async name => [name, await WebAssembly.compile(await readBytes(name))] as const),
    ),
  )
  return {
    get: name => {
      const module = modules.get(name)
      if (!module) throw new Error(`Kernel ${name} was not compiled`)
      return module
    },
  }
}
