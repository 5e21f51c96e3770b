import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { publishableKeySchema } from '@vitrine/contract'
import { openPack } from '@vitrine/engine'
import { z } from 'zod'
import { Visitor } from '../dashboard/visitor.ts'
import { TestService } from '../http/test-service.ts'
import { writeBundle } from '../mockups/test-bundle.ts'

const ORIGIN = 'https://shop.example'
const templateBody = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.enum(['print', 'product']),
  ratio: z.number(),
  frames: z.array(z.strictObject({ index: z.int(), aspect_ratio: z.number() })),
  colors: z.array(z.unknown()),
  bundle: z.strictObject({ url: z.string(), width: z.int() }),
})
const errorBody = z.looseObject({ code: z.string(), hint: z.string().optional() })

describe('What pages load with a publishable key', () => {
  let service: TestService
  let accountId: string
  before(async () => {
    service = await TestService.start('sqlite', { environment: { RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '30' } })
    ;({ accountId } = await service.customer(3))
  })
  after(() => service[Symbol.asyncDispose]())
  const keys = () => service.running.services.publishableKeys
  const load = (id: string, key: string, headers: Record<string, string> = { origin: ORIGIN }) =>
    fetch(`${service.running.url}/embed/v1/templates/${id}?key=${key}`, { headers })
  const refusalOf = async (answer: Response) => {
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', 'a page can read the reason')
    return [answer.status, errorBody.parse(await answer.json()).code] as const
  }

  // The first one: packs of the keys of other tests would still be made meanwhile.
  test('packs are made when a key or a template is saved, so that no shopper waits for them', async () => {
    const shop = await Visitor.enter(service, 'packs@example.com')
    const folder = path.join(service.dataDir, 'cache/previews')
    const made = async () => new Set((await readdir(folder).catch(() => [])).filter(name => name.startsWith('page-')))
    const untilMade = async (count: number, before: ReadonlySet<string>) => {
      while ([...(await made())].filter(name => !before.has(name)).length < count) await delay(20)
      return made()
    }
    const wanted = { name: 'Shop', origins: [ORIGIN], template_ids: ['one-frame', 'two-frames', 'own'], width: 420 }
    // Created as by a command: the running server finds the key.
    const before = await made()
    const ofCommand = { accountId: await shop.accountId(), name: 'Shop', origins: [ORIGIN], widthPx: 440 }
    await keys().create({ ...ofCommand, templateIds: ['one-frame', 'two-frames'] })
    await untilMade(2, before)
    const earlier = await made()
    const saved = await shop.read(publishableKeySchema, '/dashboard/api/publishable-keys', wanted)
    const first = await untilMade(2, earlier)
    const change = { ...wanted, width: 430 }
    const { key } = await shop.read(publishableKeySchema, `/dashboard/api/publishable-keys/${saved.id}`, change)
    const second = await untilMade(2, first)
    await service.running.services.templates.importBundle({
      path: await writeBundle(path.join(service.dataDir, 'bundles'), 'own', 1),
      ownerAccountId: await shop.accountId(),
    })
    const third = await untilMade(1, second)
    for (const id of wanted.template_ids) {
      const { bundle } = templateBody.parse(await (await load(id, key)).json())
      assert.equal((await fetch(bundle.url)).status, 200)
    }
    assert.deepEqual(await made(), third)
  })

  test('a page of an allowed origin loads a template and its pack, and nothing is charged', async () => {
    const { key } = await keys().create({ accountId, name: 'Shop', origins: [ORIGIN], widthPx: 400 })
    const answer = await load('one-frame', key)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const template = templateBody.parse(await answer.json())
    assert.deepEqual([template.id, template.frames.length, template.bundle.width], ['one-frame', 1, 400])
    const pack = await fetch(template.bundle.url)
    assert.equal(pack.status, 200)
    assert.equal(pack.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(pack.headers.get('access-control-allow-origin'), '*')
    const files = openPack(new Uint8Array(await pack.arrayBuffer()))
    assert.ok((await files.read('template.json')).length > 0)
    assert.equal((await service.running.services.wallet.balance(accountId)).spendableCredits, 3)
  })

  test('a key with a watermark has a different pack, with the watermark in scene and overlay', async () => {
    const [plain, marked] = await Promise.all(
      [null, 'shop.example'].map(async watermark => {
        const { key } = await keys().create({ accountId, name: 'Shop', origins: [ORIGIN], widthPx: 400, watermark })
        const { bundle } = templateBody.parse(await (await load('one-frame', key)).json())
        return openPack(new Uint8Array(await (await fetch(bundle.url)).arrayBuffer()))
      }),
    )
    assert.ok(plain !== undefined && marked !== undefined)
    assert.notDeepEqual(await marked.read('scene.webp'), await plain.read('scene.webp'))
    assert.ok((await marked.read('overlay-watermark.png')).length > 0)
    await assert.rejects(plain.read('overlay-watermark.png'))
  })

  test('other origins, other keys and other templates are refused, with a reason that the page can read', async () => {
    const { key, keyId } = await keys().create({
      accountId,
      name: 'Shop',
      origins: [ORIGIN],
      templateIds: ['one-frame'],
    })
    const secret = (await service.customer()).key
    assert.deepEqual(await refusalOf(await load('one-frame', key, { origin: 'https://other.example' })), [
      403,
      'ORIGIN_NOT_ALLOWED',
    ])
    assert.deepEqual(await refusalOf(await load('one-frame', key, {})), [403, 'ORIGIN_NOT_ALLOWED'])
    assert.deepEqual(await refusalOf(await load('two-frames', key)), [404, 'TEMPLATE_NOT_FOUND'])
    assert.deepEqual(await refusalOf(await load('one-frame', '')), [401, 'INVALID_PUBLISHABLE_KEY'])
    const withSecret = await load('one-frame', secret)
    assert.match(errorBody.parse(await withSecret.clone().json()).hint ?? '', /revoke it/)
    assert.deepEqual(await refusalOf(withSecret), [401, 'INVALID_PUBLISHABLE_KEY'])
    const { bundle } = templateBody.parse(await (await load('one-frame', key)).json())
    for (const url of [`${bundle.url.slice(0, -1)}x`, bundle.url.replace('one-frame', 'two-frames')])
      assert.equal((await fetch(url)).status, 404)
    await keys().revoke({ keyId })
    assert.deepEqual(await refusalOf(await load('one-frame', key)), [401, 'INVALID_PUBLISHABLE_KEY'])
    assert.equal((await fetch(bundle.url)).status, 404)
  })

  test('a publishable key does not work in the interface, and is reported as such', async () => {
    const { key } = await keys().create({ accountId, name: 'Shop', origins: [ORIGIN] })
    for (const [method, path] of [
      ['GET', '/templates'],
      ['GET', '/billing/balance'],
      ['POST', '/mockups/generate'],
    ] as const) {
      const { status, json } = await service.send({ method, path, key, headers: { origin: ORIGIN } })
      const { code, hint } = errorBody.parse(json)
      assert.deepEqual([status, code], [401, 'INVALID_API_KEY'])
      assert.match(hint ?? '', /vtp_/)
    }
  })

  test('a key has a limit of loads per day, and refused loads do not count', async () => {
    const { key } = await keys().create({ accountId, name: 'Shop', origins: [ORIGIN], loadsPerDay: 2 })
    await load('one-frame', key, { origin: 'https://other.example' })
    for (const status of [200, 200]) assert.equal((await load('one-frame', key)).status, status)
    const refused = await load('one-frame', key)
    assert.equal(refused.headers.get('x-ratelimit-limit'), '2')
    assert.deepEqual(await refusalOf(refused), [429, 'RATE_LIMIT_EXCEEDED'])
  })
})
