import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { drawScenes } from '../../engine/test/browser/draw-scenes.ts'
import { launchChromium } from './servers/chromium.ts'

const engineDir = path.resolve(import.meta.dirname, '../../engine')

/** The page names the engine's one dependency, as a browser's import map does. */
const page = `<!doctype html><title>engine</title>
<script type="importmap">{ "imports": { "fflate": "/fflate.js" } }</script>`
const fflateFile = path.resolve(engineDir, '../node_modules/fflate/esm/browser.js')

/** The engine's sources as a browser can import them: types stripped, nothing else changed. */
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/') {
    response.setHeader('content-type', 'text/html').end(page)
    return
  }
  const file = pathname === '/fflate.js' ? fflateFile : path.join(engineDir, path.normalize(pathname))
  readFile(file, 'utf8').then(
    source =>
      response
        .setHeader('content-type', 'text/javascript')
        .end(file.endsWith('.ts') ? stripTypeScriptTypes(source) : source),
    () => response.writeHead(404).end(),
  )
})

describe('the pure part of the engine', () => {
  let browser: Browser
  let origin = ''

  before(async () => {
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    origin = `http://127.0.0.1:${address.port}`
    browser = await launchChromium()
  })

  after(async () => {
    await browser.close()
    server.close()
  })

  it('draws the same pixels in Chromium as in Node', async () => {
    const tab = await browser.newPage({ locale: 'en-US' })
    await tab.goto(origin)
    const drawn: unknown = await tab.evaluate(`
      import('/test/browser/draw-scenes.ts').then(async ({ drawScenes }) =>
        Object.entries(await drawScenes()).map(([name, pixels]) => [name, pixels.toBase64()]))
    `)
    assert.ok(Array.isArray(drawn))
    const inBrowser = new Map<unknown, unknown>(drawn)
    const inNode = await drawScenes()
    assert.equal(inBrowser.size, Object.keys(inNode).length)
    for (const [name, pixels] of Object.entries(inNode)) {
      assert.equal(inBrowser.get(name), Buffer.from(pixels).toString('base64'), name)
    }
  })
})
