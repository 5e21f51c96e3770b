import { connect, type Socket } from 'node:net'

/** The outcome of a request. Status 0: the connection broke before the answer's end; `fault` says how. */
export type LoadAnswer = { readonly status: number; readonly durationMs: number; readonly fault?: string }

/** Receives the outcome of a request by its number. `fault` is null unless the connection broke. */
export type OnAnswer = (ticket: number, status: number, durationMs: number, fault: string | null) => void

/**
 * All connections read into this buffer: its content has been counted before the next read. With a buffer for
 * each, every read would be an allocation and pass through the stream's queue.
 */
const received = Buffer.alloc(256 * 1024)

/**
 * An HTTP client that takes little processor time beside the service on the same machine: requests are bytes
 * built before, answers are counted and dropped as bytes, and each request under way has a kept-alive
 * connection.
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
    return new Promise(resolve => {
      this.start(request, 0, (_, status, durationMs, fault) =>
        resolve(fault === null ? { status, durationMs } : { status, durationMs, fault }),
      )
    })
  }

  /** Sends one request and calls `onAnswer` with its outcome. Allocates no object and no promise for it. */
  start(request: Buffer, ticket: number, onAnswer: OnAnswer): void {
    const connection = this.#idle.pop() ?? this.#open()
    connection.start(request, ticket, onAnswer)
  }

  close(): void {
    for (const connection of this.#all) connection.destroy()
  }

  #open(): Connection {
    const connection = new Connection(
      { host: this.#host, port: this.#port },
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
  readonly #socket: Socket
  readonly #onIdle: () => void
  readonly #head = new AnswerHead()
  #onAnswer: OnAnswer | null = null
  #ticket = 0
  #startedMs = 0
  /** Bytes of the answer's body still to be received; negative before the end of its head. */
  #leftBytes = -1
  #requestCount = 0

  constructor(to: { readonly host: string; readonly port: number }, onIdle: () => void, onGone: () => void) {
    this.#onIdle = onIdle
    const onread = {
      buffer: received,
      callback: (sizeBytes: number) => {
        this.#read(sizeBytes)
        return true
      },
    }
    this.#socket = connect({ ...to, noDelay: true, onread })
    let fault = 'closed by the service'
    this.#socket.on('error', error => {
      fault = error.message
      this.#socket.destroy()
    })
    this.#socket.on('close', () => {
      onGone()
      this.#end(0, this.#requestCount === 1 ? fault : `${fault}, on a connection that had been used`)
    })
  }

  start(request: Buffer, ticket: number, onAnswer: OnAnswer): void {
    this.#startedMs = performance.now()
    this.#requestCount += 1
    this.#head.clear()
    this.#leftBytes = -1
    this.#ticket = ticket
    this.#onAnswer = onAnswer
    this.#socket.write(request)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #read(sizeBytes: number): void {
    let bodyBytes = sizeBytes
    if (this.#leftBytes < 0) {
      const headBytes = this.#head.read(received, sizeBytes)
      if (!this.#head.isWhole) return
      this.#leftBytes = this.#head.contentLength
      bodyBytes -= headBytes
    }
    this.#leftBytes -= bodyBytes
    if (this.#leftBytes > 0) return
    if (this.#head.isLast) this.#socket.destroy()
    else if (this.#socket.writableLength === 0) this.#onIdle()
    // Answered before the whole request was sent: the next one would wait behind the rest of it.
    else this.#socket.once('drain', this.#onIdle)
    this.#end(this.#head.status, null)
  }

  #end(status: number, fault: string | null): void {
    const onAnswer = this.#onAnswer
    this.#onAnswer = null
    onAnswer?.(this.#ticket, status, performance.now() - this.#startedMs, fault)
  }
}

const LINE_FEED = 10
const COLON = 58
const LOWER = 0x20

/** Reads status, body length and Connection of an answer's head, which may arrive in pieces. */
class AnswerHead {
  status = 0
  contentLength = 0
  /** Whether the service closes the connection after this answer. */
  isLast = false
  isWhole = false
  #lineIndex = 0
  /** The line that is being read, in lower case and cut to this length. */
  readonly #line = new Uint8Array(64)
  #lineBytes = 0

  clear(): void {
    this.status = 0
    this.contentLength = 0
    this.isLast = false
    this.isWhole = false
    this.#lineIndex = 0
    this.#lineBytes = 0
  }

  /** @returns the bytes that belong to the head */
  read(bytes: Uint8Array, sizeBytes: number): number {
    for (let at = 0; at < sizeBytes; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte !== LINE_FEED) {
        if (this.#lineBytes < this.#line.length) this.#line[this.#lineBytes] = byte
        this.#lineBytes += 1
        continue
      }
      // The line break is two bytes, and the carriage return is the last of the line.
      if (this.#lineBytes <= 1) {
        this.isWhole = true
        return at + 1
      }
      this.#endLine()
      this.#lineIndex += 1
      this.#lineBytes = 0
    }
    return sizeBytes
  }

  #endLine(): void {
    if (this.#lineIndex === 0) this.status = this.#number(9)
    else if (this.#isNamed('content-length')) this.contentLength = this.#number('content-length'.length + 1)
    else if (this.#isNamed('connection')) this.isLast = this.#letter('connection'.length + 2) === 'close'.charCodeAt(0)
  }

  #isNamed(name: string): boolean {
    if (this.#line[name.length] !== COLON) return false
    for (let i = 0; i < name.length; i += 1) if (this.#letter(i) !== name.charCodeAt(i)) return false
    return true
  }

  /** The byte at an offset in the line; letters in lower case. */
  #letter(at: number): number {
    const byte = this.#line[at] ?? 0
    return byte >= 65 && byte <= 90 ? byte | LOWER : byte
  }

  /** The number at an offset in the line, after blanks. */
  #number(from: number): number {
    let value = 0
    for (let at = from; at < Math.min(this.#lineBytes, this.#line.length); at += 1) {
      const digit = (this.#line[at] ?? 0) - 48
      if (digit >= 0 && digit <= 9) value = value * 10 + digit
      else if (value > 0) break
    }
    return value
  }
}
