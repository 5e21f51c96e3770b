import type { IncomingMessage } from 'node:http'
import { ApiError } from './api-error.ts'

/** Who calls. */
export interface CallingKey {
  readonly keyId: string
  readonly accountId: string
}

/** What is needed of the API keys. */
export interface Authenticator {
  authenticate(key: string): CallingKey | null | Promise<CallingKey | null>
  touch(keyId: string): void
}

/** The key of a request, or the error that answers it when its client may still ask. */
export async function authenticate(request: IncomingMessage, apiKeys: Authenticator): Promise<CallingKey | ApiError> {
  const header = request.headers.authorization?.trim() ?? ''
  if (header === '') return unauthorized('MISSING_API_KEY')
  const key = /^Bearer +(\S+)$/i.exec(header)?.[1]
  const found = key === undefined ? null : await apiKeys.authenticate(key)
  if (found === null) return unauthorized('INVALID_API_KEY')
  apiKeys.touch(found.keyId)
  return found
}

function unauthorized(code: 'MISSING_API_KEY' | 'INVALID_API_KEY'): ApiError {
  return new ApiError(code, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
