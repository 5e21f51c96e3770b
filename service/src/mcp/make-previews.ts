import path from 'node:path'
import { programPaths } from '../sandbox/program-paths.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { type PreviewRequest, previewReport } from './preview-report.ts'

const worker = path.join(import.meta.dirname, 'preview-worker.ts')

/** The largest mockup decoded, 4,000 x 8,000 pixels as bytes, twice, and the program. */
const MEMORY_MIB = 1024
const TIMEOUT_MS = 20_000
const NICENESS = 10

/**
 * All previews of one answer: 87,400 characters of base64. Clients cut answers at 1 MiB of characters, some
 * at 25,000 tokens.
 */
export const PREVIEW_BYTES_MAX = 64 * 1024

/**
 * Small JPEGs of finished mockups as base64, made in a sandboxed process: for the command, whose mockups come
 * from elsewhere. Null where that failed.
 */
export async function makePreviews(files: readonly string[]): Promise<readonly string[] | null> {
  const child = startSandbox({
    file: worker,
    readablePaths: [...programPaths('service/src/mcp', 'service/src/mockups/worker'), ...files],
    writablePaths: [],
    memoryMib: MEMORY_MIB,
    niceness: NICENESS,
  })
  return new Promise(resolve => {
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
    child.once('message', message => {
      const report = previewReport.safeParse(message)
      resolve(report.success && report.data.kind === 'made' ? report.data.previews : null)
    })
    child.once('error', () => resolve(null))
    child.once('exit', () => {
      clearTimeout(timer)
      resolve(null)
    })
    child.send({ files, bytesMax: PREVIEW_BYTES_MAX } satisfies PreviewRequest, error => {
      if (error) resolve(null)
    })
  })
}
