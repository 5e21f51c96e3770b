import { z } from 'zod'
import { hexColor } from './color.ts'
import { responseFormats } from './generation-result.ts'
import { limits } from './limits.ts'
import { labelFormats, outputFormatNames } from './output-formats.ts'
import { choice, describe, type Parameter } from './parameter.ts'
import { PART_NAME } from './part-name.ts'
import { placement } from './placement.ts'

function integer(minimum: number, maximum: number, description: string): Parameter<z.ZodInt> {
  const expected = `an integer from ${minimum} to ${maximum}`
  return { schema: z.int().min(minimum).max(maximum), expected, allowed: expected, description }
}

const artworkUrl = z.string().max(limits.urlCharactersMax)

/** POST /mockups/generate, in the order of validation. */
export const generateParameters = {
  template_id: {
    schema: z.string(),
    expected: 'a template id (text)',
    allowed: 'a template id (text)',
    description: 'Single template to render. Required unless template_ids is given.',
  },
  template_ids: {
    schema: z.array(z.string()),
    expected: 'a list of template ids (texts)',
    allowed: `a list of 1 to ${limits.batchTemplatesMax} template ids (texts)`,
    description: `Batch mode: at most ${limits.batchTemplatesMax}, each rendered, returned and charged, in order. Requires response_format "json".`,
  },
  artwork_url: {
    schema: z.string(),
    expected: 'a URL (text)',
    allowed: 'a URL (text)',
    description:
      'JSON only. Public http(s) URL of a JPEG, PNG, WebP or GIF. In a template with several frames it fills every frame.',
  },
  artwork_urls: {
    schema: z.record(z.string(), z.string().nullable()),
    expected: 'an object that maps frame indices to URLs',
    allowed: 'an object that maps frame indices to URLs',
    description:
      'Maps frame index as a string key ("0", "1", ...) to an image URL. Indices start at 0, one per frame. A slot of the template may be a key too: it stands for all frames of that slot that have no key of their own.',
  },
  placement: {
    schema: placement,
    expected: 'an object with the fields of a placement',
    allowed: 'an object with the fields of a placement',
    description: 'Where the artwork lies in every frame that placements does not name.',
  },
  placements: {
    schema: z.record(z.string(), placement.nullable()),
    expected: 'an object that maps frame indices to placements',
    allowed: 'an object that maps frame indices to placements',
    description: 'Maps frame index as a string key or a slot to a placement, which replaces the one for all frames.',
  },
  colors: {
    schema: z.record(z.string(), hexColor.schema.nullable()),
    expected: 'an object that maps colour areas to colours',
    allowed: 'an object that maps colour areas to colours',
    description:
      'Colours of the product: maps the name of a colour area of the template to #rrggbb. Areas that it does not name keep their default. In a batch a colour applies to every template that has its area.',
  },
  format: choice(outputFormatNames, 'Format of the image.'),
  quality: integer(
    limits.qualityMin,
    limits.qualityMax,
    `${labelFormats({ hasQuality: true })} quality; ignored for ${labelFormats({ hasQuality: false })}.`,
  ),
  width: integer(limits.widthPxMin, limits.widthPxMax, "Output width in pixels; the height follows the scene's ratio."),
  response_format: choice(
    responseFormats,
    '"binary" answers with the image bytes, "json" with base64 in the image field.',
  ),
} as const satisfies Record<string, Parameter>

/** GET /templates. */
export const templateListParameters = {
  type: choice(['print', 'product'], 'Print: wall art and posters. Product: apparel, mugs and other 3D products.'),
  category: {
    schema: z.string(),
    expected: 'a category name',
    allowed: 'a category name',
    description: 'Whole category name, case-insensitive.',
  },
  search: {
    schema: z.string(),
    expected: 'a text',
    allowed: 'a text',
    description: 'Part of the name, case-insensitive.',
  },
  page: integer(1, Number.MAX_SAFE_INTEGER, 'Page number, from 1. A page past the end is empty.'),
  limit: integer(1, limits.listItemsMax, 'Items per page.'),
} as const satisfies Record<string, Parameter>

/** GET /billing/usage. */
export const usageParameters = {
  period: {
    schema: z.string().regex(/^(?:[1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-5])d$/),
    expected: `a number of days from 1d to ${limits.usageDaysMax}d`,
    allowed: `a number of days from 1d to ${limits.usageDaysMax}d`,
    description: 'Days to look back, today included, as UTC calendar days.',
  },
  scope: choice(['key', 'account'], 'Statistics of the calling key, or of all keys of the account.'),
} as const satisfies Record<string, Parameter>

export const defaults = {
  format: 'jpeg',
  quality: limits.qualityDefault,
  width: limits.widthPxDefault,
  response_format: 'binary',
  page: 1,
  limit: limits.listItemsDefault,
  period: limits.usagePeriodDefault,
  scope: 'key',
} as const

/** A frame index, up to the maximum of a template; or a slot. */
const frameKey = z.string().regex(new RegExp(`^(?:\\d|1[0-5]|${PART_NAME})$`))

/**
 * An optional field, with its default as text: generated clients would require a field whose schema has a
 * `default`.
 */
function optional<Schema extends z.core.$ZodType>(parameter: Parameter<Schema>, defaultValue?: string | number) {
  const said = defaultValue === undefined ? '' : ` Default: ${defaultValue}.`
  return z.optional(describe(parameter, said))
}

/** Options of the finished pictures. */
const outputFields = {
  format: optional(generateParameters.format, defaults.format),
  quality: optional(generateParameters.quality, defaults.quality),
  width: optional(generateParameters.width, defaults.width),
}

const jsonFields = {
  artwork_url: artworkUrl.meta({ format: 'uri', description: generateParameters.artwork_url.description }).optional(),
  artwork_urls: z
    .record(frameKey, artworkUrl)
    .meta({ description: generateParameters.artwork_urls.description })
    .optional(),
  placement: placement.meta({ description: generateParameters.placement.description }).optional(),
  placements: z.record(frameKey, placement).meta({ description: generateParameters.placements.description }).optional(),
  colors: z.record(z.string(), hexColor.schema).meta({ description: generateParameters.colors.description }).optional(),
  ...outputFields,
}

const file = (description: string) =>
  z.string().meta({ description, contentMediaType: 'application/octet-stream', format: 'binary' }).optional()

const jsonText = z.string().meta({ description: 'The object of the JSON form, as JSON text.' }).optional()

const formFields = {
  artwork: file(
    'Image file (JPEG, PNG, WebP or GIF, at most 20 MB). In a template with several frames it fills every frame. A file for the frames of a slot is called artwork. and the slot: artwork.design.',
  ),
  ...Object.fromEntries(
    Array.from({ length: limits.framesMax }, (_, frame) => [
      `artwork_${frame}`,
      file(`Image file for frame ${frame}. Not together with artwork.`),
    ]),
  ),
  artwork_urls: jsonText,
  placement: jsonText,
  placements: jsonText,
  colors: jsonText,
  ...outputFields,
}

const one = {
  template_id: describe(generateParameters.template_id),
  response_format: optional(generateParameters.response_format, defaults.response_format),
}

const batch = {
  template_ids: describe(generateParameters.template_ids).meta({ minItems: 1, maxItems: limits.batchTemplatesMax }),
  response_format: z.literal('json').meta({ description: 'A batch is answered as JSON.' }),
}

/**
 * The bodies of POST /mockups/generate, for the documentation. The service validates field by field, in
 * order, and ignores unknown fields.
 */
export const generateBodies = {
  oneAsJson: z.object({ ...one, ...jsonFields }),
  batchAsJson: z.object({ ...batch, ...jsonFields }),
  oneAsForm: z.object({ ...one, ...formFields }),
  batchAsForm: z.object({ ...batch, ...formFields }),
}
