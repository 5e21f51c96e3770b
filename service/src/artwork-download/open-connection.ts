import { connect as connectTcp, isIPv6, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { abortReason, fetchFailed } from './download-error.ts'
import { CONNECT_ATTEMPT_MS } from './limits.ts'

/** The addresses have been checked; the socket makes no DNS query. */
export type ConnectionTarget = {
  readonly addresses: readonly string[]
  readonly port: number
  /** For TLS: the name (or address) that the certificate must match. `null` for an unencrypted connection. */
  readonly tlsHost: string | null
  /** Called with the address that the connected socket reports, before a byte is sent. */
  readonly mayTalkTo: (address: string) => boolean
  /** Additional certificate authorities, PEM. */
  readonly certificateAuthorities?: readonly string[] | undefined
  readonly signal: AbortSignal
}

/**
 * Connects to the first address that accepts, and completes the TLS handshake if there is one. Each address
 * but the last has a timeout of `CONNECT_ATTEMPT_MS`.
 */
export async function openConnection(target: ConnectionTarget): Promise<Socket> {
  const socket = await connectToFirst(target)
  const remote = socket.remoteAddress
  // A second check, of the address that the socket is really connected to.
  if (remote === undefined || !target.mayTalkTo(remote.replace(/^::ffff:/, ''))) {
    socket.destroy()
    throw fetchFailed('name_not_resolved')
  }
  if (target.tlsHost === null) return socket
  return secure(socket, target.tlsHost, target)
}

async function connectToFirst(target: ConnectionTarget): Promise<Socket> {
  for (const [index, address] of target.addresses.entries()) {
    const isLast = index === target.addresses.length - 1
    const socket = await tryConnect(address, target, isLast ? null : CONNECT_ATTEMPT_MS)
    if (socket !== null) return socket
  }
  throw fetchFailed('connection_failed')
}

/** `null` if the address does not accept in time. Throws only when the signal aborts. */
function tryConnect(address: string, target: ConnectionTarget, attemptMs: number | null): Promise<Socket | null> {
  const { signal, port } = target
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortReason(signal))
    const socket = connectTcp({ host: address, port, family: isIPv6(address) ? 6 : 4, noDelay: true })
    const timer = attemptMs === null ? null : setTimeout(() => finish(() => resolve(null), true), attemptMs)
    const abort = () => finish(() => reject(abortReason(signal)), true)
    const finish = (answer: () => void, isOver: boolean) => {
      if (timer !== null) clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.removeAllListeners('connect')
      if (isOver) destroyQuietly(socket)
      answer()
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', () => finish(() => resolve(null), true))
    socket.once('connect', () => finish(() => resolve(socket), false))
  })
}

function secure(socket: Socket, host: string, target: ConnectionTarget): Promise<TLSSocket> {
  const { signal } = target
  return new Promise((resolve, reject) => {
    const isLiteral = /^[\d.]+$/.test(host) || host.includes(':')
    const secured = connectTls({
      socket,
      host,
      servername: isLiteral ? '' : host,
      ALPNProtocols: ['http/1.1'],
      // Explicit, so that no environment variable can disable it.
      rejectUnauthorized: true,
      ...(target.certificateAuthorities === undefined ? {} : { ca: [...target.certificateAuthorities] }),
    })
    const finish = (answer: () => void, isOver: boolean) => {
      signal.removeEventListener('abort', abort)
      secured.removeAllListeners('error')
      secured.removeAllListeners('close')
      if (isOver) {
        destroyQuietly(secured)
        destroyQuietly(socket)
      }
      answer()
    }
    const abort = () => finish(() => reject(abortReason(signal)), true)
    signal.addEventListener('abort', abort, { once: true })
    secured.once('error', () => finish(() => reject(fetchFailed('connection_failed')), true))
    secured.once('close', () => finish(() => reject(fetchFailed('connection_failed')), true))
    secured.once('secureConnect', () => finish(() => resolve(secured), false))
    if (signal.aborted) abort()
  })
}

function destroyQuietly(socket: Socket): void {
  socket.on('error', ignoreLateError)
  socket.destroy()
}

/** A socket that is being destroyed may still emit the error that caused it. */
function ignoreLateError(): void {}
