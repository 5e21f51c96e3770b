/** Placement and colours as attributes and properties have them, and what a form gets. */
import { placementRanges } from '@vitrine/contract/placement-ranges'
import { centredCover, type Placement } from '@vitrine/engine'
import { describePlacement, type PlacementChange } from '@vitrine/live'
import type { Colors } from './messages.ts'
import { EmbedError, isRecord } from './preview-service.ts'

const choices = {
  fit: ['cover', 'contain', 'stretch'],
  flip: ['none', 'horizontal', 'vertical', 'both'],
  repeat: ['none', 'tile', 'mirror'],
} as const satisfies Partial<Record<keyof Placement, readonly string[]>>

const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1
const isColor = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

const tests: { readonly [field: string]: (value: unknown) => boolean } = {
  ...Object.fromEntries(
    Object.entries(choices).map(([field, allowed]) => [
      field,
      (value: unknown) => allowed.some(choice => choice === value),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(placementRanges).map(([field, { least, greatest }]) => [
      field,
      (value: unknown) => typeof value === 'number' && value >= least && value <= greatest,
    ]),
  ),
  focus: value => Array.isArray(value) && value.length === 2 && value.every(isShare),
  background: value => value === null || isColor(value),
}

/** @throws EmbedError ATTRIBUTE_INVALID */
export function parsePlacement(value: unknown): Placement {
  if (!isRecord(value)) throw invalid('placement', 'an object as the placement of a request')
  for (const [field, given] of Object.entries(value))
    if (tests[field]?.(given) !== true)
      throw invalid(`placement.${field}`, 'a field as the placement of a request has it', given)
  // Each field was tested above.
  return { ...centredCover, ...(value as PlacementChange) }
}

/** @throws EmbedError ATTRIBUTE_INVALID */
export function parseColors(value: unknown): Colors {
  if (!isRecord(value)) throw invalid('colors', 'an object such as {"shirt": "#1f2a44"}')
  return Object.fromEntries(
    Object.entries(value).map(([name, color]) => {
      if (!isColor(color)) throw invalid(`colors.${name}`, 'a colour like "#1f2a44"', color)
      return [name, color]
    }),
  )
}

/** @throws EmbedError ATTRIBUTE_INVALID */
export function parseJson(name: string, text: string | null): unknown {
  if (text === null || text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(name, 'JSON', text)
  }
}

function invalid(name: string, expected: string, given?: unknown): EmbedError {
  const received = given === undefined ? '' : ` but received ${JSON.stringify(given).slice(0, 80)}`
  return new EmbedError('ATTRIBUTE_INVALID', `Expected ${expected} for ${name}${received}.`)
}

/** What a form submits, as JSON: fields of a request to `generate`, and which picture was seen. */
export type MockupValue = {
  readonly template_id: string
  readonly placement?: PlacementChange
  readonly colors?: Colors
  /** Hexadecimal, of the file's bytes; null: no picture was chosen. */
  readonly artwork_sha256: string | null
}

/** Fields that say nothing else than a request without them are left out. */
export function valueOf(template: string, placement: Placement, colors: Colors, sha256: string | null): MockupValue {
  const placed = describePlacement(placement)
  return {
    template_id: template,
    ...(Object.keys(placed).length === 0 ? {} : { placement: placed }),
    ...(Object.keys(colors).length === 0 ? {} : { colors }),
    artwork_sha256: sha256,
  }
}
