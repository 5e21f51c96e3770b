import { psdImportReportSchema, psdPlacesSchema } from '@vitrine/contract'
import { z } from 'zod'
import { brokenOffSchemas } from '../sandbox/broken-off.ts'

/** What is asked of the process that reads a Photoshop file. */
export type PsdRequest = {
  /** the file */
  readonly from: string
  /** an empty folder: takes the bundle's files in `BUNDLE_FOLDER`, and pictures of the comparison */
  readonly toFolder: string
  readonly name: string
  /** names of smart objects that become frames; none: those that their names tell */
  readonly frames: readonly string[]
  /** layers of one colour that become colours of the template */
  readonly colors: readonly { readonly name: string; readonly layer: string }[]
  /** what lies under a transparent document, bytes */
  readonly matte: readonly [number, number, number]
  /** of the template; missing: that of the file */
  readonly widthPx?: number
  /** files that Displace filters move the design by, and the names by which they do */
  readonly maps?: readonly { readonly name: string; readonly path: string }[]
  /** refuses a file where maps would help that are not there */
  readonly asksForMaps?: boolean
}

const mapNames = z.array(z.string().max(255)).max(3000).readonly()

/** What the process answers, read like an untrusted message: it has read an untrusted file. */
export const psdMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step'), step: z.enum(['reading', 'drawing', 'checking']) }),
  z.object({
    kind: z.literal('imported'),
    report: psdImportReportSchema,
    lines: z.array(z.string().max(5000)).max(20_000).readonly(),
    files: z
      .array(z.string().regex(/^[a-z0-9-]{1,64}\.(json|png)$/))
      .max(1000)
      .readonly(),
    hasComparison: z.boolean(),
    missingMaps: mapNames,
  }),
  z.object({
    kind: z.literal('refused'),
    message: z.string().max(5000),
    choices: z.array(z.string().max(2000)).max(3000).readonly(),
    maps: mapNames,
    /** of smart objects in the picture that is written beside; empty: none is */
    places: psdPlacesSchema,
  }),
  ...brokenOffSchemas,
])

export type PsdMessage = z.infer<typeof psdMessageSchema>
export type ImportedPsd = Extract<PsdMessage, { kind: 'imported' }>
export type PsdStep = Extract<PsdMessage, { kind: 'step' }>['step']
