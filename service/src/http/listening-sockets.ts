import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Sockets that listen on the one port. Node accepts one connection of each in a turn of its event loop (libuv does since 1.45), and under load a turn
 * takes milliseconds: with a single one, new clients of a busy service are accepted at some 200 a second whatever they ask, wait a second and more
 * for a 503, and are dropped when the system's queue of them is full.
 */
const SOCKET_COUNT = 16

/**
 * Connections that may wait at each socket to be accepted; the system may allow fewer (Linux 4,096). Node's 511 are half a second of a thousand new clients a
 * second: the system drops what comes beyond, and a client whose last packet of the handshake was dropped is reset in the middle of its request.
 */
const BACKLOG = 4096

/** Where a service listens, and what has to be closed beside it. */
export class ListeningSockets {
  readonly #others: readonly Server[]

  private constructor(others: readonly Server[]) {
    this.#others = others
  }

  /**
   * Makes a service listen on a port that is known to be free (0: on any). The system spreads new connections over the sockets (SO_REUSEPORT, Linux), and whoever
   * wants the port for itself, another service of ours too, is refused it as ever.
   *
   * @throws what the system says: EADDRINUSE, EACCES, EADDRNOTAVAIL
   */
  static async open(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<ListeningSockets> {
    const reusePort = process.platform === 'linux'
    const options = { host, port, backlog: BACKLOG, reusePort }
    await app.listen(options)
    const address = app.server.address()
    if (address !== null && typeof address === 'object') options.port = address.port
    const others = Array.from({ length: reusePort ? SOCKET_COUNT - 1 : 0 }, () =>
      // As an HTTP server of Node makes its own.
      createServer({ allowHalfOpen: true, noDelay: true }, socket => app.server.emit('connection', socket)),
    )
    const sockets = new ListeningSockets(others)
    try {
      await Promise.all(others.map(other => once(other.listen(options), 'listening')))
    } catch (error) {
      await Promise.all([app.close(), sockets.close()])
      throw error
    }
    return sockets
  }

  /** Takes no more connections; settles when those that there are have ended. */
  async close(): Promise<void> {
    await Promise.all(
      this.#others.filter(other => other.listening).map(other => new Promise(resolve => other.close(resolve))),
    )
  }
}
