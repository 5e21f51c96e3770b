/**
 * Makes mockups with the clients of kubb: one for JSON bodies and one for forms (generate.ts), on a `fetch`
 * that knows pictures; the one that kubb brings reads every answer as JSON.
 */
import { openAsBlob } from 'node:fs'
import type { Client } from '@kubb/plugin-client/clients/fetch'
import { readAnswer, toForm } from './bodies.ts'
import type { GenerateMockups404 } from './generated/index.ts'
import { generateMockups } from './generated/index.ts'
import { generateMockups as uploadMockups } from './generated-form/index.ts'

const { VITRINE_URL = '', VITRINE_API_KEY = '', ARTWORK_FILE = '', ARTWORK_URL = '' } = process.env

class ErrorAnswer extends Error {
  readonly body: unknown
  constructor(body: unknown) {
    super('The service answered with an error')
    this.body = body
  }
}

const makeClient =
  (toBody: (data: never) => string | FormData): Client =>
  async ({ url = '', method = 'GET', data }) => {
    const headers = new Headers({ Authorization: `Bearer ${VITRINE_API_KEY}` })
    const body = toBody(data as never)
    if (typeof body === 'string') headers.set('Content-Type', 'application/json')
    const answer = await fetch(`${VITRINE_URL}/api/v1${url}`, { method, headers, body })
    if (!answer.ok) throw new ErrorAnswer(await answer.json())
    const { status, statusText } = answer
    return { data: await readAnswer(answer), status, statusText, headers: answer.headers }
  }

const client = makeClient(JSON.stringify)
const formClient = makeClient(toForm)

const json = await generateMockups({ template_id: 'one-frame', artwork_url: ARTWORK_URL, width: 64 }, undefined, {
  client,
})
if (!(json instanceof Blob)) throw new Error('Expected a picture')

const artwork = await openAsBlob(ARTWORK_FILE)
const upload = await uploadMockups({ template_id: 'one-frame', artwork, width: 64 }, undefined, {
  client: formClient,
})
if (!(upload instanceof Blob)) throw new Error('Expected a picture')

const batch = await generateMockups(
  { template_ids: ['one-frame', 'two-frames'], response_format: 'json', artwork_url: ARTWORK_URL, width: 64 },
  undefined,
  { client },
)
if (!('results' in batch)) throw new Error('Expected a batch')

const error = await generateMockups({ template_id: 'no-such-template', artwork_url: ARTWORK_URL }, undefined, {
  client,
}).catch((error: unknown) => error)
if (!(error instanceof ErrorAnswer)) throw error
const { details } = error.body as GenerateMockups404
const missing: string[] = details.missing_template_ids

console.log(JSON.stringify([json.size, upload.size, batch.results.length, missing]))
