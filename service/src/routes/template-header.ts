import { TEMPLATE_HEADER } from '@vitrine/contract'
import type { FastifyRequest } from 'fastify'
import { invalidParameter } from '../http/invalid-parameter.ts'
import { shown } from '../http/received-value.ts'

/**
 * Checks the header by which a proxy chooses a node. With a wrong one the answer would be right, but from a
 * node that must first prepare the template.
 * @throws {ApiError} INVALID_PARAMETER with the header's template and the request's
 */
export function checkTemplateHeader({ headers }: FastifyRequest, templateIds: readonly string[]): void {
  const named = headers[TEMPLATE_HEADER.toLowerCase()]
  if (named === undefined || templateIds.some(id => id === named)) return
  const ids = [...new Set(templateIds)].map(id => JSON.stringify(shown(id)))
  const allowed = `${ids.length === 1 ? '' : 'one of '}${ids.join(', ')}, as in the body`
  throw invalidParameter(TEMPLATE_HEADER, { expected: allowed, allowed }, named)
}
