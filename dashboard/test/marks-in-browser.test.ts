import assert from 'node:assert/strict'
import { it } from 'node:test'
import { lookAt } from './assert-sound.ts'
import { accountIdOf, dialogsGone, useBrowser, visitInBrowser } from './browser-visit.ts'

const opened = useBrowser()

it('Favourites and tags find templates again, and the palette finds them, keys by name and accounts', async () => {
  const { service } = opened()
  await using visit = await visitInBrowser(opened(), 'marks@example.com', { role: 'owner' })
  const { page } = visit
  await service.running.services.apiKeys.create({
    accountId: await accountIdOf(service, 'marks@example.com'),
    name: 'Warehouse 7',
  })
  await service.running.services.accounts.create({ email: 'print-shop@example.org' })

  await page.goto(`${service.running.url}/templates`)
  await page.getByRole('button', { name: 'Favourite: Test one-frame' }).click()
  await page.getByRole('button', { name: 'Favourite: Test one-frame', pressed: true }).waitFor()
  await page.getByLabel('Show', { exact: true }).selectOption('Favourites')
  await page.getByText('1 template', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('1 template', { exact: true }).waitFor()
  await lookAt(page, 'favourites')

  await page.getByRole('link', { name: /^Test one-frame/ }).click()
  const newTag = page.getByRole('combobox', { name: 'New tag' })
  for (const tag of ['Spring', 'Client A']) {
    await newTag.fill(tag)
    await newTag.press('Enter')
    await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: tag }).waitFor()
  }
  await page.getByRole('button', { name: 'Remove the tag Spring' }).click()
  await page.getByRole('link', { name: 'Spring' }).waitFor({ state: 'detached' })
  await lookAt(page, 'tags')

  const palette = page.getByRole('dialog', { name: 'Go to' })
  const go = async (words: string, goal: string) => {
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill(words)
    await palette.getByRole('option', { name: goal }).click()
    await dialogsGone(page)
  }
  await go('client', 'Client A Tag')
  await page.waitForURL(/\/templates\?tag=/)
  await page.getByText('1 template', { exact: true }).waitFor()
  await go('ware', 'Warehouse 7')
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  await page.getByRole('cell', { name: 'Warehouse 7', exact: true }).waitFor()
  await go('print-shop', 'print-shop@example.org Account')
  await page.getByRole('heading', { level: 1, name: 'print-shop@example.org' }).waitFor()
})

it('A mark that waits for another one to be sent stays: lists are asked for when all are sent', async () => {
  const { service } = opened()
  await using visit = await visitInBrowser(opened(), 'waits@example.com')
  const { page } = visit
  await page.goto(`${service.running.url}/templates`)
  const star = (template: string) => page.getByRole('button', { name: `Favourite: Test ${template}` })
  await star('one-frame').waitFor()
  const events: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname === '/dashboard/api/templates' || pathname.endsWith('/marks'))
      events.push(`${request.method()} ${pathname}`)
  })
  // The first one is under way until the second one waits.
  const answers = new Map(['one-frame', 'two-frames'].map(template => [template, Promise.withResolvers<void>()]))
  for (const [template, answer] of answers)
    await page.route(`**${pathOf(template)}`, async route => {
      await answer.promise
      await route.continue()
    })
  const sent = page.waitForRequest(request => request.url().endsWith(pathOf('two-frames')))
  for (const template of answers.keys()) {
    await star(template).click()
    await page.getByRole('button', { name: `Favourite: Test ${template}`, pressed: true }).waitFor()
  }
  answers.get('one-frame')?.resolve()
  await sent
  events.push('the last one is answered')
  const list = page.waitForResponse(response => new URL(response.url()).pathname === '/dashboard/api/templates')
  answers.get('two-frames')?.resolve()
  await list
  assert.deepEqual(events, [
    `POST ${pathOf('one-frame')}`,
    `POST ${pathOf('two-frames')}`,
    'the last one is answered',
    'GET /dashboard/api/templates',
  ])
  for (const template of answers.keys())
    await page.getByRole('button', { name: `Favourite: Test ${template}`, pressed: true }).waitFor()
})

const pathOf = (template: string) => `/dashboard/api/templates/${template}/marks`
