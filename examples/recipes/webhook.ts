/** Receives webhooks that are signed with HMAC-SHA256, as Shopify and WooCommerce sign them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import http from 'node:http'

/** A product with many variants has about 100 kB. */
const BODY_BYTES_MAX = 1_048_576

/** Whether the signature is the one of these bytes. It says nothing about where they differ. */
function isSigned(body: Uint8Array, signature: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest()
  const received = Buffer.from(signature, 'base64')
  return received.length === expected.length && timingSafeEqual(received, expected)
}

async function readBody(request: http.IncomingMessage): Promise<Uint8Array | undefined> {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const piece of request) {
    if (!(piece instanceof Buffer)) return undefined
    sizeBytes += piece.length
    if (sizeBytes > BODY_BYTES_MAX) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/**
 * Listens for webhooks. Shops wait a few seconds for an answer, so a good one is answered before it is
 * handled; what fails after that is logged.
 */
export function listenForWebhooks(options: {
  readonly port: number
  readonly secret: string
  readonly signatureHeader: string
  readonly handle: (body: unknown) => Promise<void>
}): void {
  const { port, secret, signatureHeader, handle } = options

  async function receive(request: http.IncomingMessage): Promise<number> {
    if (request.method !== 'POST') return 405
    const body = await readBody(request)
    if (body === undefined) return 413
    const signature = request.headers[signatureHeader]
    if (typeof signature !== 'string' || !isSigned(body, signature, secret)) return 401
    try {
      const json: unknown = JSON.parse(new TextDecoder().decode(body))
      handle(json).catch((error: unknown) => console.error(error))
    } catch {
      return 400
    }
    return 200
  }

  const server = http.createServer((request, response) => {
    receive(request).then(
      status => response.writeHead(status, { Connection: 'close' }).end(),
      () => response.destroy(),
    )
  })
  server.listen(port, () => console.log('listening', server.address()))
}
