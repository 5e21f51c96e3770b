/** Serves the demo shop as a shop would, with the address of a service and a key in it. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const shop = path.resolve(import.meta.dirname, '../../examples/shop')
const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css'],
  ['.js', 'text/javascript'],
  ['.svg', 'image/svg+xml'],
])

export type ShopServer = AsyncDisposable & { readonly port: number }

/** `change`: the document, by the query of its address, before it is sent. */
export async function startShop(change: (html: string, query: URLSearchParams) => string): Promise<ShopServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    const name = pathname === '/' ? 'index.html' : pathname.slice(1)
    const type = types.get(path.extname(name))
    if (type === undefined || name.includes('/')) {
      response.writeHead(404).end()
      return
    }
    readFile(path.join(shop, name), 'utf8').then(
      text =>
        response
          .writeHead(200, { 'content-type': type })
          .end(name.endsWith('.html') ? change(text, searchParams) : text),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, resolve))
  // A server on a port has an address with one.
  const { port } = server.address() as AddressInfo
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
