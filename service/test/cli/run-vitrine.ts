import { spawn } from 'node:child_process'
import path from 'node:path'

export const launcher = path.resolve(import.meta.dirname, '../../bin/vitrine')
export const repository = path.resolve(import.meta.dirname, '../../..')

export type Ran = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The last line of the output, parsed; empty if it is not JSON. */
  readonly json: Record<string, unknown>
}

/** Runs the command as a user does, in a separate process with only these environment variables. */
export function runVitrine(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string = repository,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(launcher, args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr, json: lastLine(stdout) }))
  })
}

/** The last line of an output, parsed; empty if it is not JSON. */
export function lastLine(output: string): Record<string, unknown> {
  const line = output.trimEnd().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) return {}
  const value: unknown = JSON.parse(line)
  return value !== null && typeof value === 'object' ? { ...value } : {}
}
