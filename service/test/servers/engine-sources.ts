import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'

const engineDir = path.resolve(import.meta.dirname, '../../../engine')

/** The page maps the engine's only dependency by an import map. */
const PAGE = `<!doctype html><title>engine</title>
<script type="importmap">{ "imports": { "fflate": "/fflate.js" } }</script>`
const fflateFile = path.resolve(engineDir, '../node_modules/fflate/esm/browser.js')

/** Serves the engine's sources to browsers: types stripped, nothing else changed. */
export async function startEngineSources(): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/') {
      response.setHeader('content-type', 'text/html').end(PAGE)
      return
    }
    const file = pathname === '/fflate.js' ? fflateFile : path.join(engineDir, path.normalize(pathname))
    const type = file.endsWith('.wasm') ? 'application/wasm' : 'text/javascript'
    readFile(file).then(
      bytes =>
        response
          .setHeader('content-type', type)
          .end(file.endsWith('.ts') ? stripTypeScriptTypes(bytes.toString('utf8')) : bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address !== 'object') throw new Error('Expected a port.')
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}
