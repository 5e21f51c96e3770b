import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { AppServices } from '../app-services.ts'
import { ApiError } from '../http/api-error.ts'

/** GET /thumbnails/...: small pictures of templates, for whoever knows their unguessable path. A new version has a new path. */
export function getThumbnail(app: FastifyInstance, { templates }: Pick<AppServices, 'templates'>): void {
  app.get<{ Params: { name: string } }>('/thumbnails/:name', async (request, reply) => {
    const found = await templates.openThumbnail(`/thumbnails/${request.params.name}`)
    if (found === null) throw new ApiError('NOT_FOUND')
    return reply
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Content-Length', String(found.sizeBytes))
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .type('image/jpeg')
      .send(Readable.from(found.content, { objectMode: false }))
  })
}
