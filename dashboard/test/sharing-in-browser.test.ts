import { after, before, describe, it } from 'node:test'
import { TestService } from '../../service/test/http/test-service.ts'
import { lookAt } from './assert-sound.ts'
import { useBrowser, type VisitOptions, visitInBrowser } from './browser-visit.ts'

describe('Sharing a template in a browser', () => {
  const opened = useBrowser()
  // Shared templates are renamed here.
  let service: TestService
  const enter = (email: string, options: VisitOptions) => visitInBrowser({ ...opened(), service }, email, options)
  before(async () => {
    service = await TestService.start('sqlite')
  })
  after(() => service[Symbol.asyncDispose]())

  it('is said on its page, and changed there by an operator alone', async () => {
    const { url } = service.running
    await using operator = await enter('shares@example.com', { role: 'owner' })
    await using customer = await enter('sees@example.com', {})
    await customer.page.goto(`${url}/templates/one-frame`)
    await customer.page.getByText('Shared: every account sees it and may render it.').waitFor()
    await customer.page.getByRole('button', { name: 'Make it private…' }).waitFor({ state: 'detached' })
    const { page } = operator
    await page.goto(`${url}/templates/one-frame`)
    await page.getByRole('button', { name: 'Make it private…' }).click()
    await lookAt(page, 'sharing-asked')
    await page.getByRole('dialog').getByRole('button', { name: 'Make it private' }).click()
    await page.getByText('Private: only this account sees it.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Share with every account…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Share with every account' }).click()
    await page.getByText('Shared: every account sees it and may render it.').waitFor()
    await lookAt(page, 'sharing')
  })

  it('is said in the editor, and changed there; an earlier version is seen and restored on the page', async () => {
    const { url } = service.running
    await using operator = await enter('edits@example.com', { role: 'owner' })
    await using customer = await enter('copies@example.com', {})
    await customer.page.goto(`${url}/templates/one-frame/edit`)
    await customer.page.getByText('Operators of this service may share it.').waitFor()
    const { page } = operator
    await page.goto(`${url}/templates/one-frame/edit`)
    const bundle = page.getByLabel('Let customers download the whole bundle')
    await bundle.waitFor()
    await page.getByRole('button', { name: 'Make it private…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make it private' }).click()
    await bundle.waitFor({ state: 'detached' })
    await page.getByLabel('Name', { exact: true }).fill('Renamed frame')
    await page.getByRole('button', { name: 'Save as the new version' }).click()
    await page.getByRole('heading', { name: 'Renamed frame' }).waitFor()
    await page.getByText('Private: only this account sees it.').waitFor()

    const versions = page.getByRole('region', { name: 'Versions' })
    await versions.getByText('Saved in the editor').waitFor()
    await versions.getByRole('button', { name: 'View version 1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore version 1?' })
    await dialog.getByRole('img', { name: 'Version 1' }).waitFor()
    await lookAt(page, 'version-asked')
    await dialog.getByRole('button', { name: 'Restore version 1' }).click()
    await versions.getByText('Restored from version 1').waitFor()
    await page.getByRole('heading', { name: 'Renamed frame' }).waitFor({ state: 'detached' })
    await versions.getByRole('button', { name: 'Restore version 2…' }).waitFor()
    await lookAt(page, 'versions')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Renamed frame' }).waitFor()
  })
})
