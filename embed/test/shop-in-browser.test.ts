/** The demo shop in Chromium, from another origin than the service, under the policy in its head. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { z } from 'zod'
import { assertSound, lookAt } from '../../dashboard/test/assert-sound.ts'
import { TestService } from '../../service/test/http/test-service.ts'
import { launchChromium } from '../../service/test/servers/chromium.ts'
import { type ShopServer, startShop } from './shop-server.ts'

const dist = path.resolve(import.meta.dirname, '../dist')
const PROGRAM_BYTES_MAX = 155_000
const TEMPLATE = 'one-frame'

const valueSchema = z.strictObject({
  template_id: z.string(),
  placement: z.looseObject({}).optional(),
  colors: z.record(z.string(), z.string()).optional(),
  artwork_sha256: z.string().nullable(),
})

/** Red on the left, blue on the right, four times as wide as high: it can be moved in any frame. */
async function wideArtwork(): Promise<Buffer> {
  const half = { width: 600, height: 300, channels: 3 } as const
  const blue = await sharp({ create: { ...half, background: '#2040c0' } })
    .png()
    .toBuffer()
  return sharp({ create: { ...half, width: 1200, background: '#c02020' } })
    .composite([{ input: blue, left: 600, top: 0 }])
    .png()
    .toBuffer()
}

test('the program is small, both its parts together', async () => {
  const sizes = await Promise.all(
    ['vitrine-mockup.js', 'drawing.js'].map(async name => gzipSync(await readFile(path.join(dist, name))).length),
  )
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(sizeBytes < PROGRAM_BYTES_MAX, `${sizeBytes} bytes`)
})

describe('The element in a shop of another origin', () => {
  let service: TestService
  let shop: ShopServer
  let browser: Browser
  let artwork: Buffer
  let accountId: string
  let secret: string
  before(async () => {
    artwork = await wideArtwork()
    service = await TestService.start('sqlite')
    ;({ accountId, key: secret } = await service.customer(3))
    const { key } = await service.running.services.publishableKeys.create({
      accountId,
      name: 'Shop',
      origins: ['http://localhost:*'],
      widthPx: 480,
      watermark: 'shop.example',
    })
    shop = await startShop((html, query) =>
      html
        .replaceAll('http://localhost:8080', service.running.url)
        .replace('vtp_YOUR_KEY', query.has('secret') ? secret : key)
        .replace('white-mug-marble', TEMPLATE)
        .replace(query.has('plain') ? / 'wasm-unsafe-eval'; worker-src [^;]*/ : '\0', "; worker-src 'none'")
        .replace(query.has('below') ? '<main>' : '\0', '<main><pre class="tall">' + '\n'.repeat(200) + '</pre>'),
    )
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await shop?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })

  type Visit = AsyncDisposable & { readonly page: Page; readonly said: string[]; readonly asked: string[] }
  /** `isLate`: the shop's own program comes after the element's. */
  const visit = async (query = '', host = 'localhost', isLate = false): Promise<Visit> => {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const [said, asked]: [string[], string[]] = [[], []]
    page.on('console', message => {
      if (message.type() === 'error') said.push(message.text())
    })
    page.on('pageerror', error => said.push(error.message))
    page.on('request', request => asked.push(request.url()))
    await page.addInitScript(
      `globalThis.told = []
       for (const name of ['vitrine-ready', 'vitrine-change', 'vitrine-error'])
         addEventListener(name, ({ detail }) => told.push([name, detail.code ?? null]), true)`,
    )
    if (isLate) {
      const program = page.waitForEvent('requestfinished', request => request.url().endsWith('/vitrine-mockup.js'))
      await page.route('**/shop.js', async route => {
        await program
        await route.continue()
      })
    }
    await page.goto(`http://${host}:${shop.port}/${query}`)
    return { page, said, asked, [Symbol.asyncDispose]: () => context.close() }
  }
  const told = async (page: Page) =>
    z.array(z.tuple([z.string(), z.string().nullable()])).parse(await page.evaluate('told'))
  // Playwright's own waiting evaluates texts, which the page's policy refuses.
  const waitUntil = async (what: string, holds: () => Promise<boolean>) => {
    for (let round = 0; !(await holds()); round++) {
      assert.ok(round < 300, `${what} did not come`)
      await delay(100)
    }
  }
  const isTold = (page: Page, name: string) =>
    waitUntil(name, async () => (await told(page)).some(([event]) => event === name))
  const valueOf = async (page: Page) =>
    valueSchema.parse(
      JSON.parse(z.string().parse(await page.evaluate("new FormData(document.forms[0]).get('mockup')"))),
    )
  /** The element's picture, asked for in the same turn as it is told something. */
  const seen = async (page: Page, told = '') => {
    const data: unknown = await page.evaluate(
      `(async element => {
        ${told}
        const blob = await element.toBlob()
        return (await blob.bytes()).toBase64()
      })(document.querySelector('vitrine-mockup'))`,
    )
    return Buffer.from(z.string().parse(data), 'base64')
  }
  const choose = async (page: Page) => {
    await page.getByLabel('Choose a picture').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: artwork })
    await isTold(page, 'vitrine-change')
  }

  test('shows the chosen picture, which pointer, keys and buttons move; the form says where it lies', async () => {
    await using opened = await visit()
    const { page, said } = opened
    await isTold(page, 'vitrine-ready')
    assert.deepEqual(await valueOf(page), { template_id: TEMPLATE, artwork_sha256: null })
    const empty = await seen(page)
    await choose(page)
    const sha256 = createHash('sha256').update(artwork).digest('hex')
    assert.deepEqual(await valueOf(page), { template_id: TEMPLATE, artwork_sha256: sha256 })
    const picture = page.getByRole('slider', { name: 'Your picture' })
    await picture.waitFor()
    const centred = await seen(page)
    assert.notDeepEqual(centred, empty)
    assert.equal((await sharp(centred).metadata()).width, 480, 'no wider than the key says')

    const box = await picture.boundingBox()
    assert.ok(box)
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 30, y, { steps: 4 })
    await page.mouse.up()
    const dragged = await valueOf(page)
    const focus = z.tuple([z.number(), z.number()]).parse(dragged.placement?.['focus'])
    assert.ok(focus[0] < 0.5, `${focus[0]}: more of the left is seen`)
    const moved = await seen(page)
    assert.notDeepEqual(moved, centred)

    await picture.focus()
    await page.keyboard.press('+')
    await page.keyboard.press(']')
    await page.mouse.wheel(0, -100)
    await page.getByText(/^Size 1\d\d %, turned 1 degrees/).waitFor({ state: 'attached' })
    const { placement } = await valueOf(page)
    assert.ok(Number(placement?.['scale']) > 1.05)
    assert.equal(placement?.['rotation'], 1)
    await page.getByRole('button', { name: 'Turn right' }).click()
    assert.equal((await valueOf(page)).placement?.['rotation'], 16)
    await page.getByRole('button', { name: 'Turn right' }).and(page.locator(':focus')).waitFor()
    await lookAt(page, 'shop')
    await assertSound(page, 'shop')
    await page.getByRole('button', { name: 'Start again' }).click()
    assert.deepEqual(await valueOf(page), { template_id: TEMPLATE, artwork_sha256: sha256 })
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await page.getByText(`"artwork_sha256":"${sha256}"`).waitFor()
    assert.deepEqual(said, [])
    assert.deepEqual(page.workers().length, 1, 'drawn in a worker')
    assert.equal((await service.running.services.wallet.balance(accountId)).spendableCredits, 3)
  })

  test('gives the picture with what the page has chosen just before', async () => {
    await using opened = await visit()
    const { page } = opened
    await isTold(page, 'vitrine-ready')
    const empty = await seen(page)
    const bytes = `Uint8Array.from(atob('${artwork.toString('base64')}'), sign => sign.charCodeAt(0))`
    const filled = await seen(page, `element.artwork = new Blob([${bytes}])`)
    assert.notDeepEqual(filled, empty)
    assert.deepEqual(await seen(page), filled)
    const turned = await seen(page, 'element.placement = { rotation: 90 }')
    assert.notDeepEqual(turned, filled)
    assert.deepEqual(await seen(page, 'element.artwork = null'), empty)
    await page.evaluate(
      `(element => {
        const { parentElement } = element
        element.remove()
        element.setAttribute('placement', '{"rotation": 45}')
        parentElement.prepend(element)
      })(document.querySelector('vitrine-mockup'))`,
    )
    assert.equal((await valueOf(page)).placement?.['rotation'], 45, 'an attribute changed outside the document')
  })

  test('draws on the page itself where it may start no worker and compile nothing', async () => {
    await using opened = await visit('?plain')
    const { page } = opened
    await isTold(page, 'vitrine-ready')
    assert.equal(page.workers().length, 0)
    await choose(page)
    await page.getByRole('slider', { name: 'Your picture' }).waitFor()
    assert.ok((await seen(page)).length > 100)
    assert.ok((await told(page)).every(([name]) => name !== 'vitrine-error'))
  })

  test('loads a preview when it comes near the window, and not before', async () => {
    await using opened = await visit('?below')
    const { page, asked } = opened
    await waitUntil('the element', async () =>
      z.boolean().parse(await page.evaluate("customElements.get('vitrine-mockup') !== undefined")),
    )
    await delay(300)
    const loads = () => asked.filter(url => /drawing\.js|\/embed\/v1\/templates\//.test(url))
    assert.deepEqual(loads(), [])
    await page.getByRole('img', { name: 'A white mug' }).scrollIntoViewIfNeeded()
    await isTold(page, 'vitrine-ready')
    assert.ok(loads().length > 0)
  })

  test('keeps the shop’s own picture where the origin or the key is wrong, and says why', async () => {
    for (const [query, host, code] of [
      ['', '127.0.0.1', 'ORIGIN_NOT_ALLOWED'],
      ['?secret', 'localhost', 'INVALID_PUBLISHABLE_KEY'],
    ] as const) {
      await using opened = await visit(query, host, true)
      const { page } = opened
      await page.getByText(`There is no preview now (${code})`).waitFor()
      assert.deepEqual(await told(page), [['vitrine-error', code]])
      assert.ok(await page.getByRole('img', { name: 'A white mug' }).isVisible())
    }
  })

  test('opens nothing of the interface to a page, with a secret key either', async () => {
    await using opened = await visit()
    const { page } = opened
    const outcome: unknown = await page.evaluate(
      `fetch('${service.running.url}/api/v1/templates', { headers: { authorization: 'Bearer ${secret}' } })
        .then(({ status }) => status, error => error.name)`,
    )
    assert.equal(outcome, 'TypeError')
  })

  test('is served compressed, and again only where it has changed', async () => {
    for (const name of ['vitrine-mockup.js', 'drawing.js', 'press.js']) {
      const url = `${service.running.url}/embed/v1/${name}`
      for (const encoding of ['br', 'gzip', 'identity']) {
        const answer = await fetch(url, { headers: { 'accept-encoding': encoding } })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
        assert.equal(answer.headers.get('access-control-allow-origin'), '*')
        assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/)
        assert.equal(await answer.text(), await readFile(path.join(dist, name), 'utf8'))
        const headers = { 'accept-encoding': encoding, 'if-none-match': answer.headers.get('etag') ?? '' }
        assert.equal((await fetch(url, { headers })).status, 304)
      }
    }
  })
})
