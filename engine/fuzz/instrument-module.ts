/**
 * Rewrites a compiled WebAssembly module so that it reports to the probes
 * (engine/kernels/assembly/probes.ts): every outcome of every branch, the instructions executed, and the
 * address of every load and store before it happens. The input is the shipped module, so a proof about the
 * result holds for it. Knows our compiler's output (no tables, one memory); anything else is a defect.
 */

/** In the order of their imports: name, parameters, results (value types of the binary format). */
const I32 = 0x7f
const probes = [
  ['enter', [I32], []],
  ['branch', [I32, I32], [I32]],
  ['choose', [I32, I32, I32], [I32]],
  ['tick', [I32], []],
  ['read', [I32, I32, I32], [I32]],
  ['write', [I32, I32, I32], [I32]],
  ['fill', [I32, I32], []],
  ['copy', [I32, I32, I32], []],
] as const
const [ENTER, BRANCH, CHOOSE, TICK, READ, WRITE, FILL, COPY] = [0, 1, 2, 3, 4, 5, 6, 7] as const

/** Temporaries that each function gets: three i32, one of each other type. */
const temporaries = [0x7f, 0x7f, 0x7f, 0x7e, 0x7d, 0x7c, 0x7b] as const

export type InstrumentedModule = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** outcomes of branches (and functions entered) that the module has, numbered from 0 */
  readonly outcomes: number
}

class Reader {
  readonly bytes: Uint8Array
  at: number
  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }
  byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw new Error('The module ends too early')
    return byte
  }
  /** LEB128, unsigned; signed ones are only skipped with it. */
  number(): number {
    let result = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte()
      result += (byte & 127) * factor
      if (byte < 128) return result
    }
  }
  take(sizeBytes: number): Uint8Array {
    this.at += sizeBytes
    return this.bytes.subarray(this.at - sizeBytes, this.at)
  }
}

function leb(value: number): number[] {
  const bytes: number[] = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  return [...bytes, value]
}

function constant(value: number): number[] {
  const bytes = [0x41]
  for (;;) {
    const low = value & 127
    value >>= 7
    if ((value === 0 && (low & 64) === 0) || (value === -1 && (low & 64) !== 0)) return [...bytes, low]
    bytes.push(low | 128)
  }
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...leb(items.length), ...items.flat()]
}

function name(text: string): number[] {
  return [...leb(text.length), ...Buffer.from(text)]
}

type Sections = Map<number, Uint8Array>

function readSections(bytes: Uint8Array): Sections {
  const reader = new Reader(bytes, 8)
  const sections: Sections = new Map()
  while (reader.at < bytes.length) {
    const id = reader.byte()
    const body = reader.take(reader.number())
    // custom sections (names) are dropped
    if (id !== 0) sections.set(id, body)
  }
  for (const id of [4, 8, 9]) if (sections.has(id)) throw new Error(`Section ${id} is not understood`)
  return sections
}

/** Instruments a module as our compiler writes it. */
export function instrumentModule(original: Uint8Array): InstrumentedModule {
  const sections = readSections(original)
  const section = (id: number): Reader => new Reader(sections.get(id) ?? Uint8Array.of(0))

  const types = section(1)
  const typeCount = types.number()
  const newTypes = [
    ...leb(typeCount + probes.length),
    ...types.bytes.subarray(types.at),
    ...probes.flatMap(([, parameters, results]) => [
      0x60,
      ...vector(parameters.map(type => [type])),
      ...vector(results.map(type => [type])),
    ]),
  ]
  const imports = section(2)
  const importCount = imports.number()
  const firstProbe = countFunctionImports(imports, importCount)
  const newImports = [
    ...leb(importCount + probes.length),
    ...imports.bytes.subarray(1),
    ...probes.flatMap(([probe], i) => [...name('probes'), ...name(probe), 0, ...leb(typeCount + i)]),
  ]
  const moved = (index: number): number => (index < firstProbe ? index : index + probes.length)
  const parameterCounts = readParameterCounts(sections)

  const code = new CodeWriter(firstProbe, moved)
  const bodies = section(10)
  const newBodies = Array.from({ length: bodies.number() }, (_, i) => {
    const body = code.rewrite(new Reader(bodies.take(bodies.number())), parameterCounts[i] ?? 0)
    return [...leb(body.length), ...body]
  })
  const replaced = new Map<number, readonly number[]>([
    [1, newTypes],
    [2, newImports],
    [7, moveExports(section(7), moved)],
    [10, vector(newBodies)],
  ])
  // the data count comes before the code
  const order = [1, 2, 3, 5, 6, 7, 12, 10, 11]
  const written = order.flatMap(id => {
    const body = replaced.get(id) ?? (sections.has(id) ? [...(sections.get(id) ?? [])] : null)
    return body === null ? [] : [id, ...leb(body.length), ...body]
  })
  return { bytes: Uint8Array.from([...original.subarray(0, 8), ...written]), outcomes: code.outcomes }
}

function countFunctionImports(reader: Reader, count: number): number {
  if (reader.at !== 1) throw new Error('More imports than are understood')
  let functions = 0
  for (let i = 0; i < count; i++) {
    reader.take(reader.number())
    reader.take(reader.number())
    if (reader.byte() !== 0) throw new Error('Only functions may be imported')
    reader.number()
    functions++
  }
  return functions
}

/** Of the functions that the module defines. */
function readParameterCounts(sections: Sections): number[] {
  const types = new Reader(sections.get(1) ?? Uint8Array.of(0))
  const counts = Array.from({ length: types.number() }, () => {
    if (types.byte() !== 0x60) throw new Error('A type that is not understood')
    const parameters = types.take(types.number()).length
    types.take(types.number())
    return parameters
  })
  const functions = new Reader(sections.get(3) ?? Uint8Array.of(0))
  return Array.from({ length: functions.number() }, () => counts[functions.number()] ?? 0)
}

function moveExports(reader: Reader, moved: (index: number) => number): number[] {
  return vector(
    Array.from({ length: reader.number() }, () => {
      const text = reader.take(reader.number())
      const kind = reader.byte()
      const index = reader.number()
      return [...leb(text.length), ...text, kind, ...leb(kind === 0 ? moved(index) : index)]
    }),
  )
}

/** Bytes that plain loads (0x28..0x35) and stores (0x36..0x3e) touch, and the type of what is stored. */
const loadBytes = [4, 8, 4, 8, 1, 1, 2, 2, 1, 1, 2, 2, 4, 4] as const
const stores = [
  [4, 0x7f],
  [8, 0x7e],
  [4, 0x7d],
  [8, 0x7c],
  [1, 0x7f],
  [2, 0x7f],
  [1, 0x7e],
  [2, 0x7e],
  [4, 0x7e],
] as const
/** Bytes of the vector loads 0..10. */
const vectorLoadBytes = [16, 8, 8, 8, 8, 8, 8, 1, 2, 4, 8] as const

class CodeWriter {
  outcomes = 0
  readonly #firstProbe: number
  readonly #moved: (index: number) => number
  #out: number[] = []
  #firstTemporary = 0
  /** instructions since the last tick */
  #pending = 0

  constructor(firstProbe: number, moved: (index: number) => number) {
    this.#firstProbe = firstProbe
    this.#moved = moved
  }

  rewrite(reader: Reader, parameters: number): number[] {
    let locals = parameters
    const groups = Array.from({ length: reader.number() }, () => {
      const count = reader.number()
      locals += count
      return [...leb(count), reader.byte()]
    })
    this.#firstTemporary = locals
    this.#out = vector([...groups, ...temporaries.map(type => [1, type])])
    this.#pending = 0
    this.#out.push(...constant(this.outcomes++))
    this.#call(ENTER)
    while (reader.at < reader.bytes.length) this.#instruction(reader)
    return this.#out
  }

  #call(probe: number): void {
    this.#out.push(0x10, ...leb(this.#firstProbe + probe))
  }

  #local(operation: 0x20 | 0x21, temporary: number): void {
    this.#out.push(operation, ...leb(this.#firstTemporary + temporary))
  }

  /** Reports the instructions so far: called where control may come or go. */
  #tick(): void {
    if (this.#pending === 0) return
    this.#out.push(...constant(this.#pending))
    this.#call(TICK)
    this.#pending = 0
  }

  #branch(): void {
    this.#out.push(...constant(this.outcomes))
    this.#call(BRANCH)
    this.outcomes += 2
  }

  #instruction(reader: Reader): void {
    const start = reader.at
    const opcode = reader.byte()
    this.#pending++
    const copy = (): void => {
      this.#out.push(...reader.bytes.subarray(start, reader.at))
    }
    if (opcode === 0x02 || opcode === 0x03 || opcode === 0x04) {
      if (opcode === 0x04) this.#branch()
      this.#tick()
      reader.number()
      copy()
    } else if (opcode === 0x05 || opcode === 0x0b || opcode === 0x0f || opcode === 0x00) {
      this.#tick()
      copy()
    } else if (opcode === 0x0c || opcode === 0x0d) {
      if (opcode === 0x0d) this.#branch()
      this.#tick()
      reader.number()
      copy()
    } else if (opcode === 0x0e) {
      const choices = reader.number()
      for (let i = 0; i <= choices; i++) reader.number()
      this.#out.push(...constant(this.outcomes), ...constant(choices))
      this.#call(CHOOSE)
      this.outcomes += choices + 1
      this.#tick()
      copy()
    } else if (opcode === 0x10) {
      this.#tick()
      this.#out.push(0x10, ...leb(this.#moved(reader.number())))
    } else if (opcode === 0x1b) {
      this.#branch()
      copy()
    } else if (opcode >= 0x20 && opcode <= 0x24) {
      reader.number()
      copy()
    } else if (opcode >= 0x28 && opcode <= 0x3e) {
      reader.number()
      const offset = reader.number()
      if (opcode <= 0x35) this.#checkTop(READ, offset, loadBytes[opcode - 0x28] ?? 0)
      else {
        const [bytes, type] = stores[opcode - 0x36] ?? [0, 0]
        this.#checkBelow(WRITE, offset, bytes, type)
      }
      copy()
    } else if (opcode === 0x3f || opcode === 0x40 || opcode === 0x41 || opcode === 0x42) {
      reader.number()
      copy()
    } else if (opcode === 0x43 || opcode === 0x44) {
      reader.take(opcode === 0x43 ? 4 : 8)
      copy()
    } else if (opcode === 0x01 || opcode === 0x1a || (opcode >= 0x45 && opcode <= 0xc4)) copy()
    else if (opcode === 0xfc) this.#bulk(reader, copy)
    else if (opcode === 0xfd) this.#simd(reader, copy)
    else throw new Error(`Instruction ${opcode.toString(16)} is not understood`)
  }

  /** The address is on top of the stack. */
  #checkTop(probe: typeof READ | typeof WRITE, offset: number, bytes: number): void {
    this.#out.push(...constant(offset), ...constant(bytes))
    this.#call(probe)
  }

  /** The address lies below one value. */
  #checkBelow(probe: typeof READ | typeof WRITE, offset: number, bytes: number, type: number): void {
    const temporary = temporaries.findIndex(found => found === type)
    this.#local(0x21, temporary)
    this.#checkTop(probe, offset, bytes)
    this.#local(0x20, temporary)
  }

  #bulk(reader: Reader, copy: () => void): void {
    const operation = reader.number()
    if (operation <= 7) {
      copy()
      return
    }
    if (operation !== 10 && operation !== 11) throw new Error(`Bulk operation ${operation} is not understood`)
    reader.take(operation === 10 ? 2 : 1)
    for (const temporary of [2, 1, 0]) this.#local(0x21, temporary)
    this.#local(0x20, 0)
    if (operation === 10) this.#local(0x20, 1)
    this.#local(0x20, 2)
    this.#call(operation === 10 ? COPY : FILL)
    for (const temporary of [0, 1, 2]) this.#local(0x20, temporary)
    copy()
  }

  #simd(reader: Reader, copy: () => void): void {
    const operation = reader.number()
    const isLane = operation >= 84 && operation <= 91
    if (operation <= 11 || isLane || operation === 92 || operation === 93) {
      reader.number()
      const offset = reader.number()
      if (operation <= 10) this.#checkTop(READ, offset, vectorLoadBytes[operation] ?? 0)
      else if (operation === 11) this.#checkBelow(WRITE, offset, 16, 0x7b)
      else if (isLane) this.#checkBelow(operation < 88 ? READ : WRITE, offset, 1 << ((operation - 84) & 3), 0x7b)
      else this.#checkTop(READ, offset, operation === 92 ? 4 : 8)
      if (isLane) reader.byte()
    } else if (operation === 12 || operation === 13) reader.take(16)
    else if (operation >= 21 && operation <= 34) reader.byte()
    copy()
  }
}
