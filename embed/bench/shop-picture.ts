/**
 * Writes the picture of the demo shop for README.md and docs/embed.md.
 *
 *   node embed/bench/shop-picture.ts
 *
 * Needs the built element ("npm run prepare").
 * With a text as argument the key has it as a watermark: shop-watermark.webp.
 */
import path from 'node:path'
import sharp from 'sharp'
import { TestService } from '../../service/test/http/test-service.ts'
import { launchChromium } from '../../service/test/servers/chromium.ts'
import { startShop } from '../test/shop-server.ts'

const root = path.resolve(import.meta.dirname, '../..')
const TEMPLATE = 'white-mug-marble'

await using service = await TestService.start('sqlite')
const { templates, publishableKeys } = service.running.services
await templates.importBundle({ path: path.join(root, 'templates', TEMPLATE), ownerAccountId: null })
const { accountId } = await service.customer()
const { key } = await publishableKeys.create({
  accountId,
  name: 'Shop',
  origins: ['http://localhost:*'],
  watermark: process.argv[2] ?? null,
})
await using shop = await startShop(html =>
  html.replaceAll('http://localhost:8080', service.running.url).replace('vtp_YOUR_KEY', key),
)
const browser = await launchChromium()
try {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1200, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(`http://localhost:${shop.port}/`)
  await page.getByLabel('Choose a picture').setInputFiles(path.join(root, 'templates/artworks/morning-lake.jpg'))
  await page.getByRole('slider', { name: 'Your picture' }).waitFor()
  await page.getByRole('button', { name: 'Larger' }).click()
  await page.getByRole('button', { name: 'Move left' }).click()
  await page.waitForTimeout(1000)
  const picture = await page.screenshot({ animations: 'disabled' })
  const file = process.argv[2] === undefined ? 'docs/pictures/shop.webp' : 'shop-watermark.webp'
  await sharp(picture).webp({ quality: 82, effort: 6 }).toFile(path.join(root, file))
} finally {
  await browser.close()
}
