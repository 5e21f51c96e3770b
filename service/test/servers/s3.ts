import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/*
 * A strict double of S3 in this process, for want of a server that npm or apt brings: it verifies every
 * signature (AWS Signature Version 4, in the header or in the address), the date, and the hash of the
 * payload. Puts, gets (ranges too), heads, deletes, lists with pages, and multipart uploads; the bucket in
 * the path or before a host name that ends with `.s3.test`. Its limits: one region, any bucket, no versions,
 * no ACLs. https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */

type Stored = { readonly body: Buffer; readonly type: string }

/** Refuses connections; never answers; stalls or breaks off after half an object; is overloaded. */
export type S3Fault = 'refuses' | 'hangs' | 'hangs-halfway' | 'breaks-off' | 'slow-down'

export type TestS3 = {
  /** `http://127.0.0.1:port`; the first part of a path is the bucket. */
  readonly url: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  /** The same keys, as the storage expects them. */
  readonly credentials: { readonly from: 'keys' } & Keys
  /** The keys that are currently accepted. */
  accepted: Keys
  readonly requestCounts: Map<string, number>
  /** Unfinished multipart uploads, by id. */
  readonly uploads: Map<string, Upload>
  /** By path: `/bucket/key`. */
  readonly objects: Map<string, Stored>
  /** The server's current fault; may be set at any time, for the requests that follow. */
  fault: S3Fault | null
  readonly stop: () => Promise<void>
}

const REGION = 'us-east-1'
const MAX_SKEW_MS = 15 * 60_000

/** The settings of a service that stores its objects there. */
export function s3Settings({ url, region, accessKeyId, secretAccessKey }: TestS3, bucket = 'bucket') {
  return {
    S3_ENDPOINT: url,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
}

export async function startS3(options: { readonly pageSize?: number } = {}): Promise<TestS3> {
  const keys = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'test/secret+key' }
  const bucket = new Bucket(options.pageSize ?? 1000)
  const server = createServer((request, response) => {
    const operation = operationOf(request)
    started.requestCounts.set(operation, (started.requestCounts.get(operation) ?? 0) + 1)
    if (started.fault === 'refuses') {
      request.socket.resetAndDestroy()
      return
    }
    answer(request, response, started.accepted, bucket, started.fault).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const started: TestS3 = {
    url: `http://127.0.0.1:${address.port}`,
    ...keys,
    region: REGION,
    credentials: { from: 'keys', ...keys },
    accepted: keys,
    requestCounts: new Map(),
    uploads: bucket.uploads,
    objects: bucket.objects,
    fault: null,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return started
}

type Keys = { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }

type Upload = { readonly path: string; readonly parts: Map<number, Buffer>; readonly startedAtMs: number }

function operationOf(request: IncomingMessage): string {
  const { searchParams } = new URL(request.url ?? '/', 'http://s3.invalid')
  return `${request.method}${searchParams.has('uploads') || searchParams.has('uploadId') ? ' part' : ''}`
}
type Answer = { readonly status: number; readonly body?: string | Buffer; readonly headers?: Record<string, string> }

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  keys: Keys,
  bucket: Bucket,
  serverFault: S3Fault | null,
): Promise<void> {
  const parts: Buffer[] = []
  for await (const chunk of request) parts.push(Buffer.from(chunk))
  const body = Buffer.concat(parts)
  const url = new URL(request.url ?? '/', 'http://s3.invalid')
  const fault = checkSignature(request, url, body, keys)
  if (serverFault === 'hangs') return
  const overload = serverFault === 'slow-down' ? refuse(503, 'SlowDown') : undefined
  const {
    status,
    headers,
    body: content = '',
  } = fault ?? overload ?? bucket.answer(request, inPath(request, url), body)
  if (serverFault === 'breaks-off' && content.length === 0) {
    request.socket.write(`HTTP/1.1 ${status}`)
    setTimeout(() => request.socket.destroy(), 50)
    return
  }
  response.writeHead(status, { 'content-length': Buffer.byteLength(content), ...headers })
  if (serverFault !== null && serverFault !== 'slow-down') {
    response.write(content.slice(0, content.length / 2))
    if (serverFault === 'breaks-off') setTimeout(() => response.destroy(), 50)
    return
  }
  response.end(request.method === 'HEAD' ? undefined : content)
}

/** The URL with the bucket in its path. The signature is of the original URL. */
function inPath(request: IncomingMessage, url: URL): URL {
  const [, bucket] = /^([^.:]+)\.s3\.test(?::\d+)?$/.exec(request.headers.host ?? '') ?? []
  return bucket === undefined ? url : new URL(`/${bucket}${url.pathname}${url.search}`, url)
}

function refuse(status: number, code: string): Answer {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  return { status, body, headers: { 'content-type': 'application/xml' } }
}

const authorizationPattern =
  /^AWS4-HMAC-SHA256 Credential=(?<credential>[^,]+),\s*SignedHeaders=(?<signedHeaders>[^,]+),\s*Signature=(?<signature>[0-9a-f]+)$/

function checkSignature(request: IncomingMessage, url: URL, body: Buffer, keys: Keys): Answer | undefined {
  const inHeader = authorizationPattern.exec(request.headers.authorization ?? '')?.groups
  const query = (name: string): string => url.searchParams.get(name) ?? ''
  const credential = inHeader?.['credential'] ?? query('X-Amz-Credential')
  const signedHeaders = inHeader?.['signedHeaders'] ?? query('X-Amz-SignedHeaders')
  const signature = inHeader?.['signature'] ?? query('X-Amz-Signature')
  const date = inHeader ? headerText(request, 'x-amz-date') : query('X-Amz-Date')
  const payloadHash = inHeader ? headerText(request, 'x-amz-content-sha256') : 'UNSIGNED-PAYLOAD'
  if (signature === '') return refuse(403, 'AccessDenied')

  const [id, ...scope] = credential.split('/')
  if (id !== keys.accessKeyId) return refuse(403, 'InvalidAccessKeyId')
  const token = headerText(request, 'x-amz-security-token')
  if (token !== (keys.sessionToken ?? '')) return refuse(403, 'InvalidToken')
  const unsigned = Object.keys(request.headers).find(
    name => name.startsWith('x-amz-') && !signedHeaders.split(';').includes(name),
  )
  if (inHeader && unsigned !== undefined) return refuse(403, 'AccessDenied')
  if (scope[1] !== REGION || scope[2] !== 's3') return refuse(400, 'AuthorizationHeaderMalformed')
  const signedAtMs = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!Number.isFinite(signedAtMs)) return refuse(403, 'AccessDenied')
  if (inHeader && Math.abs(Date.now() - signedAtMs) > MAX_SKEW_MS) return refuse(403, 'RequestTimeTooSkewed')
  if (!inHeader && Date.now() > signedAtMs + Number(query('X-Amz-Expires')) * 1000) return refuse(403, 'AccessDenied')

  const canonicalQuery = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const canonicalRequest = [
    request.method,
    decodeURIComponent(url.pathname).split('/').map(encode).join('/'),
    canonicalQuery,
    ...signedHeaders.split(';').map(name => `${name}:${headerText(request, name).trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    payloadHash,
  ].join('\n')
  const signingKey = scope.reduce<Buffer | string>((key, part) => hmac(key, part), `AWS4${keys.secretAccessKey}`)
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonicalRequest)].join('\n')
  if (hmac(signingKey, text).toString('hex') !== signature) return refuse(403, 'SignatureDoesNotMatch')

  if (payloadHash.startsWith('STREAMING-')) return refuse(501, 'NotImplemented')
  if (payloadHash !== 'UNSIGNED-PAYLOAD' && payloadHash !== sha256(body))
    return refuse(400, 'XAmzContentSHA256Mismatch')
  return undefined
}

class Bucket {
  readonly objects = new Map<string, Stored>()
  #uploadCount = 0
  readonly uploads = new Map<string, Upload>()
  readonly #pageSize: number

  constructor(pageSize: number) {
    this.#pageSize = pageSize
  }

  answer(request: IncomingMessage, url: URL, body: Buffer): Answer {
    const path = decodeURIComponent(url.pathname)
    const type = headerText(request, 'content-type') || 'binary/octet-stream'
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return this.#upload(request, url, path, body)
    if (request.method === 'PUT') {
      this.objects.set(path, { body, type })
      return { status: 200, headers: { etag: etagOf(body) } }
    }
    if (request.method === 'DELETE') {
      this.objects.delete(path)
      return { status: 204 }
    }
    if (url.searchParams.has('list-type')) return this.#list(url, path)
    const stored = this.objects.get(path)
    if (!stored) return refuse(404, 'NoSuchKey')
    const headers = { 'content-type': stored.type, etag: etagOf(stored.body) }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headerText(request, 'range')) ?? []
    if (first === undefined || last === undefined) return { status: 200, body: stored.body, headers }
    const part = stored.body.subarray(Number(first), Number(last) + 1)
    return {
      status: 206,
      body: part,
      headers: { ...headers, 'content-range': `bytes ${first}-${last}/${stored.body.length}` },
    }
  }

  #upload(request: IncomingMessage, url: URL, path: string, body: Buffer): Answer {
    const uploadId = url.searchParams.get('uploadId')
    if (uploadId === null && request.method === 'GET') return this.#listUploads(url, path)
    if (uploadId === null) {
      const id = `upload-${++this.#uploadCount}`
      this.uploads.set(id, { path, parts: new Map(), startedAtMs: Date.now() })
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    const upload = this.uploads.get(uploadId)
    if (!upload) return refuse(404, 'NoSuchUpload')
    if (request.method === 'PUT') {
      upload.parts.set(Number(url.searchParams.get('partNumber')), body)
      return { status: 200, headers: { etag: etagOf(body) } }
    }
    this.uploads.delete(uploadId)
    if (request.method === 'DELETE') return { status: 204 }
    const whole = Buffer.concat([...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part))
    this.objects.set(path, { body: whole, type: 'binary/octet-stream' })
    return xml(
      `<CompleteMultipartUploadResult><ETag>${escapeXml(etagOf(whole))}</ETag></CompleteMultipartUploadResult>`,
    )
  }

  #listUploads(url: URL, path: string): Answer {
    const folder = path.replace(/\/?$/, '/')
    const prefix = folder + (url.searchParams.get('prefix') ?? '')
    const rows = [...this.uploads]
      .filter(([, upload]) => upload.path.startsWith(prefix))
      .map(
        ([id, upload]) =>
          `<Upload><Key>${escapeXml(upload.path.slice(folder.length))}</Key><UploadId>${id}</UploadId>` +
          `<Initiated>${new Date(upload.startedAtMs).toISOString()}</Initiated></Upload>`,
      )
    return xml(`<ListMultipartUploadsResult>${rows.join('')}</ListMultipartUploadsResult>`)
  }

  #list(url: URL, path: string): Answer {
    const folder = path.replace(/\/?$/, '/')
    const prefix = folder + (url.searchParams.get('prefix') ?? '')
    const after = url.searchParams.get('continuation-token') ?? ''
    const size = Math.min(this.#pageSize, Number(url.searchParams.get('max-keys') ?? this.#pageSize))
    const found = [...this.objects]
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const page = found.slice(0, size)
    const last = page.at(-1)?.[0] ?? ''
    const isTruncated = found.length > page.length
    const rows = page.map(
      ([key, { body }]) =>
        `<Contents><Key>${escapeXml(key.slice(folder.length))}</Key><Size>${body.length}</Size><ETag>${escapeXml(etagOf(body))}</ETag>` +
        '<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>',
    )
    const token = isTruncated ? `<NextContinuationToken>${escapeXml(last)}</NextContinuationToken>` : ''
    return xml(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated><KeyCount>${page.length}</KeyCount>${token}${rows.join('')}</ListBucketResult>`,
    )
  }
}

const xml = (body: string): Answer => ({ status: 200, body, headers: { 'content-type': 'application/xml' } })
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`
const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** Percent-encoding for signatures: everything but letters, digits and `-._~`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

function headerText(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : (value ?? '')
}
