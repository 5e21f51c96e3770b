import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that sends exactly the given bytes, for what no client library would send. */
export class RawConnection implements Disposable {
  readonly socket: Socket
  #received = ''
  #isEnded = false
  #fault: Error | null = null

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1')
    })
    socket.on('error', error => {
      this.#fault = error
    })
    socket.once('close', () => {
      this.#isEnded = true
    })
  }

  /** @param allowHalfOpen whether it can continue sending after the other side has ended */
  static async open(url: string, { allowHalfOpen = false } = {}): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen })
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  get received(): string {
    return this.#received
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The error that broke the connection; null if it ended normally. */
  get fault(): Error | null {
    return this.#fault
  }

  send(text: string): void {
    this.socket.write(text)
  }

  /** Everything received until it matches, or the connection ended. */
  async receive(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#received) && !this.#isEnded)
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')])
    return this.#received
  }

  async ended(): Promise<void> {
    if (!this.#isEnded) await once(this.socket, 'close')
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }
}

/** The head of a request to generate mockups with a JSON body of this length. */
export function generateHead(key: string, contentLength: number): string {
  return [
    'POST /api/v1/mockups/generate HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${contentLength}`,
    '\r\n',
  ].join('\r\n')
}
