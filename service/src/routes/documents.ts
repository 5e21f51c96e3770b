import { randomBytes } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import { buildOpenapi } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'

/** The library takes one nonce for all answers: each answer has one of its own in its place. */
const NONCE_MARK = 'nonce-of-this-answer'
const NONCE_BYTES = 18

/** The page's start is inline, by its nonce, and so are styles that the library adds without one. */
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

/** /api/v1/openapi.json and the interactive page /docs, both without a key. */
export async function documents(app: FastifyInstance): Promise<void> {
  const document = JSON.stringify(buildOpenapi())
  app.get('/api/v1/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  )
  await app.register(async pages => {
    pages.addHook('onSend', async (_request, reply, payload) => {
      const nonce = randomBytes(NONCE_BYTES).toString('base64')
      reply.header('Content-Security-Policy', buildPolicy(nonce)).header('Referrer-Policy', 'no-referrer')
      const isPage = String(reply.getHeader('Content-Type')).startsWith('text/html')
      return isPage && typeof payload === 'string' ? payload.replaceAll(NONCE_MARK, nonce) : payload
    })
    await pages.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/api/v1/openapi.json',
        pageTitle: 'Vitrine API',
        nonce: NONCE_MARK,
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        defaultOpenAllTags: true,
        hideClientButton: true,
        showDeveloperTools: 'never',
      },
    })
  })
}
