import type { FastifyRequest } from 'fastify'
import type { DashboardCallGroup } from '../account-budget/limits.ts'

/** Routes with separate limits. Imports have a limit of their own. */
export const callGroups: ReadonlyMap<string, DashboardCallGroup> = new Map([
  ['POST /dashboard/api/mockups/generate', 'renders'],
  ['POST /dashboard/api/keys', 'keys'],
  ['POST /dashboard/api/keys/:keyId/rotate', 'keys'],
  ['POST /dashboard/api/publishable-keys', 'keys'],
  ['POST /dashboard/api/publishable-keys/:keyId', 'keys'],
  ['POST /dashboard/api/credits/checkout', 'checkouts'],
  ['GET /dashboard/api/templates/:id/bundle.zip', 'bundles'],
  ['GET /dashboard/api/templates/:id/files/:revision/*', 'files'],
  ['GET /dashboard/api/templates/:id/preview/:revision/*', 'files'],
  ['GET /dashboard/api/templates/:id/packs/:revision/:name', 'files'],
  ['GET /dashboard/api/templates/:id/versions/:revision/thumbnail', 'files'],
  ['GET /dashboard/api/mockups/:mockupId/picture', 'files'],
  ['GET /dashboard/api/mockups/:mockupId/thumbnail', 'files'],
  ['POST /dashboard/api/mockups/thumbnail', 'files'],
  ['GET /dashboard/api/usage', 'usage'],
  ['GET /dashboard/api/usage.csv', 'usage'],
])

/** The group in which a request with a session is counted. */
export function callGroupOf({ method, routeOptions }: FastifyRequest): DashboardCallGroup {
  const isReading = method === 'GET' || method === 'HEAD'
  const route = `${isReading ? 'GET' : method} ${routeOptions.url}`
  return callGroups.get(route) ?? (isReading ? 'reads' : 'changes')
}
