import path from 'node:path'
import { DiskFullError } from '../errors/disk-full-error.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { askOnce, SandboxSilentError } from '../sandbox/ask-once.ts'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import { programPaths } from '../sandbox/program-paths.ts'
import { UNPAID_NICENESS } from '../sandbox/start-sandbox.ts'
import {
  type BundleReport,
  type BundleRequest,
  bundleReportSchema,
  type InspectionRequest,
  type LookedAt,
  type PackRequest,
  type PreparationRequest,
  type ReductionRequest,
} from './bundle-report.ts'
import { ImportsBusyError } from './import-queue.ts'
import { INSPECTION_MEMORY_MIB, INSPECTION_PROCESSOR_S, INSPECTION_TIMEOUT_MS } from './limits.ts'

/** The process that inspects a bundle could not be started or violated the protocol. */
export class BundleInspectionFailedError extends OperatorError {
  override readonly name = 'BundleInspectionFailedError'
}

/** Inspecting the bundle takes too much time or memory, which is the bundle's fault. */
export class BundleTooCostlyError extends OperatorError {
  override readonly name = 'BundleTooCostlyError'
}

/** The folder or zip cannot be read at all. The message is for the person who named it. */
export class BundleUnreadableError extends OperatorError {
  override readonly name = 'BundleUnreadableError'
}

const worker = path.join(import.meta.dirname, 'bundle-worker.ts')

/** The files that the inspecting process must be able to read to run its program. */
export const inspectionProgramPaths = programPaths('service/src/templates')

/** Limits of one inspection. Processor time depends on the bundle; wall-clock time on this machine's load. */
export type InspectionLimits = {
  readonly processorS: number
  readonly timeoutMs: number
  readonly memoryMib: number
}

const defaultLimits: InspectionLimits = {
  processorS: INSPECTION_PROCESSOR_S,
  timeoutMs: INSPECTION_TIMEOUT_MS,
  memoryMib: INSPECTION_MEMORY_MIB,
}

/**
 * Checks a bundle and, if `toFolder` is given, copies it there with a thumbnail. A sandboxed process decodes
 * the pictures; it is killed if it takes too long.
 * @throws BundleUnreadableError, BundleTooCostlyError, BundleInspectionFailedError
 * @throws ImportsBusyError, DiskFullError
 */
export async function inspectBundle(
  request: InspectionRequest,
  limits = defaultLimits,
  background?: BackgroundWork,
): Promise<LookedAt> {
  const report = await ask({ kind: 'inspect', ...request, from: path.resolve(request.from) }, { limits, background })
  if (report.kind === 'looked-at') return report
  throw failureOf(report, limits)
}

/**
 * Writes a bundle with pictures of at most the given width, for previews, in a sandboxed process.
 * @throws BundleTooCostlyError, BundleInspectionFailedError, DiskFullError, ImportsBusyError
 */
export async function reduceBundle(
  request: ReductionRequest,
  limits = defaultLimits,
  background?: BackgroundWork,
): Promise<void> {
  const report = await ask({ kind: 'reduce', ...request }, { limits, background })
  if (report.kind !== 'reduced') throw failureOf(report, limits)
}

/**
 * Writes a bundle's preview pack, if it is small enough, in a sandboxed process.
 * @throws BundleTooCostlyError, BundleInspectionFailedError, DiskFullError
 */
export async function packBundle(request: PackRequest, background?: BackgroundWork): Promise<void> {
  const report = await ask({ kind: 'pack', ...request }, { limits: defaultLimits, background })
  if (report.kind !== 'packed') throw failureOf(report)
}

/**
 * Writes a template prepared for a width, in a sandboxed process, which ends when `signal` aborts.
 * @returns the digest of the bundle that was read
 * @throws BundleTooCostlyError, BundleInspectionFailedError, ImportsBusyError, DiskFullError
 * @throws the signal's reason
 */
export async function prepareBundle(
  request: PreparationRequest,
  signal: AbortSignal,
  background?: BackgroundWork,
): Promise<string> {
  const report = await ask({ kind: 'prepare', ...request }, { limits: defaultLimits, background, signal })
  if (report.kind !== 'prepared') throw failureOf(report)
  return report.digest
}

/** What is thrown for a report that is no answer to the question. */
export function failureOf(report: BundleReport, limits = defaultLimits): Error {
  if (report.kind === 'unreadable') return new BundleUnreadableError(report.message)
  if (report.kind === 'out-of-memory') return tooLarge(limits)
  if (report.kind === 'disk-full') return new DiskFullError('A bundle could not be written')
  return new BundleInspectionFailedError(report.kind === 'failed' ? report.message : 'It answered another question.')
}

function tooLarge({ memoryMib }: InspectionLimits): BundleTooCostlyError {
  return new BundleTooCostlyError(`Checking this bundle takes more than ${memoryMib} MiB of memory.`)
}

type InspectionOptions = {
  readonly limits: InspectionLimits
  readonly background: BackgroundWork | undefined
  readonly signal?: AbortSignal
}

async function ask(request: BundleRequest, { limits, background, signal }: InspectionOptions): Promise<BundleReport> {
  const sandbox = {
    file: worker,
    readablePaths: [
      ...inspectionProgramPaths,
      request.from,
      ...(request.kind === 'inspect' ? [request.sampleArtwork] : []),
    ],
    writablePaths: request.toFolder === null ? [] : [request.toFolder],
    memoryMib: limits.memoryMib,
    processorS: limits.processorS,
    niceness: UNPAID_NICENESS,
    background,
  }
  const read = (message: unknown): BundleReport => bundleReportSchema.parse(message)
  return askOnce(sandbox, { request, timeoutMs: limits.timeoutMs, signal, read }).catch((error: unknown) => {
    if (!(error instanceof SandboxSilentError)) throw error
    if (error.reason === 'timeout') throw new ImportsBusyError('This service is too busy to check the bundle now.')
    if (error.reason === 'processor')
      throw new BundleTooCostlyError(`Checking this bundle takes more than ${limits.processorS} s of a processor.`)
    if (error.reason === 'memory') throw tooLarge(limits)
    throw new BundleInspectionFailedError(`The bundle was not inspected: ${error.message}.`)
  })
}
