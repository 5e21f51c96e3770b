import assert from 'node:assert/strict'
import { it } from 'node:test'
import { goToPage, openBrowser, testPicture, visitInBrowser } from './browser-visit.ts'

it('The theme is chosen and kept, a chart says its values by key, and a phone reaches every page', async () => {
  await using opened = await openBrowser()
  const { browser, service } = opened
  await using visit = await visitInBrowser(browser, service, 'reader@example.com', { role: 'owner' })
  const { page } = visit
  const account = await service.running.services.accounts.findByEmail('reader@example.com')
  assert.ok(account)
  const { key } = await service.running.services.apiKeys.create({ accountId: account.accountId, name: 'chart' })
  const form = new FormData()
  form.set('template_id', 'one-frame')
  form.set('artwork', new Blob([new Uint8Array(await testPicture(60, 60, 'png'))]), 'a.png')
  assert.equal((await service.generate(key, form)).status, 200)

  const wall = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  await page.goto(`${service.running.url}/account`)
  const light = await wall()
  await page.getByRole('combobox', { name: /^Colours of these pages/ }).selectOption('dark')
  const dark = await wall()
  assert.notEqual(dark, light)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  assert.equal(await wall(), dark)

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

it('What is typed after Ctrl+K is in its field, also where that was still on its way, and goes nowhere else', async () => {
  await using opened = await openBrowser()
  await using visit = await visitInBrowser(opened.browser, opened.service, 'typist@example.com', { role: 'owner' })
  const { page } = visit
  const { promise, resolve: letPass } = Promise.withResolvers<undefined>()
  await page.route(/command-palette-.*\.js$/, async route => {
    await promise
    await route.continue()
  })
  await page.goto(`${opened.service.running.url}/credits`)
  await page.getByRole('heading', { level: 1, name: 'Credits' }).waitFor()
  await page.keyboard.press('Control+k')
  // As shortcuts these would lead to Usage, and list the shortcuts.
  await page.keyboard.type('gu?')
  letPass(undefined)
  const field = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
  await field.waitFor()
  await page.keyboard.type('x')
  await page.waitForFunction('document.activeElement?.value === "gu?x"')
  assert.equal(new URL(page.url()).pathname, '/credits')
  await field.fill('audit')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
})
