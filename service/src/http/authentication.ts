import type { FastifyRequest, HookHandlerDoneFunction, onRequestAsyncHookHandler } from 'fastify'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import { ApiError } from './api-error.ts'

/** Finds the caller by the key of the request. Without a valid key the request goes on, to be counted. */
export function identifyCaller(apiKeys: ApiKeys): onRequestAsyncHookHandler {
  return async ({ headers, state }) => {
    const key = /^Bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1]
    const owner = key === undefined ? null : await apiKeys.authenticate(key)
    if (owner === null) return
    apiKeys.touch(owner.keyId)
    state.caller = { accountId: owner.accountId, keyId: owner.keyId }
  }
}

/** @throws {ApiError} MISSING_API_KEY, INVALID_API_KEY */
export function requireCaller(
  { headers, state }: FastifyRequest,
  _reply: unknown,
  done: HookHandlerDoneFunction,
): void {
  if (state.caller === null) {
    const isMissing = (headers.authorization?.trim() ?? '') === ''
    throw new ApiError(isMissing ? 'MISSING_API_KEY' : 'INVALID_API_KEY', { headers: { 'WWW-Authenticate': 'Bearer' } })
  }
  done()
}
