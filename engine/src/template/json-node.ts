import { describeValue } from './fault-collector.ts'
import type { ParseLog } from './parse-log.ts'

/** A value in a description with its path, such as `frames[0].corners[2]`; undefined for an absent field. */
export class JsonNode {
  readonly value: unknown
  /** empty for the whole description */
  readonly path: string
  readonly log: ParseLog
  readonly #root: JsonNode | null

  constructor(value: unknown, log: ParseLog, path = '', root: JsonNode | null = null) {
    this.value = value
    this.path = path
    this.log = log
    this.#root = root
  }

  /** The root of the description. */
  get root(): JsonNode {
    return this.#root ?? this
  }

  get isAbsent(): boolean {
    return this.value === undefined
  }

  /** Names of its fields; null if it is not an object. */
  get names(): readonly string[] | null {
    const { value } = this
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : null
  }

  child(name: string): JsonNode {
    const { value } = this
    const has = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    const path = this.path === '' ? name : `${this.path}.${name}`
    return new JsonNode(has ? Reflect.get(value, name) : undefined, this.log, path, this.root)
  }

  /** Its items; empty if it is not a list. */
  items(): readonly JsonNode[] {
    if (!Array.isArray(this.value)) return []
    return this.value.map((item: unknown, i) => new JsonNode(item, this.log, `${this.path}[${i}]`, this.root))
  }

  /** The same node with another value. */
  withValue(value: unknown): JsonNode {
    return new JsonNode(value, this.log, this.path, this.root)
  }

  /** Logs an error. Returns undefined, as readers do for an invalid value. */
  fault(expected: string, received = describeValue(this.value)): undefined {
    this.log.faults.add(this.log.file, this.path, expected, received)
  }

  warn(expected: string, received = describeValue(this.value)): void {
    this.log.faults.warn(this.log.file, this.path, expected, received)
  }
}
