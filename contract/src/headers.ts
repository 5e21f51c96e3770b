/** A response header: its description and the schema of its value. */
export type HeaderDefinition = {
  readonly description: string
  readonly schema: { readonly type: 'string' | 'integer' | 'number'; readonly enum?: readonly (string | number)[] }
  readonly example: string | number
}

/** The request header that names a request's template, for proxies that choose a node by it. */
export const TEMPLATE_HEADER = 'X-Vitrine-Template'

/** The prefix of a generated Idempotency-Key: its answer is deleted before those of chosen keys. */
export const MADE_KEY_PREFIX = 'auto-'

/** All response headers except those of HTTP itself (Content-Type, Content-Length, Date, Connection, ...). */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'Names this request in the logs of the service.',
    schema: { type: 'string' },
    example: 'req_01JD6Z3W8Q5T7N2K4M9C',
  },
  'X-RateLimit-Limit': {
    description: 'Requests that the window allows. Of both windows, the one with fewer requests left is reported.',
    schema: { type: 'integer' },
    example: 100,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the window.',
    schema: { type: 'integer' },
    example: 99,
  },
  'X-RateLimit-Reset': {
    description: 'When the window ends, as a Unix timestamp in seconds.',
    schema: { type: 'integer' },
    example: 1795219260,
  },
  'X-Content-Type-Options': {
    description: 'Browsers must treat the body as what Content-Type says.',
    schema: { type: 'string', enum: ['nosniff'] },
    example: 'nosniff',
  },
  'Cache-Control': {
    description: 'Answers belong to one key and are not to be stored by caches.',
    schema: { type: 'string', enum: ['no-store'] },
    example: 'no-store',
  },
  'Strict-Transport-Security': {
    description: 'If the service is reached by https: browsers must use nothing else.',
    schema: { type: 'string' },
    example: 'max-age=31536000; includeSubDomains',
  },
  'Server-Timing': {
    description: 'Where the time went, in milliseconds per stage (W3C Server Timing).',
    schema: { type: 'string' },
    example: 'download;dur=84.1, render;dur=212.4',
  },
  'X-Template-Id': {
    description: 'Template rendered; with every answer for a single template.',
    schema: { type: 'string' },
    example: 'oak-frame-portrait',
  },
  'Content-Disposition': {
    description: 'The file name of a picture: the template and the extension of its format.',
    schema: { type: 'string' },
    example: 'inline; filename="oak-frame-portrait.jpg"',
  },
  'X-Duration-Ms': {
    description: 'Time of the render only, in milliseconds.',
    schema: { type: 'integer' },
    example: 212,
  },
  'X-Credits-Used': {
    description: 'Credits that this request consumed; 0 for a replayed answer.',
    schema: { type: 'integer' },
    example: 1,
  },
  'X-Credits-Remaining': {
    description: 'Credits that can be spent now.',
    schema: { type: 'integer' },
    example: 999,
  },
  'X-Artwork-Density': {
    description:
      'Artwork pixels per pixel of the mockup, where the artwork is densest: the lowest of the answer’s frames. Below 1 it was enlarged.',
    schema: { type: 'number' },
    example: 2.4,
  },
  'X-Mockup-Url': {
    description:
      'With an Idempotency-Key, of a single template: where the picture can be fetched without an API key, for as long as the answer is stored. Anyone with the address can fetch the picture.',
    schema: { type: 'string' },
    example:
      'https://mockups.example.com/pictures/m0J2xk9Qb7sYzT4d.Qk1tVnB3d0xNZEh5c1RrUjJ1WmE5QmpY/oak-frame-portrait.jpg',
  },
  'X-Mockup-Url-Expires': {
    description: 'When X-Mockup-Url ends, in UTC (ISO 8601).',
    schema: { type: 'string' },
    example: '2026-11-25T12:00:00Z',
  },
  'Idempotency-Replayed': {
    description: 'The answer of an earlier request with the same Idempotency-Key, delivered again without a charge.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer' },
    example: 12,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that this path supports.',
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
} as const satisfies Record<string, HeaderDefinition>

export type ResponseHeader = keyof typeof responseHeaders

/** In every answer below /api/v1 to a request that could be parsed. */
export const headersOfEveryAnswer = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Content-Type-Options',
  'Cache-Control',
] as const satisfies readonly ResponseHeader[]

/** In any answer below /api/v1 that they apply to. */
export const headersOfSomeAnswers = [
  'Server-Timing',
  'Strict-Transport-Security',
] as const satisfies readonly ResponseHeader[]
