/** The import of Photoshop files: messages between the process that reads them, the service and its pages. */
import { z } from 'zod'
import { limits } from './limits.ts'
import { PART_NAME } from './part-name.ts'

const text = z.string().max(2000)
const names = z.array(text).max(3000).readonly()

const checkSchema = z.object({
  verdict: z.enum(['same', 'close', 'different']),
  mean: z.number(),
  blurred_mean: z.number(),
  share_above_8: z.number(),
})

const frameSchema = z.object({
  name: text,
  kind: z.enum(['corners', 'uvmap']),
  width: z.number(),
  height: z.number(),
  patches: z.number(),
  blending_mode: z.string().max(40),
  has_mask: z.boolean(),
  chosen_because: z.string(),
  check: checkSchema.nullable(),
  reason: text.nullable(),
})

const placeSchema = z.object({
  name: text,
  /** Its outline, relative to the picture's width and height; empty if unknown. */
  outline: z
    .array(z.tuple([z.number(), z.number()]).readonly())
    .max(64)
    .readonly(),
})

/** The positions of smart objects in Photoshop's saved picture. */
export const psdPlacesSchema = z.array(placeSchema).max(3000).readonly()
export type PsdPlaces = z.infer<typeof psdPlacesSchema>

/**
 * The findings and results of an import. The package that reads the files has the same type, with
 * explanations.
 */
export const psdImportReportSchema = z.object({
  file: z.object({
    width: z.number(),
    height: z.number(),
    scene_width: z.number(),
    scene_height: z.number(),
    bits: z.number(),
    layers: z.number(),
    profile: text.nullable(),
    profile_kind: z.enum(['srgb', 'none', 'converted', 'other']),
  }),
  result: z.enum(['verified', 'different', 'not-verified']),
  doubts: z.array(text).max(10).readonly(),
  frames: z.array(frameSchema).max(16).readonly(),
  colors: z
    .array(z.object({ name: text, layer: text, default: text, check: checkSchema.nullable() }))
    .max(100)
    .readonly(),
  above: z.object({ layers: z.number(), pictures: z.number(), adjustments: z.number(), groups: z.number() }),
  layers: z
    .array(z.object({ layer: text, outcome: z.enum(['baked', 'frame', 'above']) }))
    .max(3000)
    .readonly(),
  notes: z
    .array(z.object({ kind: z.enum(['approximated', 'left-out', 'hint']), layer: text, text }))
    .max(10_000)
    .readonly(),
  other_smart_objects: names,
  /** All visible ones with their positions. */
  smart_objects: z
    .array(placeSchema.extend({ is_frame: z.boolean() }))
    .max(3000)
    .readonly(),
  hidden_smart_objects: names,
  other_colors: names,
})

export type PsdImportReport = z.infer<typeof psdImportReportSchema>

/** Pictures of a comparison, by their names in URLs. */
export const psdPictures = ['photoshop', 'ours', 'difference'] as const

/** What the pages show of an import. */
export const psdImportSchema = z.object({
  id: z.string(),
  file_name: z.string(),
  size_bytes: z.number(),
  /** "waiting" for other imports of this service; then the steps; finally the result. */
  state: z.enum(['uploading', 'waiting', 'reading', 'drawing', 'checking', 'ready', 'refused', 'failed']),
  /** Why it is refused or failed, and what to do. */
  message: z.string().nullable(),
  /** If refused: names of smart objects, of which some must be chosen as frames. */
  choices: z.array(z.string()),
  /** And their positions in Photoshop's picture; empty without one. */
  places: psdPlacesSchema,
  /** The chosen names; if empty, they are detected by name. */
  chosen: z.array(z.string()),
  /** Names of displacement maps that its frames need and that were not uploaded. */
  missing_maps: z.array(z.string()),
  /** Names of those that were uploaded, and can be replaced. */
  maps: z.array(z.string()),
  report: psdImportReportSchema.nullable(),
  /** Identifies the run in the URLs of pictures. */
  run: z.number(),
  has_comparison: z.boolean(),
  created_at: z.string(),
})
export type PsdImport = z.infer<typeof psdImportSchema>

export const psdImportListSchema = z.object({ imports: z.array(psdImportSchema) })

export const newPsdImportSchema = z.object({
  file_name: z.string().trim().min(1).max(200),
  size_bytes: z.int().min(26),
})

/** A displacement map to upload, and the name by which a filter uses it. */
export const newPsdMapSchema = z.object({
  name: z.string().min(1).max(255),
  size_bytes: z.int().min(26),
})

/** The number of its first part; the others follow. */
export const psdMapSchema = z.object({ first_part: z.int().min(0) })

/**
 * Which smart objects become frames (if none, they are detected by name), and which solid-colour layers
 * become colours of the template.
 */
export const psdRunSchema = z.object({
  frames: z.array(z.string().min(1).max(2000)).max(64),
  colors: z
    .array(z.object({ name: z.string().regex(new RegExp(`^${PART_NAME}$`)), layer: z.string().min(1).max(2000) }))
    .max(8)
    .default([]),
})
export type PsdRun = z.output<typeof psdRunSchema>

export const psdTemplateSchema = z.object({
  name: z.string().trim().min(1).max(100),
  category: z.string().trim().min(1).max(100),
  type: z.enum(['print', 'product']),
  /** Shared with every account, which only an operator may choose. */
  shared: z.boolean().default(false),
})

/** The number of parts that a file of this size is sent in. */
export const psdPartCount = (sizeBytes: number): number => Math.ceil(sizeBytes / limits.psdPartBytes)
