/**
 * Writes three pictures of docs/dashboard.md: the gallery with every template, the wall, and a template with
 * artworks in it.
 *
 *   node service/bench/dashboard-pictures.ts
 *
 * Starts a service of its own with the built pages ("npm run prepare") and opens them in Chromium.
 */
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { launchChromium } from '../test/servers/chromium.ts'
import { openDashboard, serveDashboard } from './dashboard-page.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Takes a picture of the page when nothing is loading. */
async function take(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate('Promise.all([...document.images].map(image => image.decode()))')
  const picture = await page.screenshot({ animations: 'disabled', ...options })
  await sharp(picture)
    .webp({ quality: 82, effort: 6 })
    .toFile(path.join(root, `docs/pictures/${name}.webp`))
}

await using service = await serveDashboard()
const browser = await launchChromium()
try {
  const page = await openDashboard(browser, service, { timezoneId: 'UTC', colorScheme: 'light' })

  await page.goto(`${service.url}/templates`)
  await page.getByText(/^\d+ templates$/).waitFor()
  await take(page, 'templates', { fullPage: true })

  await page.getByLabel('Artwork for every scene').setInputFiles(path.join(root, 'templates/artworks/morning-lake.jpg'))
  await page.locator('.tile-canvas:not([hidden])').nth(7).waitFor()
  await page.waitForTimeout(1000)
  for (const name of ['Large canvas above a bed', 'White mug on marble with lemons'])
    await page.getByRole('checkbox', { name: `Pick ${name}` }).check()
  await take(page, 'wall')

  await page.goto(`${service.url}/templates/gallery-wall-three`)
  const artworks = ['cut-out-leaves', 'morning-lake', 'petal-pattern'].map(name =>
    path.join(root, `templates/artworks/${name}.jpg`),
  )
  await page.getByLabel(/^Choose (your|another) artwork$/).setInputFiles(artworks)
  await page.getByRole('img', { name: /with your artwork$/ }).waitFor()
  await page.getByText('Frame 2: petal-pattern.jpg').waitFor()
  await take(page, 'try-it')
} finally {
  await browser.close()
}
