import assert from 'node:assert/strict'
import { errorSchemaName, headersOfEveryAnswer, isErrorCode } from '@vitrine/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { z } from 'zod'

/** Headers of HTTP itself, which the document need not describe. */
const httpHeaders = ['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding']

const operation = z.looseObject({
  responses: z.record(
    z.string(),
    z.looseObject({
      headers: z.record(z.string(), z.unknown()).default({}),
      content: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
})
const openapi = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    headers: z.record(z.string(), z.looseObject({ schema: z.looseObject({ type: z.string() }) })),
  }),
})

/** A complete received answer. */
export type ReceivedAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** The parsed body if it is JSON. */
  readonly json: unknown
}

/** The contract's `catalogue.test.ts` validates the document: compiling the meta-schema takes long. */
const unchecked = { strict: false, validateSchema: false }

/** Compares answers with the interface's document: anything undocumented fails. */
export class DocumentedInterface {
  readonly document: z.infer<typeof openapi>
  readonly #ajv = new Ajv2020({ ...unchecked, allErrors: true, formats: { binary: true } })
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: unknown) {
    this.document = openapi.parse(document)
    formats.default(this.#ajv)
    this.#ajv.addSchema({ ...this.document, $id: 'openapi' })
  }

  /** Fails unless the answer's status, headers and body are documented for this operation. */
  assertDocumented(method: string, path: string, answer: ReceivedAnswer): void {
    const { status, headers, json } = answer
    const name = `${method} ${path} -> ${status} ${JSON.stringify(json)?.slice(0, 300) ?? ''}`
    for (const header of headersOfEveryAnswer) assert(headers.has(header), `${header} is missing: ${name}`)
    const found = this.document.paths[path]?.[method.toLowerCase()]
    if (found === undefined) {
      this.#assertErrorBody(answer, name)
      return
    }
    const response = found.responses[String(status)]
    assert(response !== undefined, `undocumented status: ${name}`)
    const known = new Set([...httpHeaders, ...Object.keys(response.headers).map(header => header.toLowerCase())])
    for (const [header, value] of headers) {
      assert(known.has(header), `undocumented header ${header}: ${name}`)
      this.#validateHeader(header, value, name)
    }
    for (const header of ['Retry-After', 'WWW-Authenticate'])
      if (Object.hasOwn(response.headers, header)) assert(headers.has(header), `${header} is missing: ${name}`)
    const mediaType = headers.get('content-type')?.split(';')[0] ?? ''
    assert(Object.hasOwn(response.content, mediaType), `undocumented content type ${mediaType}: ${name}`)
    if (mediaType !== 'application/json') return
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', mediaType, 'schema']
    this.#validate(`openapi#/${pointer.map(escapePointer).join('/')}`, json, name)
  }

  /** Answers outside all operations: unknown paths and wrong methods. */
  #assertErrorBody({ json }: ReceivedAnswer, name: string): void {
    const { code } = z.looseObject({ code: z.string() }).parse(json)
    assert(isErrorCode(code), `unknown code: ${name}`)
    this.#validate(`openapi#/components/schemas/${errorSchemaName(code)}`, json, name)
  }

  #validateHeader(header: string, value: string, name: string): void {
    const documented = Object.keys(this.document.components.headers).find(each => each.toLowerCase() === header)
    if (documented === undefined) return
    const type = this.document.components.headers[documented]?.schema.type
    const isNumber = type === 'integer' || type === 'number'
    const said = isNumber && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
    this.#validate(`openapi#/components/headers/${documented}/schema`, said, `${header} of ${name}`)
  }

  #validate(reference: string, value: unknown, name: string): void {
    const validator = this.#validators.get(reference) ?? this.#ajv.compile({ $ref: reference })
    this.#validators.set(reference, validator)
    assert(validator(value), `${name}\n${this.#ajv.errorsText(validator.errors)}`)
  }
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
