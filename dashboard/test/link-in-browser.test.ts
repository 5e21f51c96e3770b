import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import type { TestService } from '../../service/test/http/test-service.ts'
import { lookAt } from './assert-sound.ts'
import { leaveDialog, testPicture, useBrowser, visitInBrowser } from './browser-visit.ts'

describe('A link for a customer', () => {
  const opened = useBrowser()

  it('is made of picks, shows them to a phone without an account, sends nothing before Send, and ends', async () => {
    const { browser, service } = opened()
    await using visit = await visitInBrowser(opened(), 'link-shop@example.com', { expected: /status of 401/ })
    const shop = visit.page
    await shop.goto(`${service.running.url}/templates`)
    const chooser = shop.waitForEvent('filechooser')
    await shop.getByRole('region', { name: 'Artworks of this visit' }).getByText('Add').click()
    await (await chooser).setFiles({
      name: 'Poster.png',
      mimeType: 'image/png',
      buffer: await testPicture(900, 300, 'png'),
    })
    await shop.locator('[data-tile="one-frame"]').press('Space')
    await shop.locator('[data-tile="two-frames"]').press('Space')
    await shop.getByRole('button', { name: 'Send to a customer…' }).click()
    const dialog = shop.getByRole('dialog')
    await dialog.getByLabel('Your shop’s name').fill('Print & Co.')
    await dialog.getByLabel('Title').fill('Poster for the fair')
    await lookAt(shop, 'send-link')
    await dialog.getByRole('button', { name: 'Create the link' }).click()
    const link = (await shop.getByRole('dialog', { name: 'Send this link' }).locator('code').textContent()) ?? ''
    await shop.getByRole('link', { name: 'See the answers' }).click()
    await shop.getByText('No answer yet.').waitFor()
    const sentStills = await storedStills(service)
    assert.equal(sentStills.length, 2, 'one picture of each scene')

    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const customer = await context.newPage()
    const sent: number[] = []
    const faults: string[] = []
    customer.on('request', request => {
      if (request.method() !== 'GET') sent.push(request.postDataBuffer()?.byteLength ?? 0)
      if (!request.url().startsWith(service.running.url) && !/^(blob|data):/.test(request.url()))
        faults.push(`leaves the origin: ${request.url()}`)
      if (request.headers()['cookie'] !== undefined) faults.push(`a cookie goes to ${request.url()}`)
    })
    customer.on('pageerror', error => faults.push(String(error)))
    customer.on('console', message => {
      if (message.type() === 'error') faults.push(message.text())
    })
    // Neither the artwork nor what draws it comes before this: what is seen until then is what was sent.
    const drawing = Promise.withResolvers<void>()
    await customer.route(/\/(artwork|packs\/\d+)$/, async route => {
      await drawing.promise
      await route.continue()
    })
    await customer.goto(link)
    await customer.getByRole('heading', { level: 1, name: 'Poster for the fair' }).waitFor()
    await customer.getByText('Print & Co.').first().waitFor()
    const tile = customer.locator('[data-tile="one-frame"]')
    const approval = customer.getByLabel('I approve it as shown here')
    await customer.locator('.proof .still').nth(1).waitFor()
    await expectEnabled(approval, 'both pictures are there')
    assert.deepEqual(
      await customer.locator('.tile img').evaluateAll(images => images.map(image => image.getAttribute('src'))),
      [0, 1].map(index => `${new URL(link).pathname}/stills/${index}`),
      'no picture but those that were sent',
    )
    await customer.locator('.tile-canvas[hidden]').nth(1).waitFor({ state: 'attached' })
    await lookAt(customer, 'link-as-sent')
    drawing.resolve()
    await tile.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
    await lookAt(customer, 'link-of-shop')

    const own = await testPicture(500, 500, 'png')
    await customer
      .getByLabel('Choose your picture')
      .setInputFiles({ name: 'Mine.png', mimeType: 'image/png', buffer: own })
    await customer.getByText('Mine.png is in the scenes. It stays on your device until you send it.').waitFor()
    for (let press = 0; press < 5; press++) await tile.press('+')
    await tile.press('Space')
    await customer.getByText('1 of 2 scenes with a heart.').waitFor()
    await tile.press('Enter')
    const look = customer.getByRole('dialog', { name: 'Test one-frame' })
    await look.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
    await look.getByText('Move the picture with one finger').waitFor()
    assert.doesNotMatch((await customer.locator('main').textContent()) ?? '', /cropped|enlarged/, 'the shop’s figures')
    await lookAt(customer, 'link-look')
    await leaveDialog(look, 'Done')
    await customer.getByRole('button', { name: 'Answer Print & Co.' }).tap()
    await customer.getByLabel('Message').fill('Larger, please')
    await customer.getByLabel('Your name').fill('Anna Meyer')
    const asPlaced = await tile.getAttribute('aria-label')
    await customer.reload()
    await customer.getByText('Mine.png is in the scenes. It stays on your device until you send it.').waitFor()
    await customer.getByText('1 of 2 scenes with a heart.').waitFor()
    await tile.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
    await customer
      .locator('[data-tile="one-frame"]')
      .and(customer.getByLabel(asPlaced ?? ''))
      .waitFor()
    // With another file in it a scene is no longer as it was sent: approval waits until it is drawn.
    assert.equal(await customer.locator('.tile img').count(), 0)
    await expectEnabled(approval, 'both scenes are drawn, also the one below the window')
    await approval.check()
    assert.deepEqual(sent, [], 'nothing has left the browser')
    await lookAt(customer, 'link-answer')
    await customer.getByRole('button', { name: 'Approve and send' }).click()
    await customer.getByText('Your approval and your file went to Print & Co.').waitFor()
    await customer.reload()
    await customer.getByText(/^Approved by Anna Meyer on /).waitFor()
    assert.equal(sent.length, 2)
    // The shop's picture, and the customer's: the browser does not show a file that it sends.
    const stored = await service.running.services.storage.list('proofs/')
    assert.ok(stored.length === 2 + sentStills.length && stored.some(({ sizeBytes }) => sizeBytes === own.byteLength))

    await shop.goto(`${service.running.url}/keys`)
    await shop.getByRole('link', { name: /^Proofs\s+1 new answer$/ }).click()
    await shop.getByText('Approved by Anna Meyer').waitFor()
    await shop.getByText('Larger, please').waitFor()
    await shop.getByRole('link', { name: 'Proofs', exact: true }).waitFor()
    await shop.locator('.answered .tile-canvas:not([hidden])').nth(1).waitFor()
    await lookAt(shop, 'links')
    await shop.getByRole('button', { name: 'Open in my gallery' }).click()
    await shop.getByText('1 scene: 1 credit').waitFor()
    await shop.getByText('Mine.png').first().waitFor()
    await shop.goto(`${service.running.url}/links`)
    await shop.getByRole('button', { name: 'End the link “Poster for the fair”' }).click()
    await shop.getByRole('dialog').getByRole('button', { name: 'End the link' }).click()
    await shop.getByText('Ended ·').waitFor()
    assert.deepEqual(faults, [])
    await customer.reload()
    await customer.getByRole('heading', { level: 1, name: 'This link has ended' }).waitFor()
    await context.close()
  })
})

async function storedStills(service: TestService): Promise<readonly string[]> {
  const { database, storage } = service.running.services
  const rows = await database.queries.selectFrom('proof_stills').selectAll().execute()
  const stored = await storage.list('proofs/')
  return rows.flatMap(({ object, size_bytes }) =>
    stored.some(({ key, sizeBytes }) => key === object && sizeBytes === size_bytes) ? [object] : [],
  )
}

async function expectEnabled(field: Locator, why: string): Promise<void> {
  await field
    .and(field.page().locator(':enabled'))
    .waitFor({ timeout: 60_000 })
    .catch(() => assert.fail(why))
}
