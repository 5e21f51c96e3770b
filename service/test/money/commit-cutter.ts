import { connect, createServer, type Socket } from 'node:net'

/**
 * PostgreSQL's messages "CommandComplete: COMMIT", and "ReadyForQuery" outside of a transaction.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const COMMIT_CONFIRMED = 'C\u0000\u0000\u0000\u000bCOMMIT\u0000'
const READY_AND_IDLE = 'Z\u0000\u0000\u0000\u0005I'
/** "BackendKeyData": the number of the server's process and a secret follow. */
const PROCESS_KEY = 'K\u0000\u0000\u0000\u000c'
/** Found in answers to statements that are their own transactions: a column of the function, an insert. */
const aloneMarks = ['state_now\u0000', 'INSERT 0 1\u0000']

function confirmsCommit(chunk: Buffer): boolean {
  const text = chunk.toString('latin1')
  return (
    text.includes(COMMIT_CONFIRMED) || (aloneMarks.some(mark => text.includes(mark)) && text.endsWith(READY_AND_IDLE))
  )
}

export type CommitCutter = {
  /** The same database through the cutter. */
  readonly url: string
  /** Suppresses this many of the next commit confirmations, and breaks their connections. */
  cutNext: (confirmations: number) => void
  /** How many of them are still to come. */
  cutsLeft: () => number
  readonly close: () => Promise<void>
}

/** The server's start-up answer with another process id: a pooler answers with its own. */
function withOtherProcess(chunk: Buffer): Buffer {
  const changed = Buffer.from(chunk)
  const at = chunk.indexOf(PROCESS_KEY, 0, 'latin1')
  if (at >= 0) changed.writeUInt8(chunk.readUInt8(at + 8) ^ 1, at + 8)
  return changed
}

/**
 * A proxy to PostgreSQL that breaks the connection just when the server confirms a commit, so that it took
 * effect without the client knowing. Optionally it looks like a pooler.
 */
export async function startCommitCutter(
  url: string,
  { looksPooled = false }: { readonly looksPooled?: boolean } = {},
): Promise<CommitCutter> {
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
      if (cutsLeft > 0 && confirmsCommit(chunk)) {
        cutsLeft--
        client.destroy()
        return
      }
      client.write(looksPooled ? withOtherProcess(chunk) : chunk)
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
    cutsLeft: () => cutsLeft,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
