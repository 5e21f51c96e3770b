/** The fields of template.json for use in other descriptions: with schema, default and rules. */
export { MAX_ASPECT_RATIO } from './template/bundle-limits.ts'
export { hexColor } from './template/color-fields.ts'
export {
  choice,
  constant,
  Field,
  flag,
  type JsonSchema,
  list,
  number,
  object,
  type Parsed,
  pattern,
  text,
} from './template/field.ts'
export { JsonNode } from './template/json-node.ts'
export { numbersOf } from './template/layer-fields.ts'
export { ParseLog } from './template/parse-log.ts'
export { areaName } from './template/stack-fields.ts'
export { corners, suggestions } from './template/template.ts'
