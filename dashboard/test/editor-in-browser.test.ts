import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { TestService } from '../../service/test/http/test-service.ts'
import { lookAt } from './assert-sound.ts'
import {
  accountIdOf,
  draftKept,
  ownTemplates,
  reloadWhileSaving,
  startByHand,
  useBrowser,
  visitInBrowser,
} from './browser-visit.ts'

const frameBody = (page: Page, number: number) =>
  page.getByRole('slider', { name: `Frame ${number} as a whole`, exact: true })
const corner = (page: Page, name: string, number: number) =>
  page.getByRole('slider', { name: `${name} corner of frame ${number}`, exact: true })

async function placeOf(page: Page, name: string, number: number): Promise<readonly number[]> {
  const text = await corner(page, name, number).getAttribute('aria-valuetext')
  return (text ?? '').split(', ').map(Number)
}

/** Presses at one share of the photo's sides and lets go at another; a palm touches the photo meanwhile. */
async function dragOnPhoto(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const box = await page.locator('.stage').boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height)
  await page.mouse.down()
  const [x, y] = [box.x + to[0] * box.width, box.y + to[1] * box.height]
  const [atX, atY] = [(box.x + from[0] * box.width + x) / 2, (box.y + from[1] * box.height + y) / 2]
  await page.mouse.move(atX, atY)
  await page.evaluate(
    `for (const type of ['pointercancel', 'lostpointercapture'])
      document.elementFromPoint(${atX}, ${atY}).dispatchEvent(new PointerEvent(type, { pointerId: 99, bubbles: true }))`,
  )
  await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
}

describe('The editor in a browser', () => {
  let service: TestService
  const opened = useBrowser()
  before(async () => {
    ;({ service } = opened())
  })

  it('takes the print where the pointer is, inside a mat and a frame that were found too', async () => {
    await using visit = await visitInBrowser(opened(), 'framer@example.com')
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    const plain = (inset: number, background: string) => ({
      create: { width: 1200 - 2 * inset, height: 900 - 2 * inset, channels: 3, background } as const,
    })
    const [frame, mat, print] = [plain(120, '#5a3c22'), plain(160, '#f4f2ee'), plain(270, '#8d9aa6')]
    const buffer = await sharp(plain(0, '#c8c4bc'))
      .composite([frame, mat, print].map(input => ({ input })))
      .png()
      .toBuffer()
    await startByHand(page, { name: 'Frame.png', mimeType: 'image/png', buffer })
    await page.getByRole('button', { name: 'Make a frame of area 1 of 3' }).waitFor()
    const stage = await page.locator('.stage').boundingBox()
    assert.ok(stage)
    await page.mouse.click(stage.x + stage.width / 2, stage.y + stage.height / 2)
    const [left = 0, top = 0] = await placeOf(page, 'Top left', 1)
    assert.ok(Math.hypot(left - 270, top - 270) < 3, `${left}, ${top}`)
  })

  it('finds frames in a photo, and frames are drawn, moved, zoomed and removed by pointer and keys', async () => {
    await using visit = await visitInBrowser(opened(), 'designer@example.com')
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    const scene = new URL('../../templates/black-frame-landscape/scene.webp', import.meta.url)
    await startByHand(page, scene.pathname)

    // It looks by itself when the photo opens, and again when it is asked.
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Find frames' }).click()
    // The innermost first; those around it are taken away with it.
    await page.getByRole('button', { name: 'Make a frame of area 1 of 2' }).press('Enter')
    await page.getByRole('button', { name: 'Find frames' }).waitFor()
    assert.equal(await page.getByRole('slider', { name: /as a whole$/ }).count(), 1, 'in the place of the first one')
    const [left = 0, top = 0] = await placeOf(page, 'Top left', 1)
    // Where the scene's renderer has it.
    assert.ok(Math.hypot(left - 714.6, top - 326.2) < 3, `${left}, ${top}`)

    await page.getByRole('button', { name: 'Draw a frame' }).click()
    await dragOnPhoto(page, [0.05, 0.6], [0.25, 0.8])
    const drawn = await placeOf(page, 'Top left', 2)
    await dragOnPhoto(page, [0.15, 0.7], [0.25, 0.75])
    const moved = await placeOf(page, 'Top left', 2)
    assert.ok(
      (moved[0] ?? 0) > (drawn[0] ?? 0) + 50 && (moved[1] ?? 0) > (drawn[1] ?? 0) + 20,
      `${drawn.join(', ')} to ${moved.join(', ')}`,
    )
    await frameBody(page, 2).focus()
    for (const key of ['Shift+ArrowLeft', 'ArrowUp']) await page.keyboard.press(key)
    const stepped = await placeOf(page, 'Bottom right', 2)
    await page.keyboard.press('Control+z')
    const [, taken = 0] = await placeOf(page, 'Bottom right', 2)
    assert.ok(taken > (stepped[1] ?? 0), 'one step back')

    await page.getByRole('button', { name: 'Draw a frame' }).click()
    await page.getByRole('slider', { name: /^Point to set/ }).focus()
    for (const arrow of ['Right', 'Down', 'Left', 'Up'])
      for (const key of [`Shift+Arrow${arrow}`, 'Enter']) await page.keyboard.press(key)
    await frameBody(page, 3).waitFor()
    await frameBody(page, 3).focus()
    await page.keyboard.press('+')
    await page.getByRole('button', { name: /^150 %/ }).waitFor()
    await lookAt(page, 'editor')
    await page.keyboard.press('Delete')
    await frameBody(page, 3).waitFor({ state: 'detached' })
    await draftKept(page)

    await page.getByRole('textbox', { name: 'Name' }).fill('Found')
    await reloadWhileSaving(page)
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('heading', { level: 1, name: 'Found' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const stored = await service.running.services.templates.get(id, await accountIdOf(service, 'designer@example.com'))
    assert.equal(stored?.aspectRatios.length, 2)
    assert.deepEqual(await ownTemplates(service, 'designer@example.com'), [id], 'saved once')
  })

  it('moves, adds and removes points of a finished shape, and zooms with two fingers', async () => {
    await using visit = await visitInBrowser(opened(), 'shapes@example.com')
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    const grey = { width: 2400, height: 1800, channels: 3, background: '#b0b0b0' } as const
    const buffer = await sharp({ create: grey }).png().toBuffer()
    await startByHand(page, { name: 'grey.png', mimeType: 'image/png', buffer })
    await page.getByRole('button', { name: 'Draw what is in front of frame 1' }).click()
    for (const share of [0.35, 0.5, 0.65]) await dragOnPhoto(page, [share, 0.5], [share, 0.5])
    await page.getByRole('button', { name: 'Finish (3 points)' }).click()

    const point = (number: number) =>
      page.getByRole('slider', { name: `Point ${number} of shape 1 in front of frame 1`, exact: true })
    const placeOfPoint = async (number: number) =>
      ((await point(number).getAttribute('aria-valuetext')) ?? '').split(', ').map(Number)
    const [x = 0, y = 0] = await placeOfPoint(2)
    await dragOnPhoto(page, [0.5, 0.5], [0.5, 0.4])
    const [, dragged = 0] = await placeOfPoint(2)
    assert.ok(Math.abs(dragged - (y - 180)) < 3, `a tenth of the photo up: ${y} to ${dragged}`)
    await point(2).press('Shift+ArrowLeft')
    await point(2).press('Enter')
    assert.deepEqual(await placeOfPoint(2), [x - 10, dragged])
    await point(4).waitFor()
    await lookAt(page, 'editor-shape')
    await point(3).press('Delete')
    await point(4).waitFor({ state: 'detached' })
    for (let step = 0; step < 4; step++) await page.keyboard.press('Control+z')
    assert.deepEqual(await placeOfPoint(2), [x, y], 'the removed point, the added one, the key and the drag')

    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
    const box = await page.locator('.stage').boundingBox()
    assert.ok(box)
    const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2]
    const fingers = (apart: number) => [
      { x: middleX - apart, y: middleY, id: 0 },
      { x: middleX + apart, y: middleY, id: 1 },
    ]
    for (const [type, touchPoints] of [
      ['touchStart', fingers(60)],
      ['touchMove', fingers(90)],
      ['touchMove', fingers(120)],
      ['touchEnd', []],
    ] as const)
      await devtools.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] })
    await page.getByRole('button', { name: /^200 %/ }).waitFor()
    assert.deepEqual(await placeOfPoint(2), [x, y], 'what the fingers lay on has not moved')
  })

  it('says where a photo is small, and where it is too dark for the blending mode', async () => {
    await using visit = await visitInBrowser(opened(), 'dark@example.com')
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    const black = { width: 800, height: 600, channels: 3, background: '#101010' } as const
    const buffer = await sharp({ create: black }).png().toBuffer()
    await startByHand(page, { name: 'dark.png', mimeType: 'image/png', buffer })
    const remarks = page.getByRole('list', { name: 'Remarks on the photo' })
    await remarks.getByText(/^The photo is 800 pixels wide/).waitFor()
    await remarks.getByText(/^In frame 1 the photo is too dark for “multiply”/).waitFor()
    await page.getByRole('combobox', { name: 'Blending mode' }).selectOption('screen')
    await remarks.getByText(/^In frame 1/).waitFor({ state: 'detached' })
  })
})
