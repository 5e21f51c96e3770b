import { endpoints } from '@vitrine/contract'
import type { FastifyRequest, HookHandlerDoneFunction, onRequestAsyncHookHandler } from 'fastify'
import type { ApiKeys, KeyCheck } from '../api-keys/api-keys.ts'
import { ApiError } from './api-error.ts'
import { API_BASE } from './request-target.ts'

/**
 * Looks up the request's API key. A request without a valid key continues and is rate-limited by its address:
 * a stolen key used from a disallowed address cannot exhaust the owner's limits.
 */
export function identifyCaller(apiKeys: ApiKeys): onRequestAsyncHookHandler {
  return async ({ headers, state }) => {
    const key = /^Bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1]
    if (key === undefined) return
    const check = await apiKeys.authenticate(key, state.clientAddress)
    state.keyCheck = check
    if (check.kind !== 'accepted') return
    apiKeys.touch(check.keyId)
    state.caller = { accountId: check.accountId, keyId: check.keyId }
  }
}

const challenge = { 'WWW-Authenticate': 'Bearer' }

/** @throws {ApiError} MISSING_API_KEY, INVALID_API_KEY, ADDRESS_NOT_ALLOWED, ACCOUNT_SUSPENDED */
export function requireCaller(
  { headers, state }: FastifyRequest,
  _reply: unknown,
  done: HookHandlerDoneFunction,
): void {
  if (state.caller !== null) {
    done()
    return
  }
  if (state.keyCheck !== null) throw refusalOf(state.keyCheck, state.clientAddress)
  throw refusalOfHeader(headers.authorization?.trim() ?? '')
}

/** For an Authorization header without a Bearer token. The header's value is never echoed. */
function refusalOfHeader(header: string): ApiError {
  if (header === '') return new ApiError('MISSING_API_KEY', { headers: challenge })
  const isBasic = /^Basic(?: |$)/i.test(header)
  return new ApiError('INVALID_API_KEY', {
    message: `Expected "Bearer" and a key in the Authorization header but received ${isBasic ? 'Basic authentication' : 'something else'}.`,
    hint: isBasic
      ? 'Send the key in the header "Authorization: Bearer <API_KEY>", not as a user name or password (curl: -H, not -u).'
      : undefined,
    headers: challenge,
  })
}

function refusalOf(check: KeyCheck, clientAddress: string): ApiError {
  switch (check.kind) {
    case 'expired':
      return new ApiError('INVALID_API_KEY', {
        message: `This API key expired at ${new Date(check.expiredAtMs).toISOString()}.`,
        headers: challenge,
      })
    case 'publishable':
      return new ApiError('INVALID_API_KEY', {
        message: 'Expected a secret API key but received a publishable key.',
        hint: 'Publishable keys (vtp_...) only open previews in pages: send a key that begins with vt_, from your server.',
        headers: challenge,
      })
    case 'address-not-allowed':
      return new ApiError('ADDRESS_NOT_ALLOWED', { details: { address: clientAddress } })
    case 'suspended':
      return new ApiError('ACCOUNT_SUSPENDED')
    case 'unknown':
    case 'accepted':
  }
  return new ApiError('INVALID_API_KEY', { headers: challenge })
}

const scopeOfRoute = new Map(Object.values(endpoints).map(({ path, scope }) => [`${API_BASE}${path}`, scope]))

/** Only for existing routes of the interface. @throws {ApiError} INSUFFICIENT_SCOPE */
export function requireScope(
  { state, routeOptions }: FastifyRequest,
  _reply: unknown,
  done: HookHandlerDoneFunction,
): void {
  const { keyCheck } = state
  const required = scopeOfRoute.get(routeOptions.url ?? '')
  if (required === undefined || keyCheck?.kind !== 'accepted')
    throw new Error('A route of the interface has no scope, or its request was not authenticated')
  const { scopes } = keyCheck
  if (scopes !== null && !scopes.includes(required)) {
    throw new ApiError('INSUFFICIENT_SCOPE', {
      message: `Expected an API key with the scope "${required}" but received one with ${scopes.map(scope => `"${scope}"`).join(' and ')}.`,
      details: { required, scopes },
    })
  }
  done()
}
