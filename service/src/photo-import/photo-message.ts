import { z } from 'zod'
import { brokenOffSchemas } from '../sandbox/broken-off.ts'

// The process that reads a photo imports only types from here: zod would be a sixth of its start.

/** The request to the process that reads a photo. */
export type PhotoRequest = {
  /** the picture */
  readonly from: string
  /** drawing.json */
  readonly drawing: string
  /** an empty folder for the bundle's files, in `PHOTO_BUNDLE_FOLDER` */
  readonly toFolder: string
  readonly details: { readonly id: string; readonly name: string; readonly category: string }
}

const doubt = z.object({
  kind: z.enum([
    'clipped-light',
    'too-dark',
    'too-small',
    'tone-unknown',
    'poor-fit',
    'few-points',
    'ratio-unknown',
    'many-colors',
    'two-shades',
    'many-edges',
    'needs-pins',
    'hard-to-dye',
  ]),
  sentence: z.string().max(1000),
})

const photoReport = z.object({
  widthPx: z.number(),
  heightPx: z.number(),
  tone: z.enum(['srgb', 'shoulder0.7']),
  frames: z
    .array(
      z.object({
        residualPx: z.number().nullable(),
        region: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(),
        color: z.string().max(7),
        doubts: z.array(doubt).max(100).readonly(),
      }),
    )
    .max(100)
    .readonly(),
  productColor: z.string().max(7).nullable(),
  productDoubts: z.array(doubt).max(100).readonly(),
  clearDifference: z.number(),
})

/** The process's answer, parsed as an untrusted message, because it has read an untrusted file. */
export const photoMessageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('made'),
    report: photoReport,
    files: z
      .array(z.string().regex(/^[a-z0-9-]{1,64}\.(json|png)$/))
      .max(1000)
      .readonly(),
  }),
  z.object({ kind: z.literal('refused'), message: z.string().max(20_000) }),
  ...brokenOffSchemas,
])

export type PhotoMessage = z.infer<typeof photoMessageSchema>
export type MadeOfPhoto = Extract<PhotoMessage, { kind: 'made' }>
