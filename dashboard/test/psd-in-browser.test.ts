import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { templateList } from '@vitrine/contract'
import { createSharpCodec } from '@vitrine/engine/node'
import type { Page } from 'playwright-core'
import { displacedPsd, evenMapPsd } from '../../psd/test/displaced-file.ts'
import { CONTENT_ID, paint, pixelLayer, smartLayer } from '../../psd/test/make-psd.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd } from '../../psd/test/mockup-file.ts'
import { SHIRT_WIDTH, shirtPsd } from '../../psd/test/shirt-file.ts'
import type { TestService } from '../../service/test/http/test-service.ts'
import { plainPicture } from '../../service/test/mockups/test-bundle.ts'
import { accountIdOf, dropFile, useBrowser, visitInBrowser } from './browser-visit.ts'

const codec = createSharpCodec()

/** Imports have the lowest priority of all processes: where much else runs they take minutes. */
const IMPORT_TIMEOUT_MS = 200_000

/** The page asks for a picture of a run that was replaced, or for an import that became a template. */
const replaced = /status of 404/

/** A mockup with a second smart object, whose name does not say that a design goes there. */
function mockupWithBadge(): Uint8Array {
  const badge = smartLayer('Badge', [70, 4, 94, 4, 94, 22, 70, 22], { width: 48, height: 36 })
  // Of a file of its own: an instance of the design would be a frame with it.
  if (badge.placedLayer) Object.assign(badge.placedLayer, { id: CONTENT_ID.replace('2095', '3095') })
  const glass = pixelLayer(
    'glass',
    0,
    0,
    paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, x => [255, 255, 255, 2 * x]),
  )
  return mockupPsd({ above: [glass, badge] })
}

describe('A Photoshop file in a browser', () => {
  const opened = useBrowser()
  let service: TestService
  before(async () => {
    ;({ service } = opened())
  })

  const dropPsd = (page: Page, name: string, bytes: Uint8Array): Promise<void> =>
    dropFile(page, name, 'image/vnd.adobe.photoshop', bytes)

  /** Signs in and opens the templates. */
  const enter = async (email: string, expected: RegExp) => {
    const visit = await visitInBrowser(opened(), email, { expected })
    visit.page.setDefaultTimeout(IMPORT_TIMEOUT_MS)
    await visit.page.goto(`${service.running.url}/templates`)
    await visit.page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
    return visit
  }

  it('is dropped, compared, given another frame, made a template, opened in the editor and used', async () => {
    const email = 'photoshop@example.com'
    await using visit = await visitInBrowser(opened(), email, { expected: replaced })
    const { page } = visit
    page.setDefaultTimeout(IMPORT_TIMEOUT_MS)
    await page.goto(`${service.running.url}/templates`)
    await page.getByRole('link', { name: /Test one-frame/ }).waitFor()
    await dropPsd(page, 'Summer poster.psd', mockupWithBadge())
    await page.getByRole('heading', { level: 1, name: 'Summer poster.psd' }).waitFor()
    await page.getByText(/the template looks as Photoshop shows the file/).waitFor()

    // Another page, and back: the import is found again.
    await page.goto(`${service.running.url}/templates`)
    await page.getByRole('link', { name: 'Summer poster.psd' }).click()
    const theirs = page.getByRole('img', { name: /Photoshop saved/ })
    await theirs.waitFor()
    const picture = `document.querySelector('.psd-pictures img[alt*=saved]')`
    assert.equal(await page.evaluate(`${picture}.decode().then(() => ${picture}.naturalWidth)`), 96)
    await page.getByRole('slider').fill('20')
    await page.getByLabel('Show the difference').check()
    await page.getByRole('img', { name: /eight times enlarged/ }).waitFor()

    const design = page.getByRole('checkbox', { name: 'Your design here' })
    const badge = page.getByRole('checkbox', { name: 'Badge' })
    assert.deepEqual([await design.isChecked(), await badge.isChecked()], [true, false])
    await page.getByText(/Chosen because its name/).waitFor()
    const onPicture = page.getByRole('figure', { name: 'Smart objects in the picture' }).getByRole('button')
    assert.deepEqual(await onPicture.allTextContents(), ['✓ Your design here', 'Badge'])
    await onPicture.getByText('Badge').click()
    assert.ok(await badge.isChecked(), 'ticked on the picture')
    await page.getByRole('button', { name: 'Convert again with these 2 frames' }).click()
    await page.getByText(/48 × 36 pixels, four corners, normal/).waitFor()
    await page.getByLabel('Name').fill('Summer poster')
    await page.getByLabel('Category').fill('Posters')
    await page.getByRole('button', { name: 'Make the template' }).click()
    await page.waitForURL(/\/templates\/summer-poster\/edit$/)
    await page.getByRole('slider').first().waitFor()

    const { apiKeys, psdImportStore, templates } = service.running.services
    const accountId = await accountIdOf(service, email)
    assert.deepEqual(await psdImportStore.list(accountId), [], 'its bytes are gone with the import')
    const record = await templates.get('summer-poster', accountId)
    assert.deepEqual([record?.name, record?.category, record?.aspectRatios.length], ['Summer poster', 'Posters', 2])

    const { key } = await apiKeys.create({ accountId, name: 'test' })
    const { templates: listed } = templateList.parse((await service.send({ key })).json)
    const slots = listed.find(({ id }) => id === 'summer-poster')?.frames.map(({ slot }) => slot ?? null)
    assert.deepEqual(slots, [null, null], 'each smart object holds a file of its own')
    const form = new FormData()
    form.set('template_id', 'summer-poster')
    form.set('width', '96')
    form.set('format', 'png')
    form.set('artwork', new Blob([new Uint8Array(await plainPicture(60, 45, [255, 0, 0]))]), 'red.png')
    const answer = await service.generate(key, form)
    assert.equal(answer.status, 200)
    const { data, widthPx } = await codec.decodeLayer(answer.bytes, 'rgb')
    const at = (x: number, y: number) => [...data.subarray((y * widthPx + x) * 3, (y * widthPx + x) * 3 + 3)]
    // The ground at (40, 30) is (160, 150, 150): red in multiply keeps its red alone, and the glass adds
    // white of 80 in 255. The badge lies above the glass.
    for (const [point, expected] of [
      [at(40, 30), [190, 80, 80]],
      [at(82, 13), [255, 0, 0]],
    ] as const)
      for (const [c, value] of expected.entries())
        assert.ok(Math.abs((point[c] ?? -1) - value) <= 3, `${point.join(', ')} for ${expected.join(', ')}`)
  })

  it('has a layer of one colour ticked, which requests then change', async () => {
    const email = 'shirts@example.com'
    await using visit = await enter(email, replaced)
    const { page } = visit
    await dropPsd(page, 'shirt.psd', shirtPsd())
    const color = page.getByRole('checkbox', { name: 'Shirt color' })
    assert.equal(await color.isChecked(), false)
    await color.check()
    await page.getByRole('button', { name: 'Convert again with this frame and this colour' }).click()
    await page.getByText('“shirt-color” in requests, #c8283c without one.').waitFor()
    assert.equal(await color.isChecked(), true)
    await page.getByLabel('Name').fill('Shirt')
    await page.getByLabel('Category').fill('Shirts')
    await page.getByRole('button', { name: 'Make the template' }).click()
    await page.waitForURL(/\/templates\/shirt\/edit$/)

    const { key } = await service.running.services.apiKeys.create({
      accountId: await accountIdOf(service, email),
      name: 'test',
    })
    const answer = await service.generate(key, {
      template_id: 'shirt',
      artwork_url: `${service.origin.url}/red.png`,
      colors: { 'shirt-color': '#00ff00' },
      width: SHIRT_WIDTH,
      format: 'png',
    })
    assert.equal(answer.status, 200, answer.bytes.toString())
    const { data, widthPx } = await codec.decodeLayer(answer.bytes, 'rgb')
    // At (14, 12) is cloth without a design: the ground times green, under the folds.
    const pixel = [...data.subarray((12 * widthPx + 14) * 3, (12 * widthPx + 14) * 3 + 3)]
    for (const [c, value] of [0, (230 - 12) * 0.9, 0].entries())
      assert.ok(Math.abs((pixel[c] ?? 999) - value) <= 3, pixel.join(', '))
  })

  it('is converted with the displacement map that is chosen for it', async () => {
    await using visit = await enter('folds@example.com', /status of 4/)
    const { page } = visit
    await dropPsd(page, 'folds.psd', displacedPsd({ horizontalScale: 50, verticalScale: 100 }))
    const maps = page.getByRole('region', { name: 'Displacement maps' })
    await maps.getByText(/by the displacement map “Folds\.psd”, a file of its own/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Make the template' }).count(), 0)
    // Another name than the one in the file: which map it is was said by the button.
    const map = { name: 'mine.psd', mimeType: 'image/vnd.adobe.photoshop', buffer: Buffer.from(evenMapPsd) }
    const chooser = page.waitForEvent('filechooser')
    await maps.getByRole('button', { name: 'Choose the map' }).click()
    await (await chooser).setFiles(map)
    await maps.getByText('The displacement map “Folds.psd” was sent.').waitFor()
    await page.getByText(/48 × 36 pixels, a warp of/).waitFor()
    await page.getByRole('button', { name: 'Make the template' }).waitFor()
  })

  it('that cannot be imported says what to do, and leaves nothing', async () => {
    await using visit = await enter('refused-psd@example.com', /status of 4/)
    const { page } = visit
    await dropPsd(page, 'no-photoshop.psd', new TextEncoder().encode('This is a text that somebody has renamed.'))
    await page.getByText('This is not a Photoshop file.').waitFor()
    await page.getByRole('button', { name: 'Remove this import' }).click()
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
    await dropPsd(page, 'broken.psd', mockupPsd().slice(0, 900))
    await page.getByText(/Nothing was imported, and nothing is charged/).waitFor()
    await page.getByRole('button', { name: 'Remove this import' }).click()
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
    const accountId = await accountIdOf(service, 'refused-psd@example.com')
    assert.deepEqual(await service.running.services.psdImportStore.list(accountId), [])
    assert.equal(await service.running.services.templates.countOwned(accountId), 0)
  })

  it('that is sent before the page knows its state is converted without a reload', async () => {
    await using visit = await enter('quick-psd@example.com', /status of 4/)
    const { page } = visit
    const asked = Promise.withResolvers<undefined>()
    const sent = Promise.withResolvers<undefined>()
    // The first answer about the import is of before it was sent, and comes after.
    let answers = 0
    await page.route(/\/imports\/psd_\w+$/, async route => {
      const response = await route.fetch()
      if (answers++ === 0) {
        asked.resolve(undefined)
        await sent.promise
      }
      await route.fulfill({ response })
    })
    await page.route(/\/imports\/psd_\w+\/run$/, async route => {
      await asked.promise
      await route.fulfill({ response: await route.fetch() })
      setTimeout(() => sent.resolve(undefined), 300)
    })
    await dropPsd(page, 'quick.psd', mockupPsd().slice(0, 900))
    await page.getByText(/Nothing was imported, and nothing is charged/).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
