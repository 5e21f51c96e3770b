import type { ErrorCode } from './error-catalogue.ts'
import type { KeyScope } from './key-scopes.ts'

/** Errors that any endpoint may answer. */
const errorsOfEveryEndpoint = [
  'MALFORMED_REQUEST',
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'ADDRESS_NOT_ALLOWED',
  'ACCOUNT_SUSPENDED',
  'INSUFFICIENT_SCOPE',
  'REQUEST_TIMEOUT',
  'RATE_LIMIT_EXCEEDED',
  'REQUEST_HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVER_BUSY',
] as const satisfies readonly ErrorCode[]

/** Errors for unknown paths, and for methods that a path does not support. */
export const errorsOutsideEndpoints = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'] as const satisfies readonly ErrorCode[]

/** The endpoints below /api/v1: the scope that a key needs, and every error code that each may answer. */
export const endpoints = {
  generateMockups: {
    method: 'post',
    path: '/mockups/generate',
    scope: 'render',
    errors: [
      ...errorsOfEveryEndpoint,
      'UNSUPPORTED_MEDIA_TYPE',
      'REQUEST_TOO_LARGE',
      'ARTWORK_FILE_TOO_LARGE',
      'MISSING_TEMPLATE_ID',
      'TOO_MANY_TEMPLATES',
      'BATCH_REQUIRES_JSON',
      'CONFLICTING_PARAMETERS',
      'INVALID_PARAMETER',
      'MISSING_ARTWORK',
      'INVALID_ARTWORK_URL',
      'IDEMPOTENCY_CONFLICT',
      'IDEMPOTENCY_MISMATCH',
      'TEMPLATE_NOT_FOUND',
      'INVALID_FRAME_INDEX',
      'INSUFFICIENT_CREDITS',
      'ARTWORK_URL_FORBIDDEN',
      'ARTWORK_FETCH_FAILED',
      'IMAGE_URL_NOT_FOUND',
      'IMAGE_FETCH_TIMEOUT',
      'INVALID_ARTWORK',
      'MOCKUP_GENERATION_FAILED',
    ],
  },
  listTemplates: {
    method: 'get',
    path: '/templates',
    scope: 'read',
    errors: [...errorsOfEveryEndpoint, 'INVALID_PARAMETER'],
  },
  getBalance: { method: 'get', path: '/billing/balance', scope: 'read', errors: errorsOfEveryEndpoint },
  getUsage: {
    method: 'get',
    path: '/billing/usage',
    scope: 'read',
    errors: [...errorsOfEveryEndpoint, 'INVALID_PARAMETER'],
  },
} as const satisfies Record<
  string,
  { method: 'get' | 'post'; path: `/${string}`; scope: KeyScope; errors: readonly ErrorCode[] }
>

/** The endpoint for pages with a publishable key, below the service's own address: see docs/embed.md. */
export const embedEndpoint = {
  method: 'get',
  path: '/embed/v1/templates/{id}',
  errors: [
    'MALFORMED_REQUEST',
    'INVALID_PUBLISHABLE_KEY',
    'ORIGIN_NOT_ALLOWED',
    'TEMPLATE_NOT_FOUND',
    'RATE_LIMIT_EXCEEDED',
    'REQUEST_HEADERS_TOO_LARGE',
    'INTERNAL_ERROR',
    'SERVER_BUSY',
  ],
} as const satisfies { method: 'get'; path: `/${string}`; errors: readonly ErrorCode[] }
