/**
 * Generates a client from the OpenAPI document of a service. The programs beside this file use what it makes.
 *
 *   node generate.ts openapi-typescript|hey-api|orval|kubb FILE_OR_URL_OF_THE_DOCUMENT FOLDER
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

type Generate = (document: string, folder: string) => Promise<void>

const generators: Readonly<Record<string, Generate>> = {
  async 'openapi-typescript'(document, folder) {
    const { default: openapiTypescript, astToString } = await import('openapi-typescript')
    const source = /^https?:/.test(document) ? new URL(document) : pathToFileURL(document)
    await mkdir(path.join(folder, 'generated'), { recursive: true })
    await writeFile(path.join(folder, 'generated/schema.ts'), astToString(await openapiTypescript(source)))
  },

  async 'hey-api'(document, folder) {
    const { createClient } = await import('@hey-api/openapi-ts')
    const logs = { level: 'silent' } as const
    await createClient({ input: document, output: path.join(folder, 'generated'), logs })
    const withoutJson = {
      operations: {
        'POST /mockups/generate': (operation: object) => {
          if ('requestBody' in operation) operation.requestBody = omitJson(Object(operation.requestBody))
        },
      },
    }
    const output = path.join(folder, 'generated-form')
    await createClient({ input: document, output, logs, parser: { patch: withoutJson } })
  },

  async orval(document, folder) {
    const { generate } = await import('orval')
    const mutator = { path: path.join(folder, 'orval-fetch.ts'), name: 'orvalFetch' }
    const target = path.join(folder, 'generated/vitrine.ts')
    const override = { mutator, splitByContentType: true }
    await generate({ input: { target: document }, output: { target, client: 'fetch', override } }, folder)
  },

  async kubb(document, folder) {
    const { build } = await import('@kubb/core')
    const [{ pluginOas }, { pluginTs }, { pluginClient }] = await Promise.all([
      import('@kubb/plugin-oas'),
      import('@kubb/plugin-ts'),
      import('@kubb/plugin-client'),
    ])
    for (const [name, contentType] of [
      ['generated', 'application/json'],
      ['generated-form', 'multipart/form-data'],
    ] as const) {
      const dataReturnType = 'data'
      const plugins = [
        pluginOas({ generators: [], contentType }),
        pluginTs({ output: { path: 'types' }, contentType }),
        pluginClient({ output: { path: 'clients' }, client: 'fetch', contentType, dataReturnType }),
      ]
      const output = { path: path.join(folder, name), format: false, lint: false } as const
      const { error } = await build({ config: { root: folder, input: { path: document }, output, plugins } })
      if (error !== undefined) throw error
    }
  },
}

function omitJson(body: { readonly content: Readonly<Record<string, unknown>> }): unknown {
  const { 'application/json': _json, ...content } = body.content
  return { ...body, content }
}

const [name = '', document = '', folder = ''] = process.argv.slice(2)
const generator = generators[name]
if (generator === undefined) throw new Error(`Expected one of ${Object.keys(generators).join(', ')}`)
const source = /^https?:/.test(document) ? document : path.resolve(document)
await mkdir(folder, { recursive: true })
// Some generators write into the current folder, whatever the paths of their options.
process.chdir(folder)
await generator(source, process.cwd())
