/** Every kernel module: `engine/kernels/assembly/<name>.ts`, compiled to `engine/kernels/<name>.wasm`. */
export const KERNEL_NAMES = ['jpeg-encoder'] as const

export type KernelName = (typeof KERNEL_NAMES)[number]

/** The compiled files' bytes, read by whoever knows where they are (a folder in Node, a URL in a browser). */
export type KernelBytes = Readonly<Record<KernelName, Uint8Array>>

/** Compiled modules, ready to be instantiated any number of times. */
export type KernelModules = Readonly<Record<KernelName, WebAssembly.Module>>

/** Compiles the modules. The engine reads no files, so the bytes come from its caller. */
export async function compileKernelModules(bytes: KernelBytes): Promise<KernelModules> {
  const compiled = await Promise.all(KERNEL_NAMES.map(async name => [name, await WebAssembly.compile(bytes[name])] as const))
  const modules = new Map<KernelName, WebAssembly.Module>(compiled)
  const moduleOf = (name: KernelName): WebAssembly.Module => {
    const module = modules.get(name)
    if (!module) throw new Error(`Kernel ${name} was not compiled`)
    return module
  }
  return { 'jpeg-encoder': moduleOf('jpeg-encoder') }
}
