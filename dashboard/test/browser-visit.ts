import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { FakeStripe, WEBHOOK_SECRET } from '../../service/test/dashboard/fake-stripe.ts'
import { Visitor } from '../../service/test/dashboard/visitor.ts'
import { TestService } from '../../service/test/http/test-service.ts'
import { launchChromium } from '../../service/test/servers/chromium.ts'
import { SharedBySuites } from '../../service/test/servers/shared-by-suites.ts'

export type BrowserVisit = AsyncDisposable & { readonly page: Page }

type OpenedBrowser = AsyncDisposable & {
  readonly service: TestService
  readonly stripe: FakeStripe
  readonly browser: Browser
  /** Of visits that have ended. A new page has a process of its own: a second of processor time. */
  readonly emptyPages: Page[]
}

/** A service that sells credits, and a browser to visit it with. */
async function openBrowser(): Promise<OpenedBrowser> {
  await using stack = new AsyncDisposableStack()
  const stripe = stack.use(await FakeStripe.start())
  const service = stack.use(
    await TestService.start('sqlite', {
      environment: { STRIPE_SECRET_KEY: 'sk_test_of_vitrine', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
      stripeApi: stripe.api,
    }),
  )
  const browser = stack.adopt(await launchChromium(), opened => opened.close())
  const opened = stack.move()
  return { service, stripe, browser, emptyPages: [], [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const shared = new SharedBySuites(openBrowser)

/**
 * For a suite, or a file of tests without one: a service that sells credits, and a browser, shared with the
 * others of its process. Each test has an account of its own.
 */
export const useBrowser = (): (() => OpenedBrowser) => shared.use()

export type VisitOptions = {
  readonly credits?: number
  readonly role?: 'owner' | 'customer'
  /** Of the window. */
  readonly widthPx?: number
  /** Whether it is a phone's, with a pointer that is a finger. */
  readonly isTouched?: boolean
  /** Runs in each document before its own scripts. By `addInitScript` it would outlast the visit. */
  readonly initScript?: string
  /** What the console may say: answers that a test provokes, or that the pages cope with by asking again. */
  readonly expected?: RegExp
}

async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  // File choosers are ours from here on. Who begins to wait for one beside the key that opens it races with
  // that key: the browser takes the two by different ways, and a chooser that opens first is nobody's.
  page.on('filechooser', () => undefined)
  return page
}

/** Ends what a visit left: the document, other pages, what is stored and cached, routes and emulation. */
async function emptyPage(page: Page, url: string): Promise<void> {
  const context = page.context()
  await context.setOffline(false)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const each of context.pages()) if (each !== page) await each.close()
  await page.goto(`${url}/healthz`)
  await context.clearCookies()
  await page.emulateMedia({ colorScheme: null })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  await devtools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' })
  await devtools.detach()
}

/**
 * The browser of a person who has signed in, with a page that shows nothing of the dashboard. It fails on
 * console errors and on requests that leave the origin.
 */
export async function visitInBrowser(
  { browser, service, emptyPages }: Pick<OpenedBrowser, 'browser' | 'service' | 'emptyPages'>,
  email: string,
  { credits = 100, role = 'customer', widthPx = 1280, isTouched = false, initScript, expected }: VisitOptions = {},
): Promise<BrowserVisit> {
  const { url } = service.running
  const { status } = await fetch(url)
  assert.equal(status, 200, 'Expected the built pages: "npm run prepare" builds them, and "npm test" does by itself.')
  const { cookie } = await Visitor.enter(service, email, role, credits)
  const viewport = { width: widthPx, height: isTouched ? 844 : 900 }
  const page =
    (isTouched ? undefined : emptyPages.pop()) ??
    (await newPage(
      await browser.newContext({
        locale: 'en-US',
        timezoneId: 'UTC',
        viewport,
        ...(isTouched ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
        permissions: ['clipboard-write'],
        // Painting what moves takes a tenth of a visit's processor time.
        reducedMotion: 'reduce',
      }),
    ))
  const context = page.context()
  await page.setViewportSize(viewport)
  // Loading the pages that sign people in would take a third of a visit's processor time.
  await context.addCookies(
    cookie.split('; ').map(text => {
      const [name = '', ...value] = text.split('=')
      return { name, value: value.join('='), url, httpOnly: true, sameSite: 'Strict' }
    }),
  )
  const added = initScript === undefined ? null : await page.addInitScript(initScript)
  const faults: string[] = []
  page.on('console', message => {
    const isFault = message.type() === 'error' || message.type() === 'warning'
    if (isFault && expected?.test(message.text()) !== true) faults.push(message.text())
  })
  page.on('pageerror', error => faults.push(String(error)))
  page.on('request', request => {
    if (!request.url().startsWith(url) && !/^(blob|data):/.test(request.url()))
      faults.push(`leaves the origin: ${request.url()}`)
  })
  return {
    page,
    async [Symbol.asyncDispose]() {
      for (const event of ['console', 'pageerror', 'request', 'response', 'download'] as const)
        page.removeAllListeners(event)
      // The assertion would hide behind what the test itself throws.
      if (faults.length > 0) console.error(faults)
      try {
        await added?.dispose()
        if (isTouched || page.isClosed()) await context.close()
        else {
          await emptyPage(page, url)
          emptyPages.push(page)
        }
      } catch (error) {
        await context.close()
        throw error
      }
      assert.deepEqual(faults, [])
    },
  }
}

/** A picture with an edge, a ramp and two colours, so that a shift or a wrong blend shows. */
export async function testPicture(widthPx: number, heightPx: number, format: 'png' | 'jpeg' | 'webp'): Promise<Buffer> {
  const data = Buffer.alloc(widthPx * heightPx * 3)
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) {
      const i = (y * widthPx + x) * 3
      data[i] = (x * 255) / widthPx
      data[i + 1] = (y * 255) / heightPx
      data[i + 2] = (Math.floor(x / 16) + Math.floor(y / 16)) % 2 === 0 ? 60 : 190
    }
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .toFormat(format, { quality: 95 })
    .toBuffer()
}

/** Waits until no part of the page is loading any more; a page may have several. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  const busy = page.locator('[aria-busy=true]')
  while ((await busy.count()) > 0) await busy.first().waitFor({ state: 'detached' })
}

/** Goes to another page as a link does. A load, and what runs in it, take ten times the processor time. */
export async function showPage(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.querySelector('h1').dataset.left = ''; history.pushState(null, '', '${path}')`)
  await page.locator('h1[data-left]').waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilLoaded(page)
}

/** Goes to a page of the navigation; on phones most are behind "More". */
export async function goToPage(page: Page, name: string): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  const link = navigation.getByRole('link', { name, exact: true })
  const more = navigation.getByRole('button', { name: 'More' })
  if (!(await link.isVisible()) && (await more.isVisible())) await more.click()
  // The account's page is in the menu at the foot of the navigation.
  const account = page.locator('.nav-account')
  if (name === 'Account' && (await account.isVisible())) await account.click()
  await link.click()
}

/** Signs out by the menu at the foot of the navigation; on phones it is behind "More". */
export async function signOutBy(page: Page): Promise<void> {
  const account = page.locator('.nav-account')
  const more = page.getByRole('button', { name: 'More', exact: true })
  if (await account.isVisible()) await account.click()
  else if (await more.isVisible()) await more.click()
  await page.locator('.nav-menu, .nav-pages').getByRole('button', { name: 'Sign out' }).click()
}

/** Waits until no dialog is in the page. A closed one is gone for its role a task before its elements are. */
export function dialogsGone(page: Page): Promise<void> {
  return page.locator('dialog').waitFor({ state: 'detached' })
}

/** Leaves a dialog by one of its buttons. */
export async function leaveDialog(dialog: Locator, button: 'Cancel' | 'Close' | 'Done'): Promise<void> {
  await dialog.getByRole('button', { name: button }).click()
  await dialogsGone(dialog.page())
}

/** Presses Enter on what a person has walked to with the Tab key. */
export async function pressEnterOn(target: Locator): Promise<void> {
  await target.focus()
  assert.ok(await target.evaluate(element => element === element.ownerDocument.activeElement), 'the focus stays')
  await target.press('Enter')
}

/** Begins a template whose frames, masks and blending mode are set by hand. */
export async function startByHand(page: Page, photo: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  await page.getByLabel('Photo').setInputFiles(photo)
  await page.getByRole('button', { name: 'Set everything by hand' }).click()
}

/** The editor says when a reload finds everything as it is now. */
export async function draftKept(page: Page): Promise<void> {
  await page.getByText('Draft saved in this browser.').waitFor()
}

/** Saves a template, and loads the page again when the service has stored it but has not answered. */
export async function reloadWhileSaving(page: Page): Promise<void> {
  await draftKept(page)
  const stored = Promise.withResolvers<void>()
  const path = /api\/templates\?shared/
  await page.route(path, async route => {
    const answer = await route.fetch()
    assert.equal(answer.status(), 200)
    stored.resolve()
  })
  await page.getByRole('button', { name: 'Save template' }).click()
  await stored.promise
  await page.unroute(path)
  await page.reload()
  await page.getByText('This is your earlier unsaved work, which this browser stored.').waitFor()
}

type Fields = Readonly<Record<string, string>>

type Compared = {
  readonly templateId: string
  readonly name: string
  readonly key: string
  readonly artwork: Buffer
  readonly type?: 'png' | 'jpeg' | 'webp'
  /** More parameters of the request. */
  readonly parameters?: Fields
  /** A colour of the page's swatches, and what the interface has for it. */
  readonly color?: { readonly swatch: string; readonly colors: Readonly<Record<string, string>> }
}

/** Loads a template's page again, without the artwork that was chosen before. */
export async function withoutArtwork(page: Page): Promise<void> {
  await page.evaluate("new Promise(done => (indexedDB.deleteDatabase('vitrine-work').onsuccess = done))")
  await page.reload()
}

/**
 * Mean difference per channel, of 255, between what a template's page previews and what the interface renders
 * as PNG of the same artwork. The page has no artwork yet.
 */
export async function differenceOfPreview(page: Page, service: TestService, compared: Compared): Promise<number> {
  const { name, artwork, type = 'png', color } = compared
  if (color !== undefined) await page.getByRole('radio', { name: color.swatch }).check()
  await page
    .getByLabel('Choose your artwork')
    .setInputFiles({ name: `a.${type}`, mimeType: `image/${type}`, buffer: artwork })
  await page.getByRole('img', { name: `${name} with your artwork` }).waitFor()
  // The picture without artwork may be there still.
  await waitUntilLoaded(page)
  return differenceOfShown(page, service, compared)
}

/** Waits until the pointer rests and the exact preview shows what was placed. */
export async function previewAtRest(page: Page): Promise<void> {
  await page.getByRole('img', { name: /with your artwork$/ }).waitFor()
  await page.locator('.live-picture[hidden]').waitFor({ state: 'attached' })
  await waitUntilLoaded(page)
}

/** An element that shows for a moment only has `data-was-shown` from then on; a wait may look too seldom. */
export async function markWhenShown(page: Page, selector: string): Promise<void> {
  await page.evaluate(`(() => {
    const element = document.querySelector('${selector}')
    const observer = new MutationObserver(() => element.hidden || element.setAttribute('data-was-shown', ''))
    observer.observe(element, { attributeFilter: ['hidden'] })
  })()`)
}

/** What a canvas shows, as PNG. */
export async function pictureOf(canvas: Locator): Promise<Buffer> {
  const url = await canvas.evaluate(element =>
    'toDataURL' in element && typeof element.toDataURL === 'function' ? String(element.toDataURL('image/png')) : '',
  )
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

/** What a tile of the gallery shows, as PNG. Its canvas has no pixels to read: another one takes them. */
export async function pictureOfTile(tile: Locator): Promise<Buffer> {
  const id = await tile.getAttribute('data-tile')
  const base64 = await tile.page().evaluate(`(() => {
    const canvas = document.querySelector('[data-tile="${id}"] .tile-canvas')
    const copy = document.createElement('canvas')
    copy.width = canvas.width
    copy.height = canvas.height
    copy.getContext('2d').drawImage(canvas, 0, 0)
    return copy.toDataURL('image/png').split(',')[1]
  })()`)
  return Buffer.from(String(base64), 'base64')
}

/** The pixels of a picture without transparency, RGB. */
export const pixelsOf = (picture: Buffer) => sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })

/** The pixels of a template's preview, RGB. */
export const shownPixels = async (page: Page, name: string) =>
  pixelsOf(await pictureOf(page.getByRole('img', { name: `${name} with your artwork` })))

/** The PNG that the interface renders. */
export async function renderPng(
  service: TestService,
  { key, artwork, type = 'png', fields }: Pick<Compared, 'key' | 'artwork' | 'type'> & { readonly fields: Fields },
): Promise<Buffer> {
  const form = new FormData()
  for (const [field, value] of Object.entries({ ...fields, format: 'png' })) form.set(field, value)
  form.set('artwork', new Blob([new Uint8Array(artwork)]), `a.${type}`)
  const answer = await service.generate(key, form)
  assert.equal(answer.status, 200)
  return answer.bytes
}

/** As `differenceOfPreview`, of what the page shows now. */
export async function differenceOfShown(
  page: Page,
  service: TestService,
  { templateId, name, parameters = {}, color, ...sent }: Compared,
): Promise<number> {
  const preview = await shownPixels(page, name)
  const fields = {
    template_id: templateId,
    width: String(preview.info.width),
    ...(color === undefined ? {} : { colors: JSON.stringify(color.colors) }),
    ...parameters,
  }
  const { data: rendered } = await pixelsOf(await renderPng(service, { ...sent, fields }))
  assert.equal(rendered.length, preview.data.length)
  let sum = 0
  for (let i = 0; i < rendered.length; i++) sum += Math.abs((rendered[i] ?? 0) - (preview.data[i] ?? 0))
  return sum / rendered.length
}

export async function accountIdOf(service: TestService, email: string): Promise<string> {
  const account = await service.running.services.accounts.findByEmail(email)
  assert.ok(account)
  return account.accountId
}

/** The ids of an account's own templates. */
export const ownTemplates = async (service: TestService, email: string): Promise<readonly string[]> =>
  service.running.services.templates.ownedIds(await accountIdOf(service, email))

/** What a person does who drops a file on the page. */
export async function dropFile(page: Page, name: string, type: string, bytes: Uint8Array): Promise<void> {
  const file = JSON.stringify({ name, type, base64: Buffer.from(bytes).toString('base64') })
  const transfer = await page.evaluateHandle(`(({ name, type, base64 }) => {
    const made = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    made.items.add(new File([bytes], name, { type }))
    return made
  })(${file})`)
  const place = page.getByRole('heading', { level: 1 })
  await place.dispatchEvent('dragover', { dataTransfer: transfer })
  await place.dispatchEvent('drop', { dataTransfer: transfer })
}
