import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { CompressedText } from './compressed-text.ts'
import { API_BASE } from './request-target.ts'

/** For resources that need no key: pages of every origin may read them. */
export const forEveryOrigin = { 'Access-Control-Allow-Origin': '*' } as const

/**
 * Answers CORS preflights: pages of other origins may not call the interface, since keys do not belong in
 * pages. A preflight carries no key, so it is not counted.
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

/** Serves a constant text, built on first request. A client with a current copy gets 304. */
export function serveText(app: FastifyInstance, url: string, type: string, build: () => string): void {
  let compressed: CompressedText | undefined
  app.get(url, async (request, reply) => {
    compressed ??= new CompressedText(build())
    const body = await compressed.answer(request, reply.headers(forEveryOrigin))
    return body === '' ? reply.send() : reply.type(type).send(body)
  })
}
