/** Makes mockups with the client of orval. */
import { openAsBlob } from 'node:fs'
import { generateMockupsWithFormData, generateMockupsWithJson } from './generated/vitrine.ts'

const { ARTWORK_FILE = '', ARTWORK_URL = '' } = process.env

const json = await generateMockupsWithJson({ template_id: 'one-frame', artwork_url: ARTWORK_URL, width: 64 })
if (json.status !== 200 || !(json.data instanceof Blob)) throw new Error(`Expected a picture: ${json.status}`)

const artwork = await openAsBlob(ARTWORK_FILE)
const upload = await generateMockupsWithFormData({ template_id: 'one-frame', artwork, width: 64 })
if (upload.status !== 200 || !(upload.data instanceof Blob)) throw new Error(`Expected a picture: ${upload.status}`)

const batch = await generateMockupsWithJson({
  template_ids: ['one-frame', 'two-frames'],
  response_format: 'json',
  artwork_url: ARTWORK_URL,
  width: 64,
})
if (batch.status !== 200 || !('results' in batch.data)) throw new Error(`Expected a batch: ${batch.status}`)

const refused = await generateMockupsWithJson({ template_id: 'no-such-template', artwork_url: ARTWORK_URL })
if (refused.status !== 404) throw new Error(`Expected 404: ${refused.status}`)
const missing: string[] = refused.data.details.missing_template_ids

console.log(JSON.stringify([json.data.size, upload.data.size, batch.data.results.length, missing]))
