import type { FastifyInstance } from 'fastify'
import { ApiError } from '../http/api-error.ts'
import { forEveryOrigin } from '../http/cross-origin.ts'
import { sendSized } from '../http/sized-stream.ts'
import type { Services } from '../services.ts'

/** GET /thumbnails/...: no key is needed, since the paths cannot be guessed. A new version has a new path. */
export function getThumbnail(app: FastifyInstance, { templates }: Pick<Services, 'templates'>): void {
  app.get<{ Params: { name: string } }>('/thumbnails/:name', async (request, reply) => {
    const found = await templates.openThumbnail(`/thumbnails/${request.params.name}`)
    if (found === null) throw new ApiError('NOT_FOUND')
    const body = { sizeBytes: found.sizeBytes, open: () => found.content }
    await sendSized(reply, body, {
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...forEveryOrigin,
      'Content-Type': 'image/jpeg',
    })
  })
}
