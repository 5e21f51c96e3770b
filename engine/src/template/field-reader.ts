import { findPathFault } from './bundle-files.ts'
import { describeValue } from './fault-collector.ts'
import type { LayerUse, ParseLog } from './parse-log.ts'
import { suggest } from './suggest.ts'
import type { LayerReference, SceneRegion } from './template.ts'

/** The file that all fields are in. */
export const DESCRIPTION_FILE = 'template.json'

/**
 * Reads the fields of one object of template.json. Every fault goes to the log under its full path; a field that cannot be
 * read gives null, and the parse goes on, so that one run names everything.
 */
export class FieldReader {
  readonly #object: object
  readonly #path: string
  readonly #log: ParseLog
  readonly #known = new Set<string>()

  private constructor(object: object, path: string, log: ParseLog) {
    this.#object = object
    this.#path = path
    this.#log = log
  }

  /** A reader of `value`, or null (and a fault) where it is no object. `path` is empty for the whole description. */
  static open(value: unknown, path: string, log: ParseLog): FieldReader | null {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new FieldReader(value, path, log)
    log.faults.add(DESCRIPTION_FILE, path, 'an object', describeValue(value))
    return null
  }

  pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }

  /** The raw value; undefined where the field is absent. */
  value(name: string): unknown {
    this.#known.add(name)
    return Object.hasOwn(this.#object, name) ? Reflect.get(this.#object, name) : undefined
  }

  fault(name: string, expected: string): null {
    this.#log.faults.add(DESCRIPTION_FILE, this.pathOf(name), expected, describeValue(this.value(name)))
    return null
  }

  /** Names the fields that nobody asked for: a typo must not pass silently. Call it last. */
  refuseUnknownFields(): void {
    for (const name of Object.keys(this.#object)) {
      if (this.#known.has(name)) continue
      const near = suggest(name, this.#known)
      const hint = near === null ? `one of ${[...this.#known].join(', ')}` : `"${near}"`
      this.#log.faults.add(
        DESCRIPTION_FILE,
        this.pathOf(name),
        `a known field, perhaps ${hint},`,
        `the unknown field "${name.slice(0, 60)}"`,
      )
    }
  }

  text(name: string, maxLength: number): string | null {
    const value = this.value(name)
    const isText =
      typeof value === 'string' && value.trim() !== '' && value.length <= maxLength && !/\p{Cc}/u.test(value)
    return isText ? value : this.fault(name, `text of 1 to ${maxLength} characters`)
  }

  number(name: string, min: number, max: number, fallback: number | null): number | null {
    const value = this.value(name)
    if (value === undefined && fallback !== null) return fallback
    const isNumber = typeof value === 'number' && value >= min && value <= max
    return isNumber ? value : this.fault(name, `a number from ${min} to ${max}`)
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T | null): T | null {
    const value = this.value(name)
    if (value === undefined && fallback !== null) return fallback
    const found = choices.find(choice => choice === value)
    if (found !== undefined) return found
    const near = typeof value === 'string' ? suggest(value, choices) : null
    return this.fault(
      name,
      choices.length > 3 && near !== null ? `one of ${choices.join(', ')}, perhaps "${near}",` : orList(choices),
    )
  }

  /** A list of `min` to `max` values; each is read by `read` with its path. */
  list<T>(
    name: string,
    min: number,
    max: number,
    read: (value: unknown, path: string) => T | null,
  ): readonly T[] | null {
    const value = this.value(name)
    if (value === undefined && min === 0) return []
    if (!Array.isArray(value)) return this.fault(name, `a list of ${min} to ${max}`)
    if (value.length < min || value.length > max) {
      this.#log.faults.add(
        DESCRIPTION_FILE,
        this.pathOf(name),
        `a list of ${min} to ${max}`,
        `a list of ${value.length}`,
      )
    }
    const items: T[] = []
    for (const [index, item] of value.slice(0, max).entries()) {
      const parsed = read(item, `${this.pathOf(name)}[${index}]`)
      if (parsed !== null) items.push(parsed)
    }
    return items
  }

  /** The path of a file in the bundle. */
  file(name: string, use: LayerUse): string | null {
    const value = this.value(name)
    const fault = typeof value === 'string' ? findPathFault(value) : 'the name of a file in the bundle'
    if (typeof value !== 'string' || fault !== null) return this.fault(name, fault ?? 'a file')
    this.#log.files.push({ field: this.pathOf(name), path: value, use })
    return value
  }

  /** A file's path, or `{ image, region }` for a picture of a part of the scene. */
  layer(name: string, use: LayerUse): LayerReference | null {
    const value = this.value(name)
    if (typeof value !== 'object' || value === null) {
      const image = this.file(name, use)
      return image === null ? null : { image, region: null }
    }
    const reader = FieldReader.open(value, this.pathOf(name), this.#log)
    const layer = reader?.asLayer(use) ?? null
    reader?.refuseUnknownFields()
    return layer
  }

  /** This object itself as `{ image, region }`. */
  asLayer(use: LayerUse): LayerReference | null {
    const image = this.file('image', use)
    const region = this.#region()
    return image === null || region === null ? null : { image, region }
  }

  #region(): SceneRegion | null {
    const value = this.value('region')
    const numbers = Array.isArray(value) && value.length === 4 ? value.filter(isFiniteNumber) : []
    const [x, y, width, height] = numbers
    if (
      x === undefined ||
      y === undefined ||
      width === undefined ||
      height === undefined ||
      width <= 0 ||
      height <= 0
    ) {
      return this.fault('region', '[x, y, width, height] in scene pixels with a width and a height above 0')
    }
    const region = { x, y, width, height }
    this.#log.regions.push({ field: this.pathOf('region'), region })
    return region
  }
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function orList(choices: readonly string[]): string {
  const quoted = choices.map(choice => `"${choice}"`)
  return quoted.length === 1 ? (quoted[0] ?? '') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}
