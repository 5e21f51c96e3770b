// The part of WebAssembly that the engine uses: Node declares none, the DOM adds browser globals.
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string
  }
  interface Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  interface Global {
    readonly value: unknown
  }
  interface Instance {
    readonly exports: Record<string, unknown>
  }
  const Memory: { new (descriptor: { initial: number; maximum?: number }): Memory }
  const Global: { new (descriptor: { value: 'i32' }, value: number): Global }
  const Module: { new (bytes: Uint8Array): Module }
  const Instance: { new (module: Module, imports?: Record<string, Record<string, unknown>>): Instance }
  function compile(bytes: Uint8Array): Promise<Module>
}
