import {
  defaults,
  generateParameters,
  limits,
  type OutputFormat,
  type Parameter,
  type Placement,
  type ResponseFormat,
} from '@vitrine/contract'
import type { z } from 'zod'
import { parseArtworkUrl } from '../artwork-download/artwork-url.ts'
import { ApiError } from '../http/api-error.ts'
import { invalidParameter, parseParameter, refuseManyEntries } from '../http/invalid-parameter.ts'
import { parseArtworkKey, type UploadedFile } from '../http/multipart-form.ts'
import { shown } from '../http/received-value.ts'
import { parseFrameIndex } from '../mockups/frame-key.ts'
import type { ArtworkSource, RequestArtwork } from '../mockups/request-artwork.ts'
import { parseColors } from './parse-colors.ts'
import { isObject, parsePlacement, parsePlacements } from './parse-placement.ts'

/** The validated parameters of a request to generate mockups. */
export type GenerateParameters = {
  /** In request order; an id may be repeated. */
  readonly templateIds: readonly string[]
  readonly isBatch: boolean
  readonly artwork: RequestArtwork
  /** For every frame that is not in `placements`. */
  readonly placement: Placement | undefined
  /** By frame key, as spelled in the request, in order. */
  readonly placements: readonly (readonly [frameKey: string, placement: Placement])[] | undefined
  /** #rrggbb in lower case by area name, sorted by name. */
  readonly colors: readonly (readonly [area: string, color: string])[] | undefined
  readonly format: OutputFormat
  /** 1 to 100; ignored for PNG. */
  readonly quality: number
  readonly widthPx: number
  readonly responseFormat: ResponseFormat
}

/** Field names that an error lists. */
const SHOWN_NAMES_MAX = 20

const FILE_HINT = 'Send the bytes of the picture as a part with a file name, in curl: -F artwork=@picture.jpg'
const LIST_HINT = 'Write {"0": ..., "1": ...} instead of a list; in PHP, (object) before the array does it.'

/** The name of a parameter in the contract. */
export type ParameterName = keyof typeof generateParameters

/** The fields of a JSON or multipart body. */
export type GenerateFields = {
  /** The value of a field as in JSON; undefined or null if it is missing. */
  readonly valueOf: (name: ParameterName) => unknown
  readonly files: readonly UploadedFile[]
  /** A text that was sent instead of a file. */
  readonly artworkText?: readonly [name: string, value: string] | undefined
  /** The names of all received fields, known or not. */
  readonly receivedNames: readonly string[]
  /** A more precise hint than the catalogue's, if the body shows what went wrong. */
  readonly missingArtworkHint?: string | undefined
}

/** The value of a field, or undefined if it is missing. */
function read<Schema extends z.core.$ZodType>(
  fields: GenerateFields,
  name: ParameterName,
  parameter: Parameter<Schema>,
): z.infer<Schema> | undefined {
  const value = fields.valueOf(name)
  return value === undefined || value === null ? undefined : parseParameter(name, parameter, value)
}

/**
 * Validates the fields in the documented order: template, artwork, output. Reports the first error.
 *
 * @throws {ApiError}
 */
export function parseGenerateParameters(fields: GenerateFields): GenerateParameters {
  const { templateIds, isBatch } = parseTemplates(fields)
  const artwork = parseArtwork(fields)
  return {
    templateIds,
    isBatch,
    artwork,
    placement: readObject(fields, 'placement', parsePlacement),
    placements: readObject(fields, 'placements', (name, value) =>
      parsePlacements(name, value, generateParameters.placement),
    ),
    colors: readObject(fields, 'colors', parseColors),
    format: read(fields, 'format', generateParameters.format) ?? defaults.format,
    quality: read(fields, 'quality', generateParameters.quality) ?? defaults.quality,
    widthPx: read(fields, 'width', generateParameters.width) ?? defaults.width,
    responseFormat: read(fields, 'response_format', generateParameters.response_format) ?? defaults.response_format,
  }
}

function parseTemplates(fields: GenerateFields): { templateIds: readonly string[]; isBatch: boolean } {
  const id = read(fields, 'template_id', generateParameters.template_id)
  const list = fields.valueOf('template_ids')
  // Checked before the elements, which would each take time.
  if (Array.isArray(list) && list.length > limits.entriesMax) throw tooManyTemplates(list.length)
  const ids = read(fields, 'template_ids', generateParameters.template_ids)
  if (id !== undefined && ids !== undefined)
    throw conflictingParameters('Expected template_id or template_ids but received both.', [
      'template_id',
      'template_ids',
    ])
  if (id !== undefined) {
    if (id.trim() === '') throw missingTemplateId('a template id for template_id', 'an empty text')
    return { templateIds: [id], isBatch: false }
  }
  if (ids === undefined) throw new ApiError('MISSING_TEMPLATE_ID')
  if (ids.length === 0) throw missingTemplateId('template ids for template_ids', 'an empty list')
  const blank = ids.findIndex(id => id.trim() === '')
  if (blank >= 0) throw invalidParameter(`template_ids[${blank}]`, generateParameters.template_id, ids[blank])
  if (ids.length > limits.batchTemplatesMax) throw tooManyTemplates(ids.length)
  if (fields.valueOf('response_format') !== 'json') throw new ApiError('BATCH_REQUIRES_JSON')
  return { templateIds: ids, isBatch: true }
}

function tooManyTemplates(received: number): ApiError {
  return new ApiError('TOO_MANY_TEMPLATES', {
    message: `Expected at most ${limits.batchTemplatesMax} template_ids but received ${received}.`,
    details: { max: limits.batchTemplatesMax, received },
  })
}

function missingTemplateId(what: string, received: string): ApiError {
  return new ApiError('MISSING_TEMPLATE_ID', { message: `Expected ${what} but received ${received}.` })
}

function conflictingParameters(message: string, parameters: readonly string[]): ApiError {
  return new ApiError('CONFLICTING_PARAMETERS', { message, details: { parameters } })
}

function parseArtwork(fields: GenerateFields): RequestArtwork {
  if (fields.artworkText !== undefined) {
    const [name, value] = fields.artworkText
    const { message, details } = invalidParameter(name, { expected: 'a file', allowed: 'a file' }, value)
    throw new ApiError('INVALID_PARAMETER', { message, hint: FILE_HINT, ...(details === undefined ? {} : { details }) })
  }
  const url = read(fields, 'artwork_url', generateParameters.artwork_url)
  const urls = readObject(fields, 'artwork_urls', parseArtworkUrls)
  const whole = fields.files.filter(file => file.name === 'artwork')
  const byFrame = fields.files.filter(file => file.name !== 'artwork')
  const present = [
    ...whole.map(() => 'artwork'),
    ...byFrame.slice(0, 1).map(file => file.name),
    ...(url === undefined ? [] : ['artwork_url']),
    ...(urls === undefined ? [] : ['artwork_urls']),
  ]
  if (present.length > 1)
    throw conflictingParameters(`Expected one source of artwork but received ${present.join(' and ')}.`, [
      ...new Set(present),
    ])
  if (url !== undefined) return { kind: 'one', source: urlSource(url, 'artwork_url') }
  if (urls !== undefined)
    return {
      kind: 'by-frame',
      sources: new Map([...urls].map(([key, value]) => [key, urlSource(value, `artwork_urls.${key}`, key)])),
    }
  const [file] = whole
  if (file !== undefined) return { kind: 'one', source: fileSource(file) }
  if (byFrame.length > 0) return { kind: 'by-frame', sources: filesByFrame(byFrame) }
  throw missingArtwork(fields)
}

/** The error lists the received fields: usually the file has another name than `artwork`. */
function missingArtwork({ receivedNames, missingArtworkHint }: GenerateFields): ApiError {
  const names = [...new Set(receivedNames)].slice(0, SHOWN_NAMES_MAX).map(shown)
  return new ApiError('MISSING_ARTWORK', {
    message: `Expected artwork (a file, artwork_url or artwork_urls) but received ${names.length === 0 ? 'no field at all' : `no more than ${names.map(name => JSON.stringify(name)).join(', ')}`}.`,
    hint: missingArtworkHint,
    details: { received_fields: names },
  })
}

type ObjectParameter = 'artwork_urls' | 'placement' | 'placements' | 'colors'

/** Does not use the schema, which would build an object with keys chosen by the caller. */
function readObject<Result>(
  fields: GenerateFields,
  name: ObjectParameter,
  parse: (name: string, value: object) => Result,
): Result | undefined {
  const value = fields.valueOf(name)
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw notAnObject(name, value)
  return parse(name, value)
}

/** Languages that have one type for lists and maps (PHP) write a map with keys from 0 as a list. */
function notAnObject(name: ObjectParameter, value: unknown): ApiError {
  const { message, details } = invalidParameter(name, generateParameters[name], value)
  const hint = Array.isArray(value) && (name === 'artwork_urls' || name === 'placements') ? LIST_HINT : undefined
  return new ApiError('INVALID_PARAMETER', { message, hint, ...(details === undefined ? {} : { details }) })
}

/** The map of frame keys to URLs without null entries. */
function parseArtworkUrls(name: string, value: object): ReadonlyMap<string, string> {
  refuseManyEntries(name, value)
  const urls = new Map<string, string>()
  for (const [key, url] of Object.entries(value)) {
    if (url === null) continue
    urls.set(key, parseParameter(`${name}.${key.slice(0, 20)}`, generateParameters.artwork_url, url))
  }
  return urls
}

function filesByFrame(files: readonly UploadedFile[]): ReadonlyMap<string, ArtworkSource> {
  const sources = new Map<string, ArtworkSource>()
  for (const file of files) {
    const key = parseArtworkKey(file.name) ?? file.name
    if (sources.has(key))
      throw conflictingParameters(`Expected one file for ${file.name} but received several.`, [file.name])
    sources.set(key, fileSource(file))
  }
  return sources
}

function fileSource({ file, contentName, sha256 }: UploadedFile): ArtworkSource {
  return { kind: 'file', file, contentName, sha256 }
}

const urlFaults = {
  not_http: 'that begins with http:// or https://',
  not_a_url: 'with a host that can be read',
  too_long: `of at most ${limits.urlCharactersMax} characters`,
  has_credentials: 'without a user name or password in it',
}

const AS_FILE = 'send the picture itself as the file "artwork" of a multipart form.'

/** What people often write instead of a URL, with advice; the first match applies. */
const urlAdvice: readonly (readonly [RegExp, string])[] = [
  [/^\s*data:/i, `The address of a picture is none of its bytes: ${AS_FILE}`],
  [/^[\w+/=-]{200}/, `The address of a picture is none of its bytes: ${AS_FILE}`],
  [/^(?:file:|[a-z]:[\\/]|\.{0,2}\/(?!\/)|~\/)/i, `The service cannot read files of your machine: ${AS_FILE}`],
  [/^\s+https?:\/\//i, 'Leave out the blanks in front of it.'],
  [/^(?:s3|gs|az):\/\//i, 'Give the https:// address of the object, signed where it is not public.'],
  [/^\/\/[\w.-]/, 'Write https: in front of it.'],
  [
    /^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:[/?#]|$)/i,
    'Write https:// in front of it; a file of your machine is sent as the file "artwork" of a multipart form.',
  ],
]

const adviseUrl = (text: string): string | undefined => urlAdvice.find(([pattern]) => pattern.test(text))?.[1]

function urlSource(text: string, where: string, frameKey?: string): ArtworkSource {
  const parsed = parseArtworkUrl(text)
  if (parsed.ok) return { kind: 'url', url: parsed.url }
  // The received text is not repeated: it may contain a password.
  throw new ApiError('INVALID_ARTWORK_URL', {
    message: `Expected a URL ${urlFaults[parsed.reason]} for ${where.slice(0, 40)} but received another text.`,
    hint: adviseUrl(text),
    ...(frameKey === undefined ? {} : { details: { frame: parseFrameIndex(frameKey) ?? frameKey.slice(0, 40) } }),
  })
}
