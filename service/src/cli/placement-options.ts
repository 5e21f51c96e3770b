import { generateParameters, type Placement, type PlacementField, placementFields } from '@vitrine/contract'
import type { Placements, Template } from '@vitrine/engine'
import type { Command } from 'commander'
import { OperatorError } from '../errors/operator-error.ts'
import { ApiError } from '../http/api-error.ts'
import { invalidParameter } from '../http/invalid-parameter.ts'
import { byFrameIndex, type FrameKey, parseFrameIndex } from '../mockups/frame-key.ts'
import { isObject, parsePlacement, parsePlacements } from '../routes/parse-placement.ts'

export type PlacementOptions = { [Field in PlacementField]?: string } & { placements?: string }

/** The argument of each option, and how its text becomes a request's value. */
const options = {
  fit: { value: 'fit', read: text => text },
  focus: { value: 'x,y', read: text => text.split(',').map(readNumber) },
  scale: { value: 'factor', read: readNumber },
  rotation: { value: 'degrees', read: readNumber },
  x: { value: 'share', read: readNumber },
  y: { value: 'share', read: readNumber },
  flip: { value: 'axis', read: text => text },
  repeat: { value: 'how', read: text => text },
  background: { value: 'colour', read: text => text },
} satisfies Record<PlacementField, { value: string; read: (text: string) => unknown }>

/** The number that a text spells, or else the text. */
function readNumber(text: string): unknown {
  return /^[+-]?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text
}

const names = Object.keys(options).filter(isPlacementField)

function isPlacementField(name: string): name is PlacementField {
  return Object.hasOwn(options, name)
}

/** Adds the fields of a placement as options, and `--placements` for individual frames. */
export function addPlacementOptions(command: Command): Command {
  for (const name of names) {
    const { allowed, description } = placementFields[name]
    const values = typeof allowed === 'string' ? allowed : allowed.join(', ')
    command.option(`--${name} <${options[name].value}>`, `${description} (${values})`)
  }
  return command.option('--placements <json>', 'placements of single frames: {"0": {"scale": 0.5}}')
}

/** Whether any of the options sets a placement. */
export const hasPlacement = (given: PlacementOptions): boolean =>
  given.placements !== undefined || names.some(name => given[name] !== undefined)

/** The placements given by the options. Errors are reported as for a request. */
export function readPlacements(given: PlacementOptions, { id, frames }: Template): Placements {
  try {
    const values = names.flatMap(name => (given[name] === undefined ? [] : [[name, options[name].read(given[name])]]))
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
