import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { CompressedText } from './compressed-text.ts'
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

/**
 * Serves a text that stays the same while the service runs, built when it is first asked for. A client that
 * has it already is told so.
 */
export function serveText(app: FastifyInstance, url: string, type: string, build: () => string): void {
  let compressed: CompressedText | undefined
  app.get(url, async (request, reply) => {
    compressed ??= new CompressedText(build())
    const body = await compressed.answer(request, reply.headers(forEveryOrigin))
    return body === '' ? reply.send() : reply.type(type).send(body)
  })
}
