import { createHash } from 'node:crypto'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { API_BASE } from './request-target.ts'

/** What needs no key may be read by the pages of every origin. */
export const forEveryOrigin = { 'Access-Control-Allow-Origin': '*' } as const

/**
 * Answers the question of a browser whether a page of another origin may send a request to the interface: no,
 * since keys do not belong into pages. No key comes with the question, so that it counts for nobody.
 */
export function answerPreflight(): onRequestHookHandler {
  return ({ method, url, headers }, reply, done) => {
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
    if (isPreflight && url.startsWith(`${API_BASE}/`)) {
      reply.code(204).header('Vary', 'Origin').send()
      return
    }
    done()
  }
}

/** Serves a text that stays the same while the service runs. Who has it already is told so. */
export function serveText(app: FastifyInstance, url: string, type: string, text: string): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const headers = { ...forEveryOrigin, ETag: etag, 'Cache-Control': 'no-cache' }
  app.get(url, async (request, reply) => {
    const known = request.headers['if-none-match']?.split(',').map(tag => tag.trim().replace(/^W\//, ''))
    const isKnown = known !== undefined && (known.includes(etag) || known.includes('*'))
    return isKnown ? reply.code(304).headers(headers).send() : reply.headers(headers).type(type).send(text)
  })
}
