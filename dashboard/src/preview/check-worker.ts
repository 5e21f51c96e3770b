/** Checks a bundle in a worker as the service does on import: fields, files, and every picture decoded. */
import { checkBundle, type Fault } from '@vitrine/engine'
import { serveCalls } from '@vitrine/live'
import { blobFiles } from './blob-files.ts'
import { browserCodec } from './browser-codec.ts'

export type CheckCalls = { readonly check: (files: ReadonlyMap<string, Blob>) => Promise<readonly Fault[]> }

serveCalls({ check: async files => (await checkBundle(blobFiles(files), browserCodec)).faults } satisfies CheckCalls)
