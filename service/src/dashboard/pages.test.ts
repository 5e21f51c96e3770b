import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import Fastify from 'fastify'
import { launchChromium } from '../../test/servers/chromium.ts'
import { registerPages } from './pages.ts'

/** A service with a build of the pages that displays `version`. */
async function servePages() {
  const folder = await mkdtemp(path.join(tmpdir(), 'pages-'))
  await mkdir(path.join(folder, 'assets'))
  const build = async (version: string) => {
    for (const name of ['index.html', 'favicon.svg', 'early-drops.js', 'sample-artwork.jpg', 'sample-mockup.webp'])
      await writeFile(path.join(folder, name), `${name} of build ${version}`)
    await writeFile(path.join(folder, `assets/main-${version}.js`), version)
  }
  await build('one')
  const app = Fastify()
  await registerPages(app, folder)
  return {
    app,
    build,
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
}

test('a rebuilt page is seen at the next load, by a browser that has cached the old one', async () => {
  await using pages = await servePages()
  for (const url of [
    '/',
    '/templates/oak',
    '/favicon.svg',
    '/early-drops.js',
    '/sample-artwork.jpg',
    '/sample-mockup.webp',
  ]) {
    await pages.build('one')
    const first = await pages.app.inject({ url })
    assert.equal(first.statusCode, 200, url)
    assert.equal(first.headers['cache-control'], 'no-cache', url)
    const known = { 'if-none-match': String(first.headers.etag) }
    assert.equal((await pages.app.inject({ url, headers: known })).statusCode, 304, `${url} is sent once`)
    await pages.build('two, which is longer')
    const next = await pages.app.inject({ url, headers: known })
    assert.equal(next.statusCode, 200, url)
    assert.match(next.body, /of build two/, url)
  }
  const unknown = await pages.app.inject({ url: '/no-such-page', headers: { accept: 'text/html' } })
  assert.equal(unknown.statusCode, 404)
  assert.equal(unknown.headers['cache-control'], 'no-store')
  assert.match(unknown.body, /of build two/)
})

test('a file with a hash in its name is cached for a year without revalidation', async () => {
  await using pages = await servePages()
  const { headers } = await pages.app.inject({ url: '/assets/main-one.js' })
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(String(headers['content-security-policy']), /default-src 'none'/)
})

test('Chromium shows a rebuilt page in the next tab', async () => {
  await using pages = await servePages()
  const address = await pages.app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await launchChromium()
  try {
    const context = await browser.newContext()
    const shown = async () => {
      const page = await context.newPage()
      await page.goto(address)
      return page.locator('body').innerText()
    }
    assert.equal(await shown(), 'index.html of build one')
    await pages.build('two, which is longer')
    assert.equal(await shown(), 'index.html of build two, which is longer')
  } finally {
    await browser.close()
  }
})
