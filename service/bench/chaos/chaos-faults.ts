import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { asAdministrator, type ChaosCluster, freeze } from './chaos-cluster.ts'

export type ChaosFault = {
  readonly name: string
  /** How long it lasts in the long form. */
  readonly seconds: number
  /** How long in the short form. */
  readonly shortSeconds: number
  /** Makes it, waits, and mends it. */
  readonly run: (cluster: ChaosCluster, lastsMs: number) => Promise<void>
  /** Redis is away meanwhile: each node counts requests alone. */
  readonly isWithoutRedis?: true
}

export const chaosFaults: readonly ChaosFault[] = [
  {
    name: 'kill -9 of a node',
    seconds: 10,
    shortSeconds: 2,
    run: async ({ nodes }, lastsMs) => {
      const [node] = nodes
      await node?.end('SIGKILL')
      await delay(lastsMs)
      await node?.start()
    },
  },
  { name: 'PostgreSQL restarted, fast', seconds: 8, shortSeconds: 2, run: restartPostgres('fast') },
  { name: 'PostgreSQL restarted, immediate', seconds: 8, shortSeconds: 2, run: restartPostgres('immediate') },
  {
    name: 'PostgreSQL frozen',
    seconds: 20,
    shortSeconds: 5,
    run: async ({ postgres }, lastsMs) => {
      const thaw = freeze(postgres.pid())
      await delay(lastsMs)
      thaw()
    },
  },
  {
    name: 'wallets locked',
    seconds: 14,
    shortSeconds: 4,
    run: async ({ postgres }, lastsMs) => {
      const client = new Client({ connectionString: postgres.url })
      await client.connect()
      await client.query('begin; lock table wallets in exclusive mode')
      await delay(lastsMs)
      await client.query('rollback')
      await client.end()
    },
  },
  {
    name: 'PostgreSQL takes no writes',
    seconds: 8,
    shortSeconds: 3,
    run: async ({ postgres }, lastsMs) => {
      const set = (value: string) => [
        `alter system set default_transaction_read_only = ${value}`,
        'select pg_reload_conf()',
      ]
      await asAdministrator(postgres.url, set('on'))
      await delay(lastsMs)
      await asAdministrator(postgres.url, set('off'))
    },
  },
  {
    name: 'Redis frozen',
    seconds: 10,
    shortSeconds: 3,
    isWithoutRedis: true,
    run: async ({ redis }, lastsMs) => {
      const thaw = freeze(redis.pid())
      await delay(lastsMs)
      thaw()
    },
  },
  {
    name: 'Redis killed',
    seconds: 10,
    shortSeconds: 3,
    isWithoutRedis: true,
    run: async ({ redis }, lastsMs) => {
      await redis.kill()
      await delay(lastsMs)
      await redis.startAgain()
    },
  },
  { name: 'S3 refuses', seconds: 10, shortSeconds: 2, run: breakS3('refuses') },
  { name: 'S3 hangs', seconds: 12, shortSeconds: 4, run: breakS3('hangs') },
  { name: 'S3 says SlowDown', seconds: 8, shortSeconds: 2, run: breakS3('slow-down') },
  {
    name: 'rolling restart',
    seconds: 0,
    shortSeconds: 0,
    run: async ({ nodes }) => {
      for (const node of nodes) {
        await node.end('SIGTERM')
        await node.start()
      }
    },
  },
]

function restartPostgres(how: 'fast' | 'immediate'): ChaosFault['run'] {
  return async ({ postgres }, lastsMs) => {
    await postgres.end(how)
    await delay(lastsMs)
    await postgres.startAgain()
  }
}

function breakS3(fault: ChaosCluster['s3']['fault']): ChaosFault['run'] {
  return async ({ s3 }, lastsMs) => {
    s3.fault = fault
    await delay(lastsMs)
    s3.fault = null
  }
}
