import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { checkoutSchema, createdKeySchema, openSessionsSchema, publishableKeySchema } from '@vitrine/contract'
import { unzipSync, zipSync } from 'fflate'
import { z } from 'zod'
import { callGroups } from '../../src/dashboard/call-groups.ts'
import { loadAuthSecret } from '../../src/sign-in/auth-secret.ts'
import { createSignInLink } from '../../src/sign-in/sign-in-link.ts'
import { TestService } from '../http/test-service.ts'
import { FakeStripe, WEBHOOK_SECRET } from './fake-stripe.ts'
import { readRouterPaths } from './router-paths.ts'
import { addressOf, routes } from './routes.ts'
import { Visitor } from './visitor.ts'

const errorBody = z.looseObject({ code: z.string() })
const [account, thing, operator] = [routes.account, routes.thing, routes.operator]

describe('Every route of the service', () => {
  let service: TestService
  let stripe: FakeStripe
  before(async () => {
    stripe = await FakeStripe.start()
    service = await TestService.start('sqlite', {
      environment: { STRIPE_SECRET_KEY: 'sk_test_of_vitrine', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
      stripeApi: stripe.api,
    })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await stripe[Symbol.asyncDispose]()
  })
  const send = (route: string, headers: Record<string, string> = {}) => {
    const { method, path } = addressOf(route)
    return fetch(`${service.running.url}${path}`, {
      method,
      headers: { origin: service.running.url, ...headers },
      redirect: 'manual',
    })
  }

  it('is in routes.ts, which says who may use it', () => {
    const known = readRouterPaths(service.running.app).filter(
      route => !/^(HEAD|TRACE|OPTIONS|QUERY|PUT|PATCH|DELETE) /.test(route) && !route.endsWith(' /dashboard/auth/*'),
    )
    assert.deepEqual(known, Object.values(routes).flat().sort())
  })

  it('is for accounts if it has a limit of its own', () => {
    const known: readonly string[] = [...account, ...thing]
    for (const route of callGroups.keys()) assert.ok(known.includes(route), route)
  })

  it('requires a session if it is for accounts', async () => {
    for (const route of [...account, ...thing, ...operator]) {
      for (const cookie of ['', 'vitrine.session=made-up.c2lnbmVk']) {
        const answer = await send(route, cookie === '' ? {} : { cookie })
        assert.equal(answer.status, 401, `${route} with “${cookie}”`)
        assert.equal(errorBody.parse(await answer.json()).code, 'NOT_SIGNED_IN', route)
      }
    }
  })

  it('refuses cross-site requests if it changes something', async () => {
    const visitor = await Visitor.enter(service, 'tricked@example.com')
    const changing = [...account, ...thing, ...operator].filter(route => route.startsWith('POST'))
    for (const route of changing)
      for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
        const answer = await send(route, { cookie: visitor.cookie, ...headers })
        assert.equal(answer.status, 403, `${route} ${JSON.stringify(headers)}`)
        assert.equal(errorBody.parse(await answer.json()).code, 'CROSS_SITE', route)
      }
  })

  it('refuses customers who are not operators if it is for operators', async () => {
    const visitor = await Visitor.enter(service, 'curious@example.com')
    const other = await Visitor.enter(service, 'other@example.com')
    const values = { accountId: await other.accountId() }
    for (const route of operator) {
      const { method, path } = addressOf(route, values)
      const body = { email: 'new@example.com', credits: 5, reason: 'mine', grant_id: crypto.randomUUID() }
      const answer = await visitor.send(path, method === 'GET' ? {} : { json: body })
      assert.equal(answer.status, 403, route)
      assert.equal(errorBody.parse(await answer.json()).code, 'NOT_ALLOWED', route)
    }
    assert.equal((await other.send('/dashboard/api/session')).status, 200)
  })

  it('does not reveal or change what another account has', async () => {
    const owner = await Visitor.enter(service, 'has@example.com')
    const stranger = await Visitor.enter(service, 'wants@example.com')
    const { id: keyId } = await owner.read(createdKeySchema, '/dashboard/api/keys', { name: 'Theirs' })
    const page = { name: 'Their shop', origins: ['https://their-shop.example'] }
    const { id: pageKeyId, key: pageKey } = await owner.read(
      publishableKeySchema,
      '/dashboard/api/publishable-keys',
      page,
    )
    const { sessions } = await owner.read(openSessionsSchema, '/dashboard/api/account/sessions')
    const model = await owner.send('/dashboard/api/templates/one-frame/bundle.zip')
    const files = unzipSync(new Uint8Array(await model.arrayBuffer()))
    const text = Buffer.from(files['template.json'] ?? []).toString()
    const own = { ...files, 'template.json': Buffer.from(text.replace('one-frame', 'theirs')) }
    const made = await owner.send('/dashboard/api/templates', {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: new Uint8Array(zipSync(own)),
    })
    assert.equal(made.status, 200, await made.text())
    const { url } = await owner.read(checkoutSchema, '/dashboard/api/credits/checkout', { credits: 100 })
    const paymentId = new URL(url).searchParams.get('payment') ?? ''
    assert.equal((await owner.send(`/dashboard/api/credits/payments/${paymentId}`)).status, 200)

    const values = {
      paymentId,
      id: 'theirs',
      revision: '1',
      '*': 'template.json',
      keyId,
      sessionId: sessions[0]?.id ?? '',
    }
    for (const route of thing) {
      const { method, path } = addressOf(route, values)
      const answer = await stranger.send(path, method === 'GET' ? {} : { json: {} })
      assert.equal(answer.status, 404, route)
    }
    assert.equal((await stranger.send(`/dashboard/api/publishable-keys/${pageKeyId}/revoke`, { json: {} })).status, 404)
    assert.notEqual(await service.running.services.publishableKeys.find(pageKey), null)
    // Account routes answer with the stranger's own data, without anything of the owner's.
    for (const route of account.filter(each => each.startsWith('GET'))) {
      for (const query of ['', '?key=' + keyId, '?search=theirs', '?accountId=' + (await owner.accountId())]) {
        const answer = await stranger.send(addressOf(route).path + query)
        const body = await answer.text()
        for (const secret of [
          keyId,
          pageKeyId,
          pageKey,
          'Theirs',
          'has@example.com',
          sessions[0]?.id ?? '',
          '"id":"theirs"',
        ])
          assert.ok(!body.includes(secret), `${route}${query} tells ${secret}`)
      }
    }
    assert.equal((await owner.send('/dashboard/api/session')).status, 200)
    assert.equal((await owner.send('/dashboard/api/templates/theirs')).status, 200)
    const { keys } = z
      .looseObject({ keys: z.array(z.looseObject({ revoked_at: z.string().nullable() })) })
      .parse(await (await owner.send('/dashboard/api/keys')).json())
    assert.deepEqual(
      keys.map(key => key.revoked_at),
      [null],
    )
  })

  it('sends its pages and its errors with a strict policy, which no one may frame', async () => {
    const visitor = await Visitor.enter(service, 'headers@example.com', 'owner')
    const { cookie } = visitor
    for (const route of [...routes.page, ...account, ...thing, ...operator].filter(each => !each.includes('mockups')))
      for (const answer of [await send(route), await send(route, { cookie, origin: 'https://evil.example' })]) {
        const policy = answer.headers.get('content-security-policy') ?? ''
        for (const directive of [
          "default-src 'none'",
          "object-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ])
          assert.ok(policy.includes(directive), `${route}: ${directive}`)
        assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:/, route)
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', route)
        assert.equal(answer.headers.get('referrer-policy'), 'no-referrer', route)
        if (!route.includes(' /dashboard/')) continue
        assert.match(answer.headers.get('cache-control') ?? '', /no-store|private/, route)
      }
  })

  it('handles parameters that are repeated, far too long, or named like a prototype', async () => {
    const visitor = await Visitor.enter(service, 'pollutes@example.com')
    const queries = ['?page=1&page=2', '?days=x', '?search=%00', `?search=${'y'.repeat(5000)}`, '?__proto__[a]=1']
    for (const route of account.filter(each => each.startsWith('GET')))
      for (const query of queries) {
        const { status } = await visitor.send(addressOf(route).path + query)
        assert.ok(status < 500, `${route}${query.slice(0, 40)} answered ${status}`)
      }
    for (const route of [...account, ...thing].filter(each => each.startsWith('POST')))
      for (const body of ['{"__proto__":{"role":"owner"},"constructor":{"prototype":{"x":1}}}', '[]', '7', 'null', '{'])
        if (!route.endsWith('end-others')) {
          const answer = await visitor.send(addressOf(route).path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
          })
          assert.ok(answer.status >= 400 && answer.status < 500, `${route} ${body} answered ${answer.status}`)
        }
    assert.equal(Reflect.get({}, 'role'), undefined)
  })
})

describe('Cookies', () => {
  for (const [publicUrl, isStrict] of [
    ['https://mockups.example.com', true],
    ['http://localhost:8080', true],
    ['http://mockups.example.com', false],
  ] as const)
    it(`are ${isStrict ? 'strict' : 'as strict as plain http allows, with a warning,'} if the address is ${publicUrl}`, async () => {
      await using service = await TestService.start('sqlite', { environment: { PUBLIC_URL: publicUrl } })
      const { accounts } = service.running.services
      const person = await accounts.create({ email: 'person@example.com', role: 'owner' })
      const secret = await loadAuthSecret({ setting: undefined, dataDir: service.dataDir })
      const link = new URL(await createSignInLink(service.running.services, person, { origin: publicUrl, secret }))
      assert.equal(link.origin, publicUrl)
      const answer = await fetch(`${service.running.url}/dashboard/auth/magic-link/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: publicUrl },
        body: JSON.stringify({ token: link.hash.slice(1) }),
      })
      assert.equal(answer.status, 200)
      const cookies = answer.headers.getSetCookie()
      assert.ok(cookies.length >= 2, 'a session, and the mark of a known browser')
      for (const cookie of cookies) {
        assert.match(cookie, isStrict ? /^__Host-vitrine\./ : /^vitrine\./)
        assert.match(cookie, /; Path=\/(;|$)/i)
        assert.match(cookie, /; HttpOnly/i)
        assert.match(cookie, /; SameSite=Strict/i)
        assert.equal(/; Secure/i.test(cookie), isStrict, cookie)
        assert.doesNotMatch(cookie, /; Domain=/i)
      }
      const session = await fetch(`${service.running.url}/dashboard/api/session`, {
        headers: { cookie: cookies.map(cookie => cookie.split(';')[0]).join('; ') },
      })
      assert.equal(session.status, 200, 'the session works in each case')
      const pages = ['/', '/keys', '/docs', '/no-such-page', '/favicon.svg', '/thumbnails/none', '/dashboard/api/none']
      for (const path of [
        ...pages,
        '/dashboard/api/session',
        '/api/v1/templates',
        '/api/v1/openapi.json',
        '/healthz',
      ]) {
        const { headers } = await fetch(service.running.url + path, { headers: { accept: 'text/html' } })
        const transport = headers.get('strict-transport-security')
        assert.equal(transport, publicUrl.startsWith('https:') ? 'max-age=31536000; includeSubDomains' : null, path)
        assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      }
      const { key } = await service.customer()
      assert.equal((await service.send({ key })).status, 200, 'the header is documented')
      assert.equal(
        service.log.some(line => line.includes('unencrypted') && line.includes('"level":"warn"')),
        !isStrict,
      )
    })
})
