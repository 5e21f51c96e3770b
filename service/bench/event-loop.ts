/**
 * How late the event loop of the real service is while every render process is busy, by its own metric.
 *
 *   node service/bench/event-loop.ts [seconds, default 30]
 *
 * On SQLite and on PostgreSQL (a server of its own, with durable commits). Client, database and service share
 * this machine.
 */
import os from 'node:os'
import { startPostgres } from '../test/servers/postgres.ts'
import { LoadClient } from './load-client.ts'
import { buildMockupRequests, closedLoop, startArtworkOrigin } from './mockup-load.ts'
import { type SpawnedService, spawnService } from './spawned-service.ts'

const seconds = Number(process.argv[2] ?? 30)
using origin = await startArtworkOrigin()
const settings = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_PER_DAY: '100000000',
  ARTWORK_ALLOWED_PRIVATE_HOSTS: origin.hosts,
}
const postgres = await startPostgres({ isDurable: true })
try {
  await using onSqlite = await spawnService(settings)
  await using onPostgres = await spawnService({ ...settings, DATABASE_URL: postgres.url })
  const measured = [
    ['SQLite', onSqlite, await onSqlite.customer(1_000_000)],
    ['PostgreSQL', onPostgres, await onPostgres.customer(1_000_000)],
  ] as const
  // From here on the services have priority over this client, with which they share the machine.
  os.setPriority(10)
  const rows: Record<string, Record<string, string>> = {}
  for (const [name, service, { key }] of measured) rows[name] = await measure(service, key)
  console.table(rows)
} finally {
  await postgres.stop()
}

async function measure(service: SpawnedService, key: string): Promise<Record<string, string>> {
  const client = new LoadClient(service.url)
  const requests = await buildMockupRequests(service, [key], { artwork: { urls: origin.urls }, widthPx: 1000 })
  try {
    await closedLoop(client, requests, Math.min(5, seconds))
    await readDelays(service)
    const perSecond = await closedLoop(client, requests, seconds)
    const delays = await readDelays(service)
    const ms = (quantile: string) => (1000 * (delays.get(quantile) ?? Number.NaN)).toFixed(1)
    return {
      'mockups /s': perSecond.toFixed(1),
      'delay p50 ms': ms('0.5'),
      'p99 ms': ms('0.99'),
      'max ms': ms('1'),
      'p99 under 20 ms': Number(ms('0.99')) < 20 ? 'holds' : 'FAILS',
    }
  } finally {
    client.close()
  }
}

/** The service's figures since the last reading, in seconds by quantile. */
async function readDelays({ url }: SpawnedService): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.matchAll(/^vitrine_event_loop_delay_seconds\{quantile="([\d.]+)"\} (\S+)$/gm)
  return new Map([...lines].map(([, quantile = '', value = '']) => [quantile, Number(value)]))
}
