import { OperatorError } from '../errors/operator-error.ts'

/** An object's content; in chunks if it is too large for memory. */
export type ObjectContent = Uint8Array | AsyncIterable<Uint8Array>

export type ListedObject = { readonly key: string; readonly sizeBytes: number }

/**
 * An open object. `content` must be read to its end, or destroyed by leaving the loop. It is complete or
 * fails: it never ends short of `sizeBytes`.
 */
export type OpenObject = { readonly content: AsyncIterable<Uint8Array>; readonly sizeBytes: number }

/** A byte range from `start` up to but not including `end`: at least one byte, all within the object. */
export type ByteRange = { readonly start: number; readonly end: number }

/** The object storage is unreachable, slow or overloaded: the operation may be retried later. */
export class StorageUnavailableError extends OperatorError {
  override readonly name = 'StorageUnavailableError'
}

/**
 * Storage for files that are too large for the database: template layers and saved answers. On disk for one
 * node, in S3 for several. Failures of the disk or server reject, with StorageUnavailableError if they are
 * transient.
 */
export type ObjectStorage = {
  /** Stores an object atomically, replacing an existing one. It is durable when this resolves. */
  put(key: string, content: ObjectContent): Promise<void>
  /** The whole object, or null if there is none. */
  get(key: string): Promise<Uint8Array | null>
  /** The object in chunks, or a range of it; null if there is none. */
  open(key: string, range?: ByteRange): Promise<OpenObject | null>
  /** Deletes an object; a missing one is not an error. */
  delete(key: string): Promise<void>
  /** All objects whose key begins with `prefix` (empty, or ending with a slash), by key. */
  list(prefix: string): Promise<ListedObject[]>
  /** Removes what unfinished writes left, such as those of a crash: of dead processes, or after a day. */
  removeUnfinished(nowMs: number): Promise<void>
}

/** S3 allows 1,024 bytes; an operator's prefix may take the other half. */
const MAX_KEY_LENGTH = 512
const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/

/**
 * Keys are valid on every disk and server, and none leads out of the folder. They are made of ids, never of
 * received names, so an invalid key is a defect.
 */
export function assertObjectKey(key: string): void {
  if (key.length <= MAX_KEY_LENGTH && keyPattern.test(key)) return
  throw new TypeError(
    `Expected parts of letters, digits, dots, dashes and underscores for an object key but received ${JSON.stringify(key.slice(0, 100))}`,
  )
}

/** The same for a prefix: empty, or a key followed by a slash. */
export function assertObjectPrefix(prefix: string): void {
  if (prefix === '') return
  if (!prefix.endsWith('/')) throw new TypeError('Expected a slash at the end of an object prefix')
  assertObjectKey(prefix.slice(0, -1))
}
