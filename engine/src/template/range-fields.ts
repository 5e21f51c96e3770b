import type { ColorRanges, Range } from '../operations/color-ranges.ts'
import { Field, object } from './field.ts'
import { numbersOf } from './layer-fields.ts'

const range = new Field<Range>(
  { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 }, minItems: 4, maxItems: 4 },
  node => {
    const [a, b, c, d] = numbersOf(node.value, 4)
    if (a !== undefined && b !== undefined && c !== undefined && d !== undefined) {
      const all = [a, b, c, d]
      const isSorted = all.every((value, i) => Number.isInteger(value) && value >= (all[i - 1] ?? 0) && value <= 255)
      if (isSorted) return [a, b, c, d]
    }
    return node.fault('four whole numbers from 0 to 255, none less than the one before it')
  },
)

const channel = range.optional()

export const colorRanges: Field<ColorRanges | null> = object({
  gray: channel,
  red: channel,
  green: channel,
  blue: channel,
}).optional()
