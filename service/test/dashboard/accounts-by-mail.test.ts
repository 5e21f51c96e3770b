import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { dashboardSessionSchema, signInAnswerSchema } from '@vitrine/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { TestService } from '../http/test-service.ts'
import { MailServer } from './mail-server.ts'
import { codeOf } from './one-time-code.ts'
import { cookieOf, signInLink, Visitor } from './visitor.ts'

const PASSWORD = 'correct horse battery staple'
const OTHER_PASSWORD = 'seven quiet herons at dawn'
const errorBody = z.looseObject({ code: z.string() })
const enrolmentBody = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) })

const tokenIn = (mail: string, page: 'confirm' | 'reset'): string => {
  const token = new RegExp(`/${page}#(\\S+)`).exec(mail)?.[1]
  assert.ok(token, mail)
  return token
}

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`Accounts by mail, on ${kind}`, () => {
    let mails: MailServer
    let service: TestService
    let people = 0
    before(async () => {
      mails = await MailServer.start()
      service = await TestService.start(kind, {
        environment: {
          SMTP_URL: mails.url,
          SMTP_FROM: 'vitrine@example.com',
          SIGN_UP: 'open',
          TRUST_PROXY: '127.0.0.1',
        },
      })
    })
    after(async () => {
      await service[Symbol.asyncDispose]()
      await mails[Symbol.asyncDispose]()
    })

    /** What a browser at its own address posts. */
    const browser = () => {
      people += 1
      const address = `203.0.${people}.1`
      return async (path: string, json: unknown, cookie = '') =>
        fetch(`${service.running.url}/dashboard${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin: service.running.url,
            'x-forwarded-for': address,
            ...(cookie === '' ? {} : { cookie }),
          },
          body: JSON.stringify(json),
        })
    }
    type Post = ReturnType<typeof browser>
    const signUp = (post: Post, email: string, secret = PASSWORD) =>
      post('/auth/sign-up/email', { name: email, email, password: secret })
    const signIn = (post: Post, email: string, secret = PASSWORD) =>
      post('/auth/sign-in/email', { email, password: secret })
    const sessionOf = async (cookie: string) =>
      dashboardSessionSchema.parse(
        await (await fetch(`${service.running.url}/dashboard/api/session`, { headers: { cookie } })).json(),
      )
    const signedUp = async (post: Post, email: string) => {
      const mark = cookieOf(await signUp(post, email))
      const confirmed = await post('/auth/verify-email', { token: tokenIn(await mails.mailTo(email), 'confirm') }, mark)
      assert.equal(confirmed.status, 200)
      return cookieOf(confirmed)
    }

    it('a sign-up is completed by the link in the mail, and until then the password does not work', async () => {
      const post = browser()
      const email = 'new@example.com'
      const signed = await signUp(post, email)
      assert.equal(signed.status, 200)
      const token = tokenIn(await mails.mailTo(email), 'confirm')
      assert.equal((await signIn(post, email)).status, 403)
      const byGet = await fetch(`${service.running.url}/dashboard/auth/verify-email?token=${token}`)
      assert.equal(byGet.status, 404, 'a mail scanner or another site confirms nothing')
      const confirmed = await post('/auth/verify-email', { token }, cookieOf(signed))
      assert.equal(confirmed.status, 200)
      const { account } = await sessionOf(cookieOf(confirmed))
      assert.deepEqual([account.email, account.email_verified], [email, true])
      assert.equal((await signIn(post, email)).status, 200)
      const again = await post('/auth/verify-email', { token })
      assert.deepEqual(again.headers.getSetCookie(), [], 'the link lets in once')
    })

    it('if an address is confirmed in a browser other than the one that signed up, that one’s password is void', async () => {
      const email = 'victim@example.com'
      const stranger = browser()
      const strangersMark = cookieOf(await signUp(stranger, email))
      const link = tokenIn(await mails.mailTo(email), 'confirm')
      const owner = browser()
      // The owner has also signed up: this browser's mark does not tell whose password it is.
      const ownersMark = cookieOf(await signUp(owner, email, OTHER_PASSWORD))
      const confirmed = await owner('/auth/verify-email', { token: link }, ownersMark)
      assert.equal(confirmed.status, 200)
      const inside = cookieOf(confirmed)
      assert.equal((await sessionOf(inside)).account.has_password, false)
      assert.equal((await signIn(stranger, email)).status, 401)
      assert.equal(
        (await stranger('/auth/verify-email', { token: link }, strangersMark)).headers.getSetCookie().length,
        0,
      )
      assert.equal((await owner('/api/account/password', { password: OTHER_PASSWORD }, inside)).status, 200)
      assert.equal((await signIn(owner, email, OTHER_PASSWORD)).status, 200)
    })

    it('a link sent again by a sign-in retains the password used in it', async () => {
      const email = 'again@example.com'
      await signUp(browser(), email)
      await mails.mailTo(email)
      const post = browser()
      const refused = await signIn(post, email)
      assert.equal(refused.status, 403)
      const token = tokenIn(await mails.mailTo(email, 2), 'confirm')
      const confirmed = await post('/auth/verify-email', { token }, cookieOf(refused))
      assert.equal((await sessionOf(cookieOf(confirmed))).account.has_password, true)
    })

    it('a sign-up with an existing account’s address is answered alike, changes nothing, and notifies its owner', async () => {
      const post = browser()
      await service.running.services.accounts.create({ email: 'owner@example.com', role: 'owner' })
      await signedUp(post, 'there@example.com')
      const answers = []
      for (const email of ['owner@example.com', 'there@example.com', 'not-there@example.com']) {
        const answer = await signUp(post, email, OTHER_PASSWORD)
        answers.push([answer.status, Object.keys(z.looseObject({}).parse(await answer.json())).sort()])
      }
      assert.deepEqual(answers[0], answers[2])
      assert.deepEqual(answers[1], answers[2])
      for (const [email, count] of [
        ['owner@example.com', 1],
        ['there@example.com', 2],
      ] as const) {
        const mail = await mails.mailTo(email, count)
        assert.doesNotMatch(mail, /confirm#/)
        assert.match(mail, /has one/)
        assert.equal((await signIn(post, email, OTHER_PASSWORD)).status, 401)
      }
    })

    it('a common password is refused when it is chosen, and answered like any other when guessed', async () => {
      const post = browser()
      await signedUp(post, 'guess@example.com')
      const chosen = await signUp(post, 'lazy@example.com', 'Password123')
      assert.equal(errorBody.parse(await chosen.json()).code, 'PASSWORD_COMMON')
      const known = await signIn(post, 'guess@example.com', 'password123')
      const unknown = await signIn(post, 'nobody@example.com', 'password123')
      assert.deepEqual([known.status, await known.json()], [unknown.status, await unknown.json()])
    })

    it('a reset by mail works once, ends all sessions, and is available to an account created by an operator', async () => {
      const post = browser()
      const email = 'forgets@example.com'
      const cookie = await signedUp(post, email)
      const unknown = await post('/auth/request-password-reset', { email: 'nobody@example.com' })
      const known = await post('/auth/request-password-reset', { email })
      assert.deepEqual([known.status, await known.json()], [unknown.status, await unknown.json()])
      const token = tokenIn(await mails.mailTo(email, 2), 'reset')
      const common = await post('/auth/reset-password', { newPassword: 'Password123', token })
      assert.equal(errorBody.parse(await common.json()).code, 'PASSWORD_COMMON')
      assert.equal((await post('/auth/reset-password', { newPassword: OTHER_PASSWORD, token })).status, 200)
      assert.equal((await post('/auth/reset-password', { newPassword: PASSWORD, token })).status, 400)
      assert.equal((await post('/api/account/password', { password: PASSWORD }, cookie)).status, 401)
      assert.equal((await signIn(post, email)).status, 401)
      assert.equal((await signIn(post, email, OTHER_PASSWORD)).status, 200)
      assert.deepEqual(mails.mailsTo('nobody@example.com'), [])

      const { accountId } = await service.running.services.accounts.create({ email: 'made@example.com' })
      await post('/auth/request-password-reset', { email: 'Made@example.com' })
      const first = tokenIn(await mails.mailTo('made@example.com'), 'reset')
      assert.equal((await post('/auth/reset-password', { newPassword: PASSWORD, token: first })).status, 200)
      const inside = await signIn(post, 'made@example.com')
      assert.equal((await sessionOf(cookieOf(inside))).account.id, accountId)
    })

    it('strangers can send three links per hour to a mailbox, the answers stay the same, and each link works', async () => {
      const email = 'bombed@example.com'
      await signedUp(browser(), email)
      const said = new Set<string>()
      for (let i = 0; i < 12; i++) {
        const answer = await browser()('/auth/request-password-reset', { email })
        said.add(`${answer.status} ${await answer.text()}`)
      }
      assert.equal(said.size, 1)
      const token = tokenIn(await mails.mailTo(email, 4), 'reset')
      const post = browser()
      const reset = await post('/auth/reset-password', { newPassword: OTHER_PASSWORD, token })
      assert.equal(reset.status, 200)
      assert.match(cookieOf(reset), /vitrine\.device=/, 'after a reset the browser is a known one')
      // The mails of earlier requests have been sent once this one has.
      await post('/auth/request-password-reset', { email }, cookieOf(reset))
      await mails.mailTo(email, 4, /\/reset#/)
      assert.equal(mails.mailsTo(email, /\/reset#/).length, 4)
    })

    it('a reset link is void once the password or the address has changed', async () => {
      const post = browser()
      const email = 'twice@example.com'
      const cookie = await signedUp(post, email)
      const resetLink = async (count: number, known = '') => {
        await post('/auth/request-password-reset', { email }, known)
        return tokenIn(await mails.mailTo(email, count, /\/reset#/), 'reset')
      }
      const reset = async (token: string, newPassword: string) =>
        (await post('/auth/reset-password', { newPassword, token })).status
      const first = await resetLink(1)
      const second = await resetLink(2)
      assert.equal(await reset(first, OTHER_PASSWORD), 200)
      assert.equal(await reset(second, 'a password of a thief'), 400)
      assert.notEqual(
        (await fetch(`${service.running.url}/dashboard/api/session`, { headers: { cookie } })).status,
        200,
      )

      const inside = cookieOf(await signIn(post, email, OTHER_PASSWORD))
      const third = await resetLink(3)
      const changed = await post(
        '/auth/change-password',
        { currentPassword: OTHER_PASSWORD, newPassword: PASSWORD },
        inside,
      )
      assert.equal(changed.status, 200)
      assert.equal(await reset(third, 'a password of a thief'), 400)

      const fourth = await resetLink(4, inside)
      const again = cookieOf(changed)
      assert.equal(
        (await post('/api/account/email', { email: 'moved@example.com', password: PASSWORD }, again)).status,
        200,
      )
      const confirm = tokenIn(await mails.mailTo('moved@example.com'), 'confirm')
      assert.equal((await post('/auth/verify-email', { token: confirm }, again)).status, 200)
      assert.equal(await reset(fourth, 'a password of a thief'), 400)
      assert.equal((await signIn(post, 'moved@example.com')).status, 200)
    })

    it('a new address requires the password, is confirmed by its own mail, and the old one is notified', async () => {
      const post = browser()
      const cookie = await signedUp(post, 'before@example.com')
      const change = (json: unknown) => post('/api/account/email', json, cookie)
      assert.equal(errorBody.parse(await (await change({ email: 'after@example.com' })).json()).code, 'PASSWORD_NEEDED')
      assert.equal((await change({ email: 'after@example.com', password: OTHER_PASSWORD })).status, 400)
      assert.equal((await change({ email: 'after@example.com', password: PASSWORD })).status, 200)
      const token = tokenIn(await mails.mailTo('after@example.com'), 'confirm')
      assert.equal((await sessionOf(cookie)).account.email, 'before@example.com')
      assert.equal((await post('/auth/verify-email', { token }, cookie)).status, 200)
      assert.equal((await sessionOf(cookie)).account.email, 'after@example.com')
      assert.match(
        await mails.mailTo('before@example.com', 1, /has changed|sign in to Vitrine with/),
        /after@example\.com/,
      )
      assert.equal((await signIn(post, 'after@example.com')).status, 200)
    })

    it('no one can take the address of an account that has never signed in', async () => {
      const post = browser()
      const cookie = await signedUp(post, 'taker@example.com')
      const { accounts } = service.running.services
      const { accountId } = await accounts.create({ email: 'taken@example.com' })
      await post('/api/account/email', { email: 'taken@example.com', password: PASSWORD }, cookie)
      const token = tokenIn(await mails.mailTo('taken@example.com'), 'confirm')
      assert.equal((await post('/auth/verify-email', { token }, cookie)).status, 409)
      assert.equal((await sessionOf(cookie)).account.email, 'taker@example.com')
      const owner = await Visitor.enter(service, 'taken@example.com')
      assert.equal(await owner.accountId(), accountId)
    })

    it('a second factor is required after the password, by code or one-time backup code, until it is disabled', async () => {
      const post = browser()
      const email = 'factor@example.com'
      const cookie = await signedUp(post, email)
      const enabled = await post('/auth/two-factor/enable', { password: PASSWORD }, cookie)
      assert.equal(enabled.status, 200)
      const { totpURI, backupCodes } = enrolmentBody.parse(await enabled.json())
      assert.equal((await sessionOf(cookie)).account.two_factor_enabled, false, 'enabled only with a first code')
      const firstCode = codeOf(totpURI)
      const on = await post('/auth/two-factor/verify-totp', { code: firstCode }, cookie)
      assert.equal(on.status, 200)

      const halfIn = async () => {
        const answer = await signIn(post, email)
        const half = cookieOf(answer)
        const session = await fetch(`${service.running.url}/dashboard/api/session`, { headers: { cookie: half } })
        assert.equal(session.status, 401, 'the password alone is not enough')
        return half
      }
      const wrong = await post('/auth/two-factor/verify-totp', { code: '000000' }, await halfIn())
      assert.equal(wrong.status, 401)
      const replayed = await post('/auth/two-factor/verify-totp', { code: firstCode }, await halfIn())
      assert.deepEqual([replayed.status, replayed.headers.getSetCookie()], [401, []], 'a code works once')
      const byCode = await post('/auth/two-factor/verify-totp', { code: codeOf(totpURI, 1) }, await halfIn())
      assert.equal(byCode.status, 200)
      assert.equal((await sessionOf(cookieOf(byCode))).account.two_factor_enabled, true)
      const backup = { code: backupCodes[0] }
      const byBackup = await post('/auth/two-factor/verify-backup-code', backup, await halfIn())
      assert.equal(byBackup.status, 200)
      const inside = cookieOf(byBackup)
      assert.equal((await sessionOf(inside)).account.email, email)
      assert.equal((await post('/auth/two-factor/verify-backup-code', backup, await halfIn())).status, 401)

      assert.equal((await post('/auth/two-factor/disable', { password: OTHER_PASSWORD }, inside)).status, 400)
      const off = await post('/auth/two-factor/disable', { password: PASSWORD }, inside)
      assert.equal(off.status, 200)
      const plain = await signIn(browser(), email)
      assert.equal((await sessionOf(cookieOf(plain))).account.two_factor_enabled, false)
    })

    it('every sign-in link requires the second factor, and a changed address creates no session', async () => {
      const post = browser()
      const email = 'links@example.com'
      const first = await signedUp(post, email)
      const { totpURI, backupCodes } = enrolmentBody.parse(
        await (await post('/auth/two-factor/enable', { password: PASSWORD }, first)).json(),
      )
      const cookie = cookieOf(await post('/auth/two-factor/verify-totp', { code: codeOf(totpURI) }, first))
      const isInside = async (inside: string) =>
        (await fetch(`${service.running.url}/dashboard/api/session`, { headers: { cookie: inside } })).status === 200
      assert.equal(await isInside(cookie), true)

      const link = new URL(await signInLink(service, email))
      const linked = await browser()('/auth/magic-link/verify', { token: link.hash.slice(1) })
      assert.deepEqual([linked.status, signInAnswerSchema.parse(await linked.json()).twoFactorRedirect], [200, true])
      assert.equal(await isInside(cookieOf(linked)), false, 'the operator’s link alone is not enough')
      const coded = await post('/auth/two-factor/verify-backup-code', { code: backupCodes[0] }, cookieOf(linked))
      assert.equal(await isInside(cookieOf(coded)), true)

      const change = async (address: string, from: string) => {
        assert.equal((await post('/api/account/email', { email: address, password: PASSWORD }, from)).status, 200)
        return tokenIn(await mails.mailTo(address), 'confirm')
      }
      const elsewhere = await browser()('/auth/verify-email', { token: await change('links-2@example.com', cookie) })
      assert.equal(elsewhere.status, 200)
      assert.equal(await isInside(cookieOf(elsewhere)), false, 'a browser that opens the link is not signed in')
      assert.equal((await sessionOf(cookie)).account.email, 'links-2@example.com', 'and the address is confirmed')
      const here = await post('/auth/verify-email', { token: await change('links-3@example.com', cookie) }, cookie)
      assert.equal(here.status, 200)
      assert.equal((await sessionOf(cookie)).account.email, 'links-3@example.com', 'an earlier session stays')

      const signedOut = browser()
      await signedOut('/auth/request-password-reset', { email: 'links-3@example.com' })
      const token = tokenIn(await mails.mailTo('links-3@example.com', 1, /\/reset#/), 'reset')
      const reset = await signedOut('/auth/reset-password', { newPassword: OTHER_PASSWORD, token })
      assert.equal(await isInside(cookieOf(reset)), false)
      const half = await signIn(signedOut, 'links-3@example.com', OTHER_PASSWORD)
      assert.equal(await isInside(cookieOf(half)), false)
    })

    it('a session ends after 30 days, however often it is used', async () => {
      const post = browser()
      const cookie = await signedUp(post, 'stays@example.com')
      const { account } = await sessionOf(cookie)
      const long = new Date(Date.now() - 31 * 24 * 3600 * 1000)
      const { database } = service.running.services
      const createdAt = kind === 'sqlite' ? long.toISOString() : long
      await sql`update sign_in_sessions set created_at = ${createdAt} where user_id = ${account.id}`.execute(
        database.queries,
      )
      assert.equal((await fetch(`${service.running.url}/dashboard/api/session`, { headers: { cookie } })).status, 401)
    })
  })

describe('Accounts without a mail server', () => {
  it('show each link in the log of the operator', async () => {
    await using service = await TestService.start('sqlite', { environment: { SIGN_UP: 'open' } })
    const post = (path: string, json: unknown) =>
      fetch(`${service.running.url}/dashboard/auth${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: service.running.url },
        body: JSON.stringify(json),
      })
    const email = 'no-mail@example.com'
    assert.equal((await post('/sign-up/email', { name: email, email, password: PASSWORD })).status, 200)
    const logged = async (page: 'confirm' | 'reset') => {
      const lines = () => service.log.filter(line => line.includes(`/${page}#`))
      for (let waits = 0; waits < 400 && lines().length === 0; waits++) await delay(25)
      return tokenIn(lines().join('').replaceAll(String.raw`\n`, '\n'), page)
    }
    assert.equal((await post('/verify-email', { token: await logged('confirm') })).status, 200)
    assert.equal((await post('/request-password-reset', { email })).status, 200)
    const reset = { newPassword: OTHER_PASSWORD, token: await logged('reset') }
    assert.equal((await post('/reset-password', reset)).status, 200)
    assert.equal((await post('/sign-in/email', { email, password: OTHER_PASSWORD })).status, 200)
    for (const secret of [PASSWORD, OTHER_PASSWORD])
      assert.ok(!service.log.some(line => line.includes(secret)), 'no password is in the log')
  })
})
