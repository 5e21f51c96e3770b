/** Default headers of every answer; a route may override them. */
export function buildDefaultHeaders(requestId: string, isEncrypted: boolean): Readonly<Record<string, string>> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...(isEncrypted ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
