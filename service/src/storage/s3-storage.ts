import { AwsV4Signer } from 'aws4fetch'
import { S3mini, S3NetworkError, S3ServiceError } from 's3mini'
import { z } from 'zod'
import {
  assertObjectKey,
  assertObjectPrefix,
  type ByteRange,
  type ListedObject,
  type ObjectContent,
  type ObjectStorage,
  type OpenObject,
  StorageUnavailableError,
} from './object-storage.ts'
import { S3Body } from './s3-body.ts'
import { type S3CredentialSource, S3Credentials } from './s3-credentials.ts'

/** The operations on objects, for metrics. */
export type StorageOperation = 'put' | 'get' | 'delete' | 'list'

export type StorageObserver = (operation: StorageOperation, durationMs: number, isUnavailable: boolean) => void

type S3StorageOptions = {
  /**
   * The address including the bucket: `https://s3.example.com/my-bucket` or
   * `https://my-bucket.s3.example.com`.
   */
  readonly endpoint: string
  readonly region: string
  readonly credentials: S3CredentialSource
  /** The folder of all objects in the bucket, without a trailing slash. */
  readonly keyPrefix?: string | undefined
  /** Called after each operation; for a read, when the first bytes are available. */
  readonly onOperation?: StorageObserver
  /** Shortened by tests. */
  readonly timeoutMs?: number
}

/** S3 requires at least 5 MiB for every part but the last. */
const PART_SIZE_BYTES = 8 * 1024 * 1024

/**
 * For an answer, and for each chunk of an object: within the 28 s of a request. A server under load answers
 * in a second or says SlowDown.
 */
const TIMEOUT_MS = 8_000

/** Additional time for a request body: 8 MiB take 16 s at 4 Mbit/s. */
const LEAST_UPLOAD_BYTES_PER_MS = 512

/** 408, 429 and the server's own failures, including 503 (SlowDown). */
const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Older multipart uploads belong to dead processes: their parts cost money until they are aborted. */
const UNFINISHED_MAX_AGE_MS = 24 * 60 * 60_000

/** Objects in a bucket of S3 or a compatible server. Needs permission to put, get, delete and list them. */
export class S3Storage implements ObjectStorage {
  readonly #client: S3mini
  /** For reading objects in chunks: its timeout applies until the answer begins. */
  readonly #reader: S3mini
  readonly #prefix: string
  readonly #timeoutMs: number
  readonly #onOperation: StorageObserver

  constructor(options: S3StorageOptions) {
    const { endpoint, region, keyPrefix, timeoutMs = TIMEOUT_MS, onOperation = () => undefined } = options
    this.#timeoutMs = timeoutMs
    this.#onOperation = onOperation
    this.#prefix = keyPrefix === undefined ? '' : `${keyPrefix}/`
    const credentials = new S3Credentials(options.credentials)
    const open = (send: Send) =>
      new S3mini({
        endpoint,
        region,
        requestSizeInBytes: PART_SIZE_BYTES,
        minPartSize: PART_SIZE_BYTES,
        // The library signs only with fixed keys: without any it leaves requests unsigned.
        accessKeyId: '',
        secretAccessKey: '',
        fetch: async (input, init) => {
          const signer = new AwsV4Signer({
            method: init?.method ?? 'GET',
            url: input instanceof Request ? input.url : input.toString(),
            headers: init?.headers ?? {},
            service: 's3',
            region,
            ...(await credentials.load()),
          })
          const { url, headers } = await signer.sign()
          return send(url, { ...init, headers }, timeoutMs)
        },
      })
    this.#client = open(fetchInTime)
    this.#reader = open(fetchHead)
  }

  async put(key: string, content: ObjectContent): Promise<void> {
    assertObjectKey(key)
    const body = content instanceof Uint8Array ? content : await gatherSmall(content)
    await this.#try('put', () => this.#client.putAnyObject(this.#prefix + key, body))
  }

  async get(key: string): Promise<Uint8Array | null> {
    const object = await this.open(key)
    if (object === null) return null
    const parts: Uint8Array[] = []
    for await (const part of object.content) parts.push(part)
    return new Uint8Array(Buffer.concat(parts))
  }

  async open(key: string, range?: ByteRange): Promise<OpenObject | null> {
    assertObjectKey(key)
    const name = this.#prefix + key
    const response = await this.#try('get', () =>
      range === undefined ? this.#reader.getObjectResponse(name) : this.#openRange(name, range),
    )
    return response === null ? null : new S3Body(response, this.#timeoutMs)
  }

  async #openRange(name: string, { start, end }: ByteRange): Promise<Response | null> {
    try {
      return await this.#reader.getObjectRaw(name, false, start, end)
    } catch (error) {
      if (error instanceof S3ServiceError && error.status === 404) return null
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key)
    await this.#try('delete', () => this.#client.deleteObject(this.#prefix + key))
  }

  async list(prefix: string): Promise<ListedObject[]> {
    assertObjectPrefix(prefix)
    // The library requires a delimiter but does not send it: all levels are listed.
    const objects = await this.#try('list', () => this.#client.listObjects('/', this.#prefix + prefix))
    if (objects === null) throw new Error('there is no such bucket')
    return objects
      .map(({ Key, Size }) => ({ key: Key.slice(this.#prefix.length), sizeBytes: Size }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  async removeUnfinished(nowMs: number): Promise<void> {
    const answer = await this.#try('list', () =>
      this.#client.listMultipartUploads('/', '', 'GET', this.#prefix === '' ? {} : { prefix: this.#prefix }),
    )
    for (const { Key, UploadId, Initiated } of readUploads(answer)) {
      if (nowMs - Date.parse(Initiated) <= UNFINISHED_MAX_AGE_MS) continue
      await this.#try('delete', () => this.#client.abortMultipartUpload(Key, UploadId))
    }
  }

  async #try<Result>(operation: StorageOperation, act: () => Promise<Result>): Promise<Result> {
    const startedMs = performance.now()
    const end = (isUnavailable: boolean) => this.#onOperation(operation, performance.now() - startedMs, isUnavailable)
    try {
      const result = await act()
      end(false)
      return result
    } catch (error) {
      end(isUnavailable(error))
      if (!isUnavailable(error)) throw error
      throw new StorageUnavailableError('the object storage cannot do its work now', { cause: error })
    }
  }
}

/** Excludes permanent refusals (wrong key, missing permission), which the operator must fix. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof S3ServiceError) return isTransient(error.status)
  if (error instanceof S3NetworkError || error instanceof StorageUnavailableError) return true
  // Errors of fetch: a broken connection is a TypeError with this text and no code.
  return (
    error instanceof Error && (error.name === 'TimeoutError' || /^(?:fetch failed|terminated)$/.test(error.message))
  )
}

/** Small content as bytes for one request; larger content as a stream that is sent in parts. */
async function gatherSmall(content: AsyncIterable<Uint8Array>): Promise<Uint8Array | ReadableStream> {
  const iterator = content[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  while (sizeBytes <= PART_SIZE_BYTES) {
    const { done, value } = await iterator.next()
    if (done === true) return Buffer.concat(parts)
    parts.push(value)
    sizeBytes += value.byteLength
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* parts
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return ReadableStream.from(all())
}

const uploadInParts = z.object({ Key: z.string(), UploadId: z.string(), Initiated: z.string() })
const uploadsAnswer = z.object({
  ListMultipartUploadsResult: z.union([
    z.object({ Upload: z.union([uploadInParts, z.array(uploadInParts)]).optional() }),
    z.string(), // how the library represents an empty element
  ]),
})

function readUploads(answer: unknown): z.infer<typeof uploadInParts>[] {
  const { ListMultipartUploadsResult: result } = uploadsAnswer.parse(answer)
  const uploads = typeof result === 'string' ? undefined : result.Upload
  return uploads === undefined ? [] : [uploads].flat()
}

type Send = (url: URL, init: RequestInit, timeoutMs: number) => Promise<Response>

/** The timeout covers the whole exchange. */
function fetchInTime(url: URL, init: RequestInit, timeoutMs: number) {
  const { body } = init
  const sizeBytes = body instanceof Uint8Array || body instanceof ArrayBuffer ? body.byteLength : 0
  const signal = AbortSignal.timeout(timeoutMs + Math.ceil(sizeBytes / LEAST_UPLOAD_BYTES_PER_MS))
  return fetch(url, { ...init, signal })
}

/** The timeout covers only the answer's head: a large body may take longer. */
async function fetchHead(url: URL, init: RequestInit, timeoutMs: number) {
  const controller = new AbortController()
  const late = new DOMException('The object storage did not answer in time', 'TimeoutError')
  const timer = setTimeout(() => controller.abort(late), timeoutMs)
  try {
    const response = await fetch(url, { ...init, signal: controller.signal })
    // The library reads the texts of error answers, which are small and belong to the head.
    return response.ok ? response : new Response(await response.text(), response)
  } finally {
    clearTimeout(timer)
  }
}
