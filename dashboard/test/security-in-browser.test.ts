import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { before, describe, it } from 'node:test'
import { dashboardSessionSchema } from '@vitrine/contract'
import type { Request } from 'playwright-core'
import { codeOf } from '../../service/test/dashboard/one-time-code.ts'
import type { TestService } from '../../service/test/http/test-service.ts'
import { lookAt } from './assert-sound.ts'
import { accountIdOf, signOutBy, useBrowser, visitInBrowser } from './browser-visit.ts'

const PASSWORD = 'correct horse battery staple'

describe('Security in a browser', () => {
  const opened = useBrowser()
  let service: TestService
  before(async () => {
    ;({ service } = opened())
  })

  it('a second factor is set up with a code to scan, and asked for at the next sign-in', async () => {
    await using visit = await visitInBrowser(opened(), 'factor@example.com', { expected: /status of 401/ })
    const { page } = visit
    await page.goto(`${service.running.url}/account`)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    const factor = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Second factor' }) })
    await factor.getByLabel('Password').fill(PASSWORD)
    await factor.getByRole('button', { name: 'Set up' }).click()
    await factor.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await lookAt(page, 'the second factor')
    const uri = (await factor.getByRole('link', { name: 'open the app' }).getAttribute('href')) ?? ''
    await factor.getByLabel('Code from the app').fill(codeOf(uri))
    await factor.getByRole('button', { name: 'Switch on' }).click()
    await factor.getByRole('button', { name: 'Switch off' }).waitFor()
    await lookAt(page, 'the second factor, on')

    const typed = () =>
      page.evaluate(() => Object.entries(sessionStorage).filter(([name]) => name.startsWith('typed ')))
    await page.getByLabel('New e-mail').fill('half-written@example.com')
    assert.deepEqual(await typed(), [['typed account email', 'half-written@example.com']])
    await signOutBy(page)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    assert.deepEqual(await typed(), [], 'nothing that was typed waits for the next person in this tab')
    await page.getByLabel('E-mail').fill('factor@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'One more step' }).waitFor()
    await lookAt(page, 'the code')
    await page.getByLabel('Code', { exact: true }).fill(codeOf(uri, 1))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: /first mockup|Overview/ }).waitFor()
  })

  it('an address that is no page says so to people, with a way on, and to programs in the words of the interface', async () => {
    await using visit = await visitInBrowser(opened(), 'lost@example.com', { expected: /status of 404/ })
    const { page } = visit
    const answer = await page.goto(`${service.running.url}/no/such-page?of=ours`)
    assert.equal(answer?.status(), 404)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await lookAt(page, 'page not found')
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.getByRole('heading', { level: 1, name: /first mockup|Overview/ }).waitFor()

    const typeOf = async (path: string, accept: string, method = 'GET') => {
      const { status, headers } = await fetch(`${service.running.url}${path}`, { method, headers: { accept } })
      return [status, headers.get('content-type')?.split(';')[0], headers.has('content-security-policy')]
    }
    const html = 'text/html,application/xhtml+xml,*/*;q=0.8'
    assert.deepEqual(await typeOf('/no-such-page', html), [404, 'text/html', true])
    assert.deepEqual(await typeOf('/no-such-page', html, 'HEAD'), [404, 'text/html', true])
    for (const [path, accept, method] of [
      ['/no-such-page', '*/*', 'GET'],
      ['/no-such-page', html, 'POST'],
      ['/api', html, 'GET'],
      ['/api/v2/templates', html, 'GET'],
      ['/dashboard/api/nothing', html, 'GET'],
      ['/assets/nothing.js', html, 'GET'],
    ] as const) {
      const [status, type] = await typeOf(path, accept, method)
      assert.deepEqual([status, type], [404, 'application/json'], `${method} ${path}`)
    }
  })

  it("a form and a script on another origin that post with the visitor's cookies are refused", async () => {
    await using visit = await visitInBrowser(opened(), 'victim@example.com')
    const target = `${service.running.url}/dashboard/api/keys`
    const attacker = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        `<form method="post" enctype="text/plain" action="${target}"><input name='{"name":"stolen' value='"}'></form>`,
      )
    }).listen(0, '127.0.0.1')
    await once(attacker, 'listening')
    try {
      const address = attacker.address()
      assert.ok(address !== null && typeof address === 'object')
      // Another port is another origin of the same site: the cookies of a strict session go along.
      const page = await visit.page.context().newPage()
      const isPost = (request: Request) => request.url() === target && request.method() === 'POST'
      await page.goto(`http://${new URL(service.running.url).hostname}:${address.port}/`)
      const sent: Request[] = []
      page.on('request', request => {
        if (isPost(request)) sent.push(request)
      })
      await page.evaluate(async url => {
        // Whatever the service answers is kept from the page: the browser fails the call.
        await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"name":"stolen"}' }).catch(
          () => null,
        )
      }, target)
      const [byForm] = await Promise.all([
        page.waitForResponse(answer => isPost(answer.request())),
        page.evaluate('document.forms[0].submit()'),
      ])
      assert.equal(byForm.status(), 403)
      assert.equal(sent.length, 2)
      assert.match((await byForm.request().allHeaders())['cookie'] ?? '', /session/, 'the cookies are there')
      assert.match(await byForm.text(), /CROSS_SITE/)
      const accountId = await accountIdOf(service, 'victim@example.com')
      const { database } = service.running.services
      const keys = await database.queries
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .execute()
      assert.deepEqual(keys, [])
      const session = await visit.page.request.get(`${service.running.url}/dashboard/api/session`)
      assert.equal(
        dashboardSessionSchema.parse(await session.json()).account.email,
        'victim@example.com',
        'the session is unharmed',
      )
    } finally {
      attacker.closeAllConnections()
      attacker.close()
    }
  })
})
