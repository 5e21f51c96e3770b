import type { FastifyInstance } from 'fastify'
import { ApiError } from '../http/api-error.ts'
import { sendSized } from '../http/sized-stream.ts'
import type { Services } from '../services.ts'

/**
 * GET /thumbnails/...: small pictures of templates. Their paths cannot be guessed and need no key; a new
 * version has a new path.
 */
export function getThumbnail(app: FastifyInstance, { templates }: Pick<Services, 'templates'>): void {
  app.get<{ Params: { name: string } }>('/thumbnails/:name', async (request, reply) => {
    const found = await templates.openThumbnail(`/thumbnails/${request.params.name}`)
    if (found === null) throw new ApiError('NOT_FOUND')
    reply
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .type('image/jpeg')
    return sendSized(reply, { sizeBytes: found.sizeBytes, open: () => found.content })
  })
}
