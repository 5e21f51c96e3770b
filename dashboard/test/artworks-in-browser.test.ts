/**
 * Artwork that decoders disagree about, in the element, in the gallery and on a customer's page: what each
 * shows is the mockup, and what the service refuses is refused there in its words.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import type { TestService } from '../../service/test/http/test-service.ts'
import { pictureOfTile, pixelsOf, useBrowser, visitInBrowser } from './browser-visit.ts'

const folder = path.resolve(import.meta.dirname, '../../service/test/artworks')
const TEMPLATE = 'flat400'
const EMAIL = 'artworks@example.com'
const MOST_DIFFERENCE = 2
/** Round a sharp edge in the preview's pictures. */
const ROUNDS = 100

/** `mockups`: as wide as a tile of the gallery and the element's preview, or why the service refuses it. */
type Artwork = { readonly name: string; readonly bytes: Buffer; readonly mockups: Mockups | string }
type Mockups = { readonly 480: Pixels; readonly 960: Pixels }
type Pixels = Awaited<ReturnType<typeof pixelsOf>>
type WidthPx = keyof Mockups

const errorSchema = z.object({ error: z.string() })

describe('An artwork of which every pixel is there', () => {
  const opened = useBrowser()
  let service: TestService
  let browser: Browser
  let shop: Server
  let artworks: readonly Artwork[]
  let publishable = ''

  before(async () => {
    ;({ service, browser } = opened())
    const { services } = service.running
    const { accountId: ownerAccountId } = await services.accounts.create({ email: EMAIL, credits: 100 })
    const bundle = path.resolve(folder, '../artworks-template')
    await services.templates.importBundle({ path: bundle, ownerAccountId })
    const named = { accountId: ownerAccountId, name: 'Shop' }
    const { key } = await services.apiKeys.create(named)
    const look = { origins: ['http://localhost:*'], widthPx: 960, watermark: null, templateIds: [TEMPLATE] }
    ;({ key: publishable } = await services.publishableKeys.create({ ...named, ...look }))
    const files = await Promise.all(
      (await readdir(folder)).map(async name => ({ name, bytes: await readFile(path.join(folder, name)) })),
    )
    const sound = await readFile(path.join(folder, 'png-iend-crc-cut.png'))
    const cutJpeg = (await readFile(path.join(folder, 'jpg-sos-se0.jpg'))).subarray(0, 1500)
    const damaged = Buffer.from(sound)
    damaged[300] = (damaged[300] ?? 0) ^ 1
    files.push({ name: 'cut.jpg', bytes: cutJpeg }, { name: 'a wrong checksum.png', bytes: damaged })
    artworks = await Promise.all(
      files.map(async ({ name, bytes }) => ({ name, bytes, mockups: await makeMockups(key, bytes) })),
    )
    const page = `<!doctype html><title>Shop</title>
      <script type="module" src="${service.running.url}/embed/v1/vitrine-mockup.js"></script>
      <vitrine-mockup publishable-key="${publishable}" template="${TEMPLATE}" loading="eager" alt="Yours"></vitrine-mockup>`
    shop = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page))
    await new Promise<void>(resolve => shop.listen(0, resolve))
  })
  after(() => {
    shop?.closeAllConnections()
    shop?.close()
  })

  async function makeMockups(key: string, bytes: Buffer): Promise<Mockups | string> {
    const small = await makeMockup(key, bytes, 480)
    if (typeof small === 'string') return small
    const large = await makeMockup(key, bytes, 960)
    return typeof large === 'string' ? large : { 480: small, 960: large }
  }

  async function makeMockup(key: string, bytes: Buffer, widthPx: WidthPx): Promise<Pixels | string> {
    const form = new FormData()
    form.set('template_id', TEMPLATE)
    form.set('width', String(widthPx))
    form.set('format', 'png')
    form.set('artwork', new Blob([new Uint8Array(bytes)]), 'artwork')
    const answer = await service.generate(key, form)
    if (answer.status === 200) return pixelsOf(answer.bytes)
    return errorSchema.parse(JSON.parse(answer.bytes.toString())).error
  }

  /** Throws unless the picture is the mockup. */
  async function assertIsMockup({ name, mockups }: Artwork, widthPx: WidthPx, shown: Buffer): Promise<void> {
    assert.ok(typeof mockups !== 'string', `${name}: the service refuses it`)
    const [made, seen] = [mockups[widthPx], await pixelsOf(shown)]
    assert.deepEqual([seen.info.width, seen.info.height], [made.info.width, made.info.height], name)
    let worst = 0
    for (let i = 0; i < made.data.length; i++)
      worst = Math.max(worst, Math.abs((made.data[i] ?? 0) - (seen.data[i] ?? 0)))
    assert.ok(worst <= MOST_DIFFERENCE, `${name}: ${worst} of 255`)
  }

  /** Waits until the picture that is shown is the mockup. */
  async function awaitMockup(artwork: Artwork, look: () => Promise<Buffer>): Promise<void> {
    for (let round = 1; ; round++) {
      try {
        return await assertIsMockup(artwork, 480, await look())
      } catch (error) {
        if (round === ROUNDS) throw error
        await delay(50)
      }
    }
  }

  it('is shown by the element as in the mockup, or refused with the same message', async () => {
    await using context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    const address = shop.address()
    assert.ok(address !== null && typeof address === 'object')
    await page.addInitScript(`globalThis.told = []
      for (const name of ['vitrine-ready', 'vitrine-change', 'vitrine-error'])
        addEventListener(name, ({ detail }) => told.push({ name, message: detail.message ?? '' }), true)`)
    await page.goto(`http://localhost:${address.port}/`)
    await page.waitForFunction("told.some(({ name }) => name === 'vitrine-ready')")
    for (const artwork of artworks) {
      const choose = `(async () => {
        told.length = 0
        const element = document.querySelector('vitrine-mockup')
        element.artwork = new File([Uint8Array.fromBase64('${artwork.bytes.toString('base64')}')], 'artwork')
        const bytes = await element.toBlob().then(blob => blob.bytes(), () => null)
        return { picture: bytes?.toBase64() ?? '', message: told.find(({ name }) => name === 'vitrine-error')?.message ?? '' }
      })()`
      const chosen = z.object({ picture: z.string(), message: z.string() }).parse(await page.evaluate(choose))
      const { name, mockups } = artwork
      if (typeof mockups === 'string')
        assert.ok(chosen.message !== '' && mockups.includes(chosen.message), `${name}: ${chosen.message} | ${mockups}`)
      else await assertIsMockup(artwork, 960, Buffer.from(chosen.picture, 'base64'))
    }
  })

  it('is shown in the gallery, and on the page of a customer', async () => {
    await using visit = await visitInBrowser(opened(), EMAIL, { expected: /status of 401/ })
    const { page } = visit
    const shown = artworks.filter(({ mockups }) => typeof mockups !== 'string')
    const typeOf = (name: string): string => `image/${path.extname(name).slice(1).replace('jpg', 'jpeg')}`
    const fileOf = ({ name, bytes }: Artwork) => ({ name, mimeType: typeOf(name), buffer: bytes })
    await page.goto(`${service.running.url}/templates`)
    const tile = page.locator(`[data-tile="${TEMPLATE}"]`)
    for (const artwork of shown) {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('region', { name: 'Artworks of this visit' }).getByText('Add').click()
      await (await chooser).setFiles(fileOf(artwork))
      await tile.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
      await awaitMockup(artwork, () => pictureOfTile(tile))
    }
    await tile.press('Space')
    await page.getByRole('button', { name: 'Send to a customer…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your shop’s name').fill('Print & Co.')
    await dialog.getByLabel('Title').fill('Proof')
    await dialog.getByRole('button', { name: 'Create the link' }).click()
    const link = await page.getByRole('dialog', { name: 'Send this link' }).locator('code').textContent()
    await using context = await browser.newContext({ locale: 'en-US' })
    const customer = await context.newPage()
    await customer.goto(link ?? '')
    const proof = customer.locator(`[data-tile="${TEMPLATE}"]`)
    for (const artwork of shown) {
      await customer.getByLabel('Choose your picture').setInputFiles(fileOf(artwork))
      await proof.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
      await awaitMockup(artwork, () => pictureOfTile(proof))
    }
  })
})
