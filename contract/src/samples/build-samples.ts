import { endpoints } from '../endpoints.ts'
import { curlSamples } from './curl.ts'
import { goSamples } from './go.ts'
import { phpSamples } from './php.ts'
import { pythonSamples } from './python.ts'
import { rubySamples } from './ruby.ts'
import type { SampleRead } from './sample-values.ts'
import { typescriptSamples } from './typescript.ts'

/** A sample program in the documentation, as in OpenAPI's extension `x-codeSamples`. */
export type Sample = { readonly lang: string; readonly label: string; readonly source: string }

const languages = [curlSamples, typescriptSamples, pythonSamples, phpSamples, rubySamples, goSamples]

const reads = {
  listTemplates: {
    path: `${endpoints.listTemplates.path}?type=print&limit=10`,
    shows: { list: 'templates', fields: ['id', 'name'] },
  },
  getBalance: { path: endpoints.getBalance.path, shows: { field: 'balance_credits' } },
  getUsage: { path: `${endpoints.getUsage.path}?period=7d`, shows: { field: 'credits_consumed' } },
} as const satisfies Record<Exclude<keyof typeof endpoints, 'generateMockups'>, SampleRead>

/**
 * The samples of an operation in every language: an upload and a batch, or a read.
 *
 * @param apiUrl the base URL of the operations, without a trailing slash
 */
export function buildSamples(operation: keyof typeof endpoints, apiUrl: string): readonly Sample[] {
  if (operation !== 'generateMockups') {
    const { path, shows } = reads[operation]
    return languages.map(({ lang, label, read }) => ({ lang, label, source: read(`${apiUrl}${path}`, shows) }))
  }
  const url = `${apiUrl}${endpoints.generateMockups.path}`
  return [
    ...languages.map(({ lang, label, upload }) => ({ lang, label, source: upload(url) })),
    ...languages.map(({ lang, label, batch }) => ({ lang, label: `${label}: batch`, source: batch(url) })),
  ]
}
