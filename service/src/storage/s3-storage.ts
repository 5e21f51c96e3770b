import { S3mini } from 's3mini'
import {
  assertObjectKey,
  assertObjectPrefix,
  type ListedObject,
  type ObjectContent,
  type ObjectStorage,
  type OpenObject,
} from './object-storage.ts'

type S3StorageOptions = {
  /** Address with the bucket: `https://s3.example.com/my-bucket`. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** S3's least size is 5 MiB for every part but the last. */
const PART_SIZE_BYTES = 8 * 1024 * 1024
const REQUEST_TIMEOUT_MS = 60_000

/** Objects in a bucket of S3 or a compatible server. Needs the rights to put, get, delete and list them. */
export class S3Storage implements ObjectStorage {
  readonly #client: S3mini

  constructor(options: S3StorageOptions) {
    this.#client = new S3mini({
      ...options,
      requestSizeInBytes: PART_SIZE_BYTES,
      minPartSize: PART_SIZE_BYTES,
      requestAbortTimeout: REQUEST_TIMEOUT_MS,
    })
  }

  async put(key: string, content: ObjectContent): Promise<void> {
    assertObjectKey(key)
    if (content instanceof Uint8Array) await this.#client.putAnyObject(key, content)
    else await this.#client.putAnyObject(key, ReadableStream.from(content))
  }

  async get(key: string): Promise<Uint8Array | null> {
    assertObjectKey(key)
    const bytes = await this.#client.getObjectArrayBuffer(key)
    return bytes === null ? null : new Uint8Array(bytes)
  }

  async open(key: string): Promise<OpenObject | null> {
    assertObjectKey(key)
    const response = await this.#client.getObjectResponse(key)
    if (!response?.body) return null
    return { sizeBytes: Number(response.headers.get('content-length')), content: response.body }
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key)
    await this.#client.deleteObject(key)
  }

  async list(prefix: string): Promise<ListedObject[]> {
    assertObjectPrefix(prefix)
    // The library wants a delimiter but does not send it: all levels are listed.
    const objects = (await this.#client.listObjects('/', prefix)) ?? []
    return objects.map(({ Key, Size }) => ({ key: Key, sizeBytes: Size })).sort((a, b) => (a.key < b.key ? -1 : 1))
  }
}
