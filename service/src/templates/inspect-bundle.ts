import path from 'node:path'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { type BundleReport, type BundleRequest, bundleReportSchema, type LookedAt } from './bundle-report.ts'

/** The process that inspects a bundle died, took too long, or broke the protocol. */
export class BundleInspectionFailedError extends Error {
  override readonly name = 'BundleInspectionFailedError'
}

/** The folder or zip cannot be read at all. The message is for the person who named it. */
export class BundleUnreadableError extends Error {
  override readonly name = 'BundleUnreadableError'
}

const worker = path.join(import.meta.dirname, 'bundle-worker.ts')
const program = path.resolve(import.meta.dirname, '../../..')

/** A bundle of 200 MB with 16 frames of 40 megapixels takes about half of it. */
const inspectionTimeoutMs = 120_000

/** A scene of 40 megapixels with its layers decoded one after the other, and one render of 800 px. */
const inspectionMemoryMib = 2048

/**
 * Checks a bundle and, where `toFolder` is given, copies it there with a thumbnail. A sandboxed process
 * decodes the pictures; it is killed when it takes too long.
 * @throws BundleUnreadableError, BundleInspectionFailedError
 */
export async function inspectBundle(request: BundleRequest): Promise<LookedAt> {
  const report = await ask({ ...request, from: path.resolve(request.from) })
  if (report.kind === 'looked-at') return report
  if (report.kind === 'unreadable') throw new BundleUnreadableError(report.message)
  throw new BundleInspectionFailedError(report.message)
}

function ask(request: BundleRequest): Promise<BundleReport> {
  const child = startSandbox({
    file: worker,
    readablePaths: [program, request.from, request.sampleArtwork],
    writablePaths: request.toFolder === null ? [] : [request.toFolder],
    memoryMib: inspectionMemoryMib,
  })
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(new BundleInspectionFailedError(`The bundle was not looked at: ${reason}.`))
    const timer = setTimeout(() => {
      fail(`it took more than ${inspectionTimeoutMs / 1000} s`)
      child.kill('SIGKILL')
    }, inspectionTimeoutMs)
    child.once('message', message => {
      const report = bundleReportSchema.safeParse(message)
      if (report.success) resolve(report.data)
      else fail('the process that reads it spoke out of turn')
      child.kill('SIGKILL')
    })
    child.once('error', error => fail(error.message))
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      fail(`the process that reads it ended (${signal ?? `code ${code}`})`)
    })
    child.send(request, error => {
      if (error) fail(error.message)
    })
  })
}
