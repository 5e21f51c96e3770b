/** Four nodes on PostgreSQL, Redis and S3, behind the proxy that deploy/compose ships. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort, startChildServer } from '../../test/servers/child-server.ts'
import { findHaproxy } from '../../test/servers/debian-program.ts'
import { type OwnPostgres, startOwnPostgres } from '../../test/servers/postgres.ts'
import { type OwnRedis, startOwnRedis } from '../../test/servers/redis.ts'
import { s3Settings, startS3, type TestS3 } from '../../test/servers/s3.ts'
import { ClusterNode } from './cluster-node.ts'

const NODE_COUNT = 4

/** The last node's clock is so far ahead. */
const CLOCK_SKEW_MS = 120_000

/** Requests per key and minute. */
export const RATE_LIMIT = 60

const composeFolder = path.resolve(import.meta.dirname, '../../../deploy/compose')

export type ChaosCluster = {
  /** The proxy's. */
  readonly url: string
  readonly nodes: readonly ClusterNode[]
  readonly postgres: OwnPostgres
  readonly redis: OwnRedis
  readonly s3: TestS3
  /** The settings of the nodes, for work beside them. */
  readonly settings: Readonly<Record<string, string>>
  /** A folder of its own, removed at the end. */
  readonly folder: string
} & AsyncDisposable

/**
 * Starts the engines, then whatever `prepare` does with their settings, then the nodes and the proxy.
 * @throws Error that says what to install where HAProxy, Redis or PostgreSQL is missing
 */
export async function startChaosCluster(
  extra: Readonly<Record<string, string>>,
  prepare: (settings: Readonly<Record<string, string>>, folder: string) => Promise<void>,
): Promise<ChaosCluster> {
  const haproxy = findHaproxy()
  if (haproxy === undefined)
    throw new Error('NO HAPROXY: this run needs haproxy on the PATH ("apt-get install haproxy").')
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-chaos-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startOwnPostgres({ isDurable: true })
  stack.defer(postgres.stop)
  const redis = await startOwnRedis()
  stack.defer(redis.stop)
  const s3 = await startS3()
  stack.defer(s3.stop)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    ...s3Settings(s3, 'chaos'),
    AUTH_SECRET: 'chaos-chaos-chaos-chaos-chaos-chaos',
    PUBLIC_URL: url,
    TRUST_PROXY: '127.0.0.1',
    RENDER_WORKERS: '1',
    RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
    RATE_LIMIT_PER_DAY: '1000000',
    SHUTDOWN_DELAY_SECONDS: '3',
    LOG_LEVEL: 'error',
    ...extra,
  }
  await prepare(settings, folder)
  const nodes: ClusterNode[] = []
  stack.defer(async () => void (await Promise.all(nodes.map(node => node.end('SIGKILL')))))
  for (let index = 0; index < NODE_COUNT; index++) {
    const clockSkewMs = index === NODE_COUNT - 1 ? CLOCK_SKEW_MS : 0
    nodes.push(await ClusterNode.start({ dataDir: path.join(folder, `node-${index}`), settings, clockSkewMs }))
  }
  const proxy = await startChildServer({
    command: haproxy.command,
    args: ['-db', '-f', await writeProxyConfiguration(folder, nodes)],
    env: { ...haproxy.env, LISTEN: `127.0.0.1:${port}`, ERROR_FILES: path.join(composeFolder, 'errors') },
    ready: /pid \d+/,
    directory: await mkdtemp(path.join(os.tmpdir(), 'vitrine-haproxy-')),
    stopSignal: 'TERM',
  })
  stack.defer(proxy.stop)
  const isProxied = () =>
    fetch(`${url}/healthz`).then(
      answer => answer.ok,
      () => false,
    )
  while (!(await isProxied())) await delay(100)
  const resources = stack.move()
  return {
    url,
    nodes,
    postgres,
    redis,
    s3,
    settings,
    folder,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** The shipped configuration, with these nodes in place of its two. */
async function writeProxyConfiguration(folder: string, nodes: readonly ClusterNode[]): Promise<string> {
  const shipped = await readFile(path.join(composeFolder, 'haproxy.cfg'), 'utf8')
  const servers = nodes.map(({ port }, index) => `  server node-${index + 1} 127.0.0.1:${port}`)
  const lines = shipped.split('\n').filter(line => !/^\s+server /.test(line))
  const file = path.join(folder, 'haproxy.cfg')
  await writeFile(file, `${[...lines, ...servers].join('\n')}\n`)
  return file
}

/** Stops a process and its children, as a machine that hangs does, until the result is called. */
export function freeze(pid: number): () => void {
  const pids = [pid, ...childrenOf(pid)]
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const each of pids)
      try {
        process.kill(each, name)
      } catch {
        // It has ended.
      }
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(each => {
      try {
        return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${each}/stat`, 'utf8'))?.[1]) === pid
      } catch {
        return false // it has ended
      }
    })
}

/** Runs statements as the database's administrator, each in a transaction of its own. */
export async function asAdministrator(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
