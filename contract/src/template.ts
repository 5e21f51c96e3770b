import { z } from 'zod'
import { colorArea } from './color.ts'

const aspectRatio = z
  .number()
  .positive()
  .meta({ description: 'Width / height of the artwork that fills the frame uncropped' })

const frame = z.object({
  index: z.int().min(0).meta({ description: 'Frame index, from 0' }),
  aspect_ratio: aspectRatio,
  slot: z.string().optional().meta({
    description: 'Name of the design that the frame shows, which requests may use as key; frames of one slot take one',
  }),
})

/** An element of the template list. */
export const template = z.object({
  id: z.string().meta({ description: 'Unique identifier; never changes' }),
  name: z.string().meta({ description: 'Display name' }),
  category: z.string().meta({ description: 'Category name' }),
  frame_count: z.int().min(1).meta({ description: 'Number of artwork frames' }),
  thumbnail_url: z.string().nullable().meta({ description: 'Address of a small picture; needs no key' }),
  aspect_ratio: aspectRatio.meta({ description: 'Artwork ratio of frame 0 as a decimal: portrait 2:3 is about 0.67' }),
  blending_mode: z.string().meta({ description: 'How artwork meets the scene: normal, multiply, screen, ...' }),
  render_mode: z.enum(['corners', 'uvmap']).meta({ description: 'Perspective warp, or UV-mapped product surface' }),
  surface_type: z.string().nullable().meta({ description: 'Material hint of a product template; null for prints' }),
  is_product_template: z.boolean().meta({ description: 'true for apparel, mugs and other 3D products' }),
  frames: z.array(frame).meta({ description: 'Every frame with its artwork ratio' }),
  colors: z.array(colorArea).meta({ description: 'Parts of the product whose colour a request may choose' }),
})

export const pagination = z.object({
  page: z.int().min(1).meta({ description: 'This page, from 1' }),
  limit: z.int().min(1).meta({ description: 'Items per page' }),
  total: z.int().min(0).meta({ description: 'Items in all pages' }),
  total_pages: z.int().min(0).meta({ description: 'Pages in all' }),
})

export const templateList = z.object({
  templates: z.array(template),
  pagination,
  categories: z.array(z.string()).meta({ description: 'All category names, whatever the filters say' }),
})

export type FrameResource = z.infer<typeof frame>
export type TemplateResource = z.infer<typeof template>
export type TemplateListResource = z.infer<typeof templateList>
