import { readHexColor } from '../hex-color.ts'
import { Field, pattern } from './field.ts'

const WHITE = '#ffffff'
export const hexForm = /^#[0-9a-fA-F]{6}$/
export const hexColor = pattern(hexForm, `a colour like "${WHITE}"`)

/** Null means white: the schema forbids it, but stored templates may have it. */
export const surfaceColor = new Field(hexColor.schema, node =>
  hexColor.read(node.value === null ? node.withValue(WHITE) : node),
)
  .map(readHexColor)
  .default(WHITE)
