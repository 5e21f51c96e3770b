import { partNameForm } from '@vitrine/engine/bundle'
import { z } from 'zod'
import { brokenOffSchemas } from '../sandbox/broken-off.ts'

// The process that reads a bundle imports only types from here: zod would be a sixth of its start.

/** Requests to the process that reads a bundle. */
export type BundleRequest =
  | ({ readonly kind: 'inspect' } & InspectionRequest)
  | ({ readonly kind: 'reduce' } & ReductionRequest)
  | ({ readonly kind: 'prepare' } & PreparationRequest)
  | ({ readonly kind: 'pack' } & PackRequest)

/** Prepares a bundle's template for an output width. */
export type PreparationRequest = {
  /** The folder of an imported bundle. */
  readonly from: string
  /** An empty folder to write `PREPARED_FILE` to. */
  readonly toFolder: string
  readonly widthPx: number
  /** The name under which the file is packed. */
  readonly name: string
}

/** Makes the preview pack of one width. */
export type PackRequest = {
  /** The folder of an imported bundle. */
  readonly from: string
  /** An empty folder to write the pack to as `packName`; it stays empty if the pack would be too large. */
  readonly toFolder: string
  readonly widthPx: number
  /** Drawn over the pictures; null for none. */
  readonly watermark: string | null
}

/** Makes a preview's bundle. */
export type ReductionRequest = {
  /** The folder of an imported bundle. */
  readonly from: string
  /** An empty folder to write the reduced bundle to. */
  readonly toFolder: string
  readonly widthPx: number
}

/** Checks a bundle, and copies it. */
export type InspectionRequest = {
  /** The bundle: a folder or a zip file. */
  readonly from: string
  /** An empty folder for the bundle's files and the thumbnail; null to check without copying. */
  readonly toFolder: string | null
  /** A picture to make a thumbnail with if the bundle has none. */
  readonly sampleArtwork: string
}

const faultSchema = z.object({
  file: z.string(),
  field: z.string(),
  expected: z.string(),
  received: z.string(),
  severity: z.enum(['error', 'warning']),
})

const hexColor = z.string().regex(/^#[0-9a-f]{6}$/)

// Not the contract's schema: the sandboxed process can load only the engine.
const colorAreaSchema = z.object({
  name: z.string().regex(partNameForm),
  default: hexColor,
  suggestions: z.array(z.object({ name: z.string().min(1).max(100), value: hexColor })).max(100),
})

export const summarySchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{2,64}$/),
  name: z.string().min(1).max(1000),
  category: z.string().min(1).max(1000),
  type: z.enum(['print', 'product']),
  surfaceType: z.string().max(1000).nullable(),
  renderMode: z.enum(['corners', 'uvmap']),
  blendMode: z.string().regex(/^[a-z-]{1,40}$/),
  /** By frame: the width / height of the expected artwork. */
  aspectRatios: z.array(z.number().positive()).min(1).max(100).readonly(),
  /** By frame: the slot name, shared by frames with the same artwork; empty if no frame has one. */
  slots: z.array(z.string().regex(partNameForm).nullable()).max(100).readonly(),
  /** Parts whose colour a request may choose. */
  colors: z.array(colorAreaSchema).max(100).readonly(),
  /** Whether all who can see the template may download its bundle, besides its owner and operators. */
  sharesBundle: z.boolean(),
})

/** A template's own description, as lists show it. */
export type TemplateSummary = z.infer<typeof summarySchema>

const filePathSchema = z
  .string()
  .max(1000)
  .refine(path => path.split('/').every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\\')))

const share = z.number().min(-20).max(20)

export const templateLookSchema = z.object({
  /** The thumbnail's width, in pixels. */
  widthPx: z.int().positive().max(10_000),
  heightPx: z.int().positive().max(10_000),
  /** The thumbnail reduced to a few pixels, as a base64 JPEG. */
  tiny: z.base64().max(4000),
  /** By frame: the points of its outline, relative to the picture's width and height. Empty if unknown. */
  outlines: z.array(z.array(z.tuple([share, share])).max(64)).max(100),
})

/** What galleries show of a template before its picture has loaded. */
export type TemplateLook = z.infer<typeof templateLookSchema>

/**
 * The process's answer. It is parsed as an untrusted message: the process has decoded untrusted pictures and
 * may be compromised.
 */
export const bundleReportSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('looked-at'),
    faults: z.array(faultSchema).max(10_000).readonly(),
    /** Null if a fault is an error. */
    template: summarySchema.nullable(),
    /** The files that the template uses, in the order of their stored names. Empty if not copied. */
    files: z.array(filePathSchema).max(1000).readonly(),
    /** Over the paths and bytes of these files, to recognise an identical bundle. */
    digest: z.string().regex(/^[0-9a-f]{64}$|^$/),
    /** Null if nothing was copied. */
    look: templateLookSchema.nullable(),
    /** The cost of rendering at the greatest width; null if a fault prevents determining it. */
    cost: z
      .object({ timeMs: z.number().nonnegative(), memoryBytes: z.number().nonnegative(), widthPx: z.number() })
      .nullable(),
  }),
  z.object({ kind: z.literal('reduced') }),
  z.object({ kind: z.literal('packed') }),
  /** `digest`: that of the bundle as it was read. */
  z.object({ kind: z.literal('prepared'), digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.object({ kind: z.literal('unreadable'), message: z.string().max(1000) }),
  ...brokenOffSchemas,
])

export type BundleReport = z.infer<typeof bundleReportSchema>

/** The report on a bundle that was read, valid or not. */
export type LookedAt = Extract<BundleReport, { kind: 'looked-at' }>
