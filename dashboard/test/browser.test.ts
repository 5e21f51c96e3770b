import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { type FakeStripe, sendEvent } from '../../service/test/dashboard/fake-stripe.ts'
import type { TestService } from '../../service/test/http/test-service.ts'
import { assertSound, lookAt } from './assert-sound.ts'
import {
  accountIdOf,
  differenceOfPreview,
  draftKept,
  leaveDialog,
  showPage,
  startByHand,
  testPicture,
  useBrowser,
  visitInBrowser,
  waitUntilLoaded,
  withoutArtwork,
} from './browser-visit.ts'

/** The page asks again by itself: that is what these two mean. */
const busyService = /status of (429|503)/

describe('The dashboard in a browser', () => {
  const opened = useBrowser()
  let stripe: FakeStripe
  let service: TestService
  let browser: Browser
  before(async () => {
    ;({ stripe, service, browser } = opened())
  })

  const enter = (email: string, credits = 100, options: { expected?: RegExp; role?: 'owner' } = {}) =>
    visitInBrowser(opened(), email, { credits, ...options })

  it('leads a first visit to a first mockup: previewed without a credit, then rendered in full for one', async () => {
    await using visit = await enter('first@example.com', 100, { expected: busyService })
    const { page } = visit
    await page.goto(service.running.url)
    await page
      .getByRole('link', { name: /Test one-frame/ })
      .first()
      .click()
    const artwork = await testPicture(300, 300, 'png')
    await page
      .getByLabel('Choose your artwork')
      .setInputFiles({ name: 'Sunset.png', mimeType: 'image/png', buffer: artwork })
    await page.getByRole('img', { name: 'Test one-frame with your artwork' }).waitFor()
    assert.equal(
      (await service.running.services.wallet.balance(await accountOf('first@example.com'))).spendableCredits,
      100,
    )
    await page.getByRole('button', { name: 'Render in full for 1 credit' }).click()
    await page.getByText('99 credits left.').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download/ }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'Sunset--one-frame.jpg')
    const { format, width } = await sharp(await readFile(await download.path())).metadata()
    assert.deepEqual([format, width], ['jpeg', 2000])
  })

  it('creates a key that is shown once, works, and is refused once it is revoked, whatever markup its name holds', async () => {
    await using visit = await enter('keys@example.com')
    const { page } = visit
    const name = '<img src=x onerror=alert(1)>{{7*7}}'
    const answers: string[] = []
    page.on(
      'response',
      response =>
        void response.text().then(
          text => answers.push(text),
          () => answers.push(''),
        ),
    )
    await page.goto(`${service.running.url}/keys`)
    await page.getByRole('button', { name: 'Create your first key' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByText(/^vt_[0-9A-Za-z]{36}$/).innerText()
    await page.getByRole('button', { name: 'Copy the key', exact: true }).click()
    await leaveDialog(page.getByRole('dialog'), 'Close')
    assert.equal((await service.send({ key })).status, 200)
    await page.reload()
    await page.getByRole('cell', { name, exact: true }).waitFor()
    assert.ok(!(await page.content()).includes(key), 'the key is in the page after a reload')
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
    )
    assert.ok(!kept.includes(key))
    assert.ok(!service.log.join('').includes(key))
    for (const path of ['/', '/usage', '/account', '/keys']) {
      await showPage(page, path)
      assert.ok(!(await page.content()).includes(key), `the key is on ${path}`)
    }
    assert.equal(answers.filter(text => text.includes(key)).length, 1, 'the key is in exactly one answer')
    const rows = await service.running.services.database.queries.selectFrom('api_keys').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(key))
    await page.getByRole('button', { name: `Revoke ${name}` }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Revoke ${name}` })
      .click()
    await page.getByRole('cell', { name: 'Revoked', exact: true }).waitFor()
    assert.equal((await service.send({ key })).status, 401)
  })

  it('sells credits through the checkout, and shows them when the payment is confirmed', async () => {
    await using visit = await enter('credits@example.com', 0)
    const { page } = visit
    await page.goto(`${service.running.url}/credits`)
    await page.getByRole('button', { name: 'Buy for $9.00' }).click()
    await page.getByText('Thank you.').waitFor()
    const checkout = stripe.checkouts.at(-1)
    assert.ok(checkout)
    await sendEvent(service.running.url, stripe.paid(checkout))
    await page.reload()
    await page.getByRole('cell', { name: '+1,000' }).waitFor()
  })

  it('makes a template from a photo whose rendering equals the preview in the browser, of PNG and of JPEG artwork', async context => {
    await using visit = await enter('editor@example.com')
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    await startByHand(page, { name: 'My room.png', mimeType: 'image/png', buffer: await testPicture(1000, 800, 'png') })
    const corner = page.getByRole('slider', { name: 'Top left corner of frame 1' })
    await corner.focus()
    for (const key of ['Shift+ArrowLeft', 'ArrowUp', 'Alt+ArrowRight']) await page.keyboard.press(key)
    const handle = await page.getByRole('slider', { name: 'Bottom right corner of frame 1' }).boundingBox()
    assert.ok(handle)
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
    await page.mouse.down()
    await page.mouse.move(handle.x + 60, handle.y + 30, { steps: 5 })
    await page.mouse.up()
    const before = await corner.getAttribute('aria-valuetext')
    await draftKept(page)
    await page.reload()
    assert.equal(await corner.getAttribute('aria-valuetext'), before, 'a reload loses nothing')
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('heading', { level: 1, name: 'My room' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const { key } = await service.running.services.apiKeys.create({
      accountId: await accountOf('editor@example.com'),
      name: 'compare',
    })
    for (const type of ['png', 'jpeg'] as const) {
      const artwork = await testPicture(600, 700, type)
      const compared = { templateId: id, name: 'My room', key, artwork, type }
      await withoutArtwork(page)
      const difference = await differenceOfPreview(page, service, compared)
      context.diagnostic(`${type}: mean difference ${difference} of 255`)
      // One decoder works for both; the platforms' own may round differently.
      assert.equal(difference, 0, `mean difference ${difference} of 255 with a ${type}`)
    }
  })

  it('stops a bulk run half-way, having paid for what is done alone', async () => {
    await using visit = await enter('bulk@example.com', 100, { expected: busyService })
    const { page } = visit
    await page.goto(`${service.running.url}/create`)
    const artwork = await testPicture(600, 600, 'jpeg')
    const files = Array.from({ length: 24 }, (_, i) => ({
      name: `art ${i}.jpg`,
      mimeType: 'image/jpeg',
      // A picture that was made is not charged again: each is another one.
      buffer: Buffer.concat([artwork, Buffer.of(i)]),
    }))
    await page.getByLabel('Choose artworks').setInputFiles(files)
    await page.getByText(/ and \d+ more are shown in every scene/).waitFor({ state: 'attached' })
    await page.getByRole('checkbox', { name: 'Pick for every artwork: Test one-frame' }).check()
    await page.getByRole('checkbox', { name: 'Pick for every artwork: Test two-frames' }).check()
    await page.getByText('48 pictures: 48 credits').waitFor()
    await page.getByRole('button', { name: /^Render 48/ }).click()
    await page.getByText(/^[1-9]\d* of 48 rendered$/).waitFor()
    await page.getByRole('region', { name: 'Picks' }).getByRole('button', { name: 'Stop rendering' }).click()
    await page.getByRole('link', { name: /^\d+ of 48 ready$/ }).click()
    await page.getByRole('button', { name: /^Continue with the \d+ left$/ }).waitFor()
    const summary = await page.getByText(/^\d+ of 48 made/).innerText()
    const done = Number(/^(\d+) of 48 made/.exec(summary)?.[1])
    assert.ok(done >= 1 && done < 48, summary)
    assert.match(summary, new RegExp(`^${done} of 48 made, for ${done} credits?; ${48 - done} left`))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /\(zip\)$/ }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'mockups.zip')
    const accountId = await accountOf('bulk@example.com')
    const consumed = async () => {
      const { consumedCredits, reservedCredits } = await service.running.services.wallet.balance(accountId)
      return reservedCredits > 0 ? null : consumedCredits
    }
    let paid = await consumed()
    while (paid === null) {
      await delay(100)
      paid = await consumed()
    }
    // A mockup whose answer had begun when Stop was pressed is paid for although the page has dropped it.
    assert.ok(paid >= done && paid <= done + 2, `${paid} paid, ${done} done`)
  })

  it('has nothing serious against people with assistive technology on any page, light or dark, wide or narrow', async () => {
    await using visit = await visitInBrowser(opened(), 'axe@example.com', { widthPx: 390 })
    const { page } = visit
    const accountId = await accountOf('axe@example.com')
    await service.running.services.apiKeys.create({ accountId, name: 'Production' })
    await page.goto(`${service.running.url}/usage`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const path of [
      '/',
      '/keys',
      '/credits',
      '/usage',
      '/requests',
      '/templates',
      '/templates/one-frame',
      '/create',
      '/account',
      '/templates/new',
      '/templates/one-frame/edit',
    ]) {
      await showPage(page, path)
      await lookAt(page, path)
    }
  })

  it('has nothing serious against them before a sign-in either, nor on the pages and in the dialogs of an operator', async () => {
    await using visit = await enter('operator@example.com', 100, { role: 'owner', expected: /status of 401/ })
    const { page } = visit
    const cookies = await page.context().cookies()
    const load = async (path: string) => {
      await page.goto(`${service.running.url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await waitUntilLoaded(page)
    }
    await page.context().clearCookies()
    await load('/sign-in')
    for (const path of ['/reset', '/sign-up', '/reset#a-token', '/sign-in']) {
      await showPage(page, path)
      await lookAt(page, path)
    }
    await page.context().addCookies(cookies)
    await load('/accounts')
    await lookAt(page, '/accounts')
    await page.getByRole('button', { name: 'Create account' }).click()
    await lookAt(page, 'the dialog')
    await page.getByLabel('E-mail').fill('invited@example.com')
    await page.getByLabel('Starting credits').fill('25')
    await page.getByRole('dialog').getByRole('button', { name: 'Create account' }).click()
    const link = await page.getByText(/\/enter#/).innerText()
    await page.getByRole('button', { name: 'Copy the link', exact: true }).click()
    await leaveDialog(page.getByRole('dialog'), 'Close')
    await page.getByRole('cell', { name: 'invited@example.com', exact: true }).waitFor()
    assert.ok(!(await page.content()).includes(link))
    await page.getByRole('link', { name: 'invited@example.com', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'invited@example.com' }).waitFor()
    for (const view of ['Usage', 'Requests', 'Movements', 'Keys']) {
      await page.getByRole('navigation', { name: 'What is shown' }).getByRole('link', { name: view }).click()
      await waitUntilLoaded(page)
      await assertSound(page, `${view} of an account`)
    }
    await page.getByRole('button', { name: 'Grant credits' }).waitFor()
    const person = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' })
    const theirs = await person.newPage()
    await theirs.goto(link)
    await theirs.getByRole('heading', { level: 1, name: 'Your first mockup' }).waitFor()
    await showPage(theirs, '/account')
    await theirs.getByText('This browser', { exact: true }).waitFor()
    await person.clearCookies()
    await theirs.goto(`${service.running.url}/sign-in`)
    await theirs.getByLabel('E-mail').waitFor()
    assert.equal(await theirs.getByRole('link', { name: 'Create an account' }).count(), 0, 'sign-up is closed here')
    await person.close()
  })

  it('keeps what is typed over a reload until it is sent or put aside, and lists accounts and movements in the order asked for', async () => {
    await using visit = await enter('typist@example.com', 7, { role: 'owner' })
    const { page } = visit
    await page.goto(`${service.running.url}/accounts?search=typist@example.com`)
    const grant = page.getByRole('button', { name: 'Grant credits to typist@example.com' })
    await grant.click()
    await page.getByLabel('Credits', { exact: true }).fill('12')
    await page.getByLabel('Reason').fill('For the half-written thing')
    await page.reload()
    await grant.click()
    assert.equal(await page.getByLabel('Credits', { exact: true }).inputValue(), '12')
    assert.equal(await page.getByLabel('Reason').inputValue(), 'For the half-written thing')
    await page.getByRole('button', { name: 'Grant 12 credits' }).click()
    await page.getByRole('cell', { name: '19', exact: true }).waitFor()
    await grant.click()
    assert.equal(await page.getByLabel('Reason').inputValue(), '', 'it was sent')
    await page.getByLabel('Reason').fill('Never mind')
    await leaveDialog(page.getByRole('dialog'), 'Cancel')
    await grant.click()
    assert.equal(await page.getByLabel('Reason').inputValue(), '', 'it was put aside')
    await leaveDialog(page.getByRole('dialog'), 'Cancel')
    await page.goto(`${service.running.url}/accounts`)
    await service.running.services.accounts.create({ email: '0-first@example.com' })
    await page.getByLabel('Order').selectOption('By address')
    await page.getByRole('row').nth(1).getByRole('cell', { name: '0-first@example.com', exact: true }).waitFor()
    assert.equal(new URL(page.url()).search, '?order=email')
    await service.running.services.accounts.create({ email: `${'a-long-name-'.repeat(4)}@example.com` })
    await page.reload()
    const table = page.getByRole('region', { name: 'Accounts' })
    for (const width of [1001, 1250, 1251]) {
      await page.setViewportSize({ width, height: 900 })
      await table.getByRole('link', { name: 'a-long-name' }).waitFor()
      const hidden = await table.evaluate(region => region.scrollWidth - region.clientWidth)
      assert.equal(hidden, 0, `the table fits at ${width} px`)
    }
    await showPage(page, '/credits')
    // After the heads of the columns and the day.
    const newest = page.getByRole('row').nth(2)
    await newest.getByText('For the half-written thing').waitFor()
    await page.getByLabel('Order').selectOption('Oldest first')
    await page.getByRole('row').nth(3).getByText('For the half-written thing').waitFor()
  })

  const accountOf = (email: string) => accountIdOf(service, email)
})
