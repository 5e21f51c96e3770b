import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../servers/chromium.ts'
import { TestService } from './test-service.ts'

let service: TestService
let browser: Browser
/** At /docs. */
let page: Page
const requested: string[] = []
const complaints: string[] = []
before(async () => {
  service = await TestService.start('sqlite')
  browser = await launchChromium()
  page = await browser.newPage({ locale: 'en-US' })
  page.on('request', request => requested.push(request.url()))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(`${service.running.url}/docs`)
})
after(async () => {
  await browser.close()
  await service[Symbol.asyncDispose]()
})

test('/docs shows every operation in a real browser, sends no requests elsewhere, and does not violate its own policy', async () => {
  await page.getByText('Your first mockup').first().waitFor({ state: 'attached' })
  for (const title of ['Generate mockups', 'List templates', 'Read the balance', 'Read usage statistics'])
    await page.getByText(title).first().waitFor({ state: 'attached' })
  const foreign = requested.filter(url => !url.startsWith(service.running.url) && !/^(?:data|blob):/.test(url))
  assert.deepEqual(foreign, [])
  assert.deepEqual(complaints, [])
})

/** The raw bytes as sent: `fetch` would decompress them. */
async function getPacked(path: string, headers: Readonly<Record<string, string>>) {
  const request = http.get(`${service.running.url}${path}`, { headers })
  const [answer]: http.IncomingMessage[] = await once(request, 'response')
  assert.ok(answer !== undefined)
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }
}

test('the program of /docs and the document are sent compressed, and not again to clients that have cached them', async () => {
  for (const path of ['/docs/js/scalar.js', '/api/v1/openapi.json', '/llms.txt']) {
    const plain = await getPacked(path, {})
    assert.equal(plain.headers['content-encoding'], undefined)
    for (const [accepted, coding, unpack] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const packed = await getPacked(path, { 'accept-encoding': accepted })
      assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], [coding, 'Accept-Encoding'])
      assert.deepEqual(unpack(packed.bytes), plain.bytes)
      assert.ok(packed.bytes.length < plain.bytes.length / 2, `${packed.bytes.length} of ${plain.bytes.length} bytes`)
      const { etag = '', 'cache-control': caching } = packed.headers
      assert.equal(caching, 'no-cache')
      const again = await getPacked(path, { 'accept-encoding': accepted, 'if-none-match': etag })
      assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag])
    }
    assert.equal((await getPacked(path, { 'if-none-match': '"another"' })).status, 200)
  }
})

test('/docs runs only its own scripts: those of its origin, and those with the answer’s nonce', async () => {
  const answers = await Promise.all([1, 2].map(() => fetch(`${service.running.url}/docs/`)))
  const nonces = await Promise.all(
    answers.map(async answer => {
      const policy = answer.headers.get('content-security-policy') ?? ''
      const [, sources = ''] = /(?:^|; )script-src ([^;]*)/.exec(policy) ?? []
      const [, nonce = ''] = /^'self' 'nonce-([A-Za-z0-9+/]{24})'$/.exec(sources) ?? []
      assert.notEqual(nonce, '', sources)
      const scripts = [...(await answer.text()).matchAll(/<script\b([^>]*)>/g)]
      assert.ok(scripts.length > 0)
      for (const [, attributes = ''] of scripts) assert.ok(attributes.includes(` nonce="${nonce}"`), attributes)
      return nonce
    }),
  )
  assert.notEqual(nonces[0], nonces[1])

  const ran = await page.evaluate(`(() => {
    const added = document.createElement('script')
    added.textContent = 'globalThis.hasRun = true'
    document.head.append(added)
    return globalThis.hasRun === true
  })()`)
  assert.equal(ran, false)
})
