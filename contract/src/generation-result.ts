import { z } from 'zod'
import { limits } from './limits.ts'
import { outputFormatNames, outputFormats } from './output-formats.ts'

export const responseFormats = ['binary', 'json'] as const

/** The resolution at which a frame shows its artwork. */
export const shownArtwork = z.object({
  frame: z.int().min(0).meta({ description: 'Index of the frame' }),
  width: z.int().min(1).meta({ description: 'Width of the artwork in pixels, upright' }),
  height: z.int().min(1),
  density: z.number().min(0).meta({
    description:
      'Artwork pixels per pixel of the mockup where the artwork is densest, along its more enlarged side. Below 1 it was enlarged.',
  }),
})

export type ShownArtwork = z.infer<typeof shownArtwork>

const picture = {
  template_id: z.string().meta({ description: 'Template rendered' }),
  image: z.string().meta({ description: 'The image as base64, without a data-URI prefix', contentEncoding: 'base64' }),
  format: z.enum(outputFormatNames),
  content_type: z.enum(outputFormatNames.map(name => outputFormats[name].mediaType)),
  size_bytes: z.int().min(1).meta({ description: 'Size of the image in bytes, before base64' }),
  artwork: z.array(shownArtwork).meta({ description: 'The artwork of each frame, in order' }),
  url: z
    .url()
    .meta({ description: 'With an Idempotency-Key: where the picture can be fetched, without an API key' })
    .optional(),
  url_expires_at: z.iso.datetime().meta({ description: 'When `url` ends, in UTC' }).optional(),
}
const duration = z.int().min(0).meta({ description: 'Time of the render alone, in milliseconds' })

/** The JSON answer for one template. */
export const generationResult = z.object({ success: z.literal(true), ...picture, duration_ms: duration })

/** The JSON answer for template_ids; results are in request order. */
export const batchResult = z.object({
  success: z.literal(true),
  results: z.array(z.object(picture)).min(1).max(limits.batchTemplatesMax),
  count: z.int().min(1).meta({ description: 'Number of results' }),
  total_size_bytes: z.int().min(1).meta({ description: 'Sum of the image sizes' }),
  duration_ms: duration,
})

export type ResponseFormat = (typeof responseFormats)[number]
