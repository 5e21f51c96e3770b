import path from 'node:path'
import type { PsdPlaces } from '@vitrine/contract'
import { DiskFullError } from '../errors/disk-full-error.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { askOnce, SandboxSilentError } from '../sandbox/ask-once.ts'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import { programPaths } from '../sandbox/program-paths.ts'
import { UNPAID_NICENESS } from '../sandbox/start-sandbox.ts'
import { PSD_IMPORT_MEMORY_MIB, PSD_IMPORT_PROCESSOR_S, PSD_IMPORT_TIMEOUT_MS } from './limits.ts'
import { type ImportedPsd, type PsdMessage, type PsdRequest, type PsdStep, psdMessageSchema } from './psd-report.ts'

/** The Photoshop file cannot become a template. The message says what to do, for the person who has it. */
export class PsdImportRefusedError extends OperatorError {
  override readonly name = 'PsdImportRefusedError'
  /** Names of smart objects of which some have to be chosen as frames; empty where that does not help. */
  readonly choices: readonly string[]

  /** Names of displacement maps that would help, and are files beside this one. */
  readonly maps: readonly string[]

  /** Where they lie in Photoshop's picture, which is among the files; empty where there is none. */
  readonly places: PsdPlaces

  constructor(
    message: string,
    { choices = [], maps = [], places = [] }: Partial<Pick<PsdImportRefusedError, 'choices' | 'maps' | 'places'>> = {},
  ) {
    super(message)
    this.choices = choices
    this.maps = maps
    this.places = places
  }
}

/** The process that reads Photoshop files could not be started, or broke the protocol. */
export class PsdImportFailedError extends OperatorError {
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
  const processorS = limits.processorS ?? PSD_IMPORT_PROCESSOR_S
  const sandbox = {
    file: worker,
    readablePaths: [...readablePaths, request.from, ...(request.maps ?? []).map(map => map.path)],
    writablePaths: [request.toFolder],
    memoryMib: limits.memoryMib,
    processorS,
    niceness: UNPAID_NICENESS,
    background,
  }
  const read = (received: unknown): PsdMessage | null => {
    const message = psdMessageSchema.parse(received)
    if (message.kind !== 'step') return message
    onStep?.(message.step)
    return null
  }
  const tooMuch = (what: string): Error =>
    new PsdImportRefusedError(`Reading this file takes more than ${what}. ${SMALLER}`)
  const tooLarge = (): Error => tooMuch(`${limits.memoryMib} MiB of memory`)
  const failed = (reason: string): Error => new PsdImportFailedError(`The file was not read: ${reason}.`)
  const message = await askOnce(sandbox, { request, timeoutMs: limits.timeoutMs, signal, read }).catch(
    (error: unknown) => {
      if (!(error instanceof SandboxSilentError)) throw error
      if (error.reason === 'timeout') throw tooMuch(`${limits.timeoutMs / 1000} s`)
      if (error.reason === 'processor') throw tooMuch(`${processorS} s of a processor`)
      throw error.reason === 'memory' ? tooLarge() : failed(error.message)
    },
  )
  switch (message.kind) {
    case 'imported':
      return message
    case 'refused':
      throw new PsdImportRefusedError(message.message, message)
    case 'out-of-memory':
      throw tooLarge()
    case 'disk-full':
      throw new DiskFullError('A scene could not be written')
    default:
      throw failed(message.kind === 'failed' ? message.message : 'it sent a step as its answer')
  }
}
