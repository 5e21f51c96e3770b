import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { pagePaths } from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

/** The build of the dashboard. */
const builtPages = path.resolve(import.meta.dirname, '../../../dashboard/dist')

/** The page behind a link to a proof. */
const SHARED_PROOF_DOCUMENT = 'proof.html'

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

/** The build has all assets in one folder. The plugin would look for any other path on the disk, and fail. */
const assetName = z.object({ name: z.string().regex(/^\w[\w.-]{0,199}$/) })

/** Headers of every page and of every answer to a page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/**
 * For the page behind a link: equally strict, and without forms and frames. Its answers have the same policy,
 * so that nothing in them is rendered as a page.
 */
export const sharedProofHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': contentSecurityPolicy
    .replace("form-action 'self'", "form-action 'none'")
    .replace("manifest-src 'self'; ", ''),
  'x-robots-tag': 'noindex, nofollow',
}

/**
 * Serves the pages, if they are built. Files with a hash in their name never change; all others are
 * revalidated at each load, so that a rebuilt page is seen at the next one.
 */
export async function registerPages(app: FastifyInstance, folder: string = builtPages): Promise<void> {
  const documentPath = path.join(folder, 'index.html')
  if (!existsSync(documentPath)) return
  await app.register(fastifyStatic, {
    root: path.join(folder, 'assets'),
    serve: false,
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
    setHeaders: (reply, file) => {
      // A worker has the policy of its own script's answer.
      const headers = file === path.join(folder, SHARED_PROOF_DOCUMENT) ? sharedProofHeaders : pageHeaders
      for (const [name, value] of Object.entries(headers)) reply.header(name, value)
    },
  })
  app.get('/assets/:name', (request, reply) => {
    const name = assetName.safeParse(request.params)
    return name.success ? reply.sendFile(name.data.name) : reply.callNotFound()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!(request.is404 && wantsPage(request))) {
      done()
      return
    }
    reply
      .code(404)
      .headers({ ...pageHeaders, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
    readFile(documentPath).then(document => reply.send(document), done)
  })
  const serve = (address: string, name: string, headers = pageHeaders) =>
    app.get(address, async (_request, reply) =>
      // Without cacheControl: false the plugin would overwrite this header with that of the assets.
      reply.headers({ ...headers, 'cache-control': 'no-cache' }).sendFile(name, folder, { cacheControl: false }),
    )
  for (const pagePath of pagePaths) serve(pagePath.replaceAll('$', ':'), 'index.html')
  serve('/w/:token', SHARED_PROOF_DOCUMENT, sharedProofHeaders)
  for (const name of ['favicon.svg', 'early-drops.js', 'early-proof.js', 'sample-artwork.jpg', 'sample-mockup.webp'])
    serve(`/${name}`, name)
}

/** Whether a browser navigates to a page, so that it gets the "not found" page. Programs get JSON. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && headers.accept?.includes('text/html') === true && !/^\/(api|dashboard|assets)(\/|\?|$)/.test(url)
}
