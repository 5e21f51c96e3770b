import path from 'node:path'
import { DiskFullError } from '../errors/disk-full-error.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { askOnce, SandboxSilentError } from '../sandbox/ask-once.ts'
import { programPaths } from '../sandbox/program-paths.ts'
import { UNPAID_NICENESS } from '../sandbox/start-sandbox.ts'
import { PHOTO_MEMORY_MIB, PHOTO_PROCESSOR_S, PHOTO_TIMEOUT_MS } from './limits.ts'
import { type MadeOfPhoto, type PhotoMessage, type PhotoRequest, photoMessageSchema } from './photo-message.ts'

/** The photo or its drawing cannot become a template. The message says what to do. */
export class PhotoTemplateRefusedError extends OperatorError {
  override readonly name = 'PhotoTemplateRefusedError'
}

/** The process that reads photos could not be started, or violated the protocol. */
export class PhotoTemplateFailedError extends OperatorError {
  override readonly name = 'PhotoTemplateFailedError'
}

const worker = path.join(import.meta.dirname, 'photo-worker.ts')
const readablePaths = programPaths('service/src/photo-import', 'photo')

/**
 * Makes a bundle from a photo and a drawing in a sandboxed process, which is killed if it takes too long.
 * @throws PhotoTemplateRefusedError, PhotoTemplateFailedError, DiskFullError
 */
export async function makePhotoTemplate(request: PhotoRequest): Promise<MadeOfPhoto> {
  const sandbox = {
    file: worker,
    readablePaths: [...readablePaths, request.from, request.drawing],
    writablePaths: [request.toFolder],
    memoryMib: PHOTO_MEMORY_MIB,
    processorS: PHOTO_PROCESSOR_S,
    niceness: UNPAID_NICENESS,
  }
  const tooMuch = (what: string): Error =>
    new PhotoTemplateRefusedError(`Making a template of this photo takes more than ${what}. Use a smaller photo.`)
  const failed = (reason: string): Error => new PhotoTemplateFailedError(`The photo was not read: ${reason}.`)
  const read = (received: unknown): PhotoMessage => photoMessageSchema.parse(received)
  const message = await askOnce(sandbox, { request, timeoutMs: PHOTO_TIMEOUT_MS, read }).catch((error: unknown) => {
    if (!(error instanceof SandboxSilentError)) throw error
    if (error.reason === 'timeout') throw tooMuch(`${PHOTO_TIMEOUT_MS / 1000} s`)
    if (error.reason === 'processor') throw tooMuch(`${PHOTO_PROCESSOR_S} s of a processor`)
    throw error.reason === 'memory' ? tooMuch(`${PHOTO_MEMORY_MIB} MiB of memory`) : failed(error.message)
  })
  switch (message.kind) {
    case 'made':
      return message
    case 'refused':
      throw new PhotoTemplateRefusedError(message.message)
    case 'out-of-memory':
      throw tooMuch(`${PHOTO_MEMORY_MIB} MiB of memory`)
    case 'disk-full':
      throw new DiskFullError('A scene could not be written')
    default:
      throw failed(message.message)
  }
}
