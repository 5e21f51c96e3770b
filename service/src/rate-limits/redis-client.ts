import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { readAuthorities } from './redis-authorities.ts'

export type RedisSettings = {
  readonly urls: readonly string[]
  readonly topology: 'single' | 'cluster' | 'sentinel'
  readonly sentinelName: string
  readonly sentinelPassword?: string | undefined
  /** A file with the authorities for verifying rediss://; the public ones by default. */
  readonly caFile?: string | undefined
}

/** The library's default. To infer it, the compiler compares all commands of two clients, for seconds. */
type Replies = 'legacy'

export type RedisClient = Redis | Cluster

/** Timeout of a command, since a request waits for it. */
const COMMAND_TIMEOUT_MS = 250

const CONNECT_TIMEOUT_MS = 2_000

const retryAfterMs = (attempt: number): number => Math.min(100 * attempt, 2_000)

/** Opens a connection that fails fast instead of waiting, and reconnects by itself. */
export function openRedis(settings: RedisSettings): RedisClient {
  const nodes = settings.urls.map(url => new URL(url))
  const [first] = nodes
  if (first === undefined) throw new TypeError('Expected the URL of a Redis server')
  const tls = tlsOptions(first, settings.caFile)
  const options = {
    ...credentialsOf(first),
    ...(tls === undefined ? {} : { tls }),
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: retryAfterMs,
  }
  const { topology, sentinelName, sentinelPassword } = settings
  if (topology === 'cluster') {
    return new Cluster<Replies>(nodes.map(placeOf), {
      redisOptions: options,
      enableOfflineQueue: false,
      clusterRetryStrategy: retryAfterMs,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      // Certificates are for the names that the nodes announce.
      dnsLookup: (address, callback) => callback(null, address),
    })
  }
  // A cluster has only database 0.
  const database = Number(first.pathname.slice(1))
  const db = Number.isInteger(database) && database > 0 ? { db: database } : {}
  if (topology === 'single') return new Redis<Replies>({ ...placeOf(first), ...options, ...db })
  return new Redis<Replies>({
    ...options,
    ...db,
    sentinels: nodes.map(placeOf),
    name: sentinelName,
    sentinelRetryStrategy: retryAfterMs,
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(tls === undefined ? {} : { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  })
}

const placeOf = ({ hostname, port }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? 6379 : Number(port),
})

function credentialsOf({ username, password }: URL) {
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
}

function tlsOptions({ protocol }: URL, caFile: string | undefined): RedisOptions['tls'] {
  if (protocol !== 'rediss:') return undefined
  return caFile === undefined ? {} : { ca: [...readAuthorities(caFile)] }
}
