import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { findOnPath } from '../servers/child-server.ts'
import { findStoredKeys } from '../servers/found-keys.ts'
import { launcher, type Ran, repository } from './run-vitrine.ts'

export type VitrineServer = {
  readonly child: ChildProcess
  /** The listening address. */
  readonly url: string
  /** The output so far. */
  readonly output: () => string
  /** Sends the signal and resolves with how the process ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<{ readonly code: number | null; readonly signal: string | null }>
}

export type StartingServer = {
  readonly child: ChildProcess
  /** Resolves when it reports that it is ready; rejects with its output if it ends before. */
  readonly ready: Promise<VitrineServer>
}

/** The service ended before it was ready. */
class EndedError extends Error {
  override readonly name = 'EndedError'
  readonly code: number | null
  readonly stderr: string

  constructor(code: number | null, output: string, stderr: string) {
    super(`vitrine serve ended with ${code}:\n${output}`)
    this.code = code
    this.stderr = stderr
  }
}

/**
 * The `script` program of util-linux, which runs a command in a pseudo-terminal; others have different
 * options.
 */
export const terminalProgram = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '')
  ? findOnPath('script')
  : undefined

/** Settings of a quiet service on any port that does little in the background. */
export const quiet = {
  HOST: '127.0.0.1',
  PORT: '0',
  RENDER_WORKERS: '1',
  // Preparing the templates for the next start would take seconds of processor time from the tests.
  PREPARED_CACHE_MIB: '0',
  LOG_LEVEL: 'warn',
}

/** Starts `vitrine serve` on a free port of this machine, as a user does, optionally in a terminal. */
export function spawnVitrine(environment: Readonly<Record<string, string>>, terminal?: string): StartingServer {
  const [command, ...args] =
    terminal === undefined ? [launcher, 'serve'] : [terminal, '-qec', `exec ${launcher} serve`, '/dev/null']
  const child = spawn(command, args, {
    cwd: repository,
    env: { PATH: process.env['PATH'] ?? '', ...quiet, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // ends with the tests, however they end
  })
  let output = ''
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const ended = new Promise<{ code: number | null; signal: string | null }>(resolve => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const stop: VitrineServer['stop'] = async (signal = 'SIGTERM') => {
    child.kill(signal)
    const end = await ended
    const dataDir = environment['DATA_DIR']
    if (dataDir !== undefined) assert.deepEqual(await findStoredKeys({ dataDir }), [], 'a key was stored')
    return end
  }
  const ready = new Promise<VitrineServer>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const url = /Vitrine is ready at (http\S+?);?\s/.exec(output)?.[1]
        const isWhole = output.includes('its data is in') || /^curl .*\n/m.test(output)
        if (url !== undefined && isWhole) resolve({ child, url, output: () => output, stop })
      })
    }
    void ended.then(({ code }) => reject(new EndedError(code, output, errors)))
  })
  return { child, ready }
}

/** Like `spawnVitrine`, but waits until it is ready. */
export function startVitrine(environment: Readonly<Record<string, string>>): Promise<VitrineServer> {
  return spawnVitrine(environment).ready
}

/** Runs `vitrine serve` for a test in which it must refuse to start. */
export function refusedStart(environment: Readonly<Record<string, string>>): Promise<Ran> {
  return startVitrine(environment).then(
    async server => {
      await server.stop('SIGKILL')
      throw new Error(`the service started:\n${server.output()}`)
    },
    (error: unknown) => {
      if (!(error instanceof EndedError)) throw error
      return { code: error.code, stdout: '', stderr: error.stderr, json: {} }
    },
  )
}
