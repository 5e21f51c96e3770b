import assert from 'node:assert/strict'
import { it } from 'node:test'
import { encodePng } from '@vitrine/engine'
import type { Locator, Page } from 'playwright-core'
import { smallPhoto } from '../../photo/test/small-photo.ts'
import { assertSound } from './assert-sound.ts'
import { useBrowser, visitInBrowser } from './browser-visit.ts'

/** More controls than the page has. */
const MOST_TABS = 250

const has = (target: Locator): Promise<boolean> =>
  target.evaluate(element => element === element.ownerDocument.activeElement)

/** What has the focus is a part of the page, not the page as a whole. */
async function assertFocused(page: Page, where: string): Promise<void> {
  const focused = page.locator(':is(main, dialog):focus, :is(main, dialog) :focus')
  await focused.waitFor({ state: 'attached' }).catch(() => {
    assert.fail(`the focus is lost: ${where}`)
  })
}

/** Walks to a control with the Tab key alone. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // By its role and name it would be looked for after each key.
  const control = await target.elementHandle()
  assert.ok(control)
  for (let i = 0; i < MOST_TABS; i++) {
    if (await control.evaluate(element => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press(key)
  }
  assert.fail(`The Tab key does not lead to ${target.toString()}`)
}

const opened = useBrowser()

it('makes a template of a photo by keys alone, from the file to the saved template, and the focus is never lost', async () => {
  const { service } = opened()
  const { data, ...size } = smallPhoto()
  const photo = Buffer.from(await encodePng({ ...size, channels: 3, samples: data }))
  await using visit = await visitInBrowser(opened(), 'photo-keys@example.com')
  const { page } = visit
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const slider = (name: string | RegExp) => page.getByRole('slider', { name, exact: true })
  const enter = async (target: Locator, where: string, key: 'Enter' | 'Space' = 'Enter') => {
    await tabTo(page, target)
    await page.keyboard.press(key)
    await assertFocused(page, where)
  }
  const step = async (target: Locator, keys: readonly string[], where: string) => {
    await tabTo(page, target)
    const before = await target.getAttribute('aria-valuetext')
    for (const key of keys) await page.keyboard.press(key)
    await assertFocused(page, where)
    return before
  }
  await page.goto(`${service.running.url}/templates/new`)

  await tabTo(page, button('Choose a photo'))
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({ name: 'My cushion.png', mimeType: 'image/png', buffer: photo })
  await page.getByRole('heading', { name: 'What is it?' }).waitFor()
  await assertFocused(page, 'what is it')
  await enter(button(/^Soft/), 'the editor opens')
  await page.getByRole('img', { name: 'The photo with the artwork in it' }).waitFor()

  const corner = slider('Top left corner of frame 1')
  const from = await step(corner, ['Shift+ArrowLeft', 'ArrowUp', 'Alt+ArrowUp'], 'a corner is moved')
  const [x = 0, y = 0] = (from ?? '').split(', ').map(Number)
  assert.equal(await corner.getAttribute('aria-valuetext'), `${(x - 10).toFixed(1)}, ${(y - 1.1).toFixed(1)}`)
  await page.keyboard.press('Control+z')
  assert.equal(await corner.getAttribute('aria-valuetext'), from)
  await assertFocused(page, 'undone')
  await step(slider(/^Grid point 11 of/).or(slider('Pin 11 of frame 1')), ['Shift+ArrowRight'], 'a pin is set')
  await slider('Pin 11 of frame 1').waitFor()
  await assertSound(page, 'a pin')

  const bulge = slider(/^Bulge: /)
  const flat = await step(bulge, ['ArrowRight', 'ArrowRight'], 'a slider')
  assert.notEqual(await bulge.getAttribute('aria-valuetext'), flat)
  await page.keyboard.press('Control+z')
  assert.equal(await bulge.getAttribute('aria-valuetext'), flat, 'all of its steps are undone at once')

  await enter(button('Brush over the product'), 'a brush')
  const cross = slider(/^Brush: arrow keys/)
  assert.ok(await has(cross), 'the cross has the focus')
  await page.keyboard.press(']')
  for (const _ of [1, 2, 3, 4]) {
    await page.keyboard.press('Enter')
    for (const _step of [1, 2, 3]) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Enter')
  }
  await page.locator('.brush-edge').first().waitFor()
  await assertSound(page, 'a brush')
  await page.keyboard.press('Escape')
  await assertFocused(page, 'the brush ends')
  const navy = page.getByRole('radio', { name: 'Navy' })
  await navy.waitFor()
  await tabTo(
    page,
    page.getByRole('radio', { name: 'As photographed' }).or(page.locator('input[type=radio]:checked')).first(),
  )
  for (let i = 0; i < 20 && !(await navy.isChecked()); i++) await page.keyboard.press('ArrowRight')
  assert.ok(await navy.isChecked())
  await page.getByText(/^(Drawing|Refining the light)…$/).waitFor({ state: 'detached' })

  const exact = button('Exact preview')
  await tabTo(page, exact, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'The template with the sample artwork, as it will be rendered' }).waitFor()
  assert.ok(await has(exact), 'the focus stays')
  await assertSound(page, 'an exact preview')
  await tabTo(page, button('Edit'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByText(/^(Drawing|Refining the light)…$/).waitFor({ state: 'detached' })
  await assertFocused(page, 'edits again')

  await enter(button('Add a frame'), 'what is the next one')
  await enter(button('Cancel'), 'no next one')
  await enter(button('Measure a straight edge'), 'a straight edge')
  await enter(button('Done measuring'), 'measured')
  await tabTo(page, button('Check'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Ready to save.').waitFor()
  await assertFocused(page, 'checked')
  await assertSound(page, 'checked')
  await enter(button('Save template'), 'saves')
  await page.getByRole('heading', { level: 1, name: 'My cushion' }).waitFor()
  await assertFocused(page, 'saved')
})
