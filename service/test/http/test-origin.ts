import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { plainPicture } from '../mockups/test-bundle.ts'

/** A web server with untrusted pictures, on loopback. */
export type TestOrigin = {
  /** `127.0.0.1:port` */
  readonly host: string
  readonly url: string
  /** The requested paths, in order. */
  readonly asked: string[]
  close(): Promise<void>
}

const OVERSIZE_BYTES = 20 * 1024 * 1024 + 1

/** Nearly the largest accepted file. */
const HEAVY_BYTES = 19 * 1024 * 1024

/**
 * Starts it. `/red.png` and `/blue.png` are pictures, `/late/red.png` a second later; `/status/N`,
 * `/redirect/N`, `/large`, `/stall`, `/text` and `/empty` do what their names say; `/heavy` is large and not
 * a picture.
 */
export async function startOrigin(): Promise<TestOrigin> {
  const pictures = new Map<string, Uint8Array>([
    ['/red.png', await plainPicture(40, 40, [255, 0, 0])],
    ['/blue.png', await plainPicture(40, 40, [0, 0, 255])],
    ['/text', Buffer.from('this is no picture')],
    ['/empty', Buffer.alloc(0)],
    ['/large', Buffer.alloc(OVERSIZE_BYTES)],
    ['/heavy', Buffer.alloc(HEAVY_BYTES)],
  ])
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response, pictures)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
  const host = `127.0.0.1:${address.port}`
  return {
    host,
    url: `http://${host}`,
    asked,
    close: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(request: IncomingMessage, response: ServerResponse, pictures: ReadonlyMap<string, Uint8Array>): void {
  const { pathname } = new URL(request.url ?? '/', 'http://origin')
  const picture = pictures.get(pathname)
  const [, word, number] = pathname.split('/')
  if (picture !== undefined) response.end(picture)
  else if (word === 'status') response.writeHead(Number(number)).end()
  else if (word === 'redirect' && Number(number) > 0)
    response.writeHead(302, { Location: `/redirect/${Number(number) - 1}` }).end()
  else if (word === 'redirect') response.end(pictures.get('/red.png'))
  else if (word === 'late') setTimeout(() => response.end(pictures.get(`/${number}`)), 1000)
  else if (word === 'to-private') response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()
  else if (word === 'reset') request.socket.destroy()
  else if (word !== 'stall') response.writeHead(404).end()
}
