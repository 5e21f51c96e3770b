import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'

/**
 * Runs "$@" until standard input ends, then stops it and removes its folder, unless the input was "keep".
 * Standard input ends when the test process does, however it dies, so no server or folder outlives it.
 */
const KEEPER = `directory=$1 stop=$2; shift 2
"$@" & server=$!
echo "pid $server"
exec 2>/dev/null
end=$(cat)
[ "$end" = keep ] || kill -s "$stop" $server
wait $server
[ "$end" = keep ] || rm -rf -- "$directory"`

/** The path of a program, or undefined if it is in no folder of the PATH. */
export function findOnPath(name: string, folders = process.env['PATH'] ?? ''): string | undefined {
  return folders
    .split(path.delimiter)
    .map(folder => path.join(folder, name))
    .find(file => existsSync(file))
}

/** A port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

export type ChildServer = {
  readonly pid: number
  /** Sends the signal and resolves when the server has ended. Its folder stays, for a restart. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>
  /** Stops the server and removes its folder. */
  readonly stop: () => Promise<void>
}

export type ChildServerOptions = {
  readonly command: string
  readonly args: readonly string[]
  /** What the server prints, on either stream, once it accepts connections. */
  readonly ready: RegExp
  /** Removed after the end. */
  readonly directory: string
  readonly stopSignal: 'INT' | 'TERM'
  readonly env?: NodeJS.ProcessEnv
  readonly ids?: { readonly uid: number; readonly gid: number }
}

/** Starts a server program. Resolves when it is ready; rejects with its output if it ends before. */
export function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  const { command, args, ready, directory, stopSignal, ids } = options
  const child = spawn('/bin/sh', ['-c', KEEPER, 'sh', directory, stopSignal, command, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...ids,
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.stdin.on('error', () => child.stdin.destroy())
  const stop = async (): Promise<void> => {
    child.stdin.end()
    await ended
    await rm(directory, { recursive: true, force: true })
  }
  const serverEnded = new Promise<void>(resolve => child.stderr.once('close', () => resolve()))
  const end = async (pid: number, signal: NodeJS.Signals): Promise<void> => {
    process.kill(pid, signal)
    await serverEnded
    child.stdin.end('keep')
    await ended
  }
  return new Promise((resolve, reject) => {
    let output = ''
    let isReady = false
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        if (isReady) return
        output += chunk.toString()
        if (!ready.test(output)) return
        isReady = true
        const pid = Number(/^pid (\d+)$/m.exec(output)?.[1])
        resolve({ pid, end: signal => end(pid, signal), stop })
      })
    }
    child.once('error', reject)
    // Only the server still has the error stream open, so the stream's end is the server's end.
    child.stderr.once('close', () => {
      if (!isReady) void stop().then(() => reject(new Error(`${command} ended before it was ready:\n${output}`)))
    })
  })
}
