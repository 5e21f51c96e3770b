import { connect, createServer, type Socket } from 'node:net'

/**
 * PostgreSQL's message "CommandComplete: COMMIT",
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const COMMIT_CONFIRMED = 'C\u0000\u0000\u0000\u000bCOMMIT\u0000'

export type CommitCutter = {
  /** The same database by way of the cutter. */
  readonly url: string
  /** How many of the next confirmations of a commit are swallowed, each together with its connection. */
  cutNext: (confirmations: number) => void
  readonly close: () => Promise<void>
}

/**
 * A way to PostgreSQL that loses the connection just when the server confirms a commit: it stands, and nobody
 * was told.
 */
export async function startCommitCutter(url: string): Promise<CommitCutter> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let cutsLeft = 0
  const server = createServer(client => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => upstream.write(chunk))
    upstream.on('data', (chunk: Buffer) => {
      if (cutsLeft > 0 && chunk.includes(COMMIT_CONFIRMED, 0, 'latin1')) {
        cutsLeft--
        client.destroy()
        return
      }
      client.write(chunk)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the cutter has no port')
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String(address.port)
  return {
    url: own.href,
    cutNext: confirmations => {
      cutsLeft = confirmations
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
