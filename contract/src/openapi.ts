import { z } from 'zod'
import { endpoints, errorsOutsideEndpoints, type ReadEndpoint, readEndpoints } from './endpoints.ts'
import { errorBodySchema } from './error-body.ts'
import { type ErrorCode, errorCodes, errorDefinition } from './error-catalogue.ts'
import { errorExample } from './error-examples.ts'
import * as examples from './examples.ts'
import { batchResult, generationResult } from './generation-result.ts'
import { buildChapters } from './guide/chapters.ts'
import {
  headersOfEveryAnswer,
  headersOfSomeAnswers,
  MADE_KEY_PREFIX,
  type ResponseHeader,
  responseHeaders,
  TEMPLATE_HEADER,
} from './headers.ts'
import { keyScopes } from './key-scopes.ts'
import { limits } from './limits.ts'
import { outputFormats } from './output-formats.ts'
import type { Parameter } from './parameter.ts'
import { defaults, generateBodies } from './parameters.ts'
import { placement } from './placement.ts'
import { buildSamples } from './samples/build-samples.ts'
import { pagination, template } from './template.ts'

type Json = Readonly<Record<string, unknown>>
type Operation = Json & { readonly description: string }

const answers = {
  Template: template,
  Pagination: pagination,
  GenerationResult: generationResult,
  BatchResult: batchResult,
  ...Object.fromEntries(Object.values<ReadEndpoint>(readEndpoints).map(({ answer }) => [answer.name, answer.schema])),
}
const requests = {
  GenerateOneRequest: generateBodies.oneAsJson,
  GenerateBatchRequest: generateBodies.batchAsJson,
  GenerateOneForm: generateBodies.oneAsForm,
  GenerateBatchForm: generateBodies.batchAsForm,
  Placement: placement,
}

/** The schema name of an error: INVALID_API_KEY -> InvalidApiKeyError. */
export function errorSchemaName(code: ErrorCode): string {
  const words = code.toLowerCase().split('_')
  const name = words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return name.endsWith('Error') ? name : `${name}Error`
}

/**
 * Removes the bounds of safe integers, which Zod adds to every integer. Adds `items` to tuples for tools that
 * expect it, although `maxItems` allows no more.
 */
function adapt(schema: Record<string, unknown>): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  const { prefixItems } = schema
  if (Array.isArray(prefixItems)) schema['items'] = prefixItems[0]
}

function toJsonSchemas(schemas: Readonly<Record<string, z.core.$ZodType>>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const { schemas: found } = z.toJSONSchema(registry, {
    io,
    target: 'draft-2020-12',
    uri: id => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => adapt(jsonSchema),
  })
  return Object.fromEntries(
    Object.entries(found).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  )
}

function parameterSchema(schema: z.core.$ZodType): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => adapt(jsonSchema),
  })
  return json
}

const pathOfSchema = (id: string) => `#/components/schemas/${id}`

const reference = (id: string): Json => ({ $ref: pathOfSchema(id) })

/** One of these errors, distinguished by `code`. */
function errorUnion(codes: readonly ErrorCode[]): Json {
  const [first, ...others] = codes
  if (first !== undefined && others.length === 0) return reference(errorSchemaName(first))
  return {
    oneOf: codes.map(code => reference(errorSchemaName(code))),
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(codes.map(code => [code, pathOfSchema(errorSchemaName(code))])),
    },
  }
}

const eitherOf = (...ids: readonly string[]): Json => ({ anyOf: ids.map(reference) })

function headerReferences(names: readonly ResponseHeader[]): Json {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Answers for unknown paths and methods, and those that a newer version may add. */
const defaultResponse: Json = {
  description: `Any other error: ${errorsOutsideEndpoints.map(code => `\`${code}\` (${errorDefinition(code).condition})`).join(', ')} Later versions may add codes.`,
  headers: headerReferences([...headersOfEveryAnswer, 'Allow', ...headersOfSomeAnswers]),
  content: { 'application/json': { schema: reference('ErrorBody') } },
}

/** One response per status, with the schemas and examples of all its codes. */
function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, code => errorDefinition(code).status)
  const statuses = [...byStatus].sort(([first], [second]) => first - second)
  const responses = Object.fromEntries(
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
            schema: errorUnion(codes),
            examples: Object.fromEntries(codes.map(code => [code, { value: errorExample(code) }])),
          },
        },
      },
    ]),
  )
  return { ...responses, default: defaultResponse }
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

const generateOperation: Operation = {
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
      description: `Makes the request safe to repeat: for 24 hours, the same key with the same request delivers the first answer again without a charge. An account stores 1,000 answers or 2 GiB; programs that make a key for every call begin it with "${MADE_KEY_PREFIX}": their answers are deleted first.`,
      schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharactersMax, pattern: '^[!-~]+$' },
      example: 'order-1042-mockup-1',
    },
    {
      name: TEMPLATE_HEADER,
      in: 'header',
      required: false,
      description:
        'The template_id of the body, or one of its template_ids, for a proxy that sends requests for the same template to the same node. It changes no answer; another template than in the body is an error.',
      schema: { type: 'string' },
      example: 'oak-frame-portrait',
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: reference('GenerateRequest'), examples: examples.generateRequests },
      'multipart/form-data': {
        schema: reference('GenerateForm'),
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
        'Content-Disposition',
        'X-Duration-Ms',
        'X-Credits-Used',
        'X-Credits-Remaining',
        'X-Artwork-Density',
        'X-Mockup-Url',
        'X-Mockup-Url-Expires',
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

function readOperation(name: keyof typeof readEndpoints): Operation {
  const { tag, summary, description, query, answer, errors } = readEndpoints[name]
  const parameters = queryParameters(query)
  return {
    operationId: name,
    summary,
    description,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: { 200: jsonAnswer(answer.description, answer.name, answer.example), ...errorResponses(errors) },
  }
}

function buildPath(name: keyof typeof endpoints, apiUrl: string): readonly [path: string, Json] {
  const { path, method, scope } = endpoints[name]
  const documented = name === 'generateMockups' ? generateOperation : readOperation(name)
  const operation = {
    ...documented,
    description: `${documented.description} Needs the scope \`${scope}\` of a key that is limited to scopes.`,
    'x-required-scope': scope,
    'x-codeSamples': buildSamples(name, apiUrl),
  }
  return [path, { [method]: operation }]
}

/** The names of the endpoints, in the order of their table. */
// Object.keys is typed as strings; the table has exactly these keys.
const endpointNames = Object.keys(endpoints) as (keyof typeof endpoints)[]

const tags = [
  { name: 'Mockups', description: 'Artwork in, finished pictures out.' },
  { name: 'Templates', description: 'The scenes that artwork can be placed into.' },
  { name: 'Billing', description: 'What can be spent, and what was used.' },
]

/** The address of a service without configuration. */
const DEFAULT_PUBLIC_URL = 'http://localhost:8080'

/**
 * The interface as an OpenAPI 3.1 document, built from the schemas that validate requests and answers.
 *
 * @param publicUrl the address for clients, without a trailing slash
 */
export function buildOpenapi(publicUrl: string = DEFAULT_PUBLIC_URL): Json {
  const apiUrl = `${publicUrl}/api/v1`
  const errors = Object.fromEntries(errorCodes.map(code => [errorSchemaName(code), errorBodySchema(code)]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine',
      version: '1.0.0',
      summary: 'Places artwork into designed scenes and answers with the finished mockup.',
      description: buildDescription(publicUrl),
      contact: { name: 'Documentation and support', url: `${publicUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiUrl }],
    security: [{ apiKey: [] }],
    tags,
    paths: Object.fromEntries(endpointNames.map(name => buildPath(name, apiUrl))),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key of the account: vt_ and 36 characters. It may be limited to some of the scopes ${keyScopes.join(', ')}, to addresses, and in time.`,
        },
      },
      headers: responseHeaders,
      schemas: {
        ...toJsonSchemas({ ...answers, ...errors }, 'output'),
        ...toJsonSchemas(requests, 'input'),
        GenerateRequest: eitherOf('GenerateOneRequest', 'GenerateBatchRequest'),
        GenerateForm: eitherOf('GenerateOneForm', 'GenerateBatchForm'),
        ErrorBody: { description: 'Any error, distinguished by `code`.', ...errorUnion(errorCodes) },
      },
    },
  }
}

/** Escapes HTML samples: linters of descriptions reject script tags in Markdown, even in code blocks. */
function escapeHtmlSamples(markdown: string): string {
  return markdown.replaceAll(/```html\n([\s\S]*?)\n```/g, (_, sample: string) => {
    const escaped = sample.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    return `<pre><code class="language-html">${escaped}</code></pre>`
  })
}

/** The chapters at the start of /docs. */
function buildDescription(publicUrl: string): string {
  const others = errorsOutsideEndpoints.map(code => `${errorDefinition(code).status} \`${code}\``)
  return [
    ...buildChapters(publicUrl).map(({ title, text }) => `# ${title}\n\n${escapeHtmlSamples(text)}`),
    `Unknown paths answer ${others.join(', known paths with another method ')}.`,
  ].join('\n\n')
}
