import type { FastifyRequest } from 'fastify'
import { DashboardError } from '../errors/dashboard-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses state-changing requests that are not from our own pages (CSRF). Fetch Metadata, if sent, and Origin
 * must both match (OWASP CSRF cheat sheet). @throws DashboardError
 */
export function assertSameOrigin(request: FastifyRequest, origin: string): void {
  if (safeMethods.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new DashboardError('CROSS_SITE')
  if (request.headers.origin !== origin) throw new DashboardError('CROSS_SITE')
}
