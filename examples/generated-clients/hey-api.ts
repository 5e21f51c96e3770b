/**
 * Makes mockups with the client of hey-api. It takes the first type of a body only: uploads have a second
 * client, generated from the document without the JSON bodies (generate.ts).
 */
import { openAsBlob } from 'node:fs'
import { createClient, createConfig } from './generated/client/index.ts'
import { generateMockups } from './generated/index.ts'
import { createClient as createFormClient, createConfig as createFormConfig } from './generated-form/client/index.ts'
import { generateMockups as uploadMockups } from './generated-form/index.ts'

const { VITRINE_URL = '', VITRINE_API_KEY = '', ARTWORK_FILE = '', ARTWORK_URL = '' } = process.env
const settings = { baseUrl: `${VITRINE_URL}/api/v1`, auth: VITRINE_API_KEY }
const client = createClient(createConfig(settings))
const formClient = createFormClient(createFormConfig(settings))

const json = await generateMockups({
  client,
  body: { template_id: 'one-frame', artwork_url: ARTWORK_URL, width: 64 },
  parseAs: 'blob',
})
const picture: unknown = json.data
if (!(picture instanceof Blob)) throw new Error('Expected a picture')

const upload = await uploadMockups({
  client: formClient,
  body: { template_id: 'one-frame', artwork: await openAsBlob(ARTWORK_FILE), width: 64 },
  parseAs: 'blob',
})
const uploaded: unknown = upload.data
if (!(uploaded instanceof Blob)) throw new Error('Expected a picture')

const batch = await generateMockups({
  client,
  body: { template_ids: ['one-frame', 'two-frames'], response_format: 'json', artwork_url: ARTWORK_URL, width: 64 },
})
if (batch.data === undefined || !('results' in batch.data)) throw new Error('Expected a batch')

const refused = await generateMockups({
  client,
  body: { template_id: 'no-such-template', artwork_url: ARTWORK_URL },
})
if (refused.error?.code !== 'TEMPLATE_NOT_FOUND') throw new Error('Expected TEMPLATE_NOT_FOUND')
const missing: string[] = refused.error.details.missing_template_ids

console.log(JSON.stringify([picture.size, uploaded.size, batch.data.results.length, missing]))
