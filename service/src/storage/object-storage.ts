/** An object's content; in parts where it is too large to be held in memory. */
export type ObjectContent = Uint8Array | AsyncIterable<Uint8Array>

export type ListedObject = { readonly key: string; readonly sizeBytes: number }

/**
 * An object that is being read. `content` is read to its end, or destroyed by leaving its loop. It is whole
 * or fails: it never ends short of `sizeBytes`.
 */
export type OpenObject = { readonly content: AsyncIterable<Uint8Array>; readonly sizeBytes: number }

/** Bytes of an object, from `start` to before `end`: at least one, all of them within the object. */
export type ByteRange = { readonly start: number; readonly end: number }

/** The object storage is gone, slow or overloaded: the operation may be tried again later. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError'
}

/**
 * Files that are too large for the database: template layers and kept answers. On disk for one node, in S3
 * for several. A failure of the disk or the server rejects, with StorageUnavailableError where it may pass.
 */
export type ObjectStorage = {
  /** Stores an object whole or not at all; one that is there is replaced. Durable when it resolves. */
  put(key: string, content: ObjectContent): Promise<void>
  /** The whole object, or null where there is none. */
  get(key: string): Promise<Uint8Array | null>
  /** The object in parts, or those bytes of it alone; null where there is none. */
  open(key: string, range?: ByteRange): Promise<OpenObject | null>
  /** Removes an object; one that is not there is no error. */
  delete(key: string): Promise<void>
  /** All objects whose key begins with `prefix` (empty, or whole parts that end with a slash), by key. */
  list(prefix: string): Promise<ListedObject[]>
  /** Removes what writes left that ended more than a day ago, for example in a crash. */
  removeUnfinished(nowMs: number): Promise<void>
}

/** S3 allows 1,024 bytes; an operator's prefix may take the other half. */
const MAX_KEY_LENGTH = 512
const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/

/**
 * Keys are valid on every disk and server, and none leads out of the folder. They are made of ids, never of
 * names that were sent: a bad key is a defect.
 */
export function assertObjectKey(key: string): void {
  if (key.length <= MAX_KEY_LENGTH && keyPattern.test(key)) return
  throw new TypeError(
    `Expected parts of letters, digits, dots, dashes and underscores for an object key but received ${JSON.stringify(key.slice(0, 100))}`,
  )
}

/** The same for a prefix: empty, or a key with a slash after it. */
export function assertObjectPrefix(prefix: string): void {
  if (prefix === '') return
  if (!prefix.endsWith('/')) throw new TypeError('Expected a slash at the end of an object prefix')
  assertObjectKey(prefix.slice(0, -1))
}
