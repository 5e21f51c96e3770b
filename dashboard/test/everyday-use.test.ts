import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { dashboardTemplateSchema } from '@vitrine/contract'
import { zipSync } from 'fflate'
import type { Locator, Page } from 'playwright-core'
import { type FakeStripe, sendEvent } from '../../service/test/dashboard/fake-stripe.ts'
import { signInLink } from '../../service/test/dashboard/visitor.ts'
import type { TestService } from '../../service/test/http/test-service.ts'
import { lookAt } from './assert-sound.ts'
import {
  accountIdOf,
  dialogsGone,
  goToPage,
  leaveDialog,
  showPage,
  signOutBy,
  testPicture,
  useBrowser,
  visitInBrowser,
} from './browser-visit.ts'

const PASSWORD = 'correct horse battery staple'
const busyService = /status of (409|429|503)/

type GivenFile = { readonly name: string; readonly type: string; readonly bytes: Uint8Array }

describe('Everyday use of the dashboard', () => {
  const opened = useBrowser()
  let stripe: FakeStripe
  let service: TestService
  let red: Buffer
  let green: Buffer
  before(async () => {
    ;({ stripe, service } = opened())
    red = await testPicture(300, 300, 'png')
    green = await testPicture(301, 300, 'png')
  })

  let widthPx = 0
  /** A test in a window of this width; `lookAt` looks at both. */
  function usedAt(px: number, what: string, use: () => Promise<void>): void {
    it(`${what}, at ${px} px`, () => {
      widthPx = px
      return use()
    })
  }

  const enter = (email: string, options: { expected?: RegExp; credits?: number; role?: 'owner' } = {}) =>
    visitInBrowser(opened(), email, { ...options, widthPx })
  const open = (page: Page, address: string) => page.goto(`${service.running.url}${address}`)
  const picture = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
  const balanceOf = async (email: string) => service.running.services.wallet.balance(await accountIdOf(service, email))
  const preview = (page: Page, name: string) => page.getByRole('img', { name: `Test ${name} with your artwork` })

  /** What a browser does when a person drags files over an element, drops them there, or pastes them. */
  async function giveFile(
    target: Locator,
    { name, type, bytes }: GivenFile,
    way: 'drop' | 'paste',
    at: { clientX: number; clientY: number } | null = null,
  ): Promise<boolean> {
    const file = JSON.stringify({ name, type, base64: Buffer.from(bytes).toString('base64'), way, at })
    await target.evaluate(element => element.setAttribute('data-drop-target', ''))
    const isPrevented: unknown = await target.page().evaluate(`(({ name, type, base64, way, at }) => {
      const element = document.querySelector('[data-drop-target]')
      element.removeAttribute('data-drop-target')
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(atob(base64), text => text.charCodeAt(0))], name, { type }))
      const options = { bubbles: true, cancelable: true, composed: true, ...at }
      if (way === 'paste')
        return !element.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: transfer }))
      for (const kind of ['dragenter', 'dragover'])
        element.dispatchEvent(new DragEvent(kind, { ...options, dataTransfer: transfer }))
      return !element.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: transfer }))
    })(${file})`)
    return isPrevented === true
  }
  const png = (name: string, bytes: Buffer): GivenFile => ({ name, type: 'image/png', bytes })

  usedAt(
    1440,
    'shows the copy buttons of a new key at every width, and asks before it closes; destroying begins at Cancel',
    async () => {
      await using visit = await enter('dialogs@example.com')
      const { page } = visit
      await open(page, '/keys')
      await page.getByRole('button', { name: 'Create your first key' }).click()
      await page.getByLabel('Name').fill('Production')
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      const dialog = page.getByRole('dialog', { name: 'The key “Production”' })
      await dialog.waitFor()
      for (const width of [320, 390, 560, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        const outer = await dialog.boundingBox()
        assert.ok(outer)
        for (const name of ['Copy the key', 'Copy the command']) {
          const inner = await dialog.getByRole('button', { name, exact: true }).boundingBox()
          assert.ok(inner, name)
          assert.ok(inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width, `${name} at ${width} px`)
        }
        assert.equal(await dialog.evaluate(element => element.scrollWidth - element.clientWidth), 0, `${width} px`)
      }
      await dialog.getByRole('button', { name: 'Send it now, for 1 credit' }).click()
      await dialog.getByText(/^200 OK after [\d,]+ ms\. 99 credits left\.$/).waitFor()
      await dialog.getByRole('img', { name: 'The answer: a mockup with the sample artwork' }).waitFor()
      await lookAt(page, 'new-key')
      await page.keyboard.press('Escape')
      await dialog.getByText('Have you copied the key?').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await dialog.getByText('Have you copied the key?').waitFor()
      await dialog.getByRole('button', { name: 'Not yet' }).and(page.locator(':focus')).waitFor()
      await lookAt(page, 'new-key-question')
      await dialog.getByRole('button', { name: 'Not yet' }).click()
      await dialog.getByText(/^vt_/).waitFor()
      await dialog.getByRole('button', { name: 'Copy the key', exact: true }).click()
      await leaveDialog(dialog, 'Close')

      await page.getByRole('button', { name: 'Revoke Production' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await dialogsGone(page)
      await page.getByRole('cell', { name: 'Active' }).waitFor()
    },
  )

  usedAt(390, 'makes a key with limits, shows them, and rotates it while the old one goes on', async () => {
    await using visit = await enter('limits@example.com', { expected: /status of (400|403)/ })
    const { page } = visit
    await open(page, '/keys')
    await page.getByRole('button', { name: 'Create your first key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Warehouse')
    await dialog.getByLabel('Expires').selectOption('At the end of a day…')
    await dialog.getByLabel('Last day').fill('2030-06-30')
    await dialog.getByLabel('Permissions').selectOption('Make mockups only')
    await dialog.getByLabel('Allowed addresses').fill('192.0.2.0/24, nowhere')
    await lookAt(page, 'create-key')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText(/received "nowhere"/).waitFor()
    await dialog.getByLabel('Allowed addresses').fill('192.0.2.0/24, 2001:db8::/48')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const first = await dialog.getByText(/^vt_/).innerText()
    await dialog.getByRole('button', { name: 'Copy the key', exact: true }).click()
    await leaveDialog(dialog, 'Close')
    await page.getByText('makes mockups only · from 192.0.2.0/24, 2001:db8::/48').waitFor()
    await page.getByText('until Jun 30, 2030, 11:59 PM').waitFor()
    const answer = await service.send({ key: first })
    assert.equal(answer.status, 403)

    await page.getByRole('button', { name: 'Rotate Warehouse' }).click()
    await lookAt(page, 'rotate-key')
    await dialog.getByLabel('The old key works for another').selectOption('7 days')
    await dialog.getByRole('button', { name: 'Create the new key' }).click()
    await dialog.getByText(/that one works until/).waitFor()
    assert.notEqual(await dialog.getByText(/^vt_/).innerText(), first)
    await lookAt(page, 'rotated-key')
    await dialog.getByRole('button', { name: 'Copy the key', exact: true }).click()
    await leaveDialog(dialog, 'Close')
    await page.getByText('replaced, until').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Rotate Warehouse' }).count(), 1, 'the new one alone')
    assert.equal(await page.getByRole('button', { name: 'Revoke Warehouse' }).count(), 2)
    await lookAt(page, 'keys-with-limits')
  })

  usedAt(1440, 'makes a publishable key, shows it whenever it is wanted, changes and revokes it', async () => {
    await using visit = await enter('pages@example.com', { expected: /status of 400/ })
    const { page } = visit
    await open(page, '/keys')
    await page.getByRole('button', { name: 'Create publishable key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Shop')
    await dialog.getByLabel('Allowed sites').fill('https://shop.example, http://other.example')
    await dialog.getByLabel('Available templates').selectOption('These templates…')
    await dialog.getByRole('checkbox', { name: 'one-frame' }).check()
    await dialog.getByLabel('Watermark').fill('shop.example')
    await lookAt(page, 'create-publishable-key')
    await dialog.getByRole('button', { name: 'Create publishable key' }).click()
    await dialog.getByText(/received "http:\/\/other\.example"/).waitFor()
    await dialog.getByLabel('Allowed sites').fill('https://shop.example, http://localhost:*')
    await dialog.getByRole('button', { name: 'Create publishable key' }).click()
    const key = await dialog.getByText(/^vtp_/).innerText()
    await lookAt(page, 'publishable-key')
    await dialog.getByRole('button', { name: 'Copy the key', exact: true }).click()
    await leaveDialog(dialog, 'Close')
    await page.getByText('960 px · “shop.example” · 100,000 loads per day').waitFor()
    await page.getByText('One template').waitFor()
    await lookAt(page, 'publishable-keys')
    const load = () =>
      fetch(`${service.running.url}/embed/v1/templates/one-frame?key=${key}`, {
        headers: { origin: 'http://localhost:5173' },
      })
    assert.equal((await load()).status, 200)

    await page.getByRole('button', { name: 'Edit Shop' }).click()
    assert.equal(await dialog.getByRole('checkbox', { name: 'one-frame' }).isChecked(), true)
    await dialog.getByLabel('Allowed sites').fill('https://shop.example')
    await dialog.getByLabel('Available templates').selectOption('All shared templates')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialogsGone(page)
    await page.getByRole('cell', { name: 'All shared templates' }).waitFor()
    assert.equal((await load()).status, 403)
    await page.getByRole('button', { name: 'Show Shop' }).click()
    await dialog.getByText(key, { exact: true }).waitFor()
    await leaveDialog(dialog, 'Close')
    await page.getByRole('button', { name: 'Revoke Shop' }).click()
    await dialog.getByRole('button', { name: 'Revoke Shop' }).click()
    await dialogsGone(page)
    await page.getByText('Revoked', { exact: true }).waitFor()
    assert.equal((await load()).status, 401)
  })

  usedAt(1440, 'changes the frame that was meant alone, by its button or by a drop on it', async () => {
    await using visit = await enter('frames@example.com')
    const { page } = visit
    await open(page, '/templates/two-frames')
    await page.getByLabel('Choose your artwork').setInputFiles(picture('both.png', red))
    await preview(page, 'two-frames').waitFor()
    await page.getByText('Frame 2: both.png').waitFor()
    await page.getByLabel('Artwork of frame 1').setInputFiles(picture('first.png', green))
    await page.getByText('Frame 1: first.png').waitFor()
    await page.getByText('Frame 2: both.png').waitFor()

    const answer: unknown = await page.evaluate(
      "fetch('/dashboard/api/templates/two-frames').then(answer => answer.json())",
    )
    const { look } = dashboardTemplateSchema.parse(answer)
    const outline = look?.outlines[1]
    const box = await preview(page, 'two-frames').boundingBox()
    assert.ok(outline !== undefined && box !== null)
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const at = {
      clientX: box.x + mean(outline.map(([x]) => x)) * box.width,
      clientY: box.y + mean(outline.map(([, y]) => y)) * box.height,
    }
    assert.ok(await giveFile(preview(page, 'two-frames'), png('second.png', green), 'drop', at))
    await page.getByText('Frame 2: second.png').waitFor()
    await page.getByText('Frame 1: first.png').waitFor()
    await lookAt(page, 'frames')
  })

  usedAt(390, 'shows what was paid when it is there, and leads back to what was begun', async () => {
    await using visit = await enter('pays@example.com', { credits: 0, expected: /status of 402/ })
    const { page } = visit
    await open(page, '/templates/one-frame')
    await page.getByLabel('Choose your artwork').setInputFiles(picture('Sunset.png', red))
    await preview(page, 'one-frame').waitFor()
    await page.getByRole('button', { name: 'Render in full for 1 credit' }).click()
    await page.getByRole('link', { name: 'Get credits' }).click()
    await page.getByRole('button', { name: 'Buy for $9.00' }).click()
    await page.getByText('Thank you.').waitFor()
    const checkout = stripe.checkouts.at(-1)
    assert.ok(checkout)
    await sendEvent(service.running.url, stripe.paid(checkout))
    await page.getByText('+1,000 credits. Thank you: they are in your balance.').waitFor()
    await page.locator('.figure').getByText('1,000', { exact: true }).waitFor()
    await lookAt(page, 'paid')
    await page.getByRole('button', { name: 'Back to where you were' }).click()
    await page.getByRole('heading', { level: 1, name: 'Test one-frame' }).waitFor()
    await preview(page, 'one-frame').waitFor()
  })

  usedAt(390, 'asks for a sign-in over the page when the session has ended, and then does what was asked', async () => {
    await using visit = await enter('ended@example.com', { expected: /status of 401/ })
    const { page } = visit
    await open(page, '/keys')
    await page.evaluate(
      password =>
        fetch('/dashboard/api/account/password', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ password }),
        }),
      PASSWORD,
    )
    await page.getByRole('button', { name: 'Create your first key' }).click()
    await page.getByLabel('Name').fill('Half-written')
    await page.context().clearCookies()
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
    await dialog.waitFor()
    await lookAt(page, 'session-ended')
    assert.equal(await dialog.getByLabel('E-mail').inputValue(), 'ended@example.com')
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('dialog', { name: 'The key “Half-written”' }).waitFor()

    await page.context().clearCookies()
    await open(page, '/usage?days=7')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail').fill('ended@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    assert.equal(new URL(page.url()).search, '?days=7')
  })

  usedAt(
    1440,
    'downloads a paid mockup by itself, keeps it over a way back, and never charges the same picture twice',
    async () => {
      await using visit = await enter('once@example.com', { expected: busyService })
      const { page } = visit
      const consumed = async () => (await balanceOf('once@example.com')).consumedCredits
      await open(page, '/templates')
      await page.getByRole('link', { name: /Test one-frame/ }).click()
      await page.getByLabel('Choose your artwork').setInputFiles(picture('Sunset.png', red))
      const render = page.getByRole('button', { name: 'Render in full for 1 credit' })
      const downloadButton = page.getByRole('button', { name: 'Download Sunset--one-frame.jpg' })
      const rendered = async () => {
        const [download] = await Promise.all([page.waitForEvent('download'), render.click()])
        assert.equal(download.suggestedFilename(), 'Sunset--one-frame.jpg')
      }
      await rendered()
      await downloadButton.waitFor()
      assert.match((await downloadButton.getAttribute('class')) ?? '', /button-primary/)
      assert.equal(
        (await downloadButton.boundingBox())?.height,
        (await page.getByRole('link', { name: 'Make a copy' }).boundingBox())?.height,
        'its text takes one line',
      )
      assert.equal(await render.count(), 0, 'what is paid is not offered again')
      await lookAt(page, 'finished')
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
      await page.goForward()
      await downloadButton.waitFor()
      await page.reload()
      await downloadButton.waitFor()

      await page.getByLabel('Choose another artwork').setInputFiles(picture('Other.png', green))
      await render.waitFor()
      await page
        .getByRole('region', { name: 'Made today' })
        .getByRole('button', { name: 'Download Sunset--one-frame.jpg' })
        .waitFor()
      await lookAt(page, 'made-today')
      assert.equal(await consumed(), 1)
      // A browser that has forgotten everything: the service answers the same picture again.
      await page.evaluate(
        `Promise.all(['vitrine-work'].map(name => new Promise(done => (indexedDB.deleteDatabase(name).onsuccess = done))))`,
      )
      await page.reload()
      await page.getByLabel('Choose your artwork').setInputFiles(picture('Sunset.png', red))
      await rendered()
      await downloadButton.waitFor()
      assert.equal(await consumed(), 1, 'the same picture is charged once')
    },
  )

  usedAt(
    1440,
    'takes pictures and bundles that are dropped or pasted anywhere, and never leaves the page',
    async () => {
      await using visit = await enter('drops@example.com', { expected: /status of (400|403)/ })
      const { page } = visit
      await open(page, '/templates')
      await page.getByText(/^\d+ templates$/).waitFor()
      assert.ok(await giveFile(page.getByRole('heading', { level: 1 }), png('Sunset.png', red), 'drop'))
      await page.getByRole('main').getByText('Sunset.png is shown in every scene.').waitFor()
      await lookAt(page, 'chosen')
      await page.getByRole('link', { name: /Test two-frames/ }).click()
      await preview(page, 'two-frames').waitFor()
      await page.getByText('Frame 2: Sunset.png').waitFor()
      assert.ok(await giveFile(page.getByText('Id', { exact: true }), png('Dropped.png', green), 'drop'))
      await page.getByText('Frame 1: Dropped.png').waitFor()
      assert.ok(await giveFile(page.locator('body'), png('Pasted.png', red), 'paste'))
      await page.getByText('Frame 1: Pasted.png').waitFor()
      await showPage(page, '/create')
      await page.getByRole('heading', { level: 1, name: 'Create mockups' }).waitFor()
      assert.ok(await giveFile(page.locator('body'), png('Many.png', red), 'drop'))
      await page.getByRole('button', { name: 'Remove Many.png' }).waitFor()
      await showPage(page, '/keys')
      await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
      const bundle = {
        name: 'broken.zip',
        type: 'application/zip',
        bytes: zipSync({ 'template.json': Buffer.from('{}') }),
      }
      assert.ok(await giveFile(page.locator('body'), bundle, 'drop'))
      await page
        .getByRole('dialog', { name: '“broken.zip” was not imported' })
        .getByRole('button', { name: 'Close' })
        .click()
      const text = { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('notes') }
      assert.ok(await giveFile(page.locator('body'), text, 'drop'))
      await page
        .locator('.toast')
        .getByText('“notes.txt” is not a picture, a Photoshop file or a bundle zip.')
        .waitFor()
      assert.equal(new URL(page.url()).pathname, '/keys')

      // A real drag, by the browser's own events: a drop that nothing takes would open the file instead.
      const folder = await mkdtemp(path.join(tmpdir(), 'drop-'))
      try {
        const file = path.join(folder, 'Real.png')
        await writeFile(file, red)
        await showPage(page, '/templates/one-frame')
        const shown = page.locator('.try-picture')
        const box = await shown.boundingBox()
        assert.ok(box)
        const devtools = await page.context().newCDPSession(page)
        const data = { items: [], files: [file], dragOperationsMask: 1 }
        for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
          await devtools.send('Input.dispatchDragEvent', { type, x: box.x + 40, y: box.y + 40, data })
        await preview(page, 'one-frame').waitFor()
        await page.getByText('Choose another artwork').waitFor()
        assert.equal(new URL(page.url()).pathname, '/templates/one-frame')
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )

  usedAt(390, 'shows what was done, and takes it back where that is possible', async () => {
    await using visit = await enter('undo@example.com', { role: 'owner' })
    const { page } = visit
    await open(page, '/templates/one-frame')
    assert.ok(!(await page.getByRole('button', { name: 'Remove' }).isVisible()))
    const more = page.locator('summary', { hasText: 'More' })
    const [edit, box] = await Promise.all([page.getByRole('link', { name: 'Edit' }).boundingBox(), more.boundingBox()])
    assert.ok(edit && box && box.x >= edit.x + edit.width, 'it is beside the other buttons, not over them')
    await more.click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Test one-frame' }).click()
    const toast = page.locator('.toast')
    await toast.getByText('Removed Test one-frame.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
    assert.equal((await service.running.services.templates.get('one-frame')) ?? null, null)
    // It stays while it is focused: a look takes longer than it is shown on a busy machine.
    await toast.getByRole('button', { name: 'Undo' }).focus()
    await lookAt(page, 'toast')
    await toast.getByRole('button', { name: 'Undo' }).click()
    await toast.getByText('Test one-frame is back.').waitFor()
    await page.getByRole('link', { name: /Test one-frame/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Test one-frame' }).waitFor()
    assert.equal((await service.running.services.templates.get('one-frame'))?.ownerAccountId, null)
  })

  usedAt(
    390,
    'stays whole when it is used offline, goes on when the network is back, and says when there is a new version',
    async () => {
      await using visit = await enter('offline@example.com', {
        expected: /ERR_INTERNET_DISCONNECTED|404|PageNotLoadedError/,
      })
      const { page } = visit
      await open(page, '/keys')
      await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
      await page.context().setOffline(true)
      await page.getByText('You are offline. What is on this page').waitFor()
      await goToPage(page, 'Usage')
      await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      await lookAt(page, 'offline')
      await goToPage(page, 'Keys')
      await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
      await goToPage(page, 'Usage')
      await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
      await page.context().setOffline(false)
      await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()

      await page.route(/assets\/account-/, route => route.fulfill({ status: 404, body: '' }))
      await goToPage(page, 'Account')
      await page.getByRole('heading', { level: 1, name: 'A new version is available' }).waitFor()
      await lookAt(page, 'new-version')
      await page.unroute(/assets\/account-/)
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    },
  )

  for (const px of [390, 1440])
    usedAt(px, 'shows scenes on the first screen, and has the filters and the way out on every page', async () => {
      await using visit = await enter(`first-screen-${widthPx}@example.com`, { expected: /status of 401/ })
      const { page } = visit
      await open(page, '/templates')
      const dock = page.getByRole('region', { name: 'Artworks of this visit' })
      await dock.locator('input[type=file]').setInputFiles(picture('Red.png', red))
      const tile = page.locator('[data-tile]').first()
      await tile.waitFor()
      const [top, windowPx] = [(await tile.boundingBox())?.y ?? Infinity, page.viewportSize()?.height ?? 0]
      assert.ok(top < windowPx * 0.7, `the first scene begins at ${top} of ${windowPx} px`)
      if (widthPx < 760) {
        const category = page.getByLabel('Category')
        await category.waitFor({ state: 'hidden' })
        await page.getByRole('button', { name: 'Filters', exact: true }).click()
        await page.getByLabel('Order').selectOption('newest')
        await page.getByRole('button', { name: 'Filters (1)' }).click()
        await category.waitFor({ state: 'hidden' })
        await page.getByRole('button', { name: 'More', exact: true }).click()
        await lookAt(page, 'more-open')
        await page.getByRole('link', { name: 'Account', exact: true }).click()
        await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
        await page.getByRole('button', { name: 'More', exact: true }).click()
      } else {
        await page.getByLabel('Category').waitFor()
        assert.equal(await page.getByRole('button', { name: 'Filters' }).isVisible(), false, 'they are there already')
      }
      await signOutBy(page)
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    })

  usedAt(
    1440,
    'names each page in its title, begins at its heading, and leads back, on, and away from what is gone',
    async () => {
      await using visit = await enter('titles@example.com', { expected: /status of (4\d\d)/ })
      const { page } = visit
      const focused = (name: string) =>
        page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor()
      await open(page, '/')
      for (const name of ['Keys', 'Templates', 'Credits', 'Usage']) {
        await goToPage(page, name)
        await focused(name)
        assert.equal(await page.title(), `${name} · Vitrine`)
      }
      await page.goBack()
      await focused('Credits')
      await showPage(page, '/templates/one-frame')
      await page.getByRole('heading', { level: 1, name: 'Test one-frame' }).waitFor()
      assert.equal(await page.title(), 'Test one-frame · Vitrine')
      await page.getByRole('navigation', { name: 'Back' }).getByRole('link', { name: 'Templates' }).click()
      await focused('Templates')
      await open(page, '/sign-in?to=%2Fkeys')
      await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
      const used = await signInLink(service, 'titles@example.com')
      await page.goto(used)
      await page.getByRole('heading', { level: 1, name: /first mockup|Overview/ }).waitFor()
      await page.goto('about:blank')
      await page.goto(used)
      await page.locator('.toast').getByText('You are already signed in.').waitFor()
      await page.getByRole('heading', { level: 1, name: /first mockup|Overview/ }).waitFor()
      for (const address of ['/templates/never-was', '/templates/never-was/edit']) {
        await showPage(page, address)
        await page.getByRole('heading', { level: 1, name: 'Template not found' }).waitFor()
      }
      await lookAt(page, 'no-such-template')
      await page.getByRole('link', { name: 'View templates' }).click()
      await focused('Templates')
    },
  )
})
