/**
 * Writes the pictures of the dashboard for README.md and the guides: the gallery, the live gallery in both
 * themes, what a shop's customer sees behind a link, a template with artworks in it and its versions, the
 * editor, the import of a Photoshop file, the log of requests, and the usage.
 *
 *   node service/bench/dashboard-pictures.ts          # or the names of some: editor usage
 *
 * Starts a service of its own with the built pages ("npm run prepare") and opens them in Chromium.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { launchChromium } from '../test/servers/chromium.ts'
import { openDashboard, serveDashboard } from './dashboard-page.ts'
import { samplePsd } from './photoshop-sample.ts'
import type { SpawnedService } from './spawned-service.ts'

const root = path.resolve(import.meta.dirname, '../..')
const OWNER = 'owner@vitrine.local'
const DAY_MS = 86_400_000
/** As many as the page of usage offers. */
const USAGE_DAYS = 90
/** Templates of the requests that are listed, and whether the request has an artwork. */
const requested = [
  ['oak-frame-portrait', true],
  ['white-mug-marble', true],
  ['white-mug-marble', false],
  ['no-such-template', true],
  ['large-canvas-bedroom', true],
] as const
const phone = { width: 390, height: 844 }
const reader = { locale: 'en-US', timezoneId: 'UTC', colorScheme: 'light' } as const
const artwork = (name: string): string => path.join(root, `templates/artworks/${name}.jpg`)

/** Takes a picture of the page when nothing is loading. */
async function take(
  page: Page,
  name: string,
  { clip, ...options }: { fullPage?: boolean; clip?: Locator } = {},
): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate('Promise.all([...document.images].map(image => image.decode()))')
  const picture = await (clip ?? page).screenshot({ animations: 'disabled', ...options })
  await sharp(picture)
    .webp({ quality: 82, effort: 6 })
    .toFile(path.join(root, `docs/pictures/${name}.webp`))
}

async function takeTemplates(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/templates`)
  await page.getByText(/^\d+ templates$/).waitFor()
  await take(page, 'templates', { fullPage: true })
}

/** The gallery, and the address of a link to the scenes that are picked on it. */
async function takeGallery(page: Page): Promise<string> {
  await page.getByLabel('Artwork for every scene').setInputFiles(artwork('morning-lake'))
  await page.locator('.tile-canvas:not([hidden])').nth(7).waitFor()
  await page.waitForTimeout(1000)
  for (const name of ['Large canvas above a bed', 'White mug on marble with lemons'])
    await page.getByRole('checkbox', { name: `Pick ${name}` }).check()
  await take(page, 'gallery')
  await page.emulateMedia({ colorScheme: 'dark' })
  await take(page, 'gallery-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Send to a customer…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Pictures of the lake')
  await dialog.getByLabel('Your shop’s name').fill('Lakeside Prints')
  await dialog.getByRole('button', { name: 'Create the link' }).click()
  return (await page.getByRole('dialog', { name: 'Send this link' }).locator('code').textContent()) ?? ''
}

/** What a shop's customer sees on a phone, with a picture of their own in the scenes. */
async function takeLink(browser: Browser, link: string): Promise<void> {
  const context = await browser.newContext({ ...reader, viewport: phone, hasTouch: true, deviceScaleFactor: 2 })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(link)
  await page.getByLabel('Choose your picture').setInputFiles(artwork('petal-pattern'))
  await page.getByText(/petal-pattern\.jpg is in the scenes/).waitFor()
  await page.locator('.tile-canvas:not([hidden])').nth(1).waitFor()
  await page.waitForTimeout(1000)
  await take(page, 'link')
  await context.close()
}

async function takeTemplate(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/templates/gallery-wall-three`)
  const artworks = ['cut-out-leaves', 'morning-lake', 'petal-pattern'].map(artwork)
  await page.getByLabel(/^Choose (your|another) artwork$/).setInputFiles(artworks)
  await page.getByRole('img', { name: /with your artwork$/ }).waitFor()
  await page.getByText('Frame 3: petal-pattern.jpg').waitFor()
  await take(page, 'try-it')
}

/** What a program of the owner's gets for a template and an artwork. */
async function generate(service: SpawnedService, key: string, template: string, picture: Buffer | null) {
  const form = new FormData()
  form.set('template_id', template)
  form.set('width', '2000')
  if (picture !== null) form.set('artwork', new Blob([new Uint8Array(picture)]), 'artwork.png')
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${service.url}/api/v1/mockups/generate`, { method: 'POST', headers, body: form })
  return Buffer.from(await answer.arrayBuffer())
}

/** Versions of a template whose room was changed. */
async function takeVersions(page: Page, service: SpawnedService): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-versions-'))
  for (const room of ['square-frame-nursery', 'black-frame-landscape', 'oak-frame-portrait', 'large-canvas-bedroom']) {
    const bundle = path.join(folder, room)
    await cp(path.join(root, 'templates', room), bundle, { recursive: true })
    const file = path.join(bundle, 'template.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(`"${room}"`, '"poster-of-the-shop"'))
    await service.command('template', 'import', bundle)
  }
  await rm(folder, { recursive: true })
  await page.goto(`${service.url}/templates/poster-of-the-shop`)
  const versions = page.getByRole('region', { name: 'Versions' })
  await versions.getByRole('button', { name: 'Restore version 1…' }).waitFor()
  await versions.scrollIntoViewIfNeeded()
  await take(page, 'versions', { clip: versions })
  await service.command('template', 'remove', 'poster-of-the-shop')
}

const plainPaper = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#f4f2ee' } })
    .png()
    .toBuffer()

async function openPhoto(
  page: Page,
  service: SpawnedService,
  photo: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
): Promise<void> {
  await page.goto(`${service.url}/templates/new`)
  await page.getByLabel('Photo', { exact: true }).setInputFiles(photo)
}

/** Frames that were found in a photo of a gallery with white pictures. */
async function takeEditor(page: Page, service: SpawnedService, key: string): Promise<void> {
  const buffer = await generate(service, key, 'gallery-wall-three', await plainPaper(900, 900))
  await openPhoto(page, service, { name: 'Three frames.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByRole('button', { name: 'Set everything by hand' }).click()
  await page.getByRole('button', { name: /^Make a frame of area 1 of/ }).waitFor()
  await page.getByRole('button', { name: 'Hide the message' }).click()
  await take(page, 'editor')
}

/** A Photoshop file that was converted, compared with its own picture. */
async function takeImport(page: Page, service: SpawnedService, key: string): Promise<void> {
  const photo = await generate(service, key, 'oak-frame-portrait', await plainPaper(1000, 1500))
  await page.goto(`${service.url}/templates`)
  const buffer = Buffer.from(await samplePsd(photo))
  const file = { name: 'Poster in an oak frame.psd', mimeType: 'image/vnd.adobe.photoshop', buffer }
  await page.getByLabel('Photoshop file to import').setInputFiles(file)
  await page.getByText(/the template looks as Photoshop shows the file/).waitFor()
  await page.getByRole('slider').fill('58')
  await take(page, 'photoshop-import')
}

/** Requests that succeed and fail. */
async function takeRequests(page: Page, service: SpawnedService, key: string): Promise<void> {
  const picture = await readFile(artwork('morning-lake'))
  for (const [template, hasArtwork] of requested) await generate(service, key, template, hasArtwork ? picture : null)
  await page.goto(`${service.url}/requests`)
  await page.getByText('MISSING_ARTWORK').first().waitFor()
  await take(page, 'requests')
}

/** Usage of some months: counts as the service keeps them, written into the database of this service. */
async function takeUsage(page: Page, service: SpawnedService): Promise<void> {
  const database = new DatabaseSync(path.join(service.dataDir, 'vitrine.db'), { timeout: 10_000 })
  const [account] = database.prepare('select id from accounts where email = ?').all(OWNER)
  const write = (table: string, ...values: readonly (string | number)[]) =>
    database
      .prepare(`insert or ignore into ${table} values (?, '', ${values.map(() => '?').join(', ')})`)
      .run(account?.['id'] ?? null, ...values)
  database.exec('begin immediate')
  for (let ago = 1; ago < USAGE_DAYS; ago++) {
    const day = new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
    // A weekly rhythm and slow growth.
    const made = Math.round((60 + 40 * Math.sin((ago * 2 * Math.PI) / 7)) * (1.4 - ago / USAGE_DAYS))
    const failed = ago % 5
    write('usage_days', day, made + failed, made, failed)
    write('credit_days', day, made, 0)
    if (failed > 0) write('usage_failures', day, 'ARTWORK_UNREACHABLE', failed)
    for (const [index, [template]] of requested.slice(0, 2).entries())
      write('usage_templates', day, template, index === 0 ? Math.ceil(made / 3) : made - Math.ceil(made / 3))
  }
  database.exec('commit')
  database.close()
  await page.goto(`${service.url}/usage?days=${USAGE_DAYS}`)
  await page.getByText('Top templates').waitFor()
  await take(page, 'usage')
}

await using service = await serveDashboard()
const browser = await launchChromium()
try {
  const page = await openDashboard(browser, service, { timezoneId: 'UTC', colorScheme: 'light' })
  const { key: created } = await service.command('key', 'create', '--email', OWNER, '--name', 'Shop')
  const key = String(created)
  const pictures = {
    templates: () => takeTemplates(page, service.url),
    gallery: async () => {
      await page.goto(`${service.url}/templates`)
      await takeLink(browser, await takeGallery(page))
    },
    'try-it': () => takeTemplate(page, service.url),
    versions: () => takeVersions(page, service),
    editor: () => takeEditor(page, service, key),
    'photoshop-import': () => takeImport(page, service, key),
    requests: () => takeRequests(page, service, key),
    usage: () => takeUsage(page, service),
  }
  const wanted = process.argv.slice(2)
  for (const [name, takeOne] of Object.entries(pictures))
    if (wanted.length === 0 || wanted.includes(name)) await takeOne()
} finally {
  await browser.close()
}
