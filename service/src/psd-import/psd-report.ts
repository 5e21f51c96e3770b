import { z } from 'zod'

/** What is asked of the process that reads a Photoshop file. */
export type PsdRequest = {
  /** the file */
  readonly from: string
  /** an empty folder: takes the bundle's files in `BUNDLE_FOLDER`, and pictures of the comparison */
  readonly toFolder: string
  readonly name: string
  /** names of smart objects that become frames; none: those that their names tell */
  readonly frames: readonly string[]
  /** what lies under a transparent document, bytes */
  readonly matte: readonly [number, number, number]
}

/** Names in `toFolder`. */
export const BUNDLE_FOLDER = 'bundle'
export const PHOTOSHOP_FILE = 'photoshop.webp'
export const OURS_FILE = 'ours.webp'
export const DIFFERENCE_FILE = 'difference.webp'

const text = z.string().max(2000)
const names = z.array(text).max(3000).readonly()

const frameSchema = z.object({
  name: text,
  kind: z.enum(['corners', 'uvmap']),
  width: z.number(),
  height: z.number(),
  patches: z.number(),
  blending_mode: z.string().max(40),
  has_mask: z.boolean(),
  check: z
    .object({
      verdict: z.enum(['same', 'close', 'different']),
      mean: z.number(),
      blurred_mean: z.number(),
      share_above_8: z.number(),
    })
    .nullable(),
  reason: text.nullable(),
})

/** The report of an import, as the process sends it. */
export const importReportSchema = z.object({
  file: z.object({
    width: z.number(),
    height: z.number(),
    bits: z.number(),
    layers: z.number(),
    profile: text.nullable(),
    profile_kind: z.enum(['srgb', 'none', 'other']),
  }),
  result: z.enum(['verified', 'different', 'not-verified']),
  doubts: z.array(text).max(10).readonly(),
  frames: z.array(frameSchema).max(16).readonly(),
  colors: z
    .array(z.object({ name: text, layer: text, default: text }))
    .max(100)
    .readonly(),
  above: z.object({ layers: z.number(), pictures: z.number(), adjustments: z.number(), groups: z.number() }),
  notes: z
    .array(z.object({ kind: z.enum(['approximated', 'left-out', 'hint']), layer: text, text }))
    .max(10_000)
    .readonly(),
  other_smart_objects: names,
  hidden_smart_objects: names,
})

/** What the process answers, read like an untrusted message: it has read an untrusted file. */
export const psdMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step'), step: z.enum(['reading', 'drawing', 'checking']) }),
  z.object({
    kind: z.literal('imported'),
    report: importReportSchema,
    lines: z.array(z.string().max(5000)).max(20_000).readonly(),
    files: z
      .array(z.string().regex(/^[a-z0-9-]{1,64}\.(json|png)$/))
      .max(1000)
      .readonly(),
    hasComparison: z.boolean(),
  }),
  z.object({ kind: z.literal('refused'), message: z.string().max(5000) }),
  z.object({ kind: z.literal('out-of-memory') }),
  z.object({ kind: z.literal('failed'), message: z.string().max(10_000) }),
])

export type PsdMessage = z.infer<typeof psdMessageSchema>
export type ImportedPsd = Extract<PsdMessage, { kind: 'imported' }>
export type PsdStep = Extract<PsdMessage, { kind: 'step' }>['step']
