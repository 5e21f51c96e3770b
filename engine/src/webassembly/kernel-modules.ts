/** Every kernel module: `engine/kernels/assembly/<name>.ts`, compiled to `engine/kernels/<name>.wasm`. */
export const kernelNames = [
  'frame-drawer',
  'jpeg-decoder',
  'jpeg-encoder',
  'png-decoder',
  'png-encoder',
  'webp-decoder',
] as const

export type KernelName = (typeof kernelNames)[number]

/**
 * Kernels that are also compiled with relaxed SIMD, to `engine/kernels/<name>-relaxed.wasm`: the same
 * results, faster, on engines that support it (V8 does, Safari does not).
 */
export const relaxedKernelNames = ['png-decoder', 'webp-decoder'] as const satisfies readonly KernelName[]

export type RelaxedKernelName = `${(typeof relaxedKernelNames)[number]}-relaxed`

/** Compiled modules by name, which can be instantiated any number of times. */
export type KernelModules = {
  get(name: KernelName): WebAssembly.Module
}

/**
 * Compiles every kernel from the bytes that the caller reads. Asynchronous, because browsers refuse to
 * compile large modules synchronously on the main thread. For Node, see `loadKernels`.
 */
export async function compileKernels(
  readBytes: (name: KernelName) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<KernelModules> {
  const compiled = kernelNames.map(async name => [name, await WebAssembly.compile(await readBytes(name))] as const)
  const modules = new Map(await Promise.all(compiled))
  return {
    get: name => {
      const module = modules.get(name)
      if (!module) throw new Error(`Kernel ${name} was not compiled`)
      return module
    },
  }
}
