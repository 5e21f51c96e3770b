import { z } from 'zod'
import { hexColor } from './color.ts'
import { choice, describe, type Parameter } from './parameter.ts'
import { placementChoices, placementRanges } from './placement-ranges.ts'

function number(field: keyof typeof placementRanges, description: string): Parameter<z.ZodNumber> {
  const { least, greatest } = placementRanges[field]
  const expected = `a number from ${least} to ${greatest}`
  return { schema: z.number().min(least).max(greatest), expected, allowed: expected, description }
}

const share = z.number().min(0).max(1)

type PlacementParameter = Parameter & {
  /** The default; null if there is none. */
  readonly initial: unknown
  /** The name of the value as an argument of a command. */
  readonly argument: string
}

/** The fields of a placement. Ranges allow artwork that is partly, or wholly, outside its frame. */
export const placementFields = {
  fit: {
    ...choice(
      placementChoices.fit,
      'Size before scale: "cover" fills the frame and is cropped, "contain" lies wholly inside it, "stretch" takes its shape.',
    ),
    initial: 'cover',
    argument: 'fit',
  },
  focus: {
    schema: z.tuple([share, share]),
    expected: 'two numbers from 0 to 1',
    allowed: 'two numbers from 0 to 1',
    description:
      'With fit "cover": the point of the artwork, in fractions of its width and height, that stays as near the middle of the frame as possible while the frame is filled.',
    initial: [0.5, 0.5],
    argument: 'x,y',
  },
  scale: { ...number('scale', 'Multiplies the size that fit gives.'), initial: 1, argument: 'factor' },
  rotation: {
    ...number('rotation', "Degrees, clockwise, about the artwork's centre."),
    initial: 0,
    argument: 'degrees',
  },
  x: {
    ...number('x', "Where the artwork's centre lies, in fractions of the frame's width."),
    initial: 0.5,
    argument: 'share',
  },
  y: {
    ...number('y', "Where the artwork's centre lies, in fractions of the frame's height."),
    initial: 0.5,
    argument: 'share',
  },
  flip: {
    ...choice(placementChoices.flip, 'Mirrors the artwork, before the rotation.'),
    initial: 'none',
    argument: 'axis',
  },
  repeat: {
    ...choice(
      placementChoices.repeat,
      'Fills the frame with copies of the artwork; with "mirror" every other one is mirrored.',
    ),
    initial: 'none',
    argument: 'how',
  },
  background: {
    ...hexColor,
    description:
      "Colour of the frame where the artwork is transparent or ends. Without it the scene, or in a lit frame the product's own surface, shows.",
    initial: null,
    argument: 'colour',
  },
} as const satisfies Record<string, PlacementParameter>

type Fields = typeof placementFields
export type PlacementField = keyof Fields

/** The placement of artwork in its frame, as in a request. */
export type Placement = {
  readonly [Field in PlacementField]: Readonly<z.infer<Fields[Field]['schema']>> | (Fields[Field]['initial'] & null)
}

/** A value for each field. */
function mapFields<Value>(valueOf: (parameter: PlacementParameter) => Value) {
  // The cast holds because each field has an entry.
  return Object.fromEntries(
    Object.entries(placementFields).map(([field, parameter]) => [field, valueOf(parameter)]),
  ) as Record<PlacementField, Value>
}

/** The defaults of a placement's fields. */
// The cast holds because the initial values of all fields make a placement.
export const placementDefaults = mapFields(({ initial }) => initial) as Placement

/** For the documentation: the service validates field by field, so that its errors name the field. */
export const placement = z
  .strictObject(
    mapFields(parameter => {
      const { initial } = parameter
      return z.optional(describe(parameter, initial === null ? '' : ` Default: ${JSON.stringify(initial)}.`))
    }),
  )
  .meta({ description: 'Where artwork lies in its frame. An unknown field is an error, unlike those of the request.' })

/** A placement with all fields. */
export const wholePlacementSchema = z.strictObject(
  mapFields(({ schema, initial }) => (initial === null ? z.nullable(schema) : schema)),
  // The cast holds because the type consists of these fields.
) as unknown as z.ZodType<Placement>
