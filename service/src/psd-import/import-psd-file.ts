import path from 'node:path'
import { DiskFullError } from '../errors/disk-full-error.ts'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import { programPaths } from '../sandbox/program-paths.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { PSD_IMPORT_MEMORY_MIB, PSD_IMPORT_NICENESS, PSD_IMPORT_PROCESSOR_S, PSD_IMPORT_TIMEOUT_MS } from './limits.ts'
import { type ImportedPsd, type PsdRequest, type PsdStep, psdMessageSchema } from './psd-report.ts'

/** The Photoshop file cannot become a template. The message says what to do, for the person who has it. */
export class PsdImportRefusedError extends Error {
  override readonly name = 'PsdImportRefusedError'
  /** Names of smart objects of which some have to be chosen as frames; empty where that does not help. */
  readonly choices: readonly string[]

  constructor(message: string, choices: readonly string[] = []) {
    super(message)
    this.choices = choices
  }
}

/** The process that reads Photoshop files could not be started, or broke the protocol. */
export class PsdImportFailedError extends Error {
  override readonly name = 'PsdImportFailedError'
}

/** What one import may use. */
export type PsdImportLimits = {
  readonly processorS?: number
  readonly timeoutMs: number
  readonly memoryMib: number
}

const defaultLimits: PsdImportLimits = { timeoutMs: PSD_IMPORT_TIMEOUT_MS, memoryMib: PSD_IMPORT_MEMORY_MIB }

/** What helps where a file takes too much. */
const SMALLER = 'Choose Image > Image Size, or merge layers, and save again.'

const worker = path.join(import.meta.dirname, 'psd-worker.ts')
const readablePaths = programPaths('service/src/psd-import', 'psd')

/**
 * Makes a bundle of a Photoshop file in a sandboxed process, which is killed when it takes too long.
 * @throws PsdImportRefusedError, PsdImportFailedError, DiskFullError; the signal's reason
 */
export async function importPsdFile(
  request: PsdRequest,
  options: {
    readonly onStep?: (step: PsdStep) => void
    readonly signal?: AbortSignal
    readonly limits?: PsdImportLimits
    readonly background?: BackgroundWork | undefined
  } = {},
): Promise<ImportedPsd> {
  const { signal, onStep, limits = defaultLimits, background } = options
  await background?.idle()
  signal?.throwIfAborted()
  const child = startSandbox({
    file: worker,
    readablePaths: [...readablePaths, request.from],
    writablePaths: [request.toFolder],
    memoryMib: limits.memoryMib,
    processorS: limits.processorS ?? PSD_IMPORT_PROCESSOR_S,
    niceness: PSD_IMPORT_NICENESS,
    background,
  })
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => reject(new PsdImportFailedError(`The file was not read: ${reason}.`))
    const tooLarge = (): void =>
      reject(
        new PsdImportRefusedError(`Reading this file takes more than ${limits.memoryMib} MiB of memory. ${SMALLER}`),
      )
    const tooLong = (): void => {
      const processorS = limits.processorS ?? PSD_IMPORT_PROCESSOR_S
      reject(new PsdImportRefusedError(`Reading this file takes more than ${processorS} s of a processor. ${SMALLER}`))
    }
    const abort = (): void => {
      reject(signal?.reason)
      child.kill('SIGKILL')
    }
    signal?.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => {
      reject(new PsdImportRefusedError(`Reading this file takes more than ${limits.timeoutMs / 1000} s. ${SMALLER}`))
      child.kill('SIGKILL')
    }, limits.timeoutMs)
    child.on('message', received => {
      const message = psdMessageSchema.safeParse(received)
      if (message.data?.kind === 'step') {
        onStep?.(message.data.step)
        return
      }
      if (!message.success) fail('the process that reads it sent a malformed message')
      else if (message.data.kind === 'imported') resolve(message.data)
      else if (message.data.kind === 'refused')
        reject(new PsdImportRefusedError(message.data.message, message.data.choices))
      else if (message.data.kind === 'out-of-memory') tooLarge()
      else if (message.data.kind === 'disk-full') reject(new DiskFullError('A scene could not be written'))
      else fail(message.data.message)
      child.kill('SIGKILL')
    })
    child.once('error', error => fail(error.message))
    child.once('exit', (code, endedBy) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      if (endedBy === 'SIGXCPU') tooLong()
      // Allocators and the system end a process by a signal where memory is short; nobody else does.
      else if (endedBy !== null) tooLarge()
      else fail(`the process that reads it ended with code ${code}`)
    })
    child.send(request, error => {
      if (error) fail(error.message)
    })
  })
}
