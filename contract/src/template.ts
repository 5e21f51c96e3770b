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

export const templateListExample: TemplateListResource = {
  templates: [
    {
      id: 'oak-frame-portrait',
      name: 'Oak frame above a sideboard',
      category: 'Wall Art',
      frame_count: 1,
      thumbnail_url: 'https://mockups.example.com/thumbnails/W0SC1DS6A80J1Ab8vmQPfQlwQsT3W6Yh.jpg',
      aspect_ratio: 0.66667,
      blending_mode: 'normal',
      render_mode: 'corners',
      surface_type: null,
      is_product_template: false,
      frames: [
        {
          index: 0,
          aspect_ratio: 0.66667,
        },
      ],
      colors: [],
    },
    {
      id: 'white-mug-walnut-table',
      name: 'White mug on a walnut table',
      category: 'Drinkware',
      frame_count: 1,
      thumbnail_url: 'https://mockups.example.com/thumbnails/s9zBNDUPUN4KC7rCxBzKyGQksmlxi51G.jpg',
      aspect_ratio: 1.41234,
      blending_mode: 'normal',
      render_mode: 'uvmap',
      surface_type: 'ceramic',
      is_product_template: true,
      frames: [
        {
          index: 0,
          aspect_ratio: 1.41234,
        },
      ],
      colors: [
        {
          name: 'mug',
          default: '#ffffff',
          suggestions: [
            { name: 'White', value: '#ffffff' },
            { name: 'Cream', value: '#f2e6cd' },
            { name: 'Sand', value: '#d2bd9c' },
            { name: 'Grey', value: '#9a9c9f' },
            { name: 'Black', value: '#1b1b1d' },
            { name: 'Navy', value: '#1e2b4d' },
            { name: 'Sky Blue', value: '#9cc3dd' },
            { name: 'Teal', value: '#2b7478' },
            { name: 'Sage', value: '#a3b298' },
            { name: 'Yellow', value: '#efc444' },
            { name: 'Red', value: '#b0252b' },
            { name: 'Pink', value: '#eab9c0' },
          ],
        },
      ],
    },
  ],
  pagination: {
    page: 1,
    limit: 50,
    total: 2,
    total_pages: 1,
  },
  categories: ['Drinkware', 'Wall Art'],
}
