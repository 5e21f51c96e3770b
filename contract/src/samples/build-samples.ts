import { endpoints, readEndpoints } from '../endpoints.ts'
import { curlSamples } from './curl.ts'
import { goSamples } from './go.ts'
import { phpSamples } from './php.ts'
import { pythonSamples } from './python.ts'
import { rubySamples } from './ruby.ts'
import { typescriptSamples } from './typescript.ts'

/** A sample program in the documentation, as in OpenAPI's extension `x-codeSamples`. */
export type Sample = { readonly lang: string; readonly label: string; readonly source: string }

const languages = [curlSamples, typescriptSamples, pythonSamples, phpSamples, rubySamples, goSamples]

/**
 * The samples of an operation in every language: an upload and a batch, or a read.
 *
 * @param apiUrl the base URL of the operations, without a trailing slash
 */
export function buildSamples(operation: keyof typeof endpoints, apiUrl: string): readonly Sample[] {
  if (operation !== 'generateMockups') {
    const { path, sample } = readEndpoints[operation]
    const url = `${apiUrl}${path}${sample.query}`
    return languages.map(({ lang, label, read }) => ({ lang, label, source: read(url, sample.shows) }))
  }
  const url = `${apiUrl}${endpoints.generateMockups.path}`
  return [
    ...languages.map(({ lang, label, upload }) => ({ lang, label, source: upload(url) })),
    ...languages.map(({ lang, label, batch }) => ({ lang, label: `${label}: batch`, source: batch(url) })),
  ]
}
