import { type SandboxOptions, startSandbox } from './start-sandbox.ts'

/** Why a process gave no answer: wall-clock timeout, processor time, out of memory, or broken. */
export type SilenceReason = 'timeout' | 'processor' | 'memory' | 'broken'

/** A process gave no answer. The message says why. */
export class SandboxSilentError extends Error {
  override readonly name = 'SandboxSilentError'
  readonly reason: SilenceReason

  constructor(reason: SilenceReason, message: string = reason) {
    super(message)
    this.reason = reason
  }
}

type Question<Answer> = {
  /** serialized as JSON */
  readonly request: object
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Parses a message as the answer; null if it is not the answer yet. Throws if it is malformed. */
  readonly read: (message: unknown) => Answer | null
}

/**
 * Starts a sandboxed process, sends it a request, and kills it when it has answered or takes too long.
 * @throws SandboxSilentError; the signal's reason
 */
export async function askOnce<Answer>(
  options: SandboxOptions,
  { request, timeoutMs, signal, read }: Question<Answer>,
): Promise<Answer> {
  await options.background?.idle()
  signal?.throwIfAborted()
  const child = startSandbox(options)
  return new Promise((resolve, reject) => {
    const silent = (reason: SilenceReason, message?: string): void => reject(new SandboxSilentError(reason, message))
    const abort = (): void => {
      reject(signal?.reason)
      child.kill('SIGKILL')
    }
    signal?.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => {
      silent('timeout')
      child.kill('SIGKILL')
    }, timeoutMs)
    child.on('message', message => {
      try {
        const answer = read(message)
        if (answer === null) return
        resolve(answer)
      } catch {
        silent('broken', 'the process that reads it sent a malformed message')
      }
      child.kill('SIGKILL')
    })
    child.once('error', error => silent('broken', error.message))
    child.once('exit', (code, endedBy) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      if (endedBy === 'SIGXCPU') silent('processor')
      // Only allocators and the system end a process by a signal, when memory is short.
      else if (endedBy !== null) silent('memory')
      else silent('broken', `the process that reads it ended with code ${code}`)
    })
    child.send(request, error => {
      if (error) silent('broken', error.message)
    })
  })
}
