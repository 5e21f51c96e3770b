/** Makes mockups with the types of openapi-typescript and the client openapi-fetch. */
import { openAsBlob } from 'node:fs'
import createClient from 'openapi-fetch'
import { toForm } from './bodies.ts'
import type { components, paths } from './generated/schema.ts'

const { VITRINE_URL = '', VITRINE_API_KEY = '', ARTWORK_FILE = '', ARTWORK_URL = '' } = process.env

const vitrine = createClient<paths>({
  baseUrl: `${VITRINE_URL}/api/v1`,
  headers: { Authorization: `Bearer ${VITRINE_API_KEY}` },
})

const json = await vitrine.POST('/mockups/generate', {
  body: { template_id: 'one-frame', artwork_url: ARTWORK_URL, width: 64 },
  parseAs: 'blob',
})
// `parseAs` decides what comes; the type is that of the first media type.
const picture: unknown = json.data
if (!(picture instanceof Blob)) throw new Error(json.error?.error)

// The generator has a text where a form has a file.
const form = { template_id: 'one-frame', artwork: await openAsBlob(ARTWORK_FILE), width: 64 }
const upload = await vitrine.POST('/mockups/generate', {
  body: form as unknown as components['schemas']['GenerateOneForm'],
  bodySerializer: () => toForm(form),
  headers: { 'Content-Type': null },
  parseAs: 'blob',
})
const uploaded: unknown = upload.data
if (!(uploaded instanceof Blob)) throw new Error(upload.error?.error)

const batch = await vitrine.POST('/mockups/generate', {
  body: { template_ids: ['one-frame', 'two-frames'], response_format: 'json', artwork_url: ARTWORK_URL, width: 64 },
})
if (batch.data === undefined || typeof batch.data === 'string' || !('results' in batch.data))
  throw new Error(batch.error?.error)

const refused = await vitrine.POST('/mockups/generate', {
  body: { template_id: 'no-such-template', artwork_url: ARTWORK_URL },
})
if (refused.error?.code !== 'TEMPLATE_NOT_FOUND') throw new Error('Expected TEMPLATE_NOT_FOUND')
const missing: string[] = refused.error.details.missing_template_ids

console.log(JSON.stringify([picture.size, uploaded.size, batch.data.results.length, missing]))
