import type { JsonNode } from './json-node.ts'
import { suggest } from './suggest.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Reads a value. Logs all faults of an invalid one and returns undefined; parsing continues. */
type Read<T> = (node: JsonNode) => T | undefined

type FieldOptions = { readonly isRequired?: boolean; readonly jsonName?: string | undefined }

/** A kind of value in template.json: its schema and reader. Why not Zod: docs/decisions/templates.md. */
export class Field<T> {
  readonly schema: JsonSchema
  readonly read: Read<T>
  readonly isRequired: boolean
  /** the name in template.json if it is not the snake case of the property's */
  readonly jsonName: string | undefined

  constructor(schema: JsonSchema, read: Read<T>, { isRequired = true, jsonName }: FieldOptions = {}) {
    this.schema = schema
    this.read = read
    this.isRequired = isRequired
    this.jsonName = jsonName
  }

  describe(description: string): Field<T> {
    return this.#derive(this.read, { schema: { ...this.schema, description } })
  }

  named(jsonName: string): Field<T> {
    return this.#derive(this.read, { jsonName })
  }

  /** The field may be absent, which gives null. */
  optional(): Field<T | null> {
    return this.#derive(node => (node.isAbsent ? null : this.read(node)), { isRequired: false })
  }

  /** The field may be absent, which is the same as `json`. */
  default(json: unknown): Field<T> {
    const read: Read<T> = node => this.read(node.isAbsent ? node.withValue(json) : node)
    return this.#derive(read, { schema: { ...this.schema, default: json }, isRequired: false })
  }

  nullable(): Field<T | null> {
    const schema = { oneOf: [{ type: 'null' }, this.schema] }
    return this.#derive(node => (node.value === null ? null : this.read(node)), { schema })
  }

  /** Converts a valid value; the JSON form is unchanged. */
  map<U>(build: (value: T, node: JsonNode) => U | undefined): Field<Readonly<U>> {
    return this.#derive(node => {
      const value = this.read(node)
      return value === undefined ? undefined : build(value, node)
    })
  }

  #derive<U>(read: Read<U>, changes: FieldOptions & { readonly schema?: JsonSchema } = {}): Field<U> {
    const { schema, isRequired, jsonName } = this
    return new Field(changes.schema ?? schema, read, { isRequired, jsonName, ...changes })
  }
}

/** The type that reading a field returns. */
export type Parsed<F> = F extends Field<infer T> ? T : never

type Fields = Readonly<Record<string, Field<unknown>>>
type ParsedFields<F extends Fields> = { readonly [K in keyof F]: Parsed<F[K]> }

/**
 * An object of known fields. Unknown fields are faults, so that typos are found. `check` compares fields with
 * each other, even if some are invalid.
 */
export function object<F extends Fields>(
  fields: F,
  check?: (node: JsonNode, values: Partial<ParsedFields<F>>) => void,
): Field<ParsedFields<F>> {
  const entries = Object.entries(fields).map(([key, field]) => ({ key, field, name: field.jsonName ?? snakeCase(key) }))
  const known = entries.map(({ name }) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(({ name, field }) => [name, field.schema])),
    required: entries.filter(({ field }) => field.isRequired).map(({ name }) => name),
    additionalProperties: false,
  }
  return new Field(schema, node => {
    if (node.names === null) return node.fault('an object')
    const values = Object.fromEntries(entries.map(({ key, field, name }) => [key, field.read(node.child(name))]))
    for (const name of node.names) if (!known.includes(name)) refuseUnknown(node, name, known)
    // The fields are generic: TypeScript cannot infer that each value has its field's type.
    const parsed = values as ParsedFields<F>
    check?.(node, parsed)
    return Object.values(values).includes(undefined) ? undefined : parsed
  })
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

function refuseUnknown(node: JsonNode, name: string, known: readonly string[]): void {
  const near = suggest(name, known)
  const hint = near === null ? `one of ${known.join(', ')}` : `"${near}"`
  node.child(name).fault(`a known field, perhaps ${hint},`, `the unknown field "${name.slice(0, 60)}"`)
}

export function list<T>(min: number, max: number, item: Field<T>): Field<readonly T[]> {
  const schema = { type: 'array', ...(min === 0 ? {} : { minItems: min }), maxItems: max, items: item.schema }
  const expected = min === max ? `a list of ${min}` : `a list of ${min} to ${max}`
  return new Field(schema, node => {
    if (!Array.isArray(node.value)) return node.fault(expected)
    const { length } = node.value
    if (length < min || length > max) node.fault(expected, `a list of ${length}`)
    const items = node.items().slice(0, max).map(item.read)
    const valid = items.filter(value => value !== undefined)
    return valid.length === length ? valid : undefined
  })
}

/** Text with at least one character other than white space, without control characters. */
export function text(maxLength: number): Field<string> {
  return new Field({ type: 'string', minLength: 1, maxLength, pattern: '\\S' }, node => {
    const { value } = node
    const isText =
      typeof value === 'string' && value.trim() !== '' && value.length <= maxLength && !/\p{Cc}/u.test(value)
    return isText ? value : node.fault(`text of 1 to ${maxLength} characters`)
  })
}

export function pattern(form: RegExp, expected: string): Field<string> {
  return new Field({ type: 'string', pattern: form.source }, node => {
    const { value } = node
    return typeof value === 'string' && form.test(value) ? value : node.fault(expected)
  })
}

export function number(min: number, max: number): Field<number> {
  return new Field({ type: 'number', minimum: min, maximum: max }, node => {
    const { value } = node
    const isInside = typeof value === 'number' && value >= min && value <= max
    return isInside ? value : node.fault(`a number from ${min} to ${max}`)
  })
}

export function flag(): Field<boolean> {
  return new Field({ type: 'boolean' }, node => {
    const { value } = node
    return typeof value === 'boolean' ? value : node.fault('true or false')
  })
}

export function constant<T extends number>(value: T): Field<T> {
  return new Field({ const: value }, node => (node.value === value ? value : node.fault(`the number ${value}`)))
}

export function choice<T extends string>(choices: readonly T[]): Field<T> {
  return new Field({ enum: choices }, node => {
    const { value } = node
    const found = choices.find(choice => choice === value)
    if (found !== undefined) return found
    const near = typeof value === 'string' && choices.length > 3 ? suggest(value, choices) : null
    return node.fault(near === null ? orList(choices) : `one of ${choices.join(', ')}, perhaps "${near}",`)
  })
}

function orList(choices: readonly string[]): string {
  const quoted = choices.map(choice => `"${choice}"`)
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}
