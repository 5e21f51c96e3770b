import { PACK_FORMAT } from '@vitrine/engine/bundle'
import { z } from 'zod'
import { brokenOffSchemas } from '../sandbox/broken-off.ts'
import { templateLookSchema } from './template-look.ts'

/** What is asked of the process that reads a bundle. */
export type BundleRequest =
  | ({ readonly kind: 'inspect' } & InspectionRequest)
  | ({ readonly kind: 'reduce' } & ReductionRequest)
  | ({ readonly kind: 'prepare' } & PreparationRequest)
  | ({ readonly kind: 'pack' } & PackRequest)

/** Prepares the template of a bundle for an output width. */
export type PreparationRequest = {
  /** A bundle that was imported: a folder. */
  readonly from: string
  /** An empty folder that takes `PREPARED_FILE`. */
  readonly toFolder: string
  readonly widthPx: number
  /** What the file is packed under. */
  readonly name: string
}

/** Makes the preview pack of one width. */
export type PackRequest = {
  /** A bundle that was imported: a folder. */
  readonly from: string
  /** An empty folder that takes the pack under `packName`; nothing where it would be too large. */
  readonly toFolder: string
  readonly widthPx: number
  /** Drawn over it; null for none. */
  readonly watermark: string | null
}

/** Makes the bundle of a preview. */
export type ReductionRequest = {
  /** A bundle that was imported: a folder. */
  readonly from: string
  /** An empty folder that takes the reduced bundle. */
  readonly toFolder: string
  readonly widthPx: number
}

/** Checks a bundle, and copies it. */
export type InspectionRequest = {
  /** The bundle: a folder, or a file that is a zip. */
  readonly from: string
  /** An empty folder that takes the bundle's files and the thumbnail; null for a look alone. */
  readonly toFolder: string | null
  /** A picture to make a thumbnail with where the bundle brings none. */
  readonly sampleArtwork: string
}

/**
 * Names in `toFolder`: the bundle's files below the first, the thumbnail (always a JPEG of our own making) in
 * the second.
 */
export const FILES_FOLDER = 'files'
export const THUMBNAIL_FILE = 'thumbnail.jpg'

/** The thumbnail's object, below the prefix of a version. */
export const THUMBNAIL_OBJECT = 'thumbnail'

/** The name of a pack in `toFolder`, and the end of its object's. */
export const packName = (widthPx: number): string => `${PACK_PREFIX}${PACK_FORMAT}-${widthPx}`

const PACK_PREFIX = 'pack-'

/** The name in `toFolder` of a prepared template. */
export const PREPARED_FILE = 'prepared'

/**
 * The end of a name that the process gives to the files: the paths of a bundle are untrusted words, numbers
 * are not.
 */
export const storedName = (index: number): string => `${index}`

const faultSchema = z.object({
  file: z.string(),
  field: z.string(),
  expected: z.string(),
  received: z.string(),
  severity: z.enum(['error', 'warning']),
})

const hexColor = z.string().regex(/^#[0-9a-f]{6}$/)

// Not the contract's: the sandbox of the process has the engine alone.
const colorAreaSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  default: hexColor,
  suggestions: z.array(z.object({ name: z.string().min(1).max(100), value: hexColor })).max(100),
})

const slotName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)

export const summarySchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{2,64}$/),
  name: z.string().min(1).max(1000),
  category: z.string().min(1).max(1000),
  type: z.enum(['print', 'product']),
  surfaceType: z.string().max(1000).nullable(),
  renderMode: z.enum(['corners', 'uvmap']),
  blendMode: z.string().regex(/^[a-z-]{1,40}$/),
  /** By frame: width / height of the artwork that it expects. */
  aspectRatios: z.array(z.number().positive()).min(1).max(100).readonly(),
  /** By frame: the name that it shares with frames for the same artwork; empty where no frame has one. */
  slots: z.array(slotName.nullable()).max(100).readonly(),
  /** Parts whose colour a request may choose. */
  colors: z.array(colorAreaSchema).max(100).readonly(),
  /** Whether everybody who sees it may have the whole bundle. Its owner and operators may in any case. */
  sharesBundle: z.boolean(),
})

/** What a template says of itself, as lists show it. */
export type TemplateSummary = z.infer<typeof summarySchema>

const filePathSchema = z
  .string()
  .max(1000)
  .refine(path => path.split('/').every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\\')))

/**
 * What the process answers. It is read like an untrusted message: the process has read untrusted pictures,
 * and a decoder that was broken into speaks from there.
 */
export const bundleReportSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('looked-at'),
    faults: z.array(faultSchema).max(10_000).readonly(),
    /** Null where a fault is an error. */
    template: summarySchema.nullable(),
    /** The files that the template uses, in the order of their stored names. Empty for a look alone. */
    files: z.array(filePathSchema).max(1000).readonly(),
    /** Over the paths and bytes of these files, so that the same bundle is known again. */
    digest: z.string().regex(/^[0-9a-f]{64}$|^$/),
    /** Null for a look alone. */
    look: templateLookSchema.nullable(),
    /** What rendering it takes at the greatest width; null where a fault is in the way of knowing. */
    cost: z
      .object({ timeMs: z.number().nonnegative(), memoryBytes: z.number().nonnegative(), widthPx: z.number() })
      .nullable(),
  }),
  z.object({ kind: z.literal('reduced') }),
  z.object({ kind: z.literal('packed') }),
  /** `digest`: the bundle's, as it was read. */
  z.object({ kind: z.literal('prepared'), digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.object({ kind: z.literal('unreadable'), message: z.string().max(1000) }),
  ...brokenOffSchemas,
])

export type BundleReport = z.infer<typeof bundleReportSchema>

/** A bundle that was read, sound or not. */
export type LookedAt = Extract<BundleReport, { kind: 'looked-at' }>
