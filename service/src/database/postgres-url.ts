import { once } from 'node:events'
import { connect } from 'node:net'

/** Asks whether the server supports TLS: the length, and the code of an SSLRequest. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const ANSWER_TIMEOUT_MS = 10_000

/**
 * Adds an `sslmode` in libpq's sense to a URL. Without one, connections are encrypted if the server offers
 * TLS now, and verified if `sslrootcert` names a CA.
 */
export async function withTlsMode(url: string): Promise<string> {
  const address = new URL(url)
  const { searchParams } = address
  const mode = searchParams.get('sslmode')
  // `ssl` is the driver's own parameter and takes precedence.
  if (searchParams.has('ssl') || isSocket(address)) return url
  searchParams.set('uselibpqcompat', 'true')
  if (mode === null && searchParams.has('sslrootcert')) searchParams.set('sslmode', 'verify-full')
  else if (mode === null || mode === 'prefer') {
    searchParams.set('sslmode', (await offersTls(address)) ? 'require' : 'disable')
  }
  return address.href
}

const isSocket = ({ hostname, searchParams }: URL): boolean =>
  hostname === '' || hostname.toLowerCase().startsWith('%2f') || searchParams.has('host')

async function offersTls({ hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 5432 : Number(port) })
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    await once(socket, 'connect', { signal })
    socket.write(sslRequest)
    const isClosed = once(socket, 'close', { signal }).then(() => {
      throw new Error('the server closed the connection without an answer')
    })
    const [answer]: unknown[] = await Promise.race([once(socket, 'data', { signal }), isClosed])
    return answer instanceof Buffer && answer.toString('latin1', 0, 1) === 'S'
  } finally {
    socket.destroy()
  }
}
