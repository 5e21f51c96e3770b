import { ApiError } from '../http/api-error.ts'
import { isPictureType, mediaTypeOf } from '../http/media-type.ts'
import { isArtworkField, type MultipartForm } from '../http/multipart-form.ts'
import { readWholeNumber } from '../http/read-number.ts'
import { receivedFile } from '../http/received-value.ts'
import type { GenerateFields, ParameterName } from './generate-parameters.ts'

/** The fields of a JSON body. Unknown ones, and `artwork`, are ignored. */
export function fieldsOfJson(body: Readonly<Record<string, unknown>>): GenerateFields {
  return {
    valueOf: name => (Object.hasOwn(body, name) ? body[name] : undefined),
    files: [],
    receivedNames: Object.keys(body),
  }
}

/** How each parameter is read from a form: numbers from digits, lists from repeated fields or JSON text. */
const formReaders = {
  template_id: form => single(form, 'template_id'),
  template_ids: form => (form.otherFiles.some(isTemplateIds) ? receivedFile : templateIds(form)),
  // Read only from JSON bodies.
  artwork_url: () => undefined,
  artwork_urls: form => parsed(single(form, 'artwork_urls')),
  placement: form => parsed(single(form, 'placement')),
  placements: form => parsed(single(form, 'placements')),
  colors: form => parsed(single(form, 'colors')),
  format: form => single(form, 'format'),
  quality: form => numeric(single(form, 'quality')),
  width: form => numeric(single(form, 'width')),
  response_format: form => single(form, 'response_format'),
} satisfies Record<ParameterName, (form: MultipartForm) => unknown>

/** The fields of a multipart form, converted to the values that a JSON body would have. */
export function fieldsOfMultipart(form: MultipartForm): GenerateFields {
  return {
    valueOf: name => formReaders[name](form),
    files: form.files,
    artworkText: form.fields.find(([name, value]) => isArtworkField(name) && value.trim() !== ''),
    receivedNames: [...form.fields.map(([name]) => name), ...form.files.map(({ name }) => name), ...form.otherFiles],
    missingArtworkHint: hintForForm(form),
  }
}

/** A hint for clients that sent a form without artwork. */
function hintForForm({ fields, otherFiles }: MultipartForm): string | undefined {
  if (fields.some(([name]) => name === 'artwork_url'))
    return 'artwork_url is read from a JSON body only: send "Content-Type: application/json", or the file as artwork.'
  return otherFiles.length > 0 ? 'Name the part with the file "artwork".' : undefined
}

/**
 * The value of a field; undefined if it is empty. A repeated field becomes a list, so that it is rejected,
 * like a file.
 */
function single({ fields, otherFiles }: MultipartForm, name: ParameterName): unknown {
  if (otherFiles.includes(name)) return receivedFile
  const values = fields.filter(([field]) => field === name).map(([, value]) => value)
  if (values.length > 1) return values
  return values[0]?.trim() === '' ? undefined : values[0]
}

const isTemplateIds = (name: string) => name === 'template_ids' || name === 'template_ids[]'

function templateIds({ fields }: MultipartForm): unknown {
  const values = fields.filter(([name]) => isTemplateIds(name)).map(([, value]) => value)
  const [first] = values
  if (first === undefined) return undefined
  if (values.length > 1) return values
  if (first.trim() === '') return undefined
  // No id begins with a bracket.
  return first.trimStart().startsWith('[') ? parsed(first) : [first]
}

/** The JSON value of a text, or the text itself if it is not JSON. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The number that a text spells, or else the text. */
function numeric(text: unknown): unknown {
  return typeof text === 'string' ? (readWholeNumber(text.trim()) ?? text) : text
}

/** 415 for any other media type, and for compressed bodies. */
export function unsupportedMediaType(received: string | undefined): ApiError {
  const shown = received === undefined ? 'none' : JSON.stringify(received.slice(0, 100))
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    message: `Expected application/json or multipart/form-data for Content-Type but received ${shown}.`,
    hint: isPictureType(mediaTypeOf(received))
      ? 'Send the picture as the file "artwork" of a multipart form, beside template_id.'
      : undefined,
  })
}
