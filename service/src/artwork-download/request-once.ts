import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { abortReason, DownloadError, fetchFailed } from './download-error.ts'
import { MAX_HEADER_BYTES } from './limits.ts'
import { TidiedAnswer } from './tidied-answer.ts'

/** A response's head; its body is still to be read. `close` ends the connection. */
export type Answer = { readonly status: number; readonly response: IncomingMessage; readonly close: () => void }

/**
 * Sends one GET over a connected socket and waits for the response's head. Without an agent there is no
 * proxy, no connection reuse and no second DNS query.
 */
export function requestOnce(socket: Socket, url: URL, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call: ClientRequest = request({
      createConnection: () => new TidiedAnswer(socket),
      method: 'GET',
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      headers: {
        host: url.host,
        accept: 'image/jpeg, image/png, image/webp, image/gif;q=0.9, */*;q=0.1',
        // A compressed body could expand a thousandfold, and images are compressed already.
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
      reject(abortReason(signal))
    }
    signal.addEventListener('abort', abort, { once: true })
    call.once('response', response => {
      signal.removeEventListener('abort', abort)
      // Later errors reach the body's reader.
      call.on('error', () => response.destroy(fetchFailed('connection_lost')))
      resolve({ status: response.statusCode ?? 0, response, close })
    })
    call.once('error', () => {
      signal.removeEventListener('abort', abort)
      close()
      reject(fetchFailed('connection_failed'))
    })
    call.once('upgrade', () => {
      signal.removeEventListener('abort', abort)
      close()
      reject(fetchFailed('connection_failed'))
    })
    if (signal.aborted) abort()
    else call.end()
  })
}

/**
 * Passes the body on in chunks, at most `maxBytes` in all.
 *
 * @throws DownloadError `too-large`, as soon as it is declared or counted; `failed` for an incomplete body
 */
export async function readBody(
  answer: Answer,
  maxBytes: number,
  signal: AbortSignal,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const { response, close } = answer
  const declared = response.headers['content-length']
  if (declared !== undefined && Number(declared) > maxBytes) throw tooLarge(maxBytes)
  const abort = () => close()
  signal.addEventListener('abort', abort, { once: true })
  let sizeBytes = 0
  try {
    signal.throwIfAborted()
    for await (const piece of response) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('A body without an encoding arrives as bytes')
      sizeBytes += piece.length
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      await take(piece)
    }
    if (!response.complete) throw fetchFailed('connection_lost')
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

/** Whether Node's HTTP client reports a broken connection or invalid HTTP within a body. */
function isTransportError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  return (
    error.code.startsWith('HPE_') ||
    ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE', 'EPROTO'].includes(error.code) ||
    error.code.startsWith('ERR_SSL')
  )
}
