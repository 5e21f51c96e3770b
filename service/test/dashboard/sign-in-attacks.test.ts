import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { attemptLimits, signUpLimits, turnLimits } from '../../src/sign-in/limits.ts'
import { PasswordHasher } from '../../src/sign-in/password-hasher.ts'
import { ensureUser } from '../../src/sign-in/sign-in-link.ts'
import { TestService } from '../http/test-service.ts'
import { cookieOf, signInLink, Visitor } from './visitor.ts'

const PASSWORD = 'correct horse battery staple'
const errorBody = z.looseObject({ code: z.string() })
const behindProxy = {
  environment: { TRUST_PROXY: '127.0.0.1', SIGN_UP: 'open', SIGN_UPS_PER_HOUR: '10000' },
}

/** What a browser at an address posts. */
function postAt(service: TestService, address: string, path: string, json: unknown, cookie = '') {
  return fetch(`${service.running.url}/dashboard${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: service.running.url,
      'x-forwarded-for': address,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0',
      ...(cookie === '' ? {} : { cookie }),
    },
    body: JSON.stringify(json),
  })
}

/** Addresses of as many sites. */
const addressOf = (index: number) => `198.${18 + Math.floor(index / 250)}.${index % 250}.1`

/** How many known and how many unknown addresses are tried: 200 of each if time allows. */
const pairs = process.env['VITRINE_TEST_SIZE'] === 'full' ? 200 : 36

describe('Attacks on the sign-in', () => {
  let service: TestService
  before(async () => {
    service = await TestService.start('sqlite', {
      environment: { ...behindProxy.environment, SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'vitrine@example.com' },
    })
    const { database, accounts } = service.running.services
    const hash = await new PasswordHasher().hash(PASSWORD)
    for (let i = 0; i < pairs; i++) {
      const account = await accounts.create({ email: `known-${i}@example.com` })
      await ensureUser(database, account)
      const moment = new Date().toISOString()
      await database.queries
        .updateTable('sign_in_users')
        .set({ email_verified: 1 })
        .where('id', '=', account.accountId)
        .execute()
      await database.queries
        .insertInto('sign_in_credentials')
        .values({
          id: crypto.randomUUID(),
          account_id: account.accountId,
          provider_id: 'credential',
          user_id: account.accountId,
          password: hash,
          created_at: moment,
          updated_at: moment,
        })
        .execute()
    }
  })
  after(() => service[Symbol.asyncDispose]())

  for (const [what, path, fieldsOf] of [
    ['a sign-in', '/auth/sign-in/email', (email: string) => ({ email, password: 'not the password' })],
    ['a reset', '/auth/request-password-reset', (email: string) => ({ email })],
    ['a sign-up', '/auth/sign-up/email', (email: string) => ({ name: email, email, password: PASSWORD })],
  ] as const)
    it(`${what} does not reveal, by its answer or its time, whether an address has an account`, async () => {
      const attempt = async (email: string, address: string) => {
        const startedMs = performance.now()
        const answer = await postAt(service, address, path, fieldsOf(email))
        const body = await answer.text()
        return {
          timeMs: performance.now() - startedMs,
          said: `${answer.status} ${body}`,
          cookies: answer.headers.getSetCookie().map(cookie => cookie.split('=')[0]),
        }
      }
      const known: number[] = []
      const unknown: number[] = []
      const said = new Set<string>()
      // Alternating which one is first, so that other load on the machine affects both equally.
      for (let i = 0; i < pairs; i++) {
        const kinds = i % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
        for (const kind of kinds) {
          const { timeMs, said: words, cookies } = await attempt(`${kind}-${i}@example.com`, addressOf(i))
          ;(kind === 'known' ? known : unknown).push(timeMs)
          said.add(words)
          assert.deepEqual(cookies, path === '/auth/sign-up/email' ? ['vitrine.sign-up'] : [])
          // A sign-up is processed after its answer, and a sign-in waits for its hash.
          if (path === '/auth/sign-up/email') {
            const waiting = { email: `waits-${kind}-${i}@example.com`, password: 'not the password' }
            await postAt(service, `198.51.${i % 250}.1`, '/auth/sign-in/email', waiting)
          }
        }
      }
      assert.equal(said.size, 1, [...said].join('\n'))
      // Without a leak, a known address takes longer than an unknown one with probability one half. To fail,
      // the difference must exceed chance and also be large enough to detect: a tenth of the time itself.
      const longer = known.reduce((sum, time) => sum + unknown.filter(other => time > other).length, 0) / pairs ** 2
      const differences = known.map((time, i) => time - (unknown[i] ?? 0))
      const relative = Math.abs(median(differences)) / median([...known, ...unknown])
      assert.ok(
        Math.abs(longer - 0.5) < 0.25 || relative < 0.1,
        `a known address takes longer ${(longer * 100).toFixed(0)} times in 100, by ${(relative * 100).toFixed(0)} %`,
      )
    })

  it('guesses from many networks are delayed, while the owner signs in: in a known browser, by a link, by a reset', async () => {
    const email = 'besieged@example.com'
    const inside = await Visitor.enter(service, email)
    await inside.send('/dashboard/api/account/password', { json: { password: PASSWORD } })
    const known = await postAt(service, '203.0.113.1', '/auth/sign-in/email', { email, password: PASSWORD })
    assert.equal(known.status, 200)
    const cookies = cookieOf(known)
    assert.match(cookies, /vitrine\.device=[\w-]{22}\.[\w-]{43}/)
    const device = /vitrine\.device=[^;]+/.exec(cookies)?.[0] ?? ''

    const guess = async (i: number) => {
      const fields = { email: i % 2 === 0 ? email : email.toUpperCase(), password: `guess number ${i}` }
      return (await postAt(service, addressOf(i), '/auth/sign-in/email', fields)).status
    }
    for (let i = 0; i < turnLimits.freeGuesses; i += 10)
      await Promise.all(Array.from({ length: 10 }, (_, j) => guess(i + j)))
    const beyond = await Promise.all(Array.from({ length: 40 }, (_, i) => guess(100 + i)))
    const refused = beyond.filter(status => status === 429).length
    assert.ok(refused > 30, `${refused} of 40 guesses at once were refused`)

    const again = await postAt(service, '203.0.113.3', '/auth/sign-in/email', { email, password: PASSWORD }, device)
    assert.equal(again.status, 200, 'a known browser does not wait')
    const link = new URL(await signInLink(service, email))
    const token = link.hash.slice(1)
    assert.equal((await postAt(service, '203.0.113.2', '/auth/magic-link/verify', { token })).status, 200)
    assert.equal((await postAt(service, '203.0.113.2', '/auth/request-password-reset', { email })).status, 200)
    assert.equal((await inside.send('/dashboard/api/session')).status, 200, 'an open session stays open')

    const stolen = []
    for (let i = 0; i < 12; i++)
      stolen.push(
        (await postAt(service, addressOf(i), '/auth/sign-in/email', { email, password: `no ${i}` }, device)).status,
      )
    assert.equal(stolen.at(-1), 429, 'a stolen mark allows a few guesses')
  })

  it('the mark of a known browser is valid only for its own account, and cannot be forged', async () => {
    const known = await postAt(service, '192.0.2.1', '/auth/sign-in/email', {
      email: 'known-0@example.com',
      password: PASSWORD,
    })
    const device = /vitrine\.device=[^;]+/.exec(cookieOf(known))?.[0] ?? ''
    const forged = [`${device.slice(0, -2)}xx`, device.replace(/\..*/, '.'), `${device.split('.')[0]}.x.y`]
    const attempts: (readonly [string, string])[] = [
      ['other@example.com', device],
      ...forged.map(cookie => ['known-0@example.com', cookie] as const),
    ]
    for (const [i, [email, cookie]] of attempts.entries()) {
      const statuses = []
      for (let j = 0; j < 7; j++) {
        const fields = { email, password: 'not the password' }
        statuses.push((await postAt(service, `192.0.${i + 10}.1`, '/auth/sign-in/email', fields, cookie)).status)
      }
      assert.equal(statuses.at(-1), 429, cookie)
    }
  })

  it('a stranger with one network or site cannot lock the owner out, nor prevent a password reset', async () => {
    const [email, owner] = ['known-2@example.com', '203.0.113.40']
    for (const path of ['/auth/sign-in/email', '/auth/request-password-reset'])
      for (const network of ['one network', 'many networks of one site']) {
        const statuses = []
        for (let i = 0; i < 70; i++) {
          const address = `2001:db8:7:${network === 'one network' ? 1 : i + 2}::${i + 1}`
          statuses.push((await postAt(service, address, path, { email, password: `guess ${i}` })).status)
        }
        assert.equal(statuses.at(-1), 429, `${path} from ${network}`)
      }
    assert.equal((await postAt(service, owner, '/auth/sign-in/email', { email, password: PASSWORD })).status, 200)
    assert.equal((await postAt(service, owner, '/auth/request-password-reset', { email })).status, 200)
  })

  it('one network counts as one guesser and one sign-up, whatever its addresses and ports', async () => {
    for (const [what, addressAt] of [
      ['a /64', (i: number) => `2001:db8:8:1::${i + 1}`],
      ['an IPv4 address with ports', (i: number) => `203.0.113.50:${1024 + i}`],
      ['an IPv6 address with ports', (i: number) => `[2001:db8:8:2::1]:${1024 + i}`],
    ] as const) {
      const guesses = []
      const signUps = []
      for (let i = 0; i < attemptLimits.perNetwork + 2; i++) {
        const email = `nobody-${i}@example.com`
        guesses.push((await postAt(service, addressAt(i), '/auth/sign-in/email', { email, password: PASSWORD })).status)
      }
      for (let i = 0; i < signUpLimits.perNetwork + 1; i++) {
        const fields = {
          name: 'x',
          email: `signs-up-${addressAt(i).replaceAll(/\W/g, '-')}@example.com`,
          password: PASSWORD,
        }
        signUps.push((await postAt(service, addressAt(i), '/auth/sign-up/email', fields)).status)
      }
      assert.deepEqual(
        guesses.map(status => status === 429),
        guesses.map((_, i) => i >= attemptLimits.perNetwork),
        what,
      )
      assert.deepEqual(
        signUps.map(status => status === 429),
        signUps.map((_, i) => i >= signUpLimits.perNetwork),
        what,
      )
    }
  })

  it('a stolen session can guess the password a few times, from however many addresses', async () => {
    const email = 'stolen@example.com'
    const inside = await Visitor.enter(service, email)
    await inside.send('/dashboard/api/account/password', { json: { password: PASSWORD } })
    const statuses = []
    for (let i = 0; i <= attemptLimits.perAccountInside; i++) {
      const fields = { currentPassword: `guess ${i}`, newPassword: 'another password of theirs' }
      const [path, json] =
        i % 2 === 0 ? ['/auth/change-password', fields] : ['/auth/two-factor/generate-backup-codes', { password: 'x' }]
      statuses.push((await postAt(service, addressOf(i), path, json, inside.cookie)).status)
    }
    assert.deepEqual(
      statuses.map(status => status === 429),
      statuses.map((_, i) => i >= attemptLimits.perAccountInside),
    )
  })

  it('a bad password or an invalid address does not reveal whether an address has an account', async () => {
    for (const email of ['known-1@example.com', 'unknown-1@example.com']) {
      const common = await postAt(service, '203.0.113.20', '/auth/sign-up/email', {
        name: 'x',
        email,
        password: 'Password123',
      })
      assert.equal(errorBody.parse(await common.json()).code, 'PASSWORD_COMMON')
      const short = await postAt(service, '203.0.113.20', '/auth/sign-up/email', {
        name: 'x',
        email,
        password: 'kQ7$x',
      })
      assert.equal(short.status, 400)
    }
    assert.equal(
      (await postAt(service, '203.0.113.21', '/auth/request-password-reset', { email: 'no address' })).status,
      400,
    )
  })
})

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
