import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { encodePng } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import { decodePhoto, makeTemplate, outlinesOf, parseDrawing } from '@vitrine/photo'
import { unzipSync } from 'fflate'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { smallPhoto } from '../../photo/test/small-photo.ts'
import type { TestService } from '../../service/test/http/test-service.ts'
import { lookAt } from './assert-sound.ts'
import { draftKept, dropFile, ownTemplates, reloadWhileSaving, useBrowser, visitInBrowser } from './browser-visit.ts'

const { data, ...size } = smallPhoto()
const handle = (page: Page, name: string) => page.getByRole('slider', { name: `${name} of frame 1`, exact: true })

async function placeOf(page: Page, name: string): Promise<readonly number[]> {
  return ((await handle(page, name).getAttribute('aria-valuetext')) ?? '').split(', ').map(Number)
}

/** The picture is what was drawn last. */
const pictureRests = (page: Page) => page.getByText(/^(Drawing|Refining the light)…$/).waitFor({ state: 'detached' })

/** Where a point of the photo is on the screen. */
async function onScreen(page: Page): Promise<(x: number, y: number) => { x: number; y: number }> {
  const box = await page.getByRole('img', { name: 'The photo that becomes the scene' }).boundingBox()
  assert.ok(box)
  return (x, y) => ({ x: box.x + (x * box.width) / size.widthPx, y: box.y + (y * box.height) / size.heightPx })
}

/** Lines of a brush over the light surface, which is 60 to 260 by 40 to 240. */
const brushed = [46, 62, 80, 98, 116, 134, 152, 170, 188, 206, 222, 234].map(y => [66, y, 254, y] as const)

/** The outline that is shown comes to follow the light surface. */
async function outlineFollows(page: Page): Promise<void> {
  const at = await onScreen(page)
  const [from, to] = [at(60, 40), at(260, 240)]
  for (;;) {
    const box = await page.locator('.brush-edge').first().boundingBox()
    const misses = box && [box.x - from.x, box.y - from.y, box.x + box.width - to.x, box.y + box.height - to.y]
    // 3 px of the photo, and the line's own width.
    if (misses?.every(miss => Math.abs(miss) <= (3 * (to.x - from.x)) / 200 + 2)) return
    await delay(50)
  }
}

/** A palm that rests on the photo leaves the stroke that is drawn meanwhile as it is. */
async function assertPalmChangesNothing(page: Page): Promise<void> {
  const stroke = page.locator('polyline.brush-stroke')
  const points = await stroke.getAttribute('points')
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointerdown', 'pointercancel'])
    await page.locator('svg.stage-drawing').dispatchEvent(type, { pointerId: 99, pointerType: 'touch', button: 0 })
  assert.equal(await stroke.getAttribute('points'), points)
}

/** Nothing is beside the window, and what ends the work is in sight wherever the page is scrolled to. */
async function assertNothingAside(page: Page): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  for (const name of ['Export bundle', 'Start over', 'Undo', 'Redo', 'Check', 'Save template']) {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${name}: ${JSON.stringify(box)}`)
    const isSeen = box.y >= 0 && box.y + box.height <= height
    assert.equal(isSeen, !['Export bundle', 'Start over'].includes(name), `${name}: ${JSON.stringify(box)}`)
  }
}

/** A button can be pressed where the page was scrolled to. */
async function assertUncovered(button: Locator): Promise<void> {
  await button.waitFor()
  const isFirst = await button.evaluate(element => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
  })
  assert.ok(isFirst, `covered, or out of sight: ${button.toString()}`)
}

/** What is sent from now on, apart from what the page reads. */
function watchSent(page: Page): string[] {
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  return sent
}

/** The saved bundle is what the command makes of the same drawing and photo. */
async function assertSameBytes(page: Page, photo: Uint8Array): Promise<string> {
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const url = `/dashboard/api/templates/${id}/bundle.zip`
  const base64 = await page.evaluate(`fetch('${url}').then(answer => answer.blob()).then(
    blob => new Promise(done => {
      const reader = new FileReader()
      reader.onload = () => done(reader.result.split(',')[1])
      reader.readAsDataURL(blob)
    }),
  )`)
  const saved = unzipSync(Buffer.from(String(base64), 'base64'))
  const read = (name: string): unknown => JSON.parse(new TextDecoder().decode(saved[name]))
  const { name, category } = Object(read('template.json'))
  const made = new Map<string, Uint8Array>()
  const store = {
    write: async (file: string, bytes: Uint8Array) => void made.set(file, bytes),
    read: async (file: string) => made.get(file) ?? new Uint8Array(),
  }
  const codec = createSharpCodec()
  const pixels = await decodePhoto(photo, codec)
  const details = { id, name, category }
  const drawing = read('drawing.json')
  await makeTemplate(details, pixels, drawing, outlinesOf(pixels, parseDrawing(drawing)), { store, codec })
  const differing = [...made].filter(([file, bytes]) => !Buffer.from(bytes).equals(saved[file] ?? new Uint8Array()))
  assert.deepEqual(
    differing.map(([file]) => file),
    [],
  )
  return id
}

describe('Templates from photos in a browser', () => {
  const opened = useBrowser()
  let service: TestService
  let photo: Buffer
  before(async () => {
    photo = Buffer.from(await encodePng({ ...size, channels: 3, samples: data }))
    ;({ service } = opened())
  })

  it('makes one of a mug by mouse and keys, sends nothing before it is saved, and opens it again with its handles', async () => {
    await using visit = await visitInBrowser(opened(), 'mug@example.com', {
      expected: /ERR_INTERNET_DISCONNECTED/,
    })
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    const sent = watchSent(page)
    await page.getByLabel('Photo').setInputFiles({ name: 'My mug.png', mimeType: 'image/png', buffer: photo })
    await lookAt(page, 'photo-what-is-it')
    await page.getByRole('button', { name: /^Round/ }).click()
    await page.getByRole('img', { name: 'The photo with the artwork in it' }).waitFor()

    const corner = 'Where the left side meets the top rim'
    const from = await placeOf(page, corner)
    const box = await handle(page, corner).boundingBox()
    assert.ok(box)
    const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(middleX, middleY)
    await page.mouse.down()
    await page.mouse.move(middleX - 30, middleY - 20, { steps: 4 })
    const [begun = 0, far = 0] = [from[0], (await placeOf(page, corner))[0]]
    await page.keyboard.down('Alt')
    await page.mouse.move(middleX, middleY - 20, { steps: 4 })
    await page.keyboard.up('Alt')
    await page.mouse.up()
    const [x = 0, y = 0] = await placeOf(page, corner)
    assert.ok(far < begun - 5 && y < (from[1] ?? 0) - 3, `${from.join()} to ${far}, ${y}`)
    assert.ok(Math.abs(x - far - (begun - far) / 10) < 0.2, `a tenth of ${begun} to ${far}, back to ${x}`)
    await handle(page, corner).press('Shift+ArrowLeft')
    assert.deepEqual(await placeOf(page, corner), [Number((x - 10).toFixed(1)), y])
    await page.keyboard.press('Control+z')
    assert.deepEqual(await placeOf(page, corner), [x, y], 'the key is undone, not the drag')
    await page.getByRole('combobox', { name: 'Product', exact: true }).selectOption('15 oz mug')
    await page.getByRole('slider', { name: /^Width of the artwork/ }).fill('300')
    await page.getByRole('button', { name: 'Grid' }).click()
    await pictureRests(page)
    const outline = (await page.locator('.photo-edge').getAttribute('points')) ?? ''
    const across = outline.split(' ').map(point => Number.parseFloat(point))
    const top = across.slice(0, across.length / 4)
    assert.deepEqual(
      top,
      top.toSorted((a, b) => a - b),
      'its outline is in front of the product alone',
    )
    await lookAt(page, 'photo-mug')
    await draftKept(page)
    await page.reload()
    await page.getByRole('img', { name: 'The photo with the artwork in it' }).waitFor()
    assert.deepEqual(await placeOf(page, corner), [x, y], 'a reload loses nothing')

    await page.setViewportSize({ width: 768, height: 900 })
    await assertNothingAside(page)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByRole('status').getByText('Ready to save.').waitFor()
    await page.getByText(/^The photo is 320 pixels wide/).waitFor()
    assert.deepEqual(sent, [])
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('heading', { level: 1, name: 'My mug' }).waitFor()
    assert.deepEqual(sent, ['POST /dashboard/api/templates'])
    const id = await assertSameBytes(page, photo)

    await page.goto(`${service.running.url}/templates/${id}/edit`)
    await page.getByRole('img', { name: 'The photo with the artwork in it' }).waitFor()
    assert.deepEqual(await placeOf(page, corner), [x, y])
    await page.getByRole('slider', { name: /^Gloss/ }).fill('0.5')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save as the new version' }).click()
    await page.getByText('The service could not be reached.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'My mug' }).waitFor()
  })
  it('is saved as it was when Save was pressed, without a store of drafts, and leaves nobody where they are not', async () => {
    await using visit = await visitInBrowser(opened(), 'saving@example.com', {
      initScript: "indexedDB.open = () => { throw new DOMException('refused', 'SecurityError') }",
    })
    const { page } = visit
    const held = Promise.withResolvers<void>()
    await page.route(/api\/templates\?shared/, async route => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${service.running.url}/templates/new`)
    await page.getByLabel('Photo').setInputFiles({ name: 'Poster.png', mimeType: 'image/png', buffer: photo })
    await page.getByRole('button', { name: /^Flat/ }).click()
    await page.getByText('This browser cannot store drafts').waitFor()
    await page.getByRole('button', { name: 'Grid', exact: true }).click()
    const sent = page.waitForRequest(request => request.method() === 'POST')
    await page.getByRole('button', { name: 'Save template' }).click()
    await sent
    await page.keyboard.press('Control+z')
    const grid = page.locator('.editor[inert]').getByText('Grid', { exact: true })
    assert.equal(await grid.getAttribute('aria-pressed'), 'true')
    assert.ok(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled())
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    held.resolve()
    await page.locator('.toast').getByText('Saved the template Poster.').waitFor()
    assert.equal(new URL(page.url()).pathname, '/keys')
  })

  it('takes what the browser reads by a drop, refuses the rest, offers flat frames, measures the lens, and is saved once', async () => {
    await using visit = await visitInBrowser(opened(), 'poster@example.com')
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    const drop = page.getByRole('button', { name: 'Choose a photo' })
    await drop.waitFor()
    await dropFile(page, 'IMG_1.HEIC', '', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic and no picture'))
    await page
      .getByText('“IMG_1.HEIC” is a HEIC photo: this browser can’t read it. Safari can, or export or share it as JPEG.')
      .waitFor()
    const avif = await sharp(photo).avif({ quality: 90 }).toBuffer()
    await dropFile(page, 'Poster.avif', 'image/avif', avif)
    await page.getByRole('button', { name: /^Flat/ }).click()
    await page.getByRole('button', { name: 'Make a frame of area 1 of 1' }).press('Enter')
    await handle(page, 'Top left corner').waitFor()
    const [x = 0, y = 0] = await placeOf(page, 'Top left corner')
    assert.ok(Math.hypot(x - 60, y - 40) < 3, `found at ${x}, ${y}`)
    assert.equal(await page.getByRole('group', { name: /^Frame \d/ }).count(), 1, 'in the place of the first one')
    await page.getByRole('button', { name: 'Find frames' }).waitFor()

    await page.getByRole('button', { name: 'Measure a straight edge' }).click()
    await page.getByRole('slider', { name: 'A point between the ends of the straight edge' }).press('Shift+ArrowUp')
    await page.getByText(/^Lens: barrel/).waitFor()
    await page.getByRole('button', { name: 'Done measuring' }).click()
    await handle(page, 'Top left corner').waitFor()

    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wall')
    await reloadWhileSaving(page)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wall in sun')
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('heading', { level: 1, name: 'Wall in sun' }).waitFor()
    assert.equal((await ownTemplates(service, 'poster@example.com')).length, 1)
  })

  it('makes one of a shirt in any colour by a brush, with a cord in front of the artwork', async () => {
    await using visit = await visitInBrowser(opened(), 'shirt@example.com')
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    const sent = watchSent(page)
    await page.getByLabel('Photo').setInputFiles({ name: 'My shirt.png', mimeType: 'image/png', buffer: photo })
    await page.getByRole('button', { name: /^Clothing/ }).click()
    await page.getByRole('button', { name: 'Brush over the product' }).click()
    const cursor = page.getByRole('slider', { name: /^Brush: arrow keys/ })
    await cursor.waitFor()
    const at = await onScreen(page)
    for (const [fromX, fromY, toX, toY] of brushed) {
      const [from, to] = [at(fromX, fromY), at(toX, toY)]
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(to.x, to.y)
      if (fromY === brushed[0]?.[1]) await assertPalmChangesNothing(page)
      await page.mouse.up()
    }
    await outlineFollows(page)
    await page.getByRole('radio', { name: 'Navy' }).check()
    await pictureRests(page)
    await lookAt(page, 'photo-brush')

    // A label is taken away with a finer brush, by keys alone, and undone.
    const size = page.getByRole('slider', { name: /^Brush size/ })
    const before = await size.getAttribute('aria-valuetext')
    await cursor.press('[')
    assert.notEqual(await size.getAttribute('aria-valuetext'), before)
    await cursor.press('x')
    await cursor.press('Enter')
    const lines = page.locator('.brush-edge[d*="Z M"], .brush-edge[d*="ZM"]')
    await lines.first().waitFor()
    await page.keyboard.press('Control+z')
    await lines.first().waitFor({ state: 'detached' })
    await cursor.press('Escape')
    await cursor.waitFor({ state: 'detached' })
    await page.getByText('The frame lies where shirts are printed.').first().waitFor()
    const [left = 0, top = 0] = await placeOf(page, 'Top left corner')
    assert.ok(Math.abs(left - 118) < 6 && Math.abs(top - 96) < 8, `proposed at ${left}, ${top}`)

    await page.getByRole('button', { name: 'Brush over what is in front of frame 1' }).click()
    await cursor.press('Enter')
    await cursor.press('Shift+ArrowDown')
    await cursor.press('Shift+Enter')
    await page.locator('.brush-edge').first().waitFor()
    await page.getByRole('button', { name: 'Done brushing of frame 1' }).click()
    await draftKept(page)
    await page.reload()
    await page.getByRole('button', { name: 'Brush again', exact: true }).waitFor()
    await page.getByLabel('Name in requests').fill('tee 1')
    await page.getByText('Name the part with a-z, 0-9 and hyphens, such as shirt.').first().waitFor()
    await page.getByLabel('Name in requests').fill('tee')
    await pictureRests(page)
    assert.deepEqual(sent, [])
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('heading', { level: 1, name: 'My shirt' }).waitFor()
    assert.deepEqual(sent, ['POST /dashboard/api/templates'])
    await assertSameBytes(page, photo)
    await page.getByRole('group', { name: 'Colour of the tee' }).getByRole('radio', { name: 'Forest' }).waitFor()
  })
  it('leaves the artwork visible under the points that fingers drag and beside its sliders, which scroll alone', async () => {
    await using visit = await visitInBrowser(opened(), 'free@example.com', { widthPx: 390, isTouched: true })
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    await page.getByLabel('Photo').setInputFiles({ name: 'Cap.png', mimeType: 'image/png', buffer: photo })
    await page.getByRole('button', { name: /^Free shape/ }).click()
    await page.getByRole('img', { name: 'The photo with the artwork in it' }).waitFor()
    await page.getByText('Drag the points. Zoom with two fingers.').waitFor()
    const point = handle(page, 'Point 2 of row 2')
    await point.scrollIntoViewIfNeeded()
    const box = await point.boundingBox()
    const shape = await page.locator('.photo-edge').boundingBox()
    assert.ok(box && shape)
    const dots = await page.locator('.handle-dot').evaluateAll(all => all.map(dot => dot.getBoundingClientRect().width))
    const covered = dots.reduce((sum, width) => sum + (Math.PI * width ** 2) / 4, 0)
    assert.equal(dots.length, 16)
    assert.ok(covered < 0.08 * shape.width * shape.height, `the points cover ${covered} px`)
    assert.ok(box.width >= 21, `a finger has ${box.width} px`)

    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const devtools = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
    await touch('touchStart', [{ x, y }])
    await touch('touchMove', [{ x: x + 12, y }])
    await page.locator('.stage-moving').waitFor()
    const opacities = await page.evaluate(
      "[...document.querySelectorAll('.handle-dot')].map(dot => Number(getComputedStyle(dot).opacity))",
    )
    assert.ok(Array.isArray(opacities) && opacities.every(opacity => opacity < 0.5))
    await touch('touchEnd', [])
    await page.locator('.stage-moving').waitFor({ state: 'detached' })

    const gloss = page.getByRole('slider', { name: /^Gloss/ })
    await gloss.scrollIntoViewIfNeeded()
    const track = await gloss.boundingBox()
    assert.ok(track)
    const end = { x: track.x + track.width - 4, y: track.y + track.height / 2 }
    const scrolled = page.evaluate(
      "new Promise(done => addEventListener('scroll', done, { once: true })).then(() => 1)",
    )
    await touch('touchStart', [end])
    for (const dy of [20, 60, 120]) await touch('touchMove', [{ ...end, y: end.y + dy }])
    await touch('touchEnd', [])
    await scrolled
    await page.getByText('Gloss: 1.0 x').waitFor()
    await gloss.tap({ position: { x: track.width - 4, y: track.height / 2 } })
    await page.getByText('Gloss: 4.0 x').waitFor()

    const [stage, bar] = [page.locator('.stage-view'), page.locator('.editor-actions')]
    const [shown, above] = [await stage.boundingBox(), await bar.boundingBox()]
    assert.ok(shown && above && shown.y >= above.y + above.height - 1 && shown.y + shown.height < 844 / 2)
    await gloss.fill('2')
    await pictureRests(page)
    assert.deepEqual(await stage.boundingBox(), shown, 'the picture stays where it is seen')
    await gloss.focus()
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press('Shift+Tab')
      await assertUncovered(page.locator(':focus'))
    }
  })
  it('makes one of a picture that only the browser reads, and dyes it by touch on a phone', async () => {
    await using visit = await visitInBrowser(opened(), 'phone@example.com', { widthPx: 390 })
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    const sent = watchSent(page)
    await page.getByLabel('Photo').setInputFiles({ name: 'Card.bmp', mimeType: 'image/bmp', buffer: bitmapOf() })
    await page.getByRole('button', { name: /^Soft/ }).click()
    await page.getByText('The photo was turned upright and converted to sRGB.').waitFor()
    await page.getByRole('img', { name: 'The photo with the artwork in it' }).waitFor()

    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
    const drag = async (name: string, dx: number, dy: number) => {
      await handle(page, name).scrollIntoViewIfNeeded()
      const box = await handle(page, name).boundingBox()
      assert.ok(box)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const at = (share: number) => [{ x: x + dx * share, y: y + dy * share, id: 0 }]
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
      for (const share of [0.25, 0.5, 0.75, 1])
        await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(share) })
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    const corner = handle(page, 'Top left corner')
    await corner.scrollIntoViewIfNeeded()
    const from = await corner.boundingBox()
    await drag('Top left corner', -60, -36)
    const to = await corner.boundingBox()
    assert.ok(from && to)
    const missed = Math.hypot(to.x - from.x + 60, to.y - from.y + 36)
    assert.ok(missed < 2, `it follows the finger to its end, and the page does not scroll: ${missed} px`)
    const grid = page.getByRole('slider', { name: /^Grid point \d+ of frame 1$/ })
    const before = await grid.count()
    await drag('Grid point 11', 8, 8)
    await page.getByRole('slider', { name: /^Pin \d+ of frame 1$/ }).waitFor()
    assert.equal(await grid.count(), before - 1, 'the grid is pinned where it was dragged')
    await page.getByRole('button', { name: 'Brush over the product' }).click()
    await assertUncovered(page.getByRole('button', { name: 'Done', exact: true }))
    await page.getByRole('group', { name: 'Brush', exact: true }).waitFor()
    const at = await onScreen(page)
    for (const [fromX, fromY, toX, toY] of brushed) {
      const touch = (x: number, y: number) => [{ ...at(x, y), id: 0 }]
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: touch(fromX, fromY) })
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: touch(toX, toY) })
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await outlineFollows(page)
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await page.getByRole('button', { name: 'Put it on the brushed product' }).click()
    await page.getByText('The frame lies on the product.').first().waitFor()
    const [cornerX = 0, cornerY = 0] = await placeOf(page, 'Top left corner')
    assert.ok(Math.hypot(cornerX - 60, cornerY - 40) < 5, `proposed at ${cornerX}, ${cornerY}`)
    await page.getByLabel('End at the outline of the product').check()
    await page.getByRole('slider', { name: /^Distance from its edge/ }).fill('6')
    await page.getByRole('radio', { name: 'Sand' }).check()
    await pictureRests(page)
    await lookAt(page, 'photo-cushion')
    assert.deepEqual(sent, [])
    await assertNothingAside(page)
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('heading', { level: 1, name: 'Card' }).waitFor()
    await assertSameBytes(page, photo)
  })
})

/** The photo as a BMP, which the engine does not read. */
function bitmapOf(): Buffer {
  const { widthPx, heightPx } = size
  const head = Buffer.alloc(54)
  head.write('BM')
  head.writeUInt32LE(54 + data.length, 2)
  head.writeUInt32LE(54, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(widthPx, 18)
  head.writeInt32LE(-heightPx, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  // A row of 320 pixels ends on four bytes, and blue comes first.
  const rows = Buffer.from(data)
  for (let i = 0; i < rows.length; i += 3) [rows[i], rows[i + 2]] = [data[i + 2] ?? 0, data[i] ?? 0]
  return Buffer.concat([head, rows])
}
