import { generateParameters, type Placement, type PlacementField, placementFields } from '@vitrine/contract'
import type { Placements, Template } from '@vitrine/engine'
import type { Command } from 'commander'
import { OperatorError } from '../errors/operator-error.ts'
import { ApiError } from '../http/api-error.ts'
import { invalidParameter } from '../http/invalid-parameter.ts'
import { byFrameIndex, type FrameKey, parseFrameIndex } from '../mockups/frame-key.ts'
import { isObject, parsePlacement, parsePlacements } from '../routes/parse-placement.ts'

export type PlacementOptions = { [Field in PlacementField]?: string } & { placements?: string }

/** The text of an option as the value that a request would have. */
function readOption(name: PlacementField, text: string): unknown {
  const { type } = placementFields[name].schema
  if (type === 'tuple') return text.split(',').map(readNumber)
  return type === 'number' ? readNumber(text) : text
}

/** The number that a text spells, or else the text. */
function readNumber(text: string): unknown {
  return /^[+-]?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text
}

const names = Object.keys(placementFields).filter(isPlacementField)

function isPlacementField(name: string): name is PlacementField {
  return Object.hasOwn(placementFields, name)
}

/** Adds the fields of a placement as options, and `--placements` for individual frames. */
export function addPlacementOptions(command: Command): Command {
  for (const name of names) {
    const { allowed, description, argument } = placementFields[name]
    const values = typeof allowed === 'string' ? allowed : allowed.join(', ')
    command.option(`--${name} <${argument}>`, `${description} (${values})`)
  }
  return command.option('--placements <json>', 'placements of single frames: {"0": {"scale": 0.5}}')
}

/** Whether any of the options sets a placement. */
export const hasPlacement = (given: PlacementOptions): boolean =>
  given.placements !== undefined || names.some(name => given[name] !== undefined)

/** The placements given by the options. Errors are reported as for a request. */
export function readPlacements(given: PlacementOptions, { id, frames }: Template): Placements {
  try {
    const values = names.flatMap(name => (given[name] === undefined ? [] : [[name, readOption(name, given[name])]]))
    const byFrame = given.placements === undefined ? [] : readByFrame(given.placements)
    const slots = frames.map(({ slot }) => slot)
    const found: (readonly [FrameKey, Placement])[] = []
    for (const [key, placement] of byFrame) {
      const frame = parseFrameIndex(key)
      const isKnown = frame === null ? slots.includes(key) : frame < frames.length
      if (isKnown) found.push([frame ?? key, placement])
      if (isKnown) continue
      throw new OperatorError(
        `Expected frames from 0 to ${frames.length - 1} of ${id} for --placements but received ${key}.`,
      )
    }
    return {
      all: values.length === 0 ? undefined : parsePlacement('placement', Object.fromEntries(values)),
      byFrame: byFrameIndex(found, slots),
    }
  } catch (error) {
    if (error instanceof ApiError) throw new OperatorError(error.message, { cause: error })
    throw error
  }
}

function readByFrame(text: string) {
  let value: unknown = text
  try {
    value = JSON.parse(text)
  } catch {
    // Rejected below, like any other text.
  }
  if (!isObject(value)) throw invalidParameter('placements', generateParameters.placements, value)
  return parsePlacements('placements', value, generateParameters.placement)
}
