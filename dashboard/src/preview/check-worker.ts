/**
 * Checks a bundle in a worker as the service does before it keeps one: fields, files, every picture decoded.
 */
import { checkBundle, type Fault } from '@vitrine/engine'
import { asError } from '../as-error.ts'
import { blobFiles } from './blob-files.ts'
import { browserCodec } from './browser-codec.ts'

export type CheckAnswer =
  | { readonly kind: 'checked'; readonly faults: readonly Fault[] }
  | { readonly kind: 'failed'; readonly message: string }

async function check(files: ReadonlyMap<string, Blob>): Promise<CheckAnswer> {
  try {
    return { kind: 'checked', faults: (await checkBundle(blobFiles(files), browserCodec)).faults }
  } catch (error) {
    return { kind: 'failed', message: asError(error).message }
  }
}

addEventListener('message', ({ data }: MessageEvent<ReadonlyMap<string, Blob>>) => void check(data).then(postMessage))
