import { createHash, createHmac } from 'node:crypto'

export type S3Keys = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary keys. */
  readonly sessionToken?: string | undefined
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
/** The body's digest is left out: TLS protects it, and it need not be read twice. */
const PAYLOAD = 'UNSIGNED-PAYLOAD'

type Request = { readonly method: string; readonly url: URL; readonly region: string; readonly nowMs: number }

/**
 * The headers that sign a request to S3: AWS Signature Version 4.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signS3Request({ method, url, region, nowMs }: Request, keys: S3Keys): Record<string, string> {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const { sessionToken } = keys
  const signed: Record<string, string> = {
    host: url.host,
    'x-amz-content-sha256': PAYLOAD,
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(signed).join(';')
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}`)
  const request = [method, url.pathname, query.join('&'), ...lines, '', names, PAYLOAD].join('\n')
  const text = [ALGORITHM, time, scope, createHash('sha256').update(request).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`)
  const signature = hmac(key, text).toString('hex')
  const { host: _, ...sent } = signed
  const authorization = `${ALGORITHM} Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { ...sent, authorization }
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
