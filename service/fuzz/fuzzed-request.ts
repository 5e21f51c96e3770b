import type { BodyRoute } from '../test/http/body-routes.ts'

/** Numbers from 0 up to 1. */
export type RandomNumbers = () => number

/** Bytes that a client sends in pieces, and how it ends. */
export type FuzzedRequest = {
  readonly summary: string
  readonly pieces: readonly Buffer[]
  /** Whether every client and server agree where it ends. */
  readonly isClear: boolean
  readonly end: 'wait' | 'half-close' | 'reset' | 'silence'
}

export type FuzzedTarget = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly good: Uint8Array
}

const types = [
  'application/json',
  'application/octet-stream',
  'application/zip',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/plain',
  'application/json; charset=utf-16',
  '\xff',
  '',
]

const texts = [
  '{}',
  '[]',
  '{"a":',
  '['.repeat(20_000),
  '{"template_id":"small","artwork_url":"http://no.invalid/a"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  '--x\r\nContent-Disposition: form-data; name="template_id"\r\n\r\nsmall\r\n--x\r\nContent-Disposition: form-data; name="artwork"; filename="a"\r\n\r\nGIF89a\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="artwork"; filename="a"\r\n\r\n',
  '--x--',
  '\0'.repeat(70_000),
]

/** One request: a route's own file or another body, in a framing that is right or not, sent in some way. */
export function buildFuzzedRequest(route: BodyRoute, target: FuzzedTarget, random: RandomNumbers): FuzzedRequest {
  const below = (count: number) => Math.floor(random() * count)
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value => values[below(values.length)] ?? values[0]
  const body = buildBody(target.good, random)
  const isChunked = random() < 0.4
  const length = pick([
    body.length,
    body.length,
    body.length,
    body.length + 1 + below(5000),
    below(body.length + 1),
    500_000_000,
  ])
  const fault =
    random() < 0.25
      ? pick(['double length', 'both', 'coding', 'length text', 'version', 'host', 'header'] as const)
      : 'none'
  const headers: [string, string][] = [['Host', 'x'], ...Object.entries(target.headers)]
  if (random() < 0.3) headers.push(['Content-Type', types[below(types.length)] ?? ''])
  if (isChunked || fault === 'both') headers.push(['Transfer-Encoding', 'chunked'])
  if (!isChunked || fault === 'both') headers.push(['Content-Length', String(length)])
  if (random() < 0.2) headers.push(['Expect', pick(['100-continue', '100-CONTINUE', 'nothing'])])
  if (random() < 0.2) headers.push(['Connection', pick(['close', 'keep-alive', 'upgrade'])])
  if (random() < 0.1) headers.push(['Content-Encoding', 'gzip'])
  if (fault === 'double length') headers.push(['Content-Length', String(length + 1)])
  if (fault === 'coding') headers.push(['Transfer-Encoding', pick(['gzip, chunked', 'identity', 'chunked, chunked'])])
  if (fault === 'length text')
    headers.push(['Content-Length', pick(['-1', '0x10', '1e3', ' ', '99999999999999999999'])])
  if (fault === 'host') headers.push(['Host', 'y'])
  if (fault === 'header') headers.push([pick(['X-\0', 'X Y', 'X'.repeat(20_000)]), 'z'])
  const version = fault === 'version' ? pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1 ']) : 'HTTP/1.1'
  const head = `${route.method} ${target.path} ${version}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  const framed = isChunked ? chunk(body, random) : body
  const isClear = fault === 'none' && !isChunked && length === body.length
  const whole = Buffer.concat([Buffer.from(head, 'latin1'), framed])
  const twice = random() < 0.1 ? Buffer.concat([whole, whole]) : whole
  const end = pick(['wait', 'wait', 'wait', 'half-close', 'reset', 'silence'] as const)
  const sent = end === 'wait' ? twice : twice.subarray(0, below(twice.length + 1))
  const summary = `${route.method} ${route.url} ${isChunked ? 'chunked' : `length ${length}`} of ${body.length}, ${fault}, ${end} after ${sent.length}`
  return { summary, pieces: cut(sent, random), isClear, end }
}

function buildBody(good: Uint8Array, random: RandomNumbers): Buffer {
  const kind = random()
  if (kind < 0.35) return Buffer.from(texts[Math.floor(random() * texts.length)] ?? '', 'latin1')
  if (kind < 0.45)
    return Buffer.from(Array.from({ length: Math.floor(random() * 300) }, () => Math.floor(random() * 256)))
  if (kind < 0.5) return Buffer.concat([good, Buffer.alloc(Math.floor(random() * 2_000_000), 1)])
  const body = Buffer.from(good.subarray(0, kind < 0.8 ? 200_000 : good.length))
  for (let changes = Math.floor(random() * 4); changes > 0 && body.length > 0; changes--)
    body[Math.floor(random() ** 3 * body.length)] = Math.floor(random() * 256)
  return body
}

/** Chunks, whose sizes are sometimes wrong, and an end that sometimes is none. */
function chunk(body: Buffer, random: RandomNumbers): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + Math.floor(random() * 100_000))
    at += piece.length
    const isWrong = random() < 0.05
    const size = isWrong
      ? ['-1', 'zz', 'ffffffffffffffff', '', '0x5'][Math.floor(random() * 5)]
      : piece.length.toString(16)
    const extension = random() < 0.05 ? `;a=${'b'.repeat(Math.floor(random() * 20_000))}` : ''
    parts.push(Buffer.from(`${size}${extension}\r\n`), piece, Buffer.from('\r\n'))
  }
  const ends = ['0\r\n\r\n', '0\r\n\r\n', '0\r\n\r\n', '0\r\nTrailer: x\r\n\r\n', '0\r\nX: \0\r\n\r\n', '']
  return Buffer.concat([...parts, Buffer.from(ends[Math.floor(random() * ends.length)] ?? '')])
}

function cut(bytes: Buffer, random: RandomNumbers): Buffer[] {
  const edges = Array.from({ length: Math.floor(random() * 5) }, () => Math.floor(random() * bytes.length))
  const sorted = [0, ...edges.sort((a, b) => a - b), bytes.length]
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
}
