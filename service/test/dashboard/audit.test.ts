import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type AuditList, auditListSchema, createdKeySchema, invitationSchema } from '@vitrine/contract'
import { z } from 'zod'
import { TestService } from '../http/test-service.ts'
import { MailServer } from './mail-server.ts'
import { codeOf } from './one-time-code.ts'
import { cookieOf, Visitor } from './visitor.ts'

const PASSWORD = 'correct horse battery staple'
const OTHER_PASSWORD = 'seven quiet herons at dawn'
const enrolmentBody = z.object({ totpURI: z.string() })

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`The audit log, on ${kind}`, () => {
    let mails: MailServer
    let service: TestService
    let operator: Visitor
    before(async () => {
      mails = await MailServer.start()
      service = await TestService.start(kind, {
        environment: { SMTP_URL: mails.url, SMTP_FROM: 'vitrine@example.com', TRUST_PROXY: '127.0.0.1' },
      })
      operator = await Visitor.enter(service, 'owner@example.com', 'owner')
    })
    after(async () => {
      await service[Symbol.asyncDispose]()
      await mails[Symbol.asyncDispose]()
    })

    const post = (path: string, json: unknown, cookie = '') =>
      fetch(`${service.running.url}/dashboard${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: service.running.url,
          'x-forwarded-for': '[2001:db8:1:2::7]:4711',
          ...(cookie === '' ? {} : { cookie }),
        },
        body: JSON.stringify(json),
      })
    const read = (visitor: Visitor, path: string) => visitor.read(auditListSchema, `/dashboard/api/${path}`)
    /** Events are written in the background, so this waits for their number. */
    const events = async (visitor: Visitor, path: string, count: number): Promise<AuditList['events']> => {
      for (let waits = 0; waits < 400; waits++) {
        const found = await read(visitor, path)
        if (found.total >= count) return found.events
        await delay(10)
      }
      return assert.fail(`fewer than ${count} events at ${path}`)
    }

    it('has sign-ins, including failed ones, passwords, factors and keys, with the network, and sends a mail if it matters', async () => {
      const email = 'audited@example.com'
      const first = await Visitor.enter(service, email)
      assert.equal((await first.send('/dashboard/api/account/password', { json: { password: PASSWORD } })).status, 200)
      assert.equal((await post('/auth/sign-in/email', { email, password: 'not the password' })).status, 401)
      const inside = cookieOf(await post('/auth/sign-in/email', { email, password: PASSWORD }))
      const changed = await post(
        '/auth/change-password',
        { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD },
        inside,
      )
      assert.equal(changed.status, 200)
      const customer = await Visitor.enter(service, email)
      const { cookie } = customer
      await customer.read(createdKeySchema, '/dashboard/api/keys', { name: 'Production' })
      const enabled = await post('/auth/two-factor/enable', { password: OTHER_PASSWORD }, cookie)
      const { totpURI } = enrolmentBody.parse(await enabled.json())
      const on = await post('/auth/two-factor/verify-totp', { code: codeOf(totpURI) }, cookie)
      customer.cookie = cookieOf(on)
      const off = await post('/auth/two-factor/disable', { password: OTHER_PASSWORD }, customer.cookie)
      assert.equal(off.status, 200)
      customer.cookie = cookieOf(off)
      const noted = await events(customer, 'account/events', 9)
      const counts = Object.entries(Object.groupBy(noted, ({ action, outcome }) => `${action} ${outcome}`))
      assert.deepEqual(Object.fromEntries(counts.map(([name, list]) => [name, list?.length])), {
        'sign_in ok': 3,
        'sign_in failed': 1,
        'password_set ok': 1,
        'password_changed ok': 1,
        'key_created ok': 1,
        'second_factor_on ok': 1,
        'second_factor_off ok': 1,
      })
      const failed = noted.find(({ outcome }) => outcome === 'failed')
      assert.deepEqual([failed?.network, failed?.actor], ['2001:db8:1:2::/64', 'account'])
      await mails.mailTo(email, 5)
      const told = mails.mailsTo(email).join('\n')
      for (const what of [
        /password was set/,
        /password of your account has changed/,
        /API key/,
        /now ask/,
        /no longer/,
      ])
        assert.match(told, what)
    })

    it('has what operators do, which they read with names, and the customer without', async () => {
      const { account_id: accountId } = await operator.read(invitationSchema, '/dashboard/api/accounts', {
        email: 'managed@example.com',
      })
      const act = (action: string, json: unknown = {}) =>
        operator.send(`/dashboard/api/accounts/${accountId}/${action}`, { json })
      await act('grant', { credits: 25, reason: 'for your patience', grant_id: crypto.randomUUID() })
      await act('suspend')
      await act('restore')
      const noted = await events(operator, 'audit?email=managed@example.com', 4)
      assert.deepEqual(
        new Set(noted.map(({ action }) => action)),
        new Set(['account_created', 'credits_granted', 'account_suspended', 'account_restored']),
      )
      assert.deepEqual(new Set(noted.map(({ actor_email }) => actor_email)), new Set(['owner@example.com']))
      const granted = await events(operator, 'audit?action=credits_granted', 1)
      assert.deepEqual(
        granted.map(({ account_email, target }) => [account_email, target]),
        [['managed@example.com', '25']],
      )
      const customer = await Visitor.enter(service, 'managed@example.com')
      const own = await events(customer, 'account/events', 5)
      for (const { actor, actor_email, network, account_email } of own.filter(each => each.actor === 'operator'))
        assert.deepEqual([actor, actor_email, network, account_email], ['operator', null, null, null])
      const other = await Visitor.enter(service, 'curious@example.com')
      assert.equal((await other.send('/dashboard/api/audit')).status, 403)
      assert.deepEqual(
        (await events(other, 'account/events', 1)).map(({ action }) => action),
        ['sign_in'],
        'nothing of others',
      )
    })

    it('nothing that identifies a person', async () => {
      const { database } = service.running.services
      const rows = JSON.stringify(await database.queries.selectFrom('audit_events').selectAll().execute())
      assert.doesNotMatch(rows, /@example\.com/)
    })
  })
