import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validate } from '@readme/openapi-parser'
import { z } from 'zod'
import { embedEndpoint, endpoints, errorsOutsideEndpoints, readEndpoints } from '../src/endpoints.ts'
import { errorBodySchema } from '../src/error-body.ts'
import { errorCodes, errorDefinition } from '../src/error-catalogue.ts'
import { errorExample } from '../src/error-examples.ts'
import { buildErrorReference } from '../src/error-reference.ts'
import * as examples from '../src/examples.ts'
import { batchResult, buildOpenapi, generationResult } from '../src/index.ts'

const operationSchema = z.looseObject({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) })
const documentSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) })

test('the document is valid OpenAPI 3.1', async () => {
  const result = await validate(JSON.parse(JSON.stringify(buildOpenapi())))
  assert.equal(result.valid, true, JSON.stringify(result))
})

test('every code is answered by an endpoint or outside of all, and endpoints name no other', () => {
  const used = new Set<string>([
    ...errorsOutsideEndpoints,
    ...embedEndpoint.errors,
    ...Object.values(endpoints).flatMap(({ errors }) => [...errors]),
  ])
  assert.deepEqual([...used].sort(), [...errorCodes].sort())
})

test('every operation documents the status of each of its codes, with an example', () => {
  const { paths } = documentSchema.parse(buildOpenapi())
  for (const { path, method, errors } of Object.values(endpoints)) {
    const operation = paths[path]?.[method]
    assert(operation !== undefined, path)
    for (const code of errors) {
      const response: string = JSON.stringify(operation.responses[errorDefinition(code).status])
      assert(response.includes(`"${code}":{"value"`), `${path} lacks ${code}`)
    }
  }
})

for (const code of errorCodes)
  test(`the example of ${code} is such an error, and the reference page explains it`, () => {
    assert.deepEqual(z.strictObject(errorBodySchema(code).shape).parse(errorExample(code)), errorExample(code))
    assert(buildErrorReference().includes(`\n## ${code}\n`))
  })

test('statuses and codes are those of the interface', () => {
  const stated = {
    MISSING_API_KEY: 401,
    INVALID_API_KEY: 401,
    INSUFFICIENT_CREDITS: 402,
    MISSING_TEMPLATE_ID: 400,
    TEMPLATE_NOT_FOUND: 404,
    MISSING_ARTWORK: 400,
    INVALID_ARTWORK_URL: 400,
    IMAGE_URL_NOT_FOUND: 400,
    ARTWORK_FILE_TOO_LARGE: 413,
    IMAGE_FETCH_TIMEOUT: 408,
    RATE_LIMIT_EXCEEDED: 429,
    MOCKUP_GENERATION_FAILED: 500,
  } as const
  for (const [code, status] of Object.entries(stated)) {
    const known = errorCodes.find(known => known === code)
    assert(known !== undefined)
    assert.equal(errorDefinition(known).status, status)
  }
  for (const code of ['INSUFFICIENT_CREDITS', 'IMAGE_URL_NOT_FOUND', 'IMAGE_FETCH_TIMEOUT'] as const)
    assert.equal(typeof errorDefinition(code).hint, 'string', `the interface promises a hint with ${code}`)
})

test('408, 429 and 5xx are retryable, 400, 401, 402, 404 and 413 are not', () => {
  for (const code of errorCodes) {
    const { status, isRetryable } = errorDefinition(code)
    if (status === 408 || status === 429 || status >= 500) assert(isRetryable, code)
    if ([400, 401, 402, 404, 413].includes(status)) assert(!isRetryable, code)
  }
})

test('the examples of answers are such answers, and their pictures are pictures of that size', () => {
  for (const { image, size_bytes } of [examples.generationResult, ...examples.batchResult.results]) {
    const bytes = Buffer.from(image, 'base64')
    assert.equal(bytes.length, size_bytes)
    assert.equal(bytes.subarray(0, 3).toString('hex'), 'ffd8ff')
    assert.equal(bytes.subarray(-2).toString('hex'), 'ffd9')
  }
  generationResult.parse(examples.generationResult)
  batchResult.parse(examples.batchResult)
  for (const { answer } of Object.values(readEndpoints)) answer.schema.parse(answer.example)
})
