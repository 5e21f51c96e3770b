/** Converts placements and colours from attributes and properties, and builds the form value. */
import { placementChoices, placementRanges } from '@vitrine/contract/placement-ranges'
import { centredCover, type Placement } from '@vitrine/engine'
import { describePlacement, type PlacementChange } from '@vitrine/live'
import type { ArtworkSource, Colors, MockupValue } from './element-types.ts'
import type { FrameArtwork } from './frame-artworks.ts'
import type { FrameChoices } from './frame-choices.ts'
import { EmbedError, isRecord } from './preview-service.ts'

const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1
const isColor = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

const tests: { readonly [field: string]: (value: unknown) => boolean } = {
  ...Object.fromEntries(
    Object.entries(placementChoices).map(([field, allowed]) => [
      field,
      (value: unknown) => allowed.some((choice: string) => choice === value),
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
export function parsePlacement(value: unknown, name = 'placement'): Placement {
  if (!isRecord(value)) throw invalid(name, 'an object as the placement of a request')
  for (const [field, given] of Object.entries(value))
    if (tests[field]?.(given) !== true)
      throw invalid(`${name}.${field}`, 'a field as the placement of a request has it', given)
  // Each field was checked above.
  return { ...centredCover, ...(value as PlacementChange) }
}

/** By frame or slot. @throws EmbedError ATTRIBUTE_INVALID */
export function parsePlacements(value: unknown): Readonly<Record<string, Placement>> {
  if (!isRecord(value)) throw invalid('placements', 'an object such as {"0": {"scale": 1.2}}')
  return Object.fromEntries(
    Object.entries(value).map(([key, placement]) => [key, parsePlacement(placement, `placements.${key}`)]),
  )
}

/** By frame or slot. @throws EmbedError ATTRIBUTE_INVALID */
export function parseArtworks(value: unknown): Readonly<Record<string, ArtworkSource>> {
  if (!isRecord(value)) throw invalid('artworks', 'an object such as {"0": "/first.jpg", "1": "/second.jpg"}')
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, source]) => {
      if (source === null || source === '') return []
      if (!isSource(source)) throw invalid(`artworks.${key}`, 'a file, bytes or an address', source)
      return [[key, source] as const]
    }),
  )
}

const isSource = (value: unknown): value is ArtworkSource =>
  typeof value === 'string' || value instanceof Blob || value instanceof Uint8Array || value instanceof URL

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

type Chosen = {
  readonly template: string
  readonly placements: FrameChoices<Placement>
  readonly colors: Colors
  /** By frame; empty until the template has loaded. */
  readonly artworks: readonly (FrameArtwork | null)[]
}

/** Fields with default values are left out. */
export function valueOf({ template, placements: { all, byKey }, colors, artworks }: Chosen): MockupValue {
  const placed = describePlacement(all)
  const ofKeys = Object.entries(byKey).map(([key, placement]) => [key, describePlacement(placement)] as const)
  const hashes = artworks.map(artwork => artwork?.sha256 ?? null)
  return {
    template_id: template,
    ...(Object.keys(placed).length === 0 ? {} : { placement: placed }),
    ...(ofKeys.length === 0 ? {} : { placements: Object.fromEntries(ofKeys) }),
    ...(Object.keys(colors).length === 0 ? {} : { colors }),
    ...(new Set(hashes).size > 1
      ? { artworks_sha256: Object.fromEntries(hashes.entries()) }
      : { artwork_sha256: hashes[0] ?? null }),
  }
}

/**
 * The files as parts of a form, named as in a request: `name` for one picture in all frames, otherwise
 * `name_0` and so on.
 */
export function filesOf(
  name: string,
  artworks: readonly (FrameArtwork | null)[],
): readonly (readonly [string, File])[] {
  const isOne = new Set(artworks.map(artwork => artwork?.sha256)).size === 1
  return artworks
    .slice(0, isOne ? 1 : undefined)
    .flatMap((artwork, frame) => (artwork === null ? [] : [[isOne ? name : `${name}_${frame}`, artwork.file] as const]))
}
