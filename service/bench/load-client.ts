import { connect, type Socket } from 'node:net'

/** What came of one request. A connection that broke before its answer was whole is status 0, and `fault` says how it broke. */
export type LoadAnswer = { readonly status: number; readonly durationMs: number; readonly fault?: string }

/**
 * An HTTP client that costs next to nothing, so that on one machine the load it makes is not load of its own: requests are bytes that were
 * built before, answers are counted and dropped, connections are kept alive and there are as many as requests under way.
 */
export class LoadClient {
  readonly #host: string
  readonly #port: number
  readonly #idle: Connection[] = []
  readonly #all = new Set<Connection>()

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#host = hostname
    this.#port = Number(port)
  }

  get connectionCount(): number {
    return this.#all.size
  }

  /** Sends one request and waits for its whole answer. */
  send(request: Buffer): Promise<LoadAnswer> {
    const connection = this.#idle.pop() ?? this.#open()
    return connection.send(request)
  }

  close(): void {
    for (const connection of this.#all) connection.socket.destroy()
  }

  #open(): Connection {
    const connection = new Connection(
      connect(this.#port, this.#host),
      () => this.#idle.push(connection),
      () => {
        this.#all.delete(connection)
        const index = this.#idle.indexOf(connection)
        if (index >= 0) this.#idle.splice(index, 1)
      },
    )
    this.#all.add(connection)
    return connection
  }
}

/** A request as bytes. */
export function buildRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array = new Uint8Array(),
): Buffer {
  const lines = Object.entries({ Host: 'localhost', ...headers, 'Content-Length': String(body.length) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`), body])
}

class Connection {
  readonly socket: Socket
  readonly #onIdle: () => void
  #resolve: ((answer: LoadAnswer) => void) | null = null
  #startedMs = 0
  #status = 0
  #head = ''
  /** Bytes of the answer's body that are still to come; null before its head is whole. */
  #leftBytes: number | null = null
  #isLast = false
  #requestCount = 0

  constructor(socket: Socket, onIdle: () => void, onGone: () => void) {
    this.socket = socket
    this.#onIdle = onIdle
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    let fault = 'closed by the service'
    socket.on('error', error => {
      fault = error.message
      socket.destroy()
    })
    socket.on('close', () => {
      onGone()
      this.#end(0, this.#requestCount === 1 ? fault : `${fault}, on a connection that had been used`)
    })
  }

  send(request: Buffer): Promise<LoadAnswer> {
    this.#startedMs = performance.now()
    this.#requestCount += 1
    this.#head = ''
    this.#leftBytes = null
    return new Promise(resolve => {
      this.#resolve = resolve
      this.socket.write(request)
    })
  }

  #read(chunk: Buffer): void {
    let bodyBytes = chunk.length
    if (this.#leftBytes === null) {
      const text = chunk.toString('latin1', 0, 4096)
      const before = this.#head.length
      this.#head += text
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = this.#head.slice(0, end)
      this.#status = Number(head.slice(9, 12))
      this.#leftBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      this.#isLast = /\r\nconnection: *close/i.test(head)
      bodyBytes -= end + 4 - before
    }
    this.#leftBytes -= bodyBytes
    if (this.#leftBytes > 0) return
    const status = this.#status
    if (this.#isLast) this.socket.destroy()
    else if (this.socket.writableLength === 0) this.#onIdle()
    // Answered before all was sent: the next request would wait behind the rest, and be lost with it.
    else this.socket.once('drain', this.#onIdle)
    this.#end(status)
  }

  #end(status: number, fault?: string): void {
    const durationMs = performance.now() - this.#startedMs
    this.#resolve?.(fault === undefined ? { status, durationMs } : { status, durationMs, fault })
    this.#resolve = null
  }
}
