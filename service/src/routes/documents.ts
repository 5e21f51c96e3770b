import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildGuide, buildOpenapi, buildPostmanCollection } from '@vitrine/contract'
import { type FastifyInstance, fastify } from 'fastify'
import { CompressedText } from '../http/compressed-text.ts'
import { serveText } from '../http/cross-origin.ts'

/** The library uses the same nonce for all answers; each answer replaces it by its own. */
const NONCE_MARK = 'nonce-of-this-answer'
const NONCE_BYTES = 18

const assetsFolder = path.resolve(import.meta.dirname, '../../assets')
const fontFolder = path.resolve(import.meta.dirname, '../../../dashboard/dist/assets')
const fonts = [
  { family: 'Source Sans 3 Variable', file: /^source-sans-3-latin-wght-normal-[\w-]+\.woff2$/ },
  { family: 'Fraunces Variable', file: /^fraunces-latin-wght-normal-[\w-]+\.woff2$/ },
] as const

const TEXT_TYPE = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Allows the page's inline start script by its nonce; the library adds inline styles without one. */
const buildPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The product's styles, with the dashboard's fonts if it is built: their names contain digests. */
async function readStyles(): Promise<string> {
  const names = await readdir(fontFolder).catch(() => [])
  const faces = fonts.flatMap(({ family, file }) => {
    const name = names.find(each => file.test(each))
    const rules = `font-family:"${family}";src:url(/assets/${name}) format("woff2");font-weight:200 900;font-display:swap`
    return name === undefined ? [] : [`@font-face{${rules}}`]
  })
  return [...faces, await readFile(path.join(assetsFolder, 'docs.css'), 'utf8')].join('\n')
}

/** openapi.json, the Postman collection, /llms.txt and the interactive page /docs, all without a key. */
export async function documents(app: FastifyInstance, { publicUrl }: { readonly publicUrl: string }): Promise<void> {
  serveText(app, '/api/v1/openapi.json', JSON_TYPE, () => JSON.stringify(buildOpenapi(publicUrl)))
  serveText(app, '/api/v1/postman.json', JSON_TYPE, () => JSON.stringify(buildPostmanCollection(publicUrl)))
  serveText(app, '/llms.txt', TEXT_TYPE, () => buildGuide(publicUrl))
  await app.register(async pages => {
    let reading: Promise<Reference> | null = null
    const read = () =>
      (reading ??= readReference().catch((error: unknown) => {
        reading = null
        throw error
      }))
    pages.addHook('onSend', async (_, reply, payload) => {
      const nonce = randomBytes(NONCE_BYTES).toString('base64')
      reply.header('Content-Security-Policy', buildPolicy(nonce)).header('Referrer-Policy', 'no-referrer')
      const isPage = String(reply.getHeader('Content-Type')).startsWith('text/html')
      return isPage && typeof payload === 'string' ? payload.replaceAll(NONCE_MARK, nonce) : payload
    })
    pages.get('/docs', (_, reply) => reply.redirect('/docs/', 301))
    pages.get('/docs/', async (_, reply) => reply.type('text/html; charset=utf-8').send((await read()).page))
    pages.get('/docs/js/scalar.js', async (request, reply) => {
      const body = await (await read()).program.answer(request, reply)
      return body === '' ? reply.send() : reply.type('application/javascript; charset=utf-8').send(body)
    })
  })
}

type Reference = { readonly page: string; readonly program: CompressedText }

/** The page and its program, made at first use: a library of 340 modules and 5 MB that nothing else needs. */
async function readReference(): Promise<Reference> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const library = fastify()
  await library.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/api/v1/openapi.json',
      // The page may send requests only to its own origin, whatever address it was opened at.
      servers: [{ url: '/api/v1' }],
      pageTitle: 'Vitrine API',
      theme: 'none',
      customCss: await readStyles(),
      nonce: NONCE_MARK,
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      defaultOpenAllTags: true,
      hideClientButton: true,
      showDeveloperTools: 'never',
      hideModels: true,
      // The page's generated clients would send both template ids; the document has tested examples.
      hiddenClients: true,
      orderSchemaPropertiesBy: 'preserve',
    },
  })
  const page = await library.inject('/docs/')
  const program = await library.inject('/docs/js/scalar.js')
  await library.close()
  const repairs = await readFile(path.join(assetsFolder, 'docs.js'), 'utf8')
  const repaired = page.payload
    .replace('<html>', '<html lang="en">')
    .replace('</body>', () => `<script nonce="${NONCE_MARK}">${repairs}</script></body>`)
  return { page: repaired, program: new CompressedText(program.payload) }
}
