import assert from 'node:assert/strict'
import { it } from 'node:test'
import { lookAt } from './assert-sound.ts'
import { useBrowser, visitInBrowser } from './browser-visit.ts'

const opened = useBrowser()

it('a request is a line, with its details behind a button, and operators see those of all accounts', async () => {
  const { service } = opened()
  const { key, accountId } = await service.customer()
  const email = (await service.running.services.accounts.get(accountId))?.email
  assert.ok(email)
  await service.generate(key, { template_id: 'no-such', artwork_url: 'http://x.invalid/' })
  await using visit = await visitInBrowser(opened(), 'watches@example.com', { role: 'owner', widthPx: 1440 })
  const { page } = visit
  await page.goto(`${service.running.url}/requests`)
  await page.getByText('No requests yet').waitFor()
  await page.getByLabel('Accounts').selectOption('All accounts')
  const row = page.getByRole('row').filter({ hasText: 'TEMPLATE_NOT_FOUND' })
  await row.getByRole('link', { name: email }).waitFor()
  // A line of text with its padding.
  assert.ok(((await row.boundingBox())?.height ?? Infinity) < 48)
  await row.getByRole('button', { name: 'Details' }).click()
  await page.getByText('There is no such template.').waitFor()
  await page.getByRole('button', { name: 'Copy the request id' }).waitFor()
  await lookAt(page, 'the requests')
  await page.getByLabel('Period').selectOption('Last hour')
  await row.waitFor()
  assert.match(page.url(), /accounts=all.*period=1h|period=1h.*accounts=all/)
})
