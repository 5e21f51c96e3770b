import type { Settings } from './load-settings.ts'

/**
 * Where clients reach the service: as the operator says, else where it listens. Without a slash at its end.
 */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL
  const isEveryAddress = HOST === '0.0.0.0' || HOST === '::'
  const host = isEveryAddress ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${PORT}`
}
