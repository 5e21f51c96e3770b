import path from 'node:path'
import { askOnce, SandboxSilentError } from '../sandbox/ask-once.ts'
import { programPaths } from '../sandbox/program-paths.ts'
import { UNPAID_NICENESS } from '../sandbox/start-sandbox.ts'
import { type PreviewRequest, previewReport } from './preview-report.ts'

const worker = path.join(import.meta.dirname, 'preview-worker.ts')

/** Memory for the largest mockup decoded, 4,000 x 8,000 pixels, twice, and the program. */
const MEMORY_MIB = 1024
const TIMEOUT_MS = 20_000

/**
 * All previews of one answer: 87,400 characters of base64. Clients truncate answers at 1 MiB of characters,
 * some at 25,000 tokens.
 */
export const PREVIEW_BYTES_MAX = 64 * 1024

/**
 * Makes small JPEGs of finished mockups as base64, in a sandboxed process: for the command, whose mockups may
 * come from a remote service. Null if that failed.
 */
export async function makePreviews(files: readonly string[]): Promise<readonly string[] | null> {
  const sandbox = {
    file: worker,
    readablePaths: [...programPaths('service/src/mcp', 'service/src/mockups/worker'), ...files],
    writablePaths: [],
    memoryMib: MEMORY_MIB,
    niceness: UNPAID_NICENESS,
  }
  const request: PreviewRequest = { files, bytesMax: PREVIEW_BYTES_MAX }
  const read = (message: unknown) => previewReport.parse(message)
  const report = await askOnce(sandbox, { request, timeoutMs: TIMEOUT_MS, read }).catch((error: unknown) => {
    if (error instanceof SandboxSilentError) return null
    throw error
  })
  return report?.kind === 'made' ? report.previews : null
}
