import { bundlePath, findPathFault } from './bundle-files.ts'
import { MAX_PATH_LENGTH } from './bundle-limits.ts'
import { Field, type JsonSchema, object } from './field.ts'
import type { JsonNode } from './json-node.ts'
import type { LayerUse, SceneRegion } from './parse-log.ts'

/** A picture of the bundle that covers the whole scene (`region` null) or a part of it. */
export type LayerReference = { readonly image: string; readonly region: SceneRegion | null }

const fileSchema: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_PATH_LENGTH,
  // relative, forward slashes, no empty, "." or ".." part, no drive
  pattern: '^(?![A-Za-z]:)(?!\\.{1,2}(/|$))[^/\\\\]+(/(?!\\.{1,2}(/|$))[^/\\\\]+)*$',
}

/** The path of a picture in the bundle. */
export function file(use: LayerUse): Field<string> {
  return path((node, path) => node.log.files.push({ field: node.path, path, use }))
}

/** The path of a JSON file in the bundle. */
export const jsonFile = path((node, path) => node.log.jsonFiles.push({ field: node.path, path }))

function path(log: (node: JsonNode, path: string) => void): Field<string> {
  return new Field(fileSchema, node => {
    const { value } = node
    if (typeof value !== 'string') return node.fault('the name of a file in the bundle')
    const fault = findPathFault(value)
    if (fault !== null) return node.fault(fault)
    const path = bundlePath(value)
    log(node, path)
    return path
  })
}

export const region = new Field<SceneRegion>(
  {
    type: 'array',
    prefixItems: [
      { type: 'number' },
      { type: 'number' },
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', exclusiveMinimum: 0 },
    ],
    items: false,
    minItems: 4,
    description: '[x, y, width, height] in scene pixels: the part of the scene that the picture covers',
  },
  node => {
    const [x, y, width, height] = numbersOf(node.value, 4)
    if (x === undefined || y === undefined || !width || !height || width < 0 || height < 0) {
      return node.fault('[x, y, width, height] in scene pixels with a width and a height above 0')
    }
    const region = { x, y, width, height }
    node.log.regions.push({ field: node.path, region })
    return region
  },
)

/** A list of `count` finite numbers; empty if `value` is anything else. */
export function numbersOf(value: unknown, count: number): readonly number[] {
  const isFull = Array.isArray(value) && value.length === count
  return isFull && value.every(item => typeof item === 'number' && Number.isFinite(item)) ? value : []
}

/** A file's path, or `{ image, region }` for a picture of a part of the scene. */
export function layer(use: LayerUse): Field<LayerReference> {
  const whole = file(use)
  const part = object({ image: whole, region })
  return new Field({ oneOf: [whole.schema, part.schema] }, node => {
    if (typeof node.value === 'object' && node.value !== null) return part.read(node)
    const image = whole.read(node)
    return image === undefined ? undefined : { image, region: null }
  })
}
