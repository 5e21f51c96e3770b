import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { lookAt } from './assert-sound.ts'
import {
  accountIdOf,
  dialogsGone,
  dropFile,
  leaveDialog,
  pictureOfTile,
  showPage,
  signOutBy,
  testPicture,
  useBrowser,
  visitInBrowser,
} from './browser-visit.ts'

/** And what the page before a sign-in asks, to know that nobody is signed in. */
const expectedAnswers = /status of (401|409|429|503)/

describe('The gallery', () => {
  const opened = useBrowser()
  let wide: Buffer
  before(async () => {
    wide = await testPicture(900, 300, 'png')
  })

  const enter = (email: string, credits = 100) =>
    visitInBrowser(opened(), email, { credits, expected: expectedAnswers })
  const choose = async (page: Page, name: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('region', { name: 'Artworks of this visit' }).getByText('Add').click()
    await (await chooser).setFiles({ name, mimeType: 'image/png', buffer: wide })
  }
  const tileOf = (page: Page, id: string): Locator => page.locator(`[data-tile="${id}"]`)
  const shown = (tile: Locator) => tile.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
  const pixelsOf = async (tile: Locator): Promise<string> => (await pictureOfTile(tile)).toString('base64')

  it('is shown in every scene at once, moves as one, and costs and sends nothing before Render', async () => {
    await using visit = await enter('gallery@example.com')
    const { page } = visit
    const sentBytes: number[] = []
    page.on('request', request => {
      if (request.method() !== 'GET') sentBytes.push(request.postDataBuffer()?.byteLength ?? 0)
    })
    await page.goto(`${opened().service.running.url}/templates`)
    await choose(page, 'Wide.png')
    const [one, two] = [tileOf(page, 'one-frame'), tileOf(page, 'two-frames')]
    await Promise.all([shown(one), shown(two)])
    await page.getByText('% cropped').first().waitFor()
    const before = await Promise.all([pixelsOf(one), pixelsOf(two)])

    await one.focus()
    for (let press = 0; press < 10; press++) await one.press('Shift+ArrowLeft')
    await one.press('+')
    await assertChanges(() => pixelsOf(two), before[1], 'the other scene moves too')
    await assertChanges(() => pixelsOf(one), before[0], 'and so does this one')
    await page.keyboard.press('Control+z')
    await one.press('f')
    await page.getByRole('button', { name: /^Test one-frame(?!.*cropped)/ }).waitFor()
    await one.press('c')
    await lookAt(page, 'gallery')

    await one.press('Space')
    await page.getByText('1 scene: 1 credit').waitFor()
    await one.press('ArrowRight')
    assert.notEqual(await page.evaluate('document.activeElement.dataset.tile'), 'one-frame')
    // One scene is a stop for Tab, with what is in it; from there Tab leaves the scenes.
    const stop = page.locator('[data-tile][tabindex="0"]')
    assert.equal(await stop.getAttribute('data-tile'), 'two-frames')
    await two.press('ArrowLeft')
    assert.equal(await stop.getAttribute('data-tile'), 'one-frame')
    for (const name of ['Pick Test one-frame', 'Test one-frame', 'Favourite: Test one-frame']) {
      await page.keyboard.press('Tab')
      await page
        .getByLabel(name, { exact: true })
        .or(page.getByRole('link', { name }))
        .and(page.locator(':focus'))
        .waitFor()
    }
    await page.keyboard.press('Tab')
    assert.ok(await page.evaluate("document.activeElement.closest('[aria-label=Picks]') !== null"))
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).getByText('Go to another scene').waitFor()
    await lookAt(page, 'shortcuts')
    await leaveDialog(page.getByRole('dialog'), 'Close')
    await one.focus()
    await page.keyboard.press('Enter')
    const look = page.getByRole('dialog', { name: 'Test one-frame' })
    await look.getByRole('img', { name: 'Test one-frame with your artwork' }).waitFor()
    await look.getByText('exactly the pixels of the rendered mockup').waitFor()
    await lookAt(page, 'close-look')
    await page.keyboard.press('Escape')
    await dialogsGone(page)
    assert.equal(await page.evaluate('document.activeElement.dataset.tile'), 'one-frame')
    await page.waitForURL(/picks=one-frame/)
    await page.getByRole('link', { name: 'Skip the scenes' }).press('Enter')
    await page.keyboard.press('Tab')
    assert.ok(await page.evaluate("document.activeElement.closest('[aria-label=Picks]') !== null"))
    await one.focus()
    const accountId = await accountIdOf(opened().service, 'gallery@example.com')
    const balance = async () => (await opened().service.running.services.wallet.balance(accountId)).spendableCredits
    assert.equal(await balance(), 100)
    assert.deepEqual(sentBytes, [], 'nothing is sent')

    const trayHeight = () =>
      page.getByRole('region', { name: 'Picks' }).evaluate(element => element.getBoundingClientRect().height)
    const height = await trayHeight()
    await two.press('Space')
    await page.getByText('2 scenes: 2 credits').waitFor()
    assert.equal(await trayHeight(), height, 'nothing jumps while scenes are picked')
    await two.press('Space')
    await page.getByText('1 scene: 1 credit').waitFor()
    await page.getByText('Web 1,200').click()
    await page.getByText('Scenes, format and names').click()
    await page.getByText('For example “Wide--one-frame--etsy.jpg”.').waitFor()
    await page.getByLabel('Names').fill('{artwork}/{template}')
    await page.getByText('“/” is not allowed in file names everywhere: leave it out.').waitFor()
    await page.getByLabel('Names').fill('Shop {artwork} {width}')
    await page.getByText('For example “Shop Wide 2000.jpg”.').waitFor()
    await lookAt(page, 'tray')
    await page.getByRole('button', { name: 'Render 2 for 2 credits' }).press('Enter')
    await page.getByText(/2 of 2 ready/).waitFor()
    assert.ok(await page.evaluate("document.activeElement.closest('[aria-label=Picks]') !== null"))
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await page.getByRole('link', { name: '2 of 2 ready' }).click()
    await page.getByText('Shop Wide 2000.jpg').first().waitFor()
    await page.getByText('Shop Wide 1200.jpg').first().waitFor()
    await lookAt(page, 'my-mockups')
    assert.equal(await balance(), 98)
    await page.reload()
    await page.getByText('2 of 2 made, for 2 credits.').waitFor()
    await page.getByRole('link', { name: 'Templates', exact: true }).click()
    for (const widthPx of [1200, 2000])
      await page.getByRole('button', { name: `download Shop Wide ${widthPx}.jpg` }).waitFor()
    // What this browser knows as paid for is not in the cost.
    await page.getByText('1 scene × 2 sizes: 0 credits').waitFor()
    await page.getByText('2 of 2 already paid today').waitFor()
    await lookAt(page, 'gallery-results')
    const [zip] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 2 (zip)' }).click(),
    ])
    assert.equal(zip.suggestedFilename(), 'mockups.zip')
    const result = page.getByRole('button', { name: 'download Shop Wide 2000.jpg' })
    await one.focus()
    await one.press('+')
    await result.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Render 2 for 2 credits' }).waitFor()
    await page.keyboard.press('Control+z')
    await result.waitFor()
  })

  it('frees what is far from the window, and draws it as it was placed meanwhile when it is near', async () => {
    await using visit = await enter('far@example.com')
    const { page } = visit
    await page.goto(`${opened().service.running.url}/templates`)
    await choose(page, 'Wide.png')
    const [one, two] = [tileOf(page, 'one-frame'), tileOf(page, 'two-frames')]
    await Promise.all([shown(one), shown(two)])
    const before = await pixelsOf(two)
    await page.evaluate("document.body.style.paddingBottom = '4000px'; scrollTo(0, 3500)")
    const freed = '.tile-canvas[hidden][width="1"][height="1"]'
    await Promise.all([one, two].map(tile => tile.locator(freed).waitFor({ state: 'attached' })))
    await one.dispatchEvent('keydown', { key: 'r', bubbles: true, cancelable: true })
    await page.waitForURL(/place=/)
    await page.evaluate('scrollTo(0, 0)')
    await Promise.all([shown(one), shown(two)])
    await assertChanges(() => pixelsOf(two), before, 'it is turned')
    await one.press('Control+z')
    await assertComes(() => pixelsOf(two), before, 'as before')
  })

  it('keeps what two tabs render, each of which knows nothing of the other', async () => {
    await using visit = await enter('two-tabs@example.com')
    const { page } = visit
    const { url } = opened().service.running
    await page.goto(`${url}/templates`)
    await choose(page, 'Wide.png')
    await shown(tileOf(page, 'one-frame'))
    await page.locator('.dock-artworks img, .dock-artworks canvas').first().waitFor()
    const other = await page.context().newPage()
    const tabs = [
      [page, 'one-frame'],
      [other, 'two-frames'],
    ] as const
    const render = (tab: Page) => tab.getByRole('button', { name: 'Render in full for 1 credit' })
    for (const [tab, id] of tabs) {
      await tab.goto(`${url}/templates/${id}`)
      await render(tab).waitFor()
    }
    for (const [tab, id] of tabs) {
      await render(tab).click()
      await tab.getByRole('button', { name: `Download Wide--${id}.jpg` }).waitFor()
    }
    await page.goto(`${url}/mockups`)
    for (const [, id] of tabs) await page.getByRole('button', { name: `Download Wide--${id}.jpg` }).waitFor()
  })

  it('takes a picture that is dropped before the scripts of the page are there', async () => {
    await using visit = await enter('early@example.com')
    const { page } = visit
    const held = Promise.withResolvers<void>()
    await page.route(/\/assets\/.*\.js$/, async route => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${opened().service.running.url}/templates`, { waitUntil: 'commit' })
    await page.locator('#root').waitFor({ state: 'attached' })
    const isTaken = await page.evaluate(`(() => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob('${wide.toString('base64')}'), character => character.charCodeAt(0))
      transfer.items.add(new File([bytes], 'Early.png', { type: 'image/png' }))
      const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
      return !document.body.dispatchEvent(drop)
    })()`)
    assert.equal(isTaken, true, 'the browser does not open it in place of the page')
    held.resolve()
    await shown(tileOf(page, 'one-frame'))
    await page.getByRole('button', { name: /^Early.png, 900 × 300 px/ }).waitFor()
  })

  it('says that its script did not come, and loads it when asked and when the network is back', async () => {
    await using visit = await visitInBrowser(opened(), 'gallery-lost@example.com', {
      expected: /ERR_FAILED|ERR_INTERNET_DISCONNECTED/,
    })
    const { page } = visit
    const galleryScript = /\/assets\/gallery-(?!worker|placing)[^/]*\.js$/
    await page.route(galleryScript, route => route.abort())
    await page.goto(`${opened().service.running.url}/templates`)
    await choose(page, 'Wide.png')
    const notice = page.getByRole('alert').filter({ hasText: 'The scenes with your artwork could not be loaded.' })
    await notice.waitFor()
    await page.unroute(galleryScript)
    await lookAt(page, 'gallery-not-loaded')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await shown(tileOf(page, 'one-frame'))

    await page.route(galleryScript, route => route.abort())
    await page.reload()
    await notice.waitFor()
    await page.unroute(galleryScript)
    await page.context().setOffline(true)
    await notice.getByRole('button', { name: 'Try again' }).click()
    await notice.getByText('The service can’t be reached.').waitFor()
    await page.context().setOffline(false)
    await shown(tileOf(page, 'one-frame'))
  })

  it('shows a colleague who opens its address the same picks, placement and colours, without the artwork', async () => {
    await using visit = await enter('team@example.com')
    const { page } = visit
    await page.goto(`${opened().service.running.url}/templates`)
    await choose(page, 'Wide.png')
    const one = tileOf(page, 'one-frame')
    await shown(one)
    await one.focus()
    const middle = await pixelsOf(one)
    for (let press = 0; press < 4; press++) await one.press('-')
    await one.press('Alt+r')
    await one.press('Space')
    await page.getByText('1 scene: 1 credit').waitFor()
    await assertChanges(() => pixelsOf(one), middle, 'it is placed')
    await page.waitForURL(({ searchParams: said }) => said.has('picks') && said.get('place')?.includes('own') === true)
    const address = page.url()

    await using colleague = await enter('team@example.com')
    await colleague.page.goto(address)
    await colleague.page.getByText('Drop a picture anywhere').waitFor()
    await choose(colleague.page, 'Wide.png')
    const same = tileOf(colleague.page, 'one-frame')
    await shown(same)
    await colleague.page.getByText('1 scene: 1 credit').waitFor()
    // Each page may still be drawing the last of what was pressed.
    await assertComes(async () => (await pixelsOf(same)) === (await pixelsOf(one)), true, 'both show the same')
    assert.notEqual(await pixelsOf(same), middle)
  })

  it('keeps the artworks of a visit until the sign-out, and shows several as rows', async () => {
    await using visit = await enter('dock@example.com')
    const { page } = visit
    await page.goto(`${opened().service.running.url}/templates`)
    const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
    const text = fileOf('Text.png', Buffer.from('This is no picture.'))
    const chooser = page.waitForEvent('filechooser')
    const dock = page.getByRole('region', { name: 'Artworks of this visit' })
    await dock.getByText('Add').click()
    await (await chooser).setFiles([fileOf('First.png', wide), text, fileOf('Second.png', wide)])
    const artwork = (name: string) => dock.getByRole('button', { name: new RegExp(`^${name}, 900 × 300 px`) })
    await artwork('First.png').waitFor()
    await artwork('Second.png').waitFor()
    await page.getByText('1 of 3 files was not added. “Text.png”: Expected a JPEG').first().waitFor()
    await page.getByRole('heading', { level: 2, name: 'First.png' }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'Second.png' }).waitFor()
    // A file that is no picture changes nothing.
    await dropFile(page, 'Broken.png', 'image/png', wide.subarray(0, 200))
    await page
      .getByText(/^“Broken\.png”: /)
      .first()
      .waitFor()
    assert.equal(await dock.getByRole('listitem').count(), 2)
    await page.getByText('First.png and 1 more are shown in every scene.').waitFor()
    await tileOf(page, 'one-frame').first().press('Space')
    await page.getByText('1 picture: 1 credit').waitFor()
    const tick = (name: string | RegExp) => page.getByRole('checkbox', { name })
    await tick('Pick in every scene: Second.png').check()
    await tick('Pick for every artwork: Test one-frame').check()
    await page.getByText('3 pictures: 3 credits').waitFor()
    await page.getByRole('list', { name: 'First.png' }).getByRole('checkbox', { name: 'Pick Test one-frame' }).uncheck()
    await page.getByText('2 pictures: 2 credits').waitFor()
    const column = tick('Pick for every artwork: Test one-frame')
    assert.ok(await column.evaluate(box => 'indeterminate' in box && box.indeterminate === true), 'a part of it')
    await page.getByRole('button', { name: 'Pick none' }).click()
    await page.getByRole('button', { name: 'Pick all' }).click()
    await page.getByText('4 pictures: 4 credits').waitFor()
    await lookAt(page, 'contact-sheet')
    assert.equal(
      await page.evaluate(`(${OVERFLOW_OF_LONG_ROWS})()`),
      0,
      'rows of many scenes are scrolled by themselves',
    )
    await tileOf(page, 'one-frame').first().press('Enter')
    const look = page.getByRole('dialog', { name: 'Test one-frame' })
    const compared = look.locator('.compared')
    await look.getByLabel('Compare with').selectOption({ index: 2 })
    await compared.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
    await look.getByLabel('Position of the divider').press('ArrowRight')
    assert.match((await compared.getAttribute('style')) ?? '', /clip-path: inset\(0(px)? 0(px)? 0(px)? 51%\)/)
    await lookAt(page, 'comparison')
    await look.getByLabel('Compare with').selectOption('Scene without artwork')
    await compared.locator('.tile-canvas[hidden]').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page.reload()
    await artwork('First.png').waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Go to' })
    await palette.getByRole('combobox').fill('frame two')
    await palette.getByRole('option', { name: 'Test two-frames' }).waitFor()
    await palette.getByRole('option', { name: 'one-frame' }).waitFor({ state: 'detached' })
    await lookAt(page, 'palette')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Test two-frames' }).waitFor()
    await showPage(page, '/create')
    await page.locator('.sheet .tile-canvas:not([hidden])').first().waitFor({ state: 'attached' })
    await lookAt(page, 'create')
    await page.getByRole('button', { name: 'Remove First.png' }).press('Enter')
    await page.getByRole('button', { name: 'Remove Second.png' }).and(page.locator(':focus')).press('Enter')
    await page.getByText('Each artwork becomes a row here').waitFor()
    await page.getByRole('button', { name: 'Choose artworks' }).and(page.locator(':focus')).waitFor()
    await signOutBy(page)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    const left = await page.evaluate(`new Promise(done => {
      const opening = indexedDB.open('vitrine-work')
      opening.onsuccess = () => {
        const reading = opening.result.transaction('values').objectStore('values').getAllKeys()
        reading.onsuccess = () => done(reading.result)
      }
    })`)
    assert.deepEqual(left, [])
  })
})

/** Reads until it is this. */
async function assertComes<Value>(read: () => Promise<Value>, expected: Value, what: string): Promise<void> {
  const untilMs = Date.now() + 30_000
  for (; (await read()) !== expected; await delay(50)) assert.ok(Date.now() < untilMs, what)
}

/** Reads until it is something else. */
async function assertChanges(read: () => Promise<string>, before: string | undefined, what: string): Promise<void> {
  const untilMs = Date.now() + 30_000
  for (; (await read()) === before; await delay(50)) assert.ok(Date.now() < untilMs, what)
}

/** Pixels by which the page would be too wide with twelve more scenes; in the page. */
const OVERFLOW_OF_LONG_ROWS = `() => {
  const copies = [...document.querySelectorAll('.sheet-row')].flatMap(row =>
    Array.from({ length: 12 }, () => row.appendChild(row.firstElementChild.cloneNode(true))))
  const root = document.documentElement
  const overflowPx = root.scrollWidth - root.clientWidth
  for (const copy of copies) copy.remove()
  return overflowPx
}`
