import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort, startChildServer } from './child-server.ts'

export type TestRedis = { readonly url: string; readonly stop: () => Promise<void> }
type Program = { readonly command: string; readonly env: NodeJS.ProcessEnv }

const cache = path.resolve(import.meta.dirname, '../../../node_modules/.cache/redis')

/**
 * A real Redis of its own on 127.0.0.1: the one that TEST_REDIS_URL names, or `redis-server` or
 * `valkey-server` on the PATH, or Debian's package unpacked into node_modules/.cache (no root needed).
 * Throws, saying what to install, where none of them is there: a test without its server must not pass.
 */
export async function startRedis(): Promise<TestRedis> {
  const given = process.env['TEST_REDIS_URL']
  if (given) return { url: given, stop: async () => undefined }

  const program = findOnPath('redis-server') ?? findOnPath('valkey-server') ?? unpackDebianPackage()
  if (!program) {
    throw new Error(
      'NO REDIS: these tests need redis-server or valkey-server on the PATH, or a server of your own in TEST_REDIS_URL, ' +
        'or Debian package lists ("apt-get update") to unpack one from. npm has no package with a Redis server.',
    )
  }
  const port = await freePort()
  const directory = mkdtempSync(path.join(os.tmpdir(), 'vitrine-redis-'))
  const server = await startChildServer({
    command: program.command,
    args: ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory],
    ready: /Ready to accept connections/,
    directory,
    stopSignal: 'TERM',
    env: program.env,
  })
  return { url: `redis://127.0.0.1:${port}`, stop: server.stop }
}

function findOnPath(name: string): Program | undefined {
  const command = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map(folder => path.join(folder, name))
    .find(file => existsSync(file))
  return command === undefined ? undefined : { command, env: {} }
}

function unpackDebianPackage(): Program | undefined {
  const root = path.join(cache, 'root')
  const program = {
    command: path.join(root, 'usr/bin/redis-server'),
    env: { LD_LIBRARY_PATH: path.join(root, 'usr/lib/x86_64-linux-gnu') },
  }
  if (existsSync(program.command)) return program
  // Only the packages that this machine lacks.
  const plan = spawnSync('apt-get', ['-s', 'install', '-y', '--no-install-recommends', 'redis-server'], {
    encoding: 'utf8',
  })
  const names = [...(plan.stdout ?? '').matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? [])
  if (names.length === 0) return undefined
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(path.join(cache, 'draft-'))
  execFileSync('apt-get', ['download', ...names], { cwd: draft, stdio: 'ignore' })
  for (const file of readdirSync(draft)) {
    if (file.endsWith('.deb')) execFileSync('dpkg', ['-x', file, path.join(draft, 'root')], { cwd: draft })
  }
  if (!existsSync(root)) renameSync(path.join(draft, 'root'), root)
  rmSync(draft, { recursive: true, force: true })
  return program
}
