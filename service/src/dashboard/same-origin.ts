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
  if (site !== undefined && site !== 'same-origin') throw crossSite()
  if (request.headers.origin !== origin) throw crossSite()
}

const crossSite = () =>
  new DashboardError(
    403,
    'CROSS_SITE',
    'This request does not come from a page of this service.',
    'Open the dashboard at the address in PUBLIC_URL.',
  )
