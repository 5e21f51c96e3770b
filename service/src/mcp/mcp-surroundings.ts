import type { PrivateFolders } from '../storage/private-folders.ts'
import type { FileAccess } from './file-access.ts'
import type { MockupSource } from './mockup-source.ts'

/** What the tools of assistants work with. */
export type McpSurroundings = {
  readonly source: MockupSource
  /** Null where assistants send addresses alone: over HTTP. */
  readonly files: FileAccess | null
  /** For mockups until they are saved or sent. */
  readonly folders: Pick<PrivateFolders, 'create'>
  /** Where the service is, for the texts of its documentation. */
  readonly publicUrl: string
}
