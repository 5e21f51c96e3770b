import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { makeCertificates, type TestCertificates } from './certificates.ts'
import { type ChildServerOptions, freePort, startChildServer } from './child-server.ts'
import { findProgram, unpackDebianProgram } from './debian-program.ts'

export type TestRedis = { readonly url: string; readonly stop: () => Promise<void> }

/** A server that a test may kill, freeze and start again, empty. */
export type OwnRedis = TestRedis & {
  readonly pid: () => number
  readonly kill: () => Promise<void>
  readonly startAgain: () => Promise<void>
}

/**
 * A real Redis server on 127.0.0.1: the one at TEST_REDIS_URL, or `redis-server` or `valkey-server` on the
 * PATH, or Debian's package unpacked into node_modules/.cache (no root needed). Throws, saying what to
 * install, if there is none: a test without its server must not pass.
 */
export async function startRedis(): Promise<TestRedis> {
  const given = process.env['TEST_REDIS_URL']
  return given ? { url: given, stop: async () => undefined } : startOwnRedis()
}

/** Like `startRedis`, but always a new server. */
export function startOwnRedis(): Promise<OwnRedis> {
  return startRedisServer(async () => [])
}

/** A new server that offers only TLS. */
export async function startRedisWithTls(): Promise<TestRedis & { readonly certificates: TestCertificates }> {
  let certificates: TestCertificates | undefined
  const server = await startRedisServer(async (port, directory) => {
    const { caFile, certFile, keyFile } = (certificates = makeCertificates(directory))
    const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', caFile]
    return ['--port', '0', '--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files]
  })
  if (certificates === undefined) throw new Error('Expected certificates')
  return { ...server, url: server.url.replace('redis:', 'rediss:'), certificates }
}

/** Three nodes that share the slots of a Redis Cluster. */
export async function startRedisCluster(): Promise<{ readonly urls: string[]; readonly stop: () => Promise<void> }> {
  const servers = await Promise.all(
    [0, 1, 2].map(() => startRedisServer(async () => ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'])),
  )
  const clients = servers.map(({ url }) => new Redis(url))
  const bounds = [0, 5461, 10_923, 16_384]
  for (const [index, client] of clients.entries()) {
    await client.call('CLUSTER', 'ADDSLOTSRANGE', `${bounds[index]}`, `${(bounds[index + 1] ?? 0) - 1}`)
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', `${index + 1}`)
  }
  for (const { url } of servers) await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', new URL(url).port)
  for (const client of clients) {
    while (!String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await delay(50)
    client.disconnect()
  }
  return {
    urls: servers.map(({ url }) => url),
    stop: async () => void (await Promise.all(servers.map(server => server.stop()))),
  }
}

/** A server, its replica, and a sentinel that knows both as `shop`. */
export async function startRedisSentinel(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const primary = await startRedisServer(async () => [])
  const primaryPort = new URL(primary.url).port
  const replica = await startRedisServer(async () => ['--replicaof', `127.0.0.1 ${primaryPort}`])
  const watched = await startRedisServer(async (_, directory) => {
    const file = path.join(directory, 'sentinel.conf')
    const lines = [`monitor shop 127.0.0.1 ${primaryPort} 1`, 'down-after-milliseconds shop 1000']
    writeFileSync(file, lines.map(line => `sentinel ${line}\n`).join(''))
    return [file, '--sentinel']
  }, /Sentinel ID is/)
  const sentinel = new Redis(watched.url)
  // A sentinel learns of replicas from the server, which it polls every ten seconds.
  while (!String(await sentinel.call('SENTINEL', 'REPLICAS', 'shop')).includes(',slave,')) await delay(100)
  sentinel.disconnect()
  return {
    url: watched.url,
    stop: async () => void (await Promise.all([watched, replica, primary].map(server => server.stop()))),
  }
}

async function startRedisServer(
  argsOf: (port: number, directory: string) => Promise<readonly string[]>,
  ready = /Ready to accept connections/,
): Promise<OwnRedis> {
  const program =
    findProgram('redis-server') ??
    findProgram('valkey-server') ??
    unpackDebianProgram('redis-server', 'usr/bin/redis-server')
  if (!program) {
    throw new Error(
      'NO REDIS: these tests need redis-server or valkey-server on the PATH, or a server of your own in TEST_REDIS_URL, ' +
        'or Debian package lists ("apt-get update") to unpack one from. npm has no package with a Redis server.',
    )
  }
  const port = await freePort()
  const directory = mkdtempSync(path.join(os.tmpdir(), 'vitrine-redis-'))
  const own = await argsOf(port, directory)
  const isSentinel = own.includes('--sentinel')
  const common = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory]
  const inMemory = ['--save', '', '--appendonly', 'no']
  const options: ChildServerOptions = {
    command: program.command,
    // Later values take precedence.
    args: isSentinel ? [...own, ...common] : [...common, ...inMemory, ...own],
    ready,
    directory,
    stopSignal: 'TERM',
    env: program.env,
  }
  let server = await startChildServer(options)
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => server.pid,
    kill: () => server.end('SIGKILL'),
    startAgain: async () => {
      server = await startChildServer(options)
    },
    stop: () => server.stop(),
  }
}
