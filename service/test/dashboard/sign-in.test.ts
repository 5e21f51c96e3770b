import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createdKeySchema,
  creditsSchema,
  dashboardUsageSchema,
  keyListSchema,
  openSessionsSchema,
} from '@vitrine/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { describeContract, TestService } from '../http/test-service.ts'
import { cookieOf, postFrom, signInLink, Visitor } from './visitor.ts'

const errorBody = z.looseObject({ code: z.string() })
const FIREFOX_ON_LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'
const PASSWORD = 'correct horse battery staple'

const signIn = (service: TestService, email: string, secret: string, headers: Record<string, string> = {}) =>
  fetch(`${service.running.url}/dashboard/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.running.url, ...headers },
    body: JSON.stringify({ email, password: secret }),
  })

describeContract('Access to the dashboard', use => {
  it('a sign-in link works once, and its session is a strict cookie that scripts cannot read', async () => {
    const service = use()
    const link = new URL(await signInLink(service, 'once@example.com'))
    const token = link.hash.slice(1)
    const byGet = await fetch(`${service.running.url}/dashboard/auth/magic-link/verify?token=${token}`)
    assert.equal(byGet.status, 404, 'another site could send this')
    const verify = () => postFrom(service.running.url, '/dashboard/auth/magic-link/verify', { token })
    const first = await verify()
    assert.equal(first.status, 200)
    for (const cookie of first.headers.getSetCookie())
      assert.match(cookie, /^vitrine\.[\w-]+=.*HttpOnly.*SameSite=Strict/i)
    const second = await verify()
    assert.notEqual(second.status, 200)
    assert.deepEqual(
      second.headers.getSetCookie().filter(cookie => /session=[^;]/.test(cookie)),
      [],
    )
  })

  it('account A cannot access account B’s data, nor operators’ routes', async () => {
    const service = use()
    const a = await Visitor.enter(service, 'a@example.com')
    const b = await Visitor.enter(service, 'b@example.com')
    const { id: keyId } = await b.read(createdKeySchema, '/dashboard/api/keys', { name: "B's" })
    const accountId = await b.accountId()
    assert.equal((await a.send(`/dashboard/api/keys/${keyId}/revoke`, { json: {} })).status, 404)
    for (const action of ['grant', 'suspend', 'restore']) {
      const answer = await a.send(`/dashboard/api/accounts/${accountId}/${action}`, {
        json: { credits: 5, reason: 'mine', grant_id: crypto.randomUUID() },
      })
      assert.equal(answer.status, 403, action)
    }
    assert.equal((await a.send('/dashboard/api/accounts')).status, 403)
    assert.equal((await a.send('/dashboard/api/templates/one-frame/remove', { json: {} })).status, 403)
    assert.equal(
      (
        await a.send('/dashboard/api/templates?shared=true', {
          method: 'POST',
          headers: { 'content-type': 'application/zip' },
          body: 'PK',
        })
      ).status,
      403,
    )
    const mine = await a.read(dashboardUsageSchema, `/dashboard/api/usage?key=${keyId}`)
    assert.equal(mine.totals.requests, 0)
    const { keys } = await b.read(keyListSchema, '/dashboard/api/keys')
    assert.deepEqual(
      keys.map(key => key.revoked_at),
      [null],
    )
  })

  it('cross-site requests change nothing', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'csrf@example.com')
    const attempts: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: service.running.url, 'sec-fetch-site': 'cross-site' },
      { origin: service.running.url, 'sec-fetch-site': 'same-site' },
      { origin: '' },
    ]
    for (const headers of attempts) {
      const answer = await visitor.send('/dashboard/api/keys', { json: { name: 'theirs' }, headers })
      assert.equal(answer.status, 403, JSON.stringify(headers))
    }
    assert.deepEqual((await visitor.read(keyListSchema, '/dashboard/api/keys')).keys, [])
  })

  it('a password is set once with the link, refused if it is common or short, and signs in afterwards', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'Word@example.com')
    assert.equal((await visitor.send('/dashboard/api/account/password', { json: { password: 'short' } })).status, 400)
    const common = await visitor.send('/dashboard/api/account/password', { json: { password: 'Password123' } })
    assert.equal(errorBody.parse(await common.json()).code, 'PASSWORD_COMMON')
    assert.equal((await visitor.send('/dashboard/api/account/password', { json: { password: PASSWORD } })).status, 200)
    const inside = await signIn(service, 'word@example.com', PASSWORD)
    assert.equal(inside.status, 200)
    visitor.cookie = cookieOf(inside)
    assert.equal((await visitor.send('/dashboard/api/session')).status, 200)
    assert.equal((await visitor.send('/dashboard/auth/sign-out', { json: {} })).status, 200)
    assert.equal((await visitor.send('/dashboard/api/session')).status, 401)
  })

  it('a wrong password and an unknown address are answered alike, and guessing is slowed down without locking out', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'guessed@example.com')
    await visitor.send('/dashboard/api/account/password', { json: { password: PASSWORD } })
    const wrong = await signIn(service, 'guessed@example.com', 'not the password')
    const unknown = await signIn(service, 'nobody@example.com', 'not the password')
    assert.deepEqual([wrong.status, await wrong.json()], [unknown.status, await unknown.json()])
    const statuses = []
    for (let i = 0; i < 6; i++)
      statuses.push((await signIn(service, 'guessed@example.com', `guess number ${i}`)).status)
    assert.equal(statuses.at(-1), 429)
    assert.equal((await visitor.send('/dashboard/api/session')).status, 200, 'an open session stays open')
  })

  it('sessions are listed without their tokens, and can be ended one by one or all others at once', async () => {
    const service = use()
    const email = 'many@example.com'
    const first = await Visitor.enter(service, email)
    await first.send('/dashboard/api/account/password', { json: { password: PASSWORD } })
    const elsewhere = await signIn(service, email, PASSWORD, { 'user-agent': FIREFOX_ON_LINUX })
    const second = cookieOf(elsewhere)
    await Visitor.enter(service, email)
    const list = async () => (await first.read(openSessionsSchema, '/dashboard/api/account/sessions')).sessions
    const before = await list()
    assert.equal(before.length, 3)
    assert.deepEqual(
      before.map(({ current }) => current),
      [true, false, false],
    )
    const firefox = before.find(({ browser }) => browser === 'Firefox on Linux')
    assert.ok(firefox)
    assert.equal(firefox.address, '127.0.0.1')
    const raw = await (await first.send('/dashboard/api/account/sessions')).text()
    const token = decodeURIComponent(/session=([^.;]+)/.exec(second)?.[1] ?? '')
    assert.ok(token.length >= 32 && !raw.includes(token))
    assert.doesNotMatch(raw, /Mozilla/)

    const isIn = async (cookie: string) =>
      (await fetch(`${service.running.url}/dashboard/api/session`, { headers: { cookie } })).status === 200
    assert.ok(await isIn(second))
    const path = `/dashboard/api/account/sessions/${firefox.id}/end`
    assert.equal((await first.send(path, { json: {} })).status, 200)
    assert.ok(!(await isIn(second)), 'it is ended at once')
    assert.equal((await first.send(path, { json: {} })).status, 404)
    assert.equal((await first.send('/dashboard/api/account/sessions/end-others', { json: {} })).status, 200)
    assert.deepEqual(
      (await list()).map(({ current }) => current),
      [true],
    )
    const library = await first.send('/dashboard/auth/list-sessions')
    assert.equal(library.status, 404, 'the library would answer with tokens')
  })

  it('each sign-in begins a new session: a session id that was planted before is useless', async () => {
    const service = use()
    const email = 'fixed@example.com'
    const victim = await Visitor.enter(service, email)
    await victim.send('/dashboard/api/account/password', { json: { password: PASSWORD } })
    const planted = victim.cookie
    const answer = await signIn(service, email, PASSWORD, { cookie: planted })
    const idOf = (cookie: string) => /vitrine\.session=([^;]+)/.exec(cookie)?.[1]
    assert.ok(idOf(cookieOf(answer)))
    assert.notEqual(idOf(cookieOf(answer)), idOf(planted))
    const token = decodeURIComponent(idOf(planted) ?? '').split('.')[0] ?? ''
    assert.ok(Buffer.from(token).length >= 22, 'at least 128 bits')
  })

  it('a closed sign-up is announced, and refused if attempted', async () => {
    const service = use()
    const options = await fetch(`${service.running.url}/dashboard/api/sign-in-options`)
    assert.deepEqual(await options.json(), { sign_up: false, mail: false })
    const email = 'stranger@example.com'
    const answer = await postFrom(service.running.url, '/dashboard/auth/sign-up/email', {
      name: email,
      email,
      password: PASSWORD,
    })
    assert.deepEqual([answer.status, errorBody.parse(await answer.json()).code], [403, 'SIGN_UP_CLOSED'])
    assert.equal(await service.running.services.accounts.findByEmail(email), null)
  })

  it('changing the password ends the other sessions', async () => {
    const service = use()
    const first = await Visitor.enter(service, 'changes@example.com')
    await first.send('/dashboard/api/account/password', { json: { password: PASSWORD } })
    const second = await Visitor.enter(service, 'changes@example.com')
    const changed = await second.send('/dashboard/auth/change-password', {
      json: { currentPassword: PASSWORD, newPassword: 'another long sentence' },
    })
    assert.equal(changed.status, 200)
    assert.equal((await first.send('/dashboard/api/session')).status, 401)
    second.cookie = cookieOf(changed)
    assert.equal((await second.send('/dashboard/api/session')).status, 200, 'the session that changed it stays open')
  })

  it('a session ends when it was not used for 7 days, and use prolongs it', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'idle@example.com')
    const { database } = service.running.services
    const userId = await visitor.accountId()
    const setEnd = async (endsInMs: number) => {
      const end = new Date(Date.now() + endsInMs)
      const value = database.kind === 'sqlite' ? end.toISOString() : end
      await sql`update sign_in_sessions set expires_at = ${value} where user_id = ${userId}`.execute(database.queries)
    }
    const readEndMs = async () => {
      const found = await sql<{
        ends: string | Date
      }>`select expires_at as ends from sign_in_sessions where user_id = ${userId}`.execute(database.queries)
      return new Date(found.rows[0]?.ends ?? 0).getTime()
    }
    const dayMs = 24 * 3600 * 1000
    assert.ok(Math.abs((await readEndMs()) - Date.now() - 7 * dayMs) < dayMs / 24)
    await setEnd(5 * dayMs)
    assert.equal((await visitor.send('/dashboard/api/session')).status, 200)
    assert.ok((await readEndMs()) > Date.now() + 6 * dayMs, 'use prolongs it')
    await setEnd(-1000)
    assert.equal((await visitor.send('/dashboard/api/session')).status, 401)
  })

  it('a password has 8 to 128 characters of any script, all of which count, and more are refused without hashing', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'long@example.com')
    const set = async (secret: string) =>
      (await visitor.send('/dashboard/api/account/password', { json: { password: secret } })).status
    const long = `${'pa ss \u0434\u{1F4A5}'.repeat(14)}zz`
    assert.equal(long.length, 128)
    assert.deepEqual([await set('7 chars'), await set(`${long}x`), await set('x'.repeat(1_000_000))], [400, 400, 413])
    assert.equal(await set(long), 200)
    assert.equal((await signIn(service, 'long@example.com', long.slice(0, -1))).status, 401)
    assert.equal((await signIn(service, 'long@example.com', long)).status, 200)
  })

  it('extra fields in a form cannot grant the operator role or credits', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'assigns@example.com')
    const more = { role: 'owner', credits: 1_000_000, email_verified: true, accountId: 'acc_other' }
    await visitor.send('/dashboard/api/account/password', { json: { password: PASSWORD, ...more } })
    await visitor.send('/dashboard/api/keys', { json: { name: 'mine', ...more } })
    await visitor.send('/dashboard/auth/change-password', {
      json: { currentPassword: PASSWORD, newPassword: 'another long sentence', ...more },
    })
    assert.equal((await visitor.send('/dashboard/auth/update-user', { json: { name: 'x', ...more } })).status, 404)
    const account = await service.running.services.accounts.findByEmail('assigns@example.com')
    assert.equal(account?.role, 'customer')
    assert.equal((await service.running.services.wallet.balance(account.accountId)).spendableCredits, 100)
  })

  it('a suspended account loses access at once, including its keys, and regains it when restored', async () => {
    const service = use()
    const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
    const customer = await Visitor.enter(service, 'suspended@example.com')
    const accountId = await customer.accountId()
    const { key } = await customer.read(createdKeySchema, '/dashboard/api/keys', { name: 'Production' })
    assert.equal((await service.send({ key })).status, 200)
    assert.equal((await operator.send(`/dashboard/api/accounts/${accountId}/suspend`, { json: {} })).status, 200)
    assert.equal((await customer.send('/dashboard/api/session')).status, 401)
    assert.equal((await service.send({ key })).status, 403)
    assert.equal((await operator.send(`/dashboard/api/accounts/${accountId}/restore`, { json: {} })).status, 200)
    assert.equal((await service.send({ key })).status, 200)
  })

  it('an operator’s grant is applied once, however often the form is sent, and the customer sees the reason', async () => {
    const service = use()
    const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
    const customer = await Visitor.enter(service, 'granted@example.com')
    const accountId = await customer.accountId()
    const grant = { credits: 25, reason: 'for your patience', grant_id: crypto.randomUUID() }
    for (let i = 0; i < 3; i++)
      assert.equal((await operator.send(`/dashboard/api/accounts/${accountId}/grant`, { json: grant })).status, 200)
    const credits = await customer.read(creditsSchema, '/dashboard/api/credits')
    assert.equal(credits.spendable_credits, 125)
    assert.deepEqual(
      [credits.movements[0]?.kind, credits.movements[0]?.credits, credits.movements[0]?.cause],
      ['grant', 25, 'for your patience'],
    )
  })

  it('a deleted account leaves an anonymous ledger, and its address free', async () => {
    const service = use()
    const customer = await Visitor.enter(service, 'leaves@example.com')
    const { key } = await customer.read(createdKeySchema, '/dashboard/api/keys', { name: 'Production' })
    assert.equal(
      (await customer.send('/dashboard/api/account/delete', { json: { email: 'other@example.com' } })).status,
      400,
    )
    assert.equal(
      (await customer.send('/dashboard/api/account/delete', { json: { email: 'leaves@example.com' } })).status,
      200,
    )
    assert.equal((await customer.send('/dashboard/api/session')).status, 401)
    assert.equal((await service.send({ key })).status, 401)
    assert.equal(await service.running.services.accounts.findByEmail('leaves@example.com'), null)
    assert.deepEqual((await service.running.services.wallet.verifyLedger()).violations, [])
    await Visitor.enter(service, 'leaves@example.com')
  })
})

describe('Headers of the dashboard’s pages', () => {
  it('have a policy without inline code, and forbid framing', async () => {
    await using service = await TestService.start('sqlite')
    for (const path of ['/', '/keys', '/templates/one-frame']) {
      const { headers, status } = await fetch(`${service.running.url}${path}`)
      assert.equal(status, 200)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.match(policy, /object-src 'none'/)
      assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
    }
    const secret = await fetch(`${service.running.url}/dashboard/api/session`)
    assert.equal(secret.headers.get('cache-control'), 'no-store')
  })
})
