import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

/** A route that may be sent a body. */
export type BodyRoute = {
  readonly method: string
  readonly url: string
  /** The file that it accepts; null if it accepts something else, or nothing. */
  readonly octets: { readonly mediaType: string; readonly maxBytes: number } | null
}

const routeConfig = z.looseObject({ octets: z.object({ mediaType: z.string(), maxBytes: z.int() }).optional() })
const bodiless = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/** Collects the routes of services that start in this process from now on, as they register them. */
export function collectBodyRoutes(): readonly BodyRoute[] {
  const routes: BodyRoute[] = []
  subscribe('fastify.initialization', message => {
    // What Fastify publishes on this channel.
    const { fastify } = message as { readonly fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, config }) => {
      const octets = routeConfig.parse(config ?? {}).octets ?? null
      const methods = [method].flat().filter(each => !bodiless.includes(each))
      // One of several methods represents all of them.
      const chosen = methods.find(each => each === 'POST') ?? methods[0]
      // Each service of the process registers them again.
      const isNew = !routes.some(known => known.method === chosen && known.url === url)
      if (chosen !== undefined && isNew) routes.push({ method: chosen, url, octets })
    })
  })
  return routes
}
