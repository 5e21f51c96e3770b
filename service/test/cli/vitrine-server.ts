import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { findStoredKeys } from '../servers/found-keys.ts'
import { launcher, type Ran, repository } from './run-vitrine.ts'

export type VitrineServer = {
  readonly child: ChildProcess
  /** Where it listens. */
  readonly url: string
  /** What it has printed until now. */
  readonly output: () => string
  /** Sends the signal and resolves with how it ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<{ readonly code: number | null; readonly signal: string | null }>
}

export type StartingServer = {
  readonly child: ChildProcess
  /** Resolves when it says that it is ready; rejects with its output when it ends before. */
  readonly ready: Promise<VitrineServer>
}

/** Starts `vitrine serve` on a free port of this machine, as a user does. */
export function spawnVitrine(environment: Readonly<Record<string, string>>): StartingServer {
  const quiet = { HOST: '127.0.0.1', PORT: '0', RENDER_WORKERS: '1', LOG_LEVEL: 'warn' }
  const child = spawn(launcher, ['serve'], {
    cwd: repository,
    env: { PATH: process.env['PATH'] ?? '', ...quiet, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // it ends with the tests, however they end
  })
  let output = ''
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
    void ended.then(({ code }) => reject(new Error(`vitrine serve ended with ${code}:\n${output}`)))
  })
  return { child, ready }
}

/** The same, and waits until it is ready. */
export function startVitrine(environment: Readonly<Record<string, string>>): Promise<VitrineServer> {
  return spawnVitrine(environment).ready
}

/** Runs `vitrine serve` where it must refuse to start. */
export function refusedStart(environment: Readonly<Record<string, string>>): Promise<Ran> {
  return startVitrine(environment).then(
    async server => {
      await server.stop('SIGKILL')
      throw new Error(`the service started:\n${server.output()}`)
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      const [, code, text = ''] = /^vitrine serve ended with (\d+):\n([\s\S]*)$/.exec(message) ?? []
      return { code: code === undefined ? null : Number(code), stdout: '', stderr: text, json: {} }
    },
  )
}
