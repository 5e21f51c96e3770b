import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify'
import { ApiError } from './api-error.ts'
import { serverBusy } from './error-mapping.ts'
import { shown } from './received-value.ts'
import { suggestPath } from './right-path.ts'
import type { ServicePhase } from './service-phase.ts'

/** Enough time for another process to take over the address. */
const STOPPING_RETRY_S = 5

/** @throws {ApiError} SERVER_BUSY while the service is stopping */
export function refuseWhenStopping(phase: ServicePhase): onRequestHookHandler {
  return (_request, _reply, done) => {
    if (phase.current === 'stopping') throw serverBusy(STOPPING_RETRY_S)
    done()
  }
}

/** @throws {ApiError} NOT_FOUND, or METHOD_NOT_ALLOWED with the methods allowed for the path */
export function refuseUnknownRoute(
  { is404, method, server, url }: FastifyRequest,
  _reply: FastifyReply,
  done?: HookHandlerDoneFunction,
): void {
  if (is404) {
    const path = url.split(/[?#]/, 1)[0] ?? ''
    const allowed = server.supportedMethods.filter(known => server.findRoute({ method: known, url: path })).sort()
    // Also reached when a static file route has no such file.
    if (allowed.length === 0 || allowed.includes(method)) {
      const meant = suggestPath(path)
      throw new ApiError('NOT_FOUND', { hint: meant === null ? undefined : `The path is ${meant}, written like this.` })
    }
    throw new ApiError('METHOD_NOT_ALLOWED', {
      message: `Expected ${allowed.join(' or ')} for ${shown(path)} but received ${method.slice(0, 20)}.`,
      headers: { Allow: allowed.join(', ') },
    })
  }
  done?.()
}
