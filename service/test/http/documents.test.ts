import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../servers/chromium.ts'
import { TestService } from './test-service.ts'

let service: TestService
let browser: Browser
before(async () => {
  service = await TestService.start('sqlite')
  browser = await launchChromium()
})
after(async () => {
  await browser.close()
  await service[Symbol.asyncDispose]()
})

test('/docs shows every operation in a real browser, asks nobody else for anything, and breaks none of its own rules', async () => {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  const requested: string[] = []
  const complaints: string[] = []
  page.on('request', request => requested.push(request.url()))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(`${service.running.url}/docs`)
  for (const title of ['Generate mockups', 'List templates', 'Read the balance', 'Read usage statistics'])
    await page.getByText(title).first().waitFor({ state: 'attached', timeout: 20_000 })
  const foreign = requested.filter(url => !url.startsWith(service.running.url) && !/^(?:data|blob):/.test(url))
  assert.deepEqual(foreign, [])
  assert.deepEqual(complaints, [])
})
