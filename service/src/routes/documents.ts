import scalar from '@scalar/fastify-api-reference'
import { buildOpenapi } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'

/** The page's program and style are inline; everything else comes from this origin. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
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
    pages.addHook('onSend', async (_request, reply) => {
      reply.header('Content-Security-Policy', pagePolicy).header('Referrer-Policy', 'no-referrer')
    })
    await pages.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/api/v1/openapi.json',
        pageTitle: 'Vitrine API',
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
