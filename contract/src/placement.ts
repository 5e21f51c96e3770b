import { z } from 'zod'
import { hexColor } from './color.ts'
import { choice, describe, type Parameter } from './parameter.ts'
import { placementRanges } from './placement-ranges.ts'

export const fits = ['cover', 'contain', 'stretch'] as const
export const flips = ['none', 'horizontal', 'vertical', 'both'] as const
export const repeats = ['none', 'tile', 'mirror'] as const

function number(field: keyof typeof placementRanges, description: string): Parameter<z.ZodNumber> {
  const { least, greatest } = placementRanges[field]
  const expected = `a number from ${least} to ${greatest}`
  return { schema: z.number().min(least).max(greatest), expected, allowed: expected, description }
}

const share = z.number().min(0).max(1)

/** The fields of a placement. Ranges allow artwork that is partly, or wholly, outside its frame. */
export const placementFields = {
  fit: choice(
    fits,
    'Size before scale: "cover" fills the frame and is cropped, "contain" lies wholly inside it, "stretch" takes its shape.',
  ),
  focus: {
    schema: z.tuple([share, share]),
    expected: 'two numbers from 0 to 1',
    allowed: 'two numbers from 0 to 1',
    description:
      'With fit "cover": the point of the artwork, in fractions of its width and height, that stays as near the middle of the frame as possible while the frame is filled.',
  },
  scale: number('scale', 'Multiplies the size that fit gives.'),
  rotation: number('rotation', "Degrees, clockwise, about the artwork's centre."),
  x: number('x', "Where the artwork's centre lies, in fractions of the frame's width."),
  y: number('y', "Where the artwork's centre lies, in fractions of the frame's height."),
  flip: choice(flips, 'Mirrors the artwork, before the rotation.'),
  repeat: choice(repeats, 'Fills the frame with copies of the artwork; with "mirror" every other one is mirrored.'),
  background: {
    ...hexColor,
    description:
      "Colour of the frame where the artwork is transparent or ends. Without it the scene, or in a lit frame the product's own surface, shows.",
  },
} as const satisfies Record<string, Parameter>

export type PlacementField = keyof typeof placementFields

/** The defaults of a placement's fields. */
export const placementDefaults = {
  fit: 'cover',
  focus: [0.5, 0.5],
  scale: 1,
  rotation: 0,
  x: 0.5,
  y: 0.5,
  flip: 'none',
  repeat: 'none',
} as const

/** The placement of artwork in its frame, as in a request. */
export type Placement = {
  readonly fit: (typeof fits)[number]
  readonly focus: readonly [x: number, y: number]
  readonly scale: number
  readonly rotation: number
  readonly x: number
  readonly y: number
  readonly flip: (typeof flips)[number]
  readonly repeat: (typeof repeats)[number]
  /** #rrggbb; null: the scene or the surface shows */
  readonly background: string | null
}

const optional = (name: Exclude<PlacementField, 'background'>) =>
  placementFields[name].schema
    .meta({ description: `${placementFields[name].description} Default: ${JSON.stringify(placementDefaults[name])}.` })
    .optional()

/** For the documentation: the service validates field by field, so that its errors name the field. */
export const placement = z
  .strictObject({
    fit: optional('fit'),
    focus: optional('focus'),
    scale: optional('scale'),
    rotation: optional('rotation'),
    x: optional('x'),
    y: optional('y'),
    flip: optional('flip'),
    repeat: optional('repeat'),
    background: describe(placementFields.background).optional(),
  } satisfies Record<PlacementField, z.ZodType>)
  .meta({ description: 'Where artwork lies in its frame. An unknown field is an error, unlike those of the request.' })
