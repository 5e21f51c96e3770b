import { isVitrineError } from '../api-client/client.ts'

/** Explains an error to an assistant: what is wrong, the code, and what can be done. */
export function explainFailure(error: unknown): string {
  if (isVitrineError(error)) return [`${error.message} (${error.code})`, error.hint].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : String(error)
}

/** Whether every other mockup would fail as well. */
export function isFinal(error: unknown): boolean {
  return isVitrineError(
    error,
    'INSUFFICIENT_CREDITS',
    'INVALID_API_KEY',
    'MISSING_API_KEY',
    'INSUFFICIENT_SCOPE',
    'ADDRESS_NOT_ALLOWED',
    'ACCOUNT_SUSPENDED',
    'RATE_LIMIT_EXCEEDED',
  )
}
