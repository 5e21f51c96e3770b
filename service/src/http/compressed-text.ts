import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Compresses 4.4 MB of JavaScript to 1.1 MB in 0.11 s; quality 9 takes 0.53 s for 4 % less. */
const BROTLI_QUALITY = 5

const compress = {
  br: (text: string) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (text: string) => promisify(gzip)(text),
} as const
type Coding = keyof typeof compress
const codings = ['br', 'gzip'] as const satisfies readonly Coding[]

/** The client's accepted coding with the best compression; undefined if it accepts none. */
export function chooseCoding(acceptEncoding: string | undefined): Coding | undefined {
  const offers = (acceptEncoding ?? '').split(',').map(offer => {
    const [name = '', ...parameters] = offer.split(';').map(part => part.trim().toLowerCase())
    return { name, isRefused: parameters.some(parameter => /^q=0(?:\.0*)?$/.test(parameter)) }
  })
  return codings.find(coding => offers.some(({ name, isRefused }) => name === coding && !isRefused))
}

/** A constant text, compressed on first use, once for each content coding. */
export class CompressedText {
  readonly #text: string
  readonly #hash: string
  readonly #compressed = new Map<Coding, Promise<Buffer>>()

  constructor(text: string) {
    this.#text = text
    this.#hash = createHash('sha256').update(text).digest('base64url')
  }

  /** Sets status and headers. Returns the body, which is empty if the client's cached copy is current. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<string | Buffer> {
    const coding = chooseCoding(request.headers['accept-encoding'])
    const etag = coding === undefined ? this.#hash : `${this.#hash}.${coding}`
    reply.headers({ ETag: `"${etag}"`, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' })
    if (this.#isKnown(request.headers['if-none-match'])) {
      reply.code(304)
      return ''
    }
    if (coding === undefined) return this.#text
    reply.header('Content-Encoding', coding)
    const compressed = this.#compressed.get(coding) ?? compress[coding](this.#text)
    this.#compressed.set(coding, compressed)
    return compressed
  }

  #isKnown(ifNoneMatch: string | undefined): boolean {
    const known = ifNoneMatch?.split(',').map(tag => /^(?:W\/)?"([\w-]*)[^"]*"$|^\*$/.exec(tag.trim()))
    return known?.some(tag => tag !== null && (tag[1] ?? this.#hash) === this.#hash) ?? false
  }
}
