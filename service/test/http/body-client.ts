import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request with a body, sent exactly as specified. */
export type SentBody = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly framing: 'length' | 'chunked'
  /** Waits for "100 Continue", or an answer, before sending the body. */
  readonly isPatient?: boolean
  /** Where and how to break off: close its half, reset the connection, or go silent. */
  readonly breakOff?: { readonly atByte: number; readonly by: 'end' | 'reset' | 'silence' }
  /** Called when this many bytes have been sent. */
  readonly onByte?: { readonly atByte: number; readonly act: () => Promise<void> }
}

export type BodyAnswer = { readonly status: number; readonly text: string; readonly head: string }

const PIECE_BYTES_MAX = 64 * 1024

/**
 * Sends a whole body before reading the answer, as most libraries do. Null if the connection ended without an
 * answer.
 */
export async function sendBody(url: string, request: SentBody): Promise<BodyAnswer | null> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  try {
    await once(socket, 'connect')
    return await exchange(socket, request)
  } finally {
    socket.destroy()
  }
}

async function exchange(socket: Socket, request: SentBody): Promise<BodyAnswer | null> {
  const { method, path, headers, body, framing, isPatient = false, breakOff, onByte } = request
  const received: Buffer[] = []
  const closed = new Promise<void>(resolve => void socket.once('end', resolve).once('close', resolve))
  socket.on('error', () => undefined)
  const lines = {
    Host: 'x',
    ...(framing === 'length' ? { 'Content-Length': String(body.length) } : { 'Transfer-Encoding': 'chunked' }),
    ...(isPatient ? { Expect: '100-continue' } : {}),
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`)
  if (isPatient) {
    const first = await Promise.race([once(socket, 'data'), closed])
    const bytes: unknown = first?.[0]
    if (Buffer.isBuffer(bytes)) received.push(bytes)
    if (!String(bytes).startsWith('HTTP/1.1 100 ')) return finish(socket, received, closed)
  }
  socket.pause()
  const endAt = breakOff?.atByte ?? body.length
  const pieceBytes = Math.max(1, Math.min(PIECE_BYTES_MAX, Math.ceil(body.length / 4)))
  let isActed = onByte === undefined
  for (let at = 0; at < endAt; at += pieceBytes) {
    if (!isActed && at >= (onByte?.atByte ?? 0)) {
      isActed = true
      await onByte?.act()
    }
    const piece = body.subarray(at, Math.min(at + pieceBytes, endAt))
    const framed = framing === 'length' ? piece : chunkOf(piece)
    if (
      !socket.write(framed) &&
      !(await Promise.race([
        once(socket, 'drain').then(
          () => true,
          () => false,
        ),
        closed,
      ]))
    )
      break
  }
  if (breakOff?.by === 'reset') {
    socket.resetAndDestroy()
    return null
  }
  if (breakOff?.by === 'end') socket.end()
  else if (breakOff === undefined && framing === 'chunked') socket.write('0\r\n\r\n')
  return finish(socket, received, closed)
}

const chunkOf = (piece: Uint8Array) =>
  Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])

/** Reads until the answer is complete, or the connection ends. */
async function finish(socket: Socket, received: Buffer[], closed: Promise<void>): Promise<BodyAnswer | null> {
  const whole = () => parseAnswer(Buffer.concat(received).toString('latin1'))
  const complete = new Promise<void>(resolve => {
    socket.on('data', bytes => {
      received.push(Buffer.from(bytes))
      if (whole()?.isWhole === true) resolve()
    })
  })
  socket.resume()
  if (whole()?.isWhole !== true) await Promise.race([complete, closed])
  const answer = whole()
  return answer?.isWhole === true ? answer : null
}

function parseAnswer(text: string): (BodyAnswer & { readonly isWhole: boolean }) | null {
  const begin = text.startsWith('HTTP/1.1 100 ') ? text.indexOf('\r\n\r\n') + 4 : 0
  const end = text.indexOf('\r\n\r\n', begin)
  if (end < 0) return null
  const head = text.slice(begin, end)
  const body = text.slice(end + 4)
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  return { status: Number(head.slice(9, 12)), head, text: body, isWhole: body.length >= length }
}
