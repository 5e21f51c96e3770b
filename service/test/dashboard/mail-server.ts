import { once } from 'node:events'
import net from 'node:net'
import { createInterface } from 'node:readline'

/** A mail server on loopback that accepts and stores every mail (RFC 5321, as far as a sender needs). */
export class MailServer implements AsyncDisposable {
  readonly #mails: { readonly to: string; readonly text: string }[] = []
  readonly #server: net.Server
  readonly #sockets = new Set<net.Socket>()

  private constructor(server: net.Server) {
    this.#server = server
  }

  static async start(): Promise<MailServer> {
    const server = net.createServer()
    const mailServer = new MailServer(server)
    server.on('connection', socket => void mailServer.#talk(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return mailServer
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
    return `smtp://127.0.0.1:${address.port}`
  }

  mailsTo(email: string, about = /(?:)/): readonly string[] {
    return this.#mails.filter(({ to, text }) => to === email && about.test(text)).map(({ text }) => text)
  }

  /** The `count`th mail to an address, optionally among those matching `about`, as soon as it arrives. */
  async mailTo(email: string, count = 1, about?: RegExp): Promise<string> {
    for (let waits = 0; waits < 4000; waits++) {
      const text = this.mailsTo(email, about)[count - 1]
      if (text !== undefined) return text
      await new Promise(resolve => setTimeout(resolve, 25))
    }
    throw new Error(`No mail ${count} came to ${email}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #talk(socket: net.Socket): Promise<void> {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    const say = (line: string) => socket.write(`${line}\r\n`)
    let to = ''
    let body: string[] | null = null
    say('220 loopback')
    for await (const line of createInterface({ input: socket })) {
      if (body !== null) {
        if (line !== '.') {
          body.push(line)
          continue
        }
        this.#mails.push({ to, text: readable(body) })
        body = null
        say('250 taken')
      } else if (/^DATA/i.test(line)) {
        body = []
        say('354 go on')
      } else if (/^QUIT/i.test(line)) {
        say('221 bye')
        socket.end()
      } else {
        to = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1] ?? to
        say('250 ok')
      }
    }
  }
}

/** Decodes a mail's text (RFC 2045, quoted-printable). */
function readable(lines: readonly string[]): string {
  const text = lines.join('\n')
  if (!/^Content-Transfer-Encoding: quoted-printable$/im.test(text)) return text
  return text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_code, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
