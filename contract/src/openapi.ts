import { z } from 'zod'
import { balance, usageStatistics } from './billing.ts'
import { endpoints, errorsOutsideEndpoints } from './endpoints.ts'
import { errorBodySchema } from './error-body.ts'
import { type ErrorCode, errorCodes, errorDefinition } from './error-catalogue.ts'
import { errorExample } from './error-examples.ts'
import * as examples from './examples.ts'
import { batchResult, generationResult } from './generation-result.ts'
import { headersOfEveryAnswer, headersOfSomeAnswers, type ResponseHeader, responseHeaders } from './headers.ts'
import { keyScopes } from './key-scopes.ts'
import { limits } from './limits.ts'
import { outputFormats } from './output-formats.ts'
import {
  defaults,
  generateJsonBody,
  generateMultipartBody,
  type Parameter,
  templateListParameters,
  usageParameters,
} from './parameters.ts'
import { pagination, template, templateList } from './template.ts'

type Json = Readonly<Record<string, unknown>>
type Endpoint = (typeof endpoints)[keyof typeof endpoints]

const answers = {
  Template: template,
  Pagination: pagination,
  TemplateList: templateList,
  GenerationResult: generationResult,
  BatchResult: batchResult,
  Balance: balance,
  UsageStatistics: usageStatistics,
}
const requests = { GenerateJsonRequest: generateJsonBody, GenerateMultipartRequest: generateMultipartBody }

/** INVALID_API_KEY -> InvalidApiKeyError: the name of an error's schema. */
export function errorSchemaName(code: ErrorCode): string {
  const words = code.toLowerCase().split('_')
  const name = words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return name.endsWith('Error') ? name : `${name}Error`
}

/** Zod writes the bounds of safe integers into every integer. They tell a reader nothing. */
function dropSafeIntegerBounds(schema: Record<string, unknown>): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
}

function toJsonSchemas(schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const { schemas: found } = z.toJSONSchema(registry, {
    io,
    target: 'draft-2020-12',
    uri: id => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => dropSafeIntegerBounds(jsonSchema),
  })
  return Object.fromEntries(
    Object.entries(found).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  )
}

function parameterSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => dropSafeIntegerBounds(jsonSchema),
  })
  return json
}

const reference = (id: string): Json => ({ $ref: `#/components/schemas/${id}` })

function headerReferences(names: readonly ResponseHeader[]): Json {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

/** One response per status, with the schemas and examples of all its codes. */
function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, code => errorDefinition(code).status)
  const statuses = [...byStatus].sort(([first], [second]) => first - second)
  return Object.fromEntries(
    statuses.map(([status, codes]) => [
      String(status),
      {
        description: codes.map(code => `\`${code}\`: ${errorDefinition(code).condition}`).join('\n\n'),
        headers: headerReferences([
          ...headersOfEveryAnswer,
          ...new Set(codes.flatMap(code => errorDefinition(code).headers ?? [])),
          ...headersOfSomeAnswers,
        ]),
        content: {
          'application/json': {
            schema:
              codes.length === 1
                ? reference(errorSchemaName(codes[0] ?? 'INTERNAL_ERROR'))
                : { oneOf: codes.map(code => reference(errorSchemaName(code))) },
            examples: Object.fromEntries(codes.map(code => [code, { value: errorExample(code) }])),
          },
        },
      },
    ]),
  )
}

function jsonAnswer(description: string, id: string, example: unknown): Json {
  return {
    description,
    headers: headerReferences([...headersOfEveryAnswer, ...headersOfSomeAnswers]),
    content: { 'application/json': { schema: reference(id), examples: { answer: { value: example } } } },
  }
}

function queryParameters(parameters: Readonly<Record<string, Parameter>>): Json[] {
  const known: Readonly<Record<string, unknown>> = defaults
  return Object.entries(parameters).map(([name, { schema, description }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { ...parameterSchema(schema), ...(Object.hasOwn(known, name) ? { default: known[name] } : {}) },
  }))
}

const image = (contentType: string): Json => ({
  schema: { type: 'string', format: 'binary', contentMediaType: contentType },
})

const generateOperation: Json = {
  operationId: 'generateMockups',
  summary: 'Generate mockups',
  description:
    'Renders artwork into one template, or into several (batch). The answer carries the finished picture; a mockup costs 1 credit, an error costs nothing.',
  tags: ['Mockups'],
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes the request safe to repeat: for 24 hours, the same key with the same request delivers the first answer again without a charge.',
      schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharactersMax, pattern: '^[!-~]+$' },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: reference('GenerateJsonRequest'), examples: examples.generateRequests },
      'multipart/form-data': {
        schema: reference('GenerateMultipartRequest'),
        encoding: { template_ids: { style: 'form', explode: true } },
      },
    },
  },
  responses: {
    200: {
      description:
        'The finished picture: its bytes (response_format "binary"), a single result, or with template_ids a batch result.',
      headers: headerReferences([
        ...headersOfEveryAnswer,
        'X-Template-Id',
        'X-Duration-Ms',
        'X-Credits-Used',
        'X-Credits-Remaining',
        'Idempotency-Replayed',
        ...headersOfSomeAnswers,
      ]),
      content: {
        ...Object.fromEntries(Object.values(outputFormats).map(({ mediaType }) => [mediaType, image(mediaType)])),
        'application/json': {
          schema: { oneOf: [reference('GenerationResult'), reference('BatchResult')] },
          examples: {
            single: { summary: 'template_id', value: examples.generationResult },
            batch: { summary: 'template_ids', value: examples.batchResult },
          },
        },
      },
    },
    ...errorResponses(endpoints.generateMockups.errors),
  },
}

const listOperation: Json = {
  operationId: 'listTemplates',
  summary: 'List templates',
  description: 'Shared templates and those of the account, by name. A successful call also shows that the key works.',
  tags: ['Templates'],
  parameters: queryParameters(templateListParameters),
  responses: {
    200: jsonAnswer('A page of templates.', 'TemplateList', examples.templateList),
    ...errorResponses(endpoints.listTemplates.errors),
  },
}

const balanceOperation: Json = {
  operationId: 'getBalance',
  summary: 'Read the balance',
  description: 'What the account can spend now. 1 credit = 1 cent (USD).',
  tags: ['Billing'],
  responses: {
    200: jsonAnswer('The balance.', 'Balance', examples.balance),
    ...errorResponses(endpoints.getBalance.errors),
  },
}

const usageOperation: Json = {
  operationId: 'getUsage',
  summary: 'Read usage statistics',
  description: 'Requests and credits of the calling key, or of the whole account, over the last days.',
  tags: ['Billing'],
  parameters: queryParameters(usageParameters),
  responses: {
    200: jsonAnswer('The statistics.', 'UsageStatistics', examples.usageStatistics),
    ...errorResponses(endpoints.getUsage.errors),
  },
}

const at = (endpoint: Endpoint, operation: Json) => [
  endpoint.path,
  { [endpoint.method]: { ...operation, security: [{ apiKey: [endpoint.scope] }] } },
]

/** The interface as an OpenAPI 3.1 document, built from the schemas that validate requests and answers. */
export function buildOpenapi(): Json {
  const errors = Object.fromEntries(errorCodes.map(code => [errorSchemaName(code), errorBodySchema(code)]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine',
      version: '1.0.0',
      summary: 'Places artwork into designed scenes and answers with the finished mockup.',
      description: `Unknown paths answer ${errorsOutsideEndpoints.map(code => `${errorDefinition(code).status} \`${code}\``).join(', known paths with another method ')}.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }],
    tags: [{ name: 'Mockups' }, { name: 'Templates' }, { name: 'Billing' }],
    paths: Object.fromEntries([
      at(endpoints.generateMockups, generateOperation),
      at(endpoints.listTemplates, listOperation),
      at(endpoints.getBalance, balanceOperation),
      at(endpoints.getUsage, usageOperation),
    ]),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key of the account: vt_ and 36 characters. It may be limited to some of the scopes ${keyScopes.join(', ')}, to addresses, and in time.`,
        },
      },
      headers: responseHeaders,
      schemas: { ...toJsonSchemas({ ...answers, ...errors }, 'output'), ...toJsonSchemas(requests, 'input') },
    },
  }
}
