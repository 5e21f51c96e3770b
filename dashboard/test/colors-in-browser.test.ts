import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import type { TestService } from '../../service/test/http/test-service.ts'
import { lookAt } from './assert-sound.ts'
import {
  accountIdOf,
  differenceOfPreview,
  differenceOfShown,
  draftKept,
  pictureOf,
  previewAtRest,
  shownPixels,
  startByHand,
  testPicture,
  useBrowser,
  visitInBrowser,
} from './browser-visit.ts'

describe('Colours in a browser', () => {
  const opened = useBrowser()
  let service: TestService
  before(async () => {
    ;({ service } = opened())
  })

  it('a swatch colours the preview, the code samples and the paid mockup alike, and artwork is placed on it', async () => {
    const email = 'swatches@example.com'
    await using visit = await visitInBrowser(opened(), email, { widthPx: 1440 })
    const { page } = visit
    const accountId = await accountIdOf(service, email)
    await service.importSmallStarter('white-tee-flat-lay', accountId)
    const { key } = await service.running.services.apiKeys.create({ accountId, name: 'compare' })
    const name = 'White T-shirt, flat lay'
    await page.goto(`${service.running.url}/templates/white-tee-flat-lay`)
    await page.getByRole('radio', { name: 'Navy' }).check()
    await page.getByRole('img', { name: `${name} in your colour` }).waitFor()
    const code = page.locator('section', { hasText: 'From your program' })
    await code.getByText(`-F 'colors={"shirt":"#1f2a44"}'`).waitFor()
    await code.getByRole('button', { name: 'TypeScript' }).click()
    await code.getByText(`form.set('colors', JSON.stringify({"shirt":"#1f2a44"}))`).waitFor()
    await code.getByRole('button', { name: 'Python' }).click()
    await code.getByText(`"colors": json.dumps({"shirt":"#1f2a44"})`).waitFor()
    await code.getByRole('button', { name: 'curl' }).click()
    await page.getByLabel('Another colour').fill('#224534')
    await page.getByText('Forest · #224534').waitFor()
    await lookAt(page, 'swatches')
    const artwork = await testPicture(400, 500, 'png')
    const color = { swatch: 'Navy', colors: { shirt: '#1f2a44' } }
    const compared = { templateId: 'white-tee-flat-lay', name, key, artwork, color }
    const unplaced = await differenceOfPreview(page, service, compared)
    assert.ok(unplaced < 0.5, `mean difference ${unplaced} of 255`)

    // Live, at rest, in the code samples and in the mockup.
    await page.getByLabel('Scale', { exact: true }).fill('0.6')
    await page.getByLabel('Rotation (degrees)', { exact: true }).fill('-15')
    await previewAtRest(page)
    const parameters = { placement: JSON.stringify({ scale: 0.6, rotation: -15 }) }
    const difference = await differenceOfShown(page, service, { ...compared, parameters })
    assert.ok(difference < 0.5, `mean difference ${difference} of 255`)
    const command = (await page.locator('.snippet code').textContent()) ?? ''
    assert.ok(command.includes(`-F 'placement={"scale":0.6,"rotation":-15}'`), command)
    assert.ok(command.includes(`-F 'colors={"shirt":"#1f2a44"}'`), command)
    await lookAt(page, 'placed-on-navy')
    const placed = await shownPixels(page, name)

    const slider = page.getByRole('slider', { name: 'Artwork in its frame' })
    await slider.scrollIntoViewIfNeeded()
    const frame = await slider.boundingBox()
    assert.ok(frame)
    const [x, y] = [frame.x + frame.width / 2, frame.y + frame.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 8, y, { steps: 4 })
    const live = page.locator('canvas.live-picture:not([hidden])')
    await live.waitFor()
    const mean = async (canvas: Locator) => (await sharp(await pictureOf(canvas)).stats()).channels[0]?.mean ?? NaN
    const exact = page.getByRole('img', { name: `${name} with your artwork` })
    const apart = Math.abs((await mean(live)) - (await mean(exact)))
    assert.ok(apart < 5, `the live picture differs by ${apart} of 255`)
    await page.mouse.up()
    await previewAtRest(page)
    await page.keyboard.press('Control+Z')
    await previewAtRest(page)
    assert.ok(await page.getByRole('radio', { name: 'Navy' }).isChecked(), 'undo leaves the color')
    assert.ok(placed.data.equals((await shownPixels(page, name)).data), 'undo shows what was compared')

    // The gallery shows the same, and what is changed there, or back here, is changed in both.
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const onGallery = (scale: number, rotation: number) =>
      page.waitForURL(({ searchParams: said }) => {
        const own = /"own":({.*?}})/.exec(said.get('place') ?? '')?.[1]
        const isColored = said.get('colors') === '{"white-tee-flat-lay":{"shirt":"#1f2a44"}}'
        return isColored && own === `{"white-tee-flat-lay":{"scale":${scale},"rotation":${rotation}}}`
      })
    await page.getByRole('link', { name: 'Templates', exact: true }).first().click()
    await onGallery(0.6, -15)
    const tile = page.locator('[data-tile="white-tee-flat-lay"]')
    await tile.press('r')
    await tile.press('Enter')
    await page.getByRole('dialog').getByRole('link', { name: 'Open the template' }).click()
    await previewAtRest(page)
    assert.equal(await field('Rotation (degrees)').inputValue(), '75')
    assert.ok(await page.getByRole('radio', { name: 'Navy' }).isChecked())
    await field('Scale').fill('0.5')
    await previewAtRest(page)
    await page.goBack()
    await onGallery(0.5, 75)

    // A logo in the colour of the shirt: one click gives the shirt another one.
    const logo = await sharp({ create: { width: 200, height: 200, channels: 4, background: '#1f2a44' } })
      .extend({ top: 60, bottom: 60, left: 60, right: 60, background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .png()
      .toBuffer()
    const dropped = { name: 'navy.png', mimeType: 'image/png', buffer: logo }
    await page.getByLabel('Artwork for every scene').setInputFiles(dropped)
    await tile.press('Space')
    const hardly = page.getByText('The artwork hardly stands out from the product.')
    await hardly.waitFor()
    await lookAt(page, 'hardly-shown')
    await page.getByRole('button', { name: 'Change the colour' }).click()
    await hardly.waitFor({ state: 'detached' })
    await page.waitForURL(({ searchParams }) => searchParams.get('colors')?.includes('#1f2a44') !== true)
  })

  it('the editor draws a part on a photo, takes its colour from there, and saves it', async () => {
    await using visit = await visitInBrowser(opened(), 'parts@example.com')
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    await startByHand(page, { name: 'Gallery.png', mimeType: 'image/png', buffer: await testPicture(400, 300, 'png') })
    await page.getByRole('button', { name: 'Add a part' }).click()
    await page.getByLabel('Name in requests').fill('gallery')
    await page.getByRole('button', { name: /^Draw the part/ }).click()
    const box = await page.getByRole('group', { name: 'Frames on the photo' }).boundingBox()
    assert.ok(box)
    for (const [x, y] of [
      [0.1, 0.1],
      [0.9, 0.1],
      [0.9, 0.9],
      [0.1, 0.9],
    ] as const)
      await page.mouse.click(box.x + x * box.width, box.y + y * box.height)
    await page.getByRole('button', { name: 'Finish (4 points)' }).click()
    await page.getByRole('button', { name: /^Take it from the photo/ }).click()
    await page.getByLabel('Suggested colours').fill('Navy #1f2a44')
    await draftKept(page)
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('radio', { name: 'Navy' }).waitFor()
    const accountId = await accountIdOf(service, 'parts@example.com')
    const { templates } = await service.running.services.templates.list({ accountId, page: 1, limit: 50 })
    const saved = templates.find(({ name }) => name === 'Gallery')
    const [gallery] = saved?.colors ?? []
    assert.ok(gallery)
    assert.deepEqual([gallery.name, gallery.suggestions], ['gallery', [{ name: 'Navy', value: '#1f2a44' }]])
    assert.notEqual(gallery.default, '#ffffff')
  })
})
