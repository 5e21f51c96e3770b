const PAGE_BYTES = 65536

function isKernelFunction(value: unknown): value is (...args: number[]) => number {
  return typeof value === 'function'
}

/** A running kernel module: its memory, which only grows, and its functions. */
export class KernelInstance {
  readonly #instance: WebAssembly.Instance
  readonly #memory: WebAssembly.Memory
  #bytes: Uint8Array<ArrayBuffer>

  /** `imports`: additional imports of an instrumented module. */
  constructor(module: WebAssembly.Module, imports: Record<string, Record<string, unknown>> = {}) {
    this.#instance = new WebAssembly.Instance(module, {
      ...imports,
      env: {
        abort: () => {
          throw new Error('A kernel aborted')
        },
      },
    })
    const memory = this.#instance.exports['memory']
    if (!(memory instanceof WebAssembly.Memory)) throw new Error('The kernel module exports no memory')
    this.#memory = memory
    this.#bytes = new Uint8Array(memory.buffer)
  }

  /** The exported function with this name. Read unsigned results, such as addresses, with `>>> 0`. */
  function(name: string): (...args: number[]) => number {
    const found = this.#instance.exports[name]
    if (!isKernelFunction(found)) throw new Error(`The kernel module has no function ${name}`)
    return found
  }

  /** The exported constant with this name, or undefined. */
  constant(name: string): number | undefined {
    const found = this.#instance.exports[name]
    return found instanceof WebAssembly.Global && typeof found.value === 'number' ? found.value : undefined
  }

  /** The whole memory. Read it again after `reserve`: growing detaches earlier views. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes
  }

  get sizeBytes(): number {
    return this.#bytes.length
  }

  /** Grows memory to at least the address `end`. Throws RangeError if memory is refused. */
  reserve(end: number): void {
    if (end <= this.#bytes.length) return
    this.#memory.grow(Math.ceil((end - this.#bytes.length) / PAGE_BYTES))
    this.#bytes = new Uint8Array(this.#memory.buffer)
  }
}
