import { createHash } from 'node:crypto'
import type { ListedObject, ObjectStorage, OpenObject } from '../storage/object-storage.ts'
import { DataMigrationRefusedError } from './data-migration-refused-error.ts'

/** Each request waits for the object storage, so several run concurrently. */
const OBJECTS_AT_ONCE = 8

export type CopiedObjects = {
  readonly objects: number
  /** The number not yet copied by an earlier attempt. */
  readonly copied: number
  readonly sizeBytes: number
}

/**
 * Copies every object and reads it back to compare size and SHA-256 with the source. Complete copies from an
 * earlier attempt are reused.
 * @throws DataMigrationRefusedError if the target contains anything else
 */
export async function copyObjects(from: ObjectStorage, to: ObjectStorage): Promise<CopiedObjects> {
  const sources = await from.list('')
  const keys = new Set(sources.map(({ key }) => key))
  const present = await to.list('')
  const unexpected = present.find(({ key }) => !keys.has(key))
  if (unexpected !== undefined) {
    throw new DataMigrationRefusedError(
      `The object storage of the target is not empty: it holds ${unexpected.key}, which the source lacks. Name an empty one.`,
    )
  }
  const sizes = new Map(present.map(({ key, sizeBytes }) => [key, sizeBytes]))
  let copied = 0
  let sizeBytes = 0
  // A shared iterator: each worker takes the next object.
  const rest = sources.values()
  const copyRest = async (): Promise<void> => {
    for (const object of rest) {
      sizeBytes += object.sizeBytes
      const isThere = sizes.get(object.key) === object.sizeBytes && (await isSame(from, to, object))
      if (isThere) continue
      await copyObject(from, to, object)
      copied++
    }
  }
  await Promise.all(Array.from({ length: OBJECTS_AT_ONCE }, copyRest))
  return { objects: sources.length, copied, sizeBytes }
}

async function isSame(from: ObjectStorage, to: ObjectStorage, { key }: ListedObject): Promise<boolean> {
  const [source, target] = await Promise.all([digestOf(await from.open(key)), digestOf(await to.open(key))])
  return source === target
}

async function copyObject(from: ObjectStorage, to: ObjectStorage, { key, sizeBytes }: ListedObject): Promise<void> {
  const source = await from.open(key)
  const digest = createHash('sha256')
  let readBytes = 0
  async function* read(): AsyncGenerator<Uint8Array> {
    for await (const part of source?.content ?? []) {
      digest.update(part)
      readBytes += part.byteLength
      yield part
    }
  }
  await to.put(key, read())
  const isWhole = source !== null && readBytes === sizeBytes
  if (isWhole && digest.digest('hex') === (await digestOf(await to.open(key)))) return
  throw new DataMigrationRefusedError(`The object ${key} changed while it was copied: start the command again.`)
}

async function digestOf(object: OpenObject | null): Promise<string | null> {
  if (object === null) return null
  const digest = createHash('sha256')
  for await (const part of object.content) digest.update(part)
  return digest.digest('hex')
}
