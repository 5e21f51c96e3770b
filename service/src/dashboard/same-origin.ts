import type { FastifyRequest } from 'fastify'
import { DashboardError } from './dashboard-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what another site's page could make a visitor's browser send: anything that changes state and does not prove that
 * it comes from a page of ours. Fetch Metadata decides where the browser sends it, else the Origin header, which must be there
 * (OWASP cross-site request forgery cheat sheet). @throws DashboardError
 */
export function assertSameOrigin(request: FastifyRequest, origin: string): void {
  if (safeMethods.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new DashboardError('CROSS_SITE')
  if (request.headers.origin !== origin) throw new DashboardError('CROSS_SITE')
}
