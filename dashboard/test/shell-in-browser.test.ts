import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { goToPage, testPicture, useBrowser, visitInBrowser } from './browser-visit.ts'

const opened = useBrowser()

it('The theme is chosen and kept, a chart says its values by key, and a phone reaches every page', async () => {
  const { service } = opened()
  await using visit = await visitInBrowser(opened(), 'reader@example.com', { role: 'owner' })
  const { page } = visit
  const account = await service.running.services.accounts.findByEmail('reader@example.com')
  assert.ok(account)
  const { key } = await service.running.services.apiKeys.create({ accountId: account.accountId, name: 'chart' })
  const form = new FormData()
  form.set('template_id', 'one-frame')
  form.set('artwork', new Blob([new Uint8Array(await testPicture(60, 60, 'png'))]), 'a.png')
  assert.equal((await service.generate(key, form)).status, 200)

  const gallery = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  await page.goto(`${service.running.url}/account`)
  const light = await gallery()
  await page.getByRole('combobox', { name: /^Theme in this browser/ }).selectOption('dark')
  const dark = await gallery()
  assert.notEqual(dark, light)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  assert.equal(await gallery(), dark)

  await page.goto(`${service.running.url}/usage?days=7`)
  const days = page.getByRole('slider', { name: 'Mockups per day: a day' })
  await days.focus()
  for (const key of ['Home', 'ArrowRight']) await page.keyboard.press(key)
  assert.match((await days.getAttribute('aria-valuetext')) ?? '', /: Mockups 0$/)
  await page.keyboard.press('End')
  assert.match((await days.getAttribute('aria-valuetext')) ?? '', /: Mockups 1$/)
  await page
    .locator('.chart-day')
    .first()
    .getByText(/: Mockups 1$/)
    .waitFor()

  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['Audit', 'Keys']) {
    await goToPage(page, name)
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
})

it('The navigation of a low window has artworks and the way out in sight, and a phone chooses artworks', async () => {
  const { service } = opened()
  await using visit = await visitInBrowser(opened(), 'low-window@example.com', { role: 'owner' })
  const { page } = visit
  await page.goto(`${service.running.url}/create`)
  const picture = await testPicture(60, 60, 'png')
  const files = Array.from({ length: 12 }, (_, index) => ({
    name: `artwork-${index}.png`,
    mimeType: 'image/png',
    buffer: picture,
  }))
  await page.getByLabel('Choose artworks').setInputFiles(files)
  const dock = page.getByRole('region', { name: 'Artworks of this visit' })
  await dock.getByRole('button', { name: /^artwork-11\.png/ }).waitFor({ state: 'attached' })
  /** Whether a pointer reaches the middle of an element, without and after scrolling. */
  const isReached = (selector: string, mayScroll = false) =>
    page.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)})
      if (${mayScroll}) element.scrollIntoView({ block: 'nearest' })
      const { left, top, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })()`)
  for (const [width, height] of [
    [1366, 768],
    [1440, 900],
    [1024, 600],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const selector of ['.nav-account', '.dock-actions button', '.dock-artwork'])
      assert.ok(await isReached(selector), `${selector} at ${width} × ${height}`)
    for (const to of ['/', '/audit'])
      assert.ok(await isReached(`.nav-pages a[href="${to}"]`, true), `${to} at ${width} × ${height}`)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok(await isReached('.dock-artwork'), 'the artwork itself, not what removes it')
  const first = dock.getByRole('button', { name: /^artwork-0\.png/ })
  await page.goto(`${service.running.url}/templates`)
  await first.click()
  // All twelve are chosen until the click has been drawn.
  const chosen = page.locator('.dock-artwork[aria-pressed="true"]')
  await chosen.nth(1).waitFor({ state: 'detached' })
  assert.equal(await chosen.count(), 1)
  assert.equal(await dock.locator('.dock-artwork').count(), 12, 'none was removed')
})

it('What is typed after Ctrl+K is in its field, also where that was still on its way, and goes nowhere else', async () => {
  await using visit = await visitInBrowser(opened(), 'palette@example.com', { role: 'owner' })
  const { page } = visit
  const { promise, resolve: letPass } = Promise.withResolvers<undefined>()
  await page.route(/command-palette-.*\.js$/, async route => {
    await promise
    await route.continue()
  })
  await page.goto(`${opened().service.running.url}/credits`)
  await page.getByRole('heading', { level: 1, name: 'Credits' }).waitFor()
  await page.keyboard.press('Control+k')
  // As shortcuts these would lead to Usage, and list the shortcuts.
  await page.keyboard.type('gu?')
  letPass(undefined)
  const field = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
  await field.waitFor()
  await page.keyboard.type('x')
  await field.and(page.locator(':focus')).waitFor()
  while ((await field.inputValue()) !== 'gu?x') await delay(20)
  assert.equal(new URL(page.url()).pathname, '/credits')
  await field.fill('audit')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
})
