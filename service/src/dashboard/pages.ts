import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { pagePaths } from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The build of the dashboard. */
const builtPages = path.resolve(import.meta.dirname, '../../../dashboard/dist')

/** No inline code, no other origins. WebAssembly is for the preview's kernels, blob: for dropped pictures. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every page and every answer to a page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** Serves the pages, if they are built. */
export async function registerPages(app: FastifyInstance): Promise<void> {
  if (!existsSync(path.join(builtPages, 'index.html'))) return
  await app.register(fastifyStatic, {
    root: path.join(builtPages, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
    setHeaders: reply => {
      // A worker has the policy of its own script's answer.
      for (const [name, value] of Object.entries(pageHeaders)) reply.header(name, value)
    },
  })
  const document = await readFile(path.join(builtPages, 'index.html'))
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && wantsPage(request))
      void reply
        .code(404)
        .headers({ ...pageHeaders, 'cache-control': 'no-store' })
        .type('text/html; charset=utf-8')
        .send(document)
    else done()
  })
  for (const pagePath of pagePaths) {
    app.get(pagePath.replaceAll('$', ':'), async (_request, reply) =>
      reply.headers({ ...pageHeaders, 'cache-control': 'no-cache' }).sendFile('index.html', builtPages),
    )
  }
  for (const name of ['favicon.svg', 'sample-artwork.jpg', 'sample-mockup.webp']) {
    app.get(`/${name}`, async (_request, reply) =>
      reply.headers({ ...pageHeaders, 'cache-control': 'public, max-age=3600' }).sendFile(name, builtPages),
    )
  }
}

/**
 * Whether a browser asks for a page: it gets the page that says there is none. Programs get an error as JSON.
 */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && headers.accept?.includes('text/html') === true && !/^\/(api|dashboard|assets)(\/|\?|$)/.test(url)
}
