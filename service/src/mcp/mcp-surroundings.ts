import type { PrivateFolders } from '../storage/private-folders.ts'
import type { FileAccess } from './file-access.ts'
import type { MockupSource } from './mockup-source.ts'

/** What the assistants' tools work with. */
export type McpSurroundings = {
  readonly source: MockupSource
  /** Null if assistants can only send URLs (over HTTP). */
  readonly files: FileAccess | null
  /** For mockups until they are saved or sent. */
  readonly folders: Pick<PrivateFolders, 'create'>
  /** The service's address, for its documentation. */
  readonly publicUrl: string
}
