import type { z } from 'zod'
import { balance, balanceExample, usageExample, usageStatistics } from './billing.ts'
import type { ErrorCode } from './error-catalogue.ts'
import type { KeyScope } from './key-scopes.ts'
import type { Parameter } from './parameter.ts'
import { templateListParameters, usageParameters } from './parameters.ts'
import type { SampleRead } from './samples/sample-values.ts'
import { templateList, templateListExample } from './template.ts'

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

type Endpoint = {
  readonly method: 'get' | 'post'
  readonly path: `/${string}`
  readonly scope: KeyScope
  readonly errors: readonly ErrorCode[]
}

/** A read endpoint: the documentation, collections and samples are generated from it. */
export type ReadEndpoint = Endpoint & {
  readonly method: 'get'
  readonly scope: 'read'
  readonly tag: 'Templates' | 'Billing'
  readonly summary: string
  readonly description: string
  readonly query: Readonly<Record<string, Parameter>>
  /** `name` is that of its schema in the OpenAPI document. */
  readonly answer: {
    readonly name: string
    readonly schema: z.core.$ZodType
    readonly description: string
    readonly example: unknown
  }
  /** `query` begins with a question mark. */
  readonly sample: { readonly query: string; readonly shows: SampleRead['shows'] }
}

export const readEndpoints = {
  listTemplates: {
    method: 'get',
    path: '/templates',
    scope: 'read',
    errors: [...errorsOfEveryEndpoint, 'INVALID_PARAMETER'],
    tag: 'Templates',
    summary: 'List templates',
    description: 'Shared templates and those of the account, by name. A successful call also shows that the key works.',
    query: templateListParameters,
    answer: {
      name: 'TemplateList',
      schema: templateList,
      description: 'A page of templates.',
      example: templateListExample,
    },
    sample: { query: '?type=print&limit=10', shows: { list: 'templates', fields: ['id', 'name'] } },
  },
  getBalance: {
    method: 'get',
    path: '/billing/balance',
    scope: 'read',
    errors: errorsOfEveryEndpoint,
    tag: 'Billing',
    summary: 'Read the balance',
    description: 'What the account can spend now. 1 credit = 1 cent (USD).',
    query: {},
    answer: { name: 'Balance', schema: balance, description: 'The balance.', example: balanceExample },
    sample: { query: '', shows: { field: 'balance_credits' } },
  },
  getUsage: {
    method: 'get',
    path: '/billing/usage',
    scope: 'read',
    errors: [...errorsOfEveryEndpoint, 'INVALID_PARAMETER'],
    tag: 'Billing',
    summary: 'Read usage statistics',
    description: 'Requests and credits of the calling key, or of the whole account, over the last days.',
    query: usageParameters,
    answer: { name: 'UsageStatistics', schema: usageStatistics, description: 'The statistics.', example: usageExample },
    sample: { query: '?period=7d', shows: { field: 'credits_consumed' } },
  },
} as const satisfies Record<string, ReadEndpoint>

/** The answer of a read endpoint. */
export type AnswerOf<Name extends keyof typeof readEndpoints> = z.infer<
  (typeof readEndpoints)[Name]['answer']['schema']
>

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
  ...readEndpoints,
} as const satisfies Record<string, Endpoint>

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
