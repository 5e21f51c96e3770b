import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { DownloadError, fetchFailed } from './download-error.ts'
import { MAX_HEADER_BYTES } from './limits.ts'

/** The answer's head, and its body still on the wire. `close` ends the connection, whatever is left of it. */
export type Answer = { readonly status: number; readonly response: IncomingMessage; readonly close: () => void }

/**
 * Sends one GET over a socket that is already connected to the right place, and waits for the answer's head.
 *
 * No agent is involved, so there is no proxy, no reuse of the connection and no second look-up. Nothing of the customer's
 * request is passed on; no cookies, no referrer.
 */
export function requestOnce(socket: Socket, url: URL, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call: ClientRequest = request({
      createConnection: () => socket,
      method: 'GET',
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      headers: {
        host: url.host,
        accept: 'image/jpeg, image/png, image/webp, image/gif;q=0.9, */*;q=0.1',
        // What is compressed in transit could grow a thousandfold here; pictures are compressed already.
        'accept-encoding': 'identity',
        'user-agent': 'Vitrine artwork download',
        connection: 'close',
      },
    })
    const close = () => {
      call.destroy()
      socket.destroy()
    }
    const abort = () => {
      close()
      reject(signal.reason instanceof Error ? signal.reason : new Error('The download was cancelled'))
    }
    signal.addEventListener('abort', abort, { once: true })
    call.once('response', response => {
      signal.removeEventListener('abort', abort)
      // Errors from here on reach the reader of the body.
      call.on('error', () => response.destroy(fetchFailed('connection_lost')))
      resolve({ status: response.statusCode ?? 0, response, close })
    })
    call.once('error', error => {
      signal.removeEventListener('abort', abort)
      close()
      reject(headFailure(error))
    })
    call.once('upgrade', () => {
      signal.removeEventListener('abort', abort)
      close()
      reject(fetchFailed('invalid_response'))
    })
    if (signal.aborted) abort()
    else call.end()
  })
}

function headFailure(error: Error): DownloadError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return fetchFailed(code.startsWith('HPE_') ? 'invalid_response' : 'connection_lost')
}

/**
 * Reads an answer's body piece by piece and gives each piece on, never more than `maxBytes` in all.
 *
 * @returns how many bytes came
 * @throws DownloadError `too-large` as soon as that is known, declared or counted; `failed` when the body ends too early
 */
export async function readBody(
  answer: Answer,
  maxBytes: number,
  signal: AbortSignal,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<number> {
  const { response, close } = answer
  const declared = response.headers['content-length']
  if (declared !== undefined && Number(declared) > maxBytes) throw tooLarge(maxBytes)
  const abort = () => close()
  signal.addEventListener('abort', abort, { once: true })
  let sizeBytes = 0
  try {
    signal.throwIfAborted()
    for await (const piece of response) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('A body without an encoding comes as bytes')
      sizeBytes += piece.length
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      await take(piece)
    }
    if (!response.complete) throw fetchFailed('connection_lost')
    return sizeBytes
  } catch (error) {
    signal.throwIfAborted()
    if (isTransportError(error)) throw fetchFailed('connection_lost')
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function tooLarge(maxBytes: number): DownloadError {
  return new DownloadError({ kind: 'too-large', maxBytes })
}

/** What Node's HTTP client reports when the origin breaks off or breaks the protocol in the middle of a body. */
function isTransportError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  return (
    error.code.startsWith('HPE_') ||
    ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE', 'EPROTO'].includes(error.code) ||
    error.code.startsWith('ERR_SSL')
  )
}
