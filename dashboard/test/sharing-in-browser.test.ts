import { after, before, describe, it } from 'node:test'
import { lookAt } from './assert-sound.ts'
import { type OpenedBrowser, openBrowser, visitInBrowser } from './browser-visit.ts'

describe('Sharing a template in a browser', () => {
  let opened: OpenedBrowser
  before(async () => {
    opened = await openBrowser()
  })
  after(() => opened[Symbol.asyncDispose]())

  it('is said on its page, and changed there by an operator alone', async () => {
    const { url } = opened.service.running
    await using operator = await visitInBrowser(opened.browser, opened.service, 'shares@example.com', { role: 'owner' })
    await using customer = await visitInBrowser(opened.browser, opened.service, 'sees@example.com')
    await customer.page.goto(`${url}/templates/one-frame`)
    await customer.page.getByText('Shared with every account').waitFor()
    await customer.page.getByRole('button', { name: 'Make it private…' }).waitFor({ state: 'detached' })
    const { page } = operator
    await page.goto(`${url}/templates/one-frame`)
    await page.getByRole('button', { name: 'Make it private…' }).click()
    await lookAt(page, 'sharing-asked')
    await page.getByRole('dialog').getByRole('button', { name: 'Make it private' }).click()
    await page.getByText('Private', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Share with every account…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Share with every account' }).click()
    await page.getByText('Shared with every account', { exact: true }).waitFor()
    await lookAt(page, 'sharing')
  })
})
