/** A service as an operator starts it: a process and a data folder of its own, the starter pack. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.resolve(import.meta.dirname, '../..')
const launcher = path.join(root, 'service/bin/vitrine')
const runFile = promisify(execFile)

export type SpawnedService = {
  readonly url: string
  readonly dataDir: string
  readonly process: ChildProcess
  /** Runs a `vitrine` command on the same data and returns the JSON object of its last line. */
  command(...args: string[]): Promise<Record<string, unknown>>
  /** An account with credits and a key of its own. */
  customer(credits: number): Promise<{ email: string; key: string }>
  /** Starts the service again on the same data after its process has ended. */
  restart(): Promise<SpawnedService>
  [Symbol.asyncDispose](): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
  return address.port
}

/** Starts `vitrine serve` and waits until it is ready. `settings` are added to the environment. */
export async function spawnService(
  settings: Readonly<Record<string, string>> = {},
  keptDataDir?: string,
): Promise<SpawnedService> {
  const dataDir = keptDataDir ?? (await mkdtemp(path.join(os.tmpdir(), 'vitrine-service-')))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env['PATH'],
    HOME: os.tmpdir(),
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    ...settings,
    DATA_DIR: dataDir,
    PORT: String(port),
  }
  const child = spawn(launcher, ['serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null || attempt > 6000)
      throw new Error(`The service did not start:\n${printed.slice(-2000)}`)
    const ready = await fetch(`${url}/readyz`).then(
      answer => answer.ok,
      () => false,
    )
    if (ready) break
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  let customers = 0
  const service: SpawnedService = {
    url,
    dataDir,
    process: child,
    async command(...args) {
      const { stdout } = await runFile(launcher, [...args, '--json'], { env })
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    },
    async customer(credits) {
      const email = `customer-${process.pid}-${++customers}@example.com`
      await service.command('account', 'create', '--email', email, '--credits', String(credits))
      const { key } = await service.command('key', 'create', '--email', email, '--name', 'bench')
      return { email, key: String(key) }
    },
    restart: () => spawnService(settings, dataDir),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return service
}

/** The sample artwork that ships with the service, a JPEG. */
export function readSampleArtwork(): Promise<Buffer<ArrayBuffer>> {
  return readFile(path.join(root, 'service/assets/sample-artwork.jpg'))
}
