import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { z } from 'zod'
import type { TestService } from '../../service/test/http/test-service.ts'
import { lookAt } from './assert-sound.ts'
import {
  accountIdOf,
  differenceOfShown,
  markWhenShown,
  previewAtRest,
  shownPixels,
  testPicture,
  useBrowser,
  visitInBrowser,
} from './browser-visit.ts'

const placementSchema = z.record(z.string(), z.unknown())

/** Counts pictures that workers answer: those whose bytes they transfer, and image data, which is copied. */
const COUNT_PICTURES = `{
  globalThis.transferred = 0
  globalThis.copied = 0
  globalThis.Worker = class extends Worker {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({ data: { answer, pictures = [] } }) => {
        transferred += pictures.length
        copied += Object.values(answer ?? {}).filter(value => value instanceof ImageData).length
      })
    }
  }
}`

describe('Placement in a browser', () => {
  const opened = useBrowser()
  let service: TestService
  let artwork: Buffer
  before(async () => {
    ;({ service } = opened())
    artwork = await testPicture(400, 300, 'png')
  })

  /** Opens a template's page with the artwork in every frame. */
  async function openWithArtwork(page: Page, templateId: string): Promise<void> {
    await page.goto(`${service.running.url}/templates/${templateId}`)
    // Artwork that was chosen before is kept for every template.
    await page
      .getByLabel(/^Choose (your|another) artwork$/)
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: artwork })
    await previewAtRest(page)
  }

  const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true })
  const valueOf = async (page: Page, label: string): Promise<number> => Number(await field(page, label).inputValue())

  /** The value of a parameter in the command that the page shows; null where it has none. */
  async function inCommand(page: Page, name: string): Promise<Record<string, unknown> | null> {
    const code = (await page.locator('.snippet code').textContent()) ?? ''
    const json = new RegExp(`-F '${name}=(.*)' `).exec(code)?.[1]
    return json === undefined ? null : placementSchema.parse(JSON.parse(json))
  }

  /** Drags from a part of the picture to another, in shares of it. */
  async function drag(page: Page, from: Locator, [dx, dy]: readonly [number, number]): Promise<void> {
    const box = await from.boundingBox()
    assert.ok(box)
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + dx, y + dy, { steps: 3 })
    await page.mouse.up()
  }

  it('moves, scales and turns artwork by hand, draws it meanwhile, and takes each movement back', async () => {
    await using visit = await visitInBrowser(opened(), 'hand@example.com', { initScript: COUNT_PICTURES })
    const { page } = visit
    await openWithArtwork(page, 'one-frame')
    const frame = page.getByRole('slider', { name: 'Artwork in its frame' })
    await field(page, 'Fit').selectOption('contain')
    await previewAtRest(page)
    await drag(page, frame, [60, 30])
    const [x, y] = [await valueOf(page, 'Across (x)'), await valueOf(page, 'Down (y)')]
    assert.ok(x > 0.5 && y > 0.5, `${x}, ${y}`)
    await previewAtRest(page)
    await markWhenShown(page, '.live-picture')
    await page.mouse.wheel(0, -400)
    await page.locator('.live-picture[data-was-shown]').waitFor({ state: 'attached' })
    await previewAtRest(page)
    assert.ok((await valueOf(page, 'Scale')) > 1.5)
    await drag(page, page.locator('.placing-turn'), [80, 80])
    const rotation = await valueOf(page, 'Rotation (degrees)')
    assert.ok(rotation > 5 && rotation < 175, String(rotation))
    await previewAtRest(page)
    assert.deepEqual(await inCommand(page, 'placement'), {
      fit: 'contain',
      scale: await valueOf(page, 'Scale'),
      rotation,
      x,
      y,
    })

    await page.keyboard.press('Control+Z')
    assert.equal(await valueOf(page, 'Rotation (degrees)'), 0)
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal(await valueOf(page, 'Scale'), 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal(await valueOf(page, 'Across (x)'), 0.5)
    await page.getByRole('button', { name: 'Redo' }).click()
    assert.equal(await valueOf(page, 'Across (x)'), x)
    await page.getByRole('button', { name: 'Reset the placement' }).click()
    assert.equal(await inCommand(page, 'placement'), null)
    const [transferred, copied] = [await page.evaluate('transferred'), await page.evaluate('copied')]
    assert.ok(Number(transferred) > 2, 'exact pictures, and those of a movement')
    assert.equal(copied, 0)
    await lookAt(page, 'placement')
  })

  it('does by keyboard alone what the pointer does, and says what is no value, and what will look soft before it is paid', async () => {
    await using visit = await visitInBrowser(opened(), 'keys-place@example.com')
    const { page } = visit
    await openWithArtwork(page, 'one-frame')
    const frame = page.getByRole('slider', { name: 'Artwork in its frame' })
    await frame.focus()
    for (const key of ['ArrowRight', 'Shift+ArrowDown', '+', ']', ']']) await frame.press(key)
    assert.equal(await frame.getAttribute('aria-valuetext'), 'x 0.51, y 0.6, scale 1.05, rotation 2 degrees')
    await field(page, 'Scale').fill('90')
    await page.getByText('Expected a number from 0.05 to 20.').waitFor()
    assert.deepEqual(await inCommand(page, 'placement'), { scale: 1.05, rotation: 2, x: 0.51, y: 0.6 })
    await lookAt(page, 'placement-fault')
    await field(page, 'Scale').fill('8')
    await page.getByText(/^This artwork is enlarged \d+\.\d times: it will look soft\. Send at least/).waitFor()
    await field(page, 'Scale').fill('0.05')
    await page.getByText(/it will look soft/).waitFor({ state: 'detached' })
    await field(page, 'Scale').fill('0.5')
    await field(page, 'Repeat').selectOption('mirror')
    await page.getByLabel('Background colour').check()
    assert.deepEqual(await inCommand(page, 'placement'), {
      scale: 0.5,
      rotation: 2,
      x: 0.51,
      y: 0.6,
      repeat: 'mirror',
      background: '#ffffff',
    })
  })

  it('previews the same pixels as the interface renders, in every field, on corners and on maps', async context => {
    await using visit = await visitInBrowser(opened(), 'pixels@example.com')
    const { page } = visit
    const accountId = await accountIdOf(service, 'pixels@example.com')
    await service.importSmallStarter('white-mug-marble', accountId)
    const { key } = await service.running.services.apiKeys.create({ accountId, name: 'compare' })
    for (const templateId of ['two-frames', 'white-mug-marble']) {
      await openWithArtwork(page, templateId)
      const name = await page.getByRole('heading', { level: 1 }).innerText()
      const compare = async () => {
        await previewAtRest(page)
        const placement = await inCommand(page, 'placement')
        const parameters = placement === null ? {} : { placement: JSON.stringify(placement) }
        return differenceOfShown(page, service, { templateId, name, key, artwork, parameters })
      }
      // A browser makes a scene smaller with other rounding; where it need not, every pixel is the same.
      const unplaced = await compare()
      if (templateId === 'two-frames') assert.equal(unplaced, 0)
      const assertSame = async () => {
        const difference = await compare()
        context.diagnostic(`${templateId}: ${difference} of 255, ${unplaced} without a placement`)
        assert.ok(difference <= unplaced * 1.05, `${difference} of 255, ${unplaced} without a placement`)
      }
      await field(page, 'Focus across').fill('0.1')
      await field(page, 'Rotation (degrees)').fill('17')
      await field(page, 'Flip').selectOption('horizontal')
      await assertSame()
      await field(page, 'Fit').selectOption('contain')
      await field(page, 'Scale').fill('0.6')
      await field(page, 'Across (x)').fill('0.3')
      await page.getByLabel('Background colour').check()
      await assertSame()
      await field(page, 'Repeat').selectOption('tile')
      await assertSame()
    }
  })

  it('pays for the placement that is shown, once, and keeps it over a reload', async () => {
    await using visit = await visitInBrowser(opened(), 'paid-place@example.com')
    const { page } = visit
    await openWithArtwork(page, 'one-frame')
    await page.getByLabel('Format').selectOption('png')
    await page.getByLabel('Width').selectOption('1000')
    await field(page, 'Scale').fill('0.4')
    // Before the pointer rests: what was typed is what is paid for.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Render in full for 1 credit' }).click(),
    ])
    await previewAtRest(page)
    const paid = await sharp(await readFile(await download.path()))
      .raw()
      .toBuffer()
    const shown = await shownPixels(page, 'Test one-frame')
    assert.ok(paid.equals(shown.data))
    await page.getByRole('button', { name: /^Download logo/ }).waitFor()
    await page.reload()
    await previewAtRest(page)
    assert.equal(await valueOf(page, 'Scale'), 0.4)
    await page.getByRole('button', { name: /^Download logo/ }).waitFor()
  })

  it('places frames together or each by itself', async () => {
    await using visit = await visitInBrowser(opened(), 'apart@example.com')
    const { page } = visit
    await openWithArtwork(page, 'two-frames')
    await field(page, 'Scale').fill('0.5')
    assert.deepEqual(await inCommand(page, 'placement'), { scale: 0.5 })
    await field(page, 'Frames').selectOption('apart')
    await field(page, 'Frame').selectOption('1')
    await field(page, 'Scale').fill('1')
    await field(page, 'Rotation (degrees)').fill('90')
    assert.deepEqual(await inCommand(page, 'placements'), { 0: { scale: 0.5 }, 1: { rotation: 90 } })
    await field(page, 'Frames').selectOption('together')
    assert.deepEqual(await inCommand(page, 'placement'), { rotation: 90 })
  })

  it('is moved and pinched by fingers on a phone, and scrolls the page until it is chosen', async () => {
    await using visit = await visitInBrowser(opened(), 'finger@example.com', { widthPx: 390 })
    const { page } = visit
    await openWithArtwork(page, 'one-frame')
    const frame = page.getByRole('slider', { name: 'Artwork in its frame' })
    const touchAction = () => page.evaluate("getComputedStyle(document.querySelector('.placing-frame')).touchAction")
    assert.equal(await touchAction(), 'auto')
    await frame.click()
    assert.equal(await touchAction(), 'none')
    const box = await frame.boundingBox()
    assert.ok(box)
    const [x0, y0] = [box.x + box.width / 2, box.y + box.height / 2]
    const client = await page.context().newCDPSession(page)
    await client.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: readonly (readonly [number, number])[]) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([dx, dy], id) => ({ x: x0 + dx, y: y0 + dy, id })),
      })
    await touch('touchStart', [0, 0])
    for (const step of [20, 40, 60]) await touch('touchMove', [step, 0])
    await touch('touchEnd')
    const x = await valueOf(page, 'Across (x)')
    assert.ok(Math.abs(x - 0.5 - 60 / box.width) < 0.01, `${x} of ${box.width} px`)
    await touch('touchStart', [-20, 0])
    await touch('touchStart', [-20, 0], [20, 0])
    for (const step of [25, 30, 40]) await touch('touchMove', [-step, 0], [step, 0])
    await touch('touchEnd')
    const scale = await valueOf(page, 'Scale')
    assert.ok(Math.abs(scale - 2) < 0.05, String(scale))
    await lookAt(page, 'placement-by-finger')
  })
})
