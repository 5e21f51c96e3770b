import { z } from 'zod'
import { responseFormats } from './generation-result.ts'
import { limits } from './limits.ts'
import { labelFormats, outputFormatNames } from './output-formats.ts'

/** One parameter of a request: the schema that validates it, and the words that explain it. */
export type Parameter<Schema extends z.ZodType = z.ZodType> = {
  readonly schema: Schema
  /** Completes "Expected ... for {name}". */
  readonly expected: string
  /** What `details.allowed` says. */
  readonly allowed: readonly string[] | string
  readonly description: string
}

const oneOf = (values: readonly string[]) => values.map(value => `"${value}"`).join(' or ')

function choice<const Values extends readonly string[]>(
  values: Values,
  description: string,
): Parameter<z.ZodEnum<{ [Value in Values[number]]: Value }>> {
  return { schema: z.enum(values), expected: oneOf(values), allowed: values, description }
}

function integer(minimum: number, maximum: number, description: string): Parameter<z.ZodInt> {
  const expected = `an integer from ${minimum} to ${maximum}`
  return { schema: z.int().min(minimum).max(maximum), expected, allowed: expected, description }
}

const artworkUrl = z.string().max(limits.urlCharactersMax)

/** POST /mockups/generate, in the order in which the fields are checked. */
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
    description: `Batch mode: at most ${limits.batchTemplatesMax}, each rendered, returned and charged, order kept. Requires response_format "json".`,
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
    description: 'Maps frame index as a string key ("0", "1", ...) to an image URL. Indices start at 0, one per frame.',
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

/** A JSON body of POST /mockups/generate, for the documents. The service checks field by field, in order. */
export const generateJsonBody = z.object({
  template_id: describe(generateParameters.template_id).optional(),
  template_ids: describe(generateParameters.template_ids)
    .meta({ minItems: 1, maxItems: limits.batchTemplatesMax })
    .optional(),
  artwork_url: artworkUrl.meta({ format: 'uri', description: generateParameters.artwork_url.description }).optional(),
  artwork_urls: z
    .record(z.string().regex(/^(?:\d|1[0-5])$/), artworkUrl)
    .meta({ description: generateParameters.artwork_urls.description })
    .optional(),
  format: describe(generateParameters.format).default(defaults.format),
  quality: describe(generateParameters.quality).default(defaults.quality),
  width: describe(generateParameters.width).default(defaults.width),
  response_format: describe(generateParameters.response_format).default(defaults.response_format),
})

const file = (description: string) =>
  z.string().meta({ description, contentMediaType: 'application/octet-stream', format: 'binary' })

/** A body of POST /mockups/generate as a multipart form, for the documents. */
export const generateMultipartBody = generateJsonBody.omit({ artwork_url: true, artwork_urls: true }).extend({
  artwork: file(
    'Image file (JPEG, PNG, WebP or GIF, at most 20 MB). In a template with several frames it fills every frame.',
  ).optional(),
  artwork_0: file(
    'Image file for frame 0; artwork_1, artwork_2, ... for the others. Not together with artwork.',
  ).optional(),
  artwork_urls: z.string().meta({ description: 'The object of the JSON form, as JSON text.' }).optional(),
})

function describe<Schema extends z.ZodType>(parameter: Parameter<Schema>): Schema {
  return parameter.schema.meta({ description: parameter.description })
}
