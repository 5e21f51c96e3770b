import type { generateParameters } from '@vitrine/contract'
import { ApiError } from '../http/api-error.ts'
import { isArtworkField, type MultipartForm } from '../http/multipart-form.ts'
import { RECEIVED_FILE } from '../http/received-value.ts'
import type { GenerateFields } from './generate-parameters.ts'

type Name = keyof typeof generateParameters

const own = (body: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(body, name) ? body[name] : undefined

/** The fields of a JSON body. Others, `artwork` among them, are not looked at. */
export function fieldsOfJson(body: Readonly<Record<string, unknown>>): GenerateFields {
  return {
    values: {
      template_id: own(body, 'template_id'),
      template_ids: own(body, 'template_ids'),
      artwork_url: own(body, 'artwork_url'),
      artwork_urls: own(body, 'artwork_urls'),
      format: own(body, 'format'),
      quality: own(body, 'quality'),
      width: own(body, 'width'),
      response_format: own(body, 'response_format'),
    },
    files: [],
  }
}

/**
 * The fields of a multipart form as JSON would have had them: numbers are read from their digits, lists from repeated fields or JSON text.
 */
export function fieldsOfMultipart({ fields, files, otherFiles }: MultipartForm): GenerateFields {
  // A field that comes twice is a list, which no single value is. A value that comes as a file was meant, and is not passed over.
  const single = (name: Name): unknown => {
    if (otherFiles.includes(name)) return RECEIVED_FILE
    const values = fields.filter(([field]) => field === name).map(([, value]) => value)
    return values.length > 1 ? values : values[0]
  }
  const artworkText = fields.find(([name]) => isArtworkField(name))
  return {
    values: {
      template_id: single('template_id'),
      template_ids: otherFiles.some(isTemplateIds) ? RECEIVED_FILE : templateIds(fields),
      artwork_urls: parsed(single('artwork_urls')),
      format: single('format'),
      quality: numeric(single('quality')),
      width: numeric(single('width')),
      response_format: single('response_format'),
    },
    files,
    ...(artworkText === undefined ? {} : { artworkText }),
    ...(fields.some(([name]) => name === 'artwork_url')
      ? {
          missingArtworkHint:
            'artwork_url is read from a JSON body only: send "Content-Type: application/json", or the file as artwork.',
        }
      : {}),
  }
}

const isTemplateIds = (name: string) => name === 'template_ids' || name === 'template_ids[]'

function templateIds(fields: MultipartForm['fields']): unknown {
  const values = fields.filter(([name]) => isTemplateIds(name)).map(([, value]) => value)
  if (values.length === 0) return undefined
  const [first] = values
  if (values.length > 1 || first === undefined) return values
  if (first.trim() === '') return []
  // What begins like a list and is none is a fault to tell, not an id: none begins so.
  return first.trimStart().startsWith('[') ? parsed(first) : [first]
}

/** The JSON value of a text, or the text where it is none. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The number that a text spells in plain digits, or the text where it spells none. */
function numeric(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
}

/** The media type of a request, in lower case without parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** 415 for every other type of body, and for bodies that were compressed. */
export function unsupportedMediaType(received: string | undefined): ApiError {
  const shown = received === undefined ? 'none' : JSON.stringify(received.slice(0, 100))
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    message: `Expected application/json or multipart/form-data for Content-Type but received ${shown}.`,
  })
}
