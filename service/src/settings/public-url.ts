import type { Settings } from './load-settings.ts'

/** The address for clients: PUBLIC_URL, else where the service listens. Without a trailing slash. */
export function publicUrlOf(settings: Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return settings.PUBLIC_URL ?? listeningUrlOf(settings)
}

/** Where the service listens, as an address that works on the same machine. */
export function listeningUrlOf({ HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>): string {
  const isEveryAddress = HOST === '0.0.0.0' || HOST === '::'
  const host = isEveryAddress ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${PORT}`
}
