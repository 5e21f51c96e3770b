import { defaults, limits, outputFormatNames, placementFields, usageStatistics } from '@vitrine/contract'
import { z } from 'zod'

const frame = z.object({
  index: z.int(),
  aspect_ratio: z.number().describe('Width / height of the artwork that fills it'),
  slot: z.string().optional().describe('Frames of one slot show one design'),
})

export const template = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  frame_count: z.int(),
  frames: z.array(frame),
  is_product_template: z.boolean(),
  colors: z.array(z.string()).describe('Parts of the product whose colour can be chosen'),
})

export const listArguments = z.object({
  search: z.string().max(200).optional().describe('Part of a name, in any case'),
  type: z.enum(['print', 'product']).optional().describe('print: wall art; product: apparel, mugs and so on'),
  category: z.string().max(200).optional().describe('The whole name of a category'),
  page: z.int().min(1).max(1000).default(1),
})
export const listResult = z.object({
  templates: z.array(template),
  has_more: z.boolean().describe('Whether the next page has templates'),
})

export const showArguments = z.object({ id: z.string().max(200) })

const created = z.object({
  template_id: z.string(),
  content_type: z.string(),
  size_bytes: z.int(),
  path: z.string().nullable().describe('Where the picture was saved'),
  url: z.string().nullable().describe('Where it can be fetched without a key, for a day'),
  url_expires_at: z.string().nullable(),
})
export const createResult = z.object({
  mockups: z.array(created),
  failures: z.array(z.object({ template_id: z.string(), error: z.string() })),
  credits_used: z.int(),
  credits_remaining: z.int().nullable().describe('null where mockups cost nothing'),
})
export type CreateResult = z.infer<typeof createResult>

const placementText = Object.entries(placementFields)
  .map(([name, { expected, description }]) => `${name} (${expected}): ${description}`)
  .join(' ')

const order = {
  templates: z
    .array(z.string().max(200))
    .min(1)
    .max(limits.batchTemplatesMax)
    .describe('Ids of templates, as list_templates gives them; one mockup of each'),
  width: z.int().min(limits.widthPxMin).max(limits.widthPxMax).default(limits.widthPxDefault),
  format: z.enum(outputFormatNames).default(defaults.format),
  placement: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      `Where the artwork lies, such as {"fit": "contain", "scale": 0.4, "x": 0.5, "y": 0.3}; without it, it fills its frame. Its fields, all optional: ${placementText}`,
    ),
  colors: z.record(z.string(), z.string()).optional().describe('#rrggbb by the names of the product’s parts'),
  max_credits: z.int().min(0).optional().describe('Nothing is made if it would cost more'),
}
const FOR_EACH_FRAME = 'In place of artwork, for a template of several frames: one for each, in their order'

/** Over HTTP there are no files. */
const address = z
  .url({ error: 'Expected the address of a picture that begins with https:// or http://' })
  .max(limits.urlCharactersMax)
export const createFromAddress = z.object({
  artwork: address.optional().describe('The public address of a JPEG, PNG, WebP or GIF'),
  artworks: z.array(address).min(1).max(limits.framesMax).optional().describe(FOR_EACH_FRAME),
  ...order,
})
const place = z.string().max(limits.urlCharactersMax)
export const createFromFile = z.object({
  artwork: place.optional().describe('The path of a JPEG, PNG, WebP or GIF, or its public address'),
  artworks: z.array(place).min(1).max(limits.framesMax).optional().describe(FOR_EACH_FRAME),
  ...order,
  save_to: z.string().max(1000).default('mockups').describe('The folder for the pictures; it is created if missing'),
  overwrite: z.boolean().default(false).describe('Replace files of the same name; otherwise a number is added'),
})
export type CreateArguments = z.infer<typeof createFromAddress> & Partial<z.infer<typeof createFromFile>>

export const balanceResult = z.object({ balance_credits: z.int(), balance_dollars: z.string() })
export const usageArguments = z.object({
  period: z
    .string()
    .regex(/^\d{1,3}d$/)
    .default(limits.usagePeriodDefault)
    .describe('So many days, today included: 7d'),
})
export const usageResult = usageStatistics
