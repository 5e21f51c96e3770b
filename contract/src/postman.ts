import { endpoints, readEndpoints } from './endpoints.ts'
import * as examples from './examples.ts'
import type { Parameter } from './parameter.ts'
import { defaults } from './parameters.ts'

type Json = Readonly<Record<string, unknown>>

const COLLECTION_SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** Optional parameters, disabled, with their default as value if they have one. */
function queryOf(parameters: Readonly<Record<string, Parameter>>): readonly Json[] {
  const known: Readonly<Record<string, string | number>> = defaults
  return Object.entries(parameters).map(([key, { description }]) => ({
    key,
    value: String(known[key] ?? ''),
    description,
    disabled: true,
  }))
}

function request(
  name: string,
  { method, path }: (typeof endpoints)[keyof typeof endpoints],
  {
    query = [],
    ...rest
  }: { readonly query?: readonly Json[]; readonly body?: Json; readonly header?: readonly Json[] },
): Json {
  const url = { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.slice(1).split('/'), query }
  return { name, request: { method: method.toUpperCase(), url, ...rest } }
}

function jsonRequests(): readonly Json[] {
  return Object.values(examples.generateRequests).map(({ summary, value }) =>
    request(summary, endpoints.generateMockups, {
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } },
    }),
  )
}

/** The file is chosen in Postman. */
function uploadRequest(): Json {
  const { template_id } = examples.generateRequests.binary.value
  const formdata = [
    { key: 'template_id', value: template_id, type: 'text' },
    { key: 'artwork', type: 'file', src: [] },
    { key: 'width', value: '1200', type: 'text' },
  ]
  return request('One mockup of an uploaded file', endpoints.generateMockups, { body: { mode: 'formdata', formdata } })
}

/** A folder for each tag. */
function readFolders(): readonly Json[] {
  const byTag = Map.groupBy(Object.values(readEndpoints), ({ tag }) => tag)
  return [...byTag].map(([name, reads]) => ({
    name,
    item: reads.map(endpoint => request(endpoint.summary, endpoint, { query: queryOf(endpoint.query) })),
  }))
}

/**
 * A collection of requests for Postman and compatible tools (format 2.1). They work once the variable
 * `apiKey` is set and `artwork_url` is the address of a picture.
 *
 * @param publicUrl the address for clients, without a trailing slash
 */
export function buildPostmanCollection(publicUrl: string): Json {
  return {
    info: { name: 'Vitrine', description: 'Artwork in, finished mockups out.', schema: COLLECTION_SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: `${publicUrl}/api/v1` },
      { key: 'apiKey', value: '' },
    ],
    item: [{ name: 'Mockups', item: [uploadRequest(), ...jsonRequests()] }, ...readFolders()],
  }
}
