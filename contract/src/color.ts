import { z } from 'zod'
import type { Parameter } from './parameter.ts'

/** A colour: sRGB, six hexadecimal digits. */
export const hexColor = {
  schema: z.string().regex(/^#[0-9a-fA-F]{6}$/),
  expected: 'a colour like "#1f2a44"',
  allowed: 'a colour like "#1f2a44"',
} as const satisfies Omit<Parameter, 'description'>

/** A part of a product whose colour a request may choose. */
export const colorArea = z.object({
  name: z.string().meta({ description: 'Its name in the colors of a request' }),
  default: z.string().meta({ description: 'Colour that it has in the scene' }),
  suggestions: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .meta({ description: 'Colours with the names that people know, for swatches' }),
})

export type ColorAreaResource = z.infer<typeof colorArea>
