import type { onRequestHookHandler } from 'fastify'
import type { RenderPool } from '../mockups/render-pool.ts'
import { ClientGoneError } from './body-reader.ts'
import { callerOf } from './request-state.ts'

/**
 * Takes a permit for an authenticated request, at the latest released when the response closes.
 *
 * @throws {GenerationError} `busy`
 */
export function admitRequest(pool: Pick<RenderPool, 'admit'>): onRequestHookHandler {
  return (request, { raw }, done) => {
    if (raw.destroyed) throw new ClientGoneError('The client left before its request was admitted')
    const { state } = request
    const { accountId, keyId } = callerOf(request)
    state.isShed = true
    const permit = pool.admit(keyId ?? accountId)
    state.isShed = false
    state.permit = permit
    raw.once('close', () => permit.release())
    done()
  }
}
