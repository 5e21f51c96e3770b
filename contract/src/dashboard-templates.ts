/** Templates with marks and versions, as seen by pages. */
import { z } from 'zod'
import { count, moment } from './dashboard-fields.ts'
import { limits } from './limits.ts'
import { pagination, template } from './template.ts'

/** No control characters, and no unpaired surrogates. */
const templateTag = z
  .string()
  .trim()
  .min(1)
  .max(limits.templateTagCharactersMax)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'has characters that cannot be seen')

/** The signed-in account's own marks, for finding a template again. */
export const templateMarksSchema = z.object({
  favourite: z.boolean(),
  tags: z.array(templateTag).max(limits.templateTagsMax).readonly(),
})
export type TemplateMarks = z.infer<typeof templateMarksSchema>

/** A template as the dashboard shows it: the public resource, its owner, and its marks. */
export const dashboardTemplateSchema = template.extend({
  ...templateMarksSchema.shape,
  version: z.int().positive(),
  owner: z.enum(['shared', 'own']),
  /** Whether the signed-in account may edit and remove it. */
  editable: z.boolean(),
  /** Whether the signed-in account may download the whole bundle. */
  downloadable: z.boolean(),
  /** The path of a preview's files: the bundle's own, or reduced ones. Unique to each version. */
  preview_path: z.string(),
  /** Preview packs: everything a browser needs to show the template at a width, each in one file. */
  packs: z.array(z.object({ width_px: count, path: z.string() })),
  /**
   * What a gallery shows before the picture has loaded: its size, a tiny picture (data:), and the frames'
   * outlines relative to it.
   */
  look: z
    .object({
      width_px: count,
      height_px: count,
      tiny: z.string(),
      outlines: z.array(z.array(z.tuple([z.number(), z.number()]))),
    })
    .nullable(),
  imported_at: moment,
})
export type DashboardTemplate = z.infer<typeof dashboardTemplateSchema>

export const dashboardTemplateListSchema = z.object({
  templates: z.array(dashboardTemplateSchema),
  pagination,
  categories: z.array(z.string()),
  /** All tags of the account. */
  tags: z.array(z.string()),
})
export type DashboardTemplateList = z.infer<typeof dashboardTemplateListSchema>

/** How a version of a template was made. `import`: as a bundle made elsewhere. */
export const templateOriginSchema = z.enum(['import', 'editor', 'photoshop', 'photo'])
export type TemplateOrigin = z.infer<typeof templateOriginSchema>

/** The current version of a template, then the earlier ones that can be restored, newest first. */
export const templateVersionListSchema = z.object({
  versions: z.array(
    z.object({
      version: z.int().positive(),
      current: z.boolean(),
      name: z.string(),
      made_at: moment,
      origin: templateOriginSchema,
      /** The number that it had before it was restored; null if it was not restored. */
      restored_from: z.int().positive().nullable(),
      size_bytes: count,
      thumbnail_path: z.string(),
    }),
  ),
})
export type TemplateVersionList = z.infer<typeof templateVersionListSchema>

export const restoreVersionSchema = z.object({ version: z.int().positive() })

export const importedTemplateSchema = z.object({ id: z.string() })
export type ImportedTemplate = z.infer<typeof importedTemplateSchema>
