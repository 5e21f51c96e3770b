import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createdKeySchema, invitationSchema, limits } from '@vitrine/contract'
import { unzipSync, zipSync } from 'fflate'
import { sql } from 'kysely'
import { z } from 'zod'
import { describeContract, TestService } from '../http/test-service.ts'
import { MailServer } from './mail-server.ts'
import { cookieOf, postFrom, Visitor } from './visitor.ts'

const created = z.object({ id: z.string() })
const errorBody = z.looseObject({ code: z.string() })
const tokenOf = (url: string) => new URL(url).hash.slice(1)

/** A customer with a key, a private template, a paid mockup, and its saved answer. */
async function customerWithEverything(service: TestService, email: string, templateId: string) {
  const customer = await Visitor.enter(service, email)
  const accountId = await customer.accountId()
  const { id: keyId, key } = await customer.read(createdKeySchema, '/dashboard/api/keys', { name: 'Production' })
  const bundle = await customer.send('/dashboard/api/templates/one-frame/bundle.zip')
  const files = unzipSync(new Uint8Array(await bundle.arrayBuffer()))
  const text = Buffer.from(files['template.json'] ?? []).toString()
  const upload = await customer.send('/dashboard/api/templates', {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: new Uint8Array(
      zipSync({ ...files, 'template.json': Buffer.from(text.replace('"one-frame"', `"${templateId}"`)) }),
    ),
  })
  assert.deepEqual(created.parse(await upload.json()), { id: templateId })
  const { wallet, idempotency, storage, usage } = service.running.services
  const reserved = await wallet.reserve({
    accountId,
    keyId,
    credits: 1,
    requestId: `req_${templateId}`,
    expiresAtMs: Date.now() + 60_000,
  })
  assert.ok(reserved.ok)
  const kept = { accountId, key: 'keep' }
  await idempotency.begin({ ...kept, requestHash: 'hash' })
  const bodyObjectKey = `answers/${templateId}`
  await storage.put(bodyObjectKey, Buffer.from('a finished mockup'))
  const keeping = idempotency.finishing({ ...kept, bodyObjectKey, sizeBytes: 17, answer: '{}', linkId: null })
  assert.ok((await wallet.settle(reserved.reservationId, keeping)).settled)
  usage.record({
    accountId,
    keyId,
    status: 200,
    templateIds: [templateId],
    atMs: Date.now(),
  })
  return { customer, accountId, key }
}

describeContract('The life of an account', use => {
  it('is suspended at once, without losing anything', async () => {
    const service = use()
    const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
    const { customer, accountId, key } = await customerWithEverything(service, 'stopped@example.com', 'stopped-own')
    const { wallet, templates } = service.running.services
    const before = await wallet.balance(accountId)
    const act = (action: string, json: unknown = {}) =>
      operator.send(`/dashboard/api/accounts/${accountId}/${action}`, { json })
    assert.equal((await act('suspend')).status, 200)
    assert.equal((await service.send({ key })).status, 403)
    assert.equal((await customer.send('/dashboard/api/session')).status, 401)
    assert.equal(errorBody.parse(await (await act('sign-in-link')).json()).code, 'IS_SUSPENDED')
    assert.deepEqual(await wallet.balance(accountId), before)
    assert.equal(await templates.countOwned(accountId), 1)
    assert.equal((await act('restore')).status, 200)
    assert.equal((await service.send({ key })).status, 200)
  })

  it('ends with its deletion: keys, sessions, templates, pictures and address are gone, and the ledger stays', async () => {
    const service = use()
    const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
    const { database, storage, templates, wallet, accounts, usage } = service.running.services
    for (const [by, email, templateId] of [
      ['themselves', 'leaves@example.com', 'leaves-own'],
      ['an operator', 'removed@example.com', 'removed-own'],
    ] as const) {
      const { customer, accountId, key } = await customerWithEverything(service, email, templateId)
      await usage.flush()
      const balance = await wallet.balance(accountId)
      const prefix = `templates/${templateId}/`
      assert.ok((await storage.list(prefix)).length > 0)
      const answers = () =>
        database.queries
          .selectFrom('idempotency_keys')
          .select('body_object_key')
          .where('account_id', '=', accountId)
          .execute()
      const [kept] = await answers()
      assert.ok(kept?.body_object_key, by)
      const remove = (confirmation: string) =>
        by === 'themselves'
          ? customer.send('/dashboard/api/account/delete', { json: { email: confirmation } })
          : operator.send(`/dashboard/api/accounts/${accountId}/delete`, { json: { email: confirmation } })
      assert.equal((await remove('another@example.com')).status, 400)
      assert.equal((await service.send({ key })).status, 200, 'a wrong address deletes nothing')
      assert.equal((await remove(email)).status, 200, by)

      assert.equal((await service.send({ key })).status, 401, 'at once')
      assert.equal((await customer.send('/dashboard/api/session')).status, 401)
      assert.equal(await accounts.findByEmail(email), null)
      assert.deepEqual(await templates.namesakes(templateId), [])
      assert.deepEqual(await answers(), [])
      assert.equal(await storage.get(kept.body_object_key), null, 'kept mockups are erased')
      // An hour later, when no render can still be reading them.
      await database.queries.updateTable('template_remains').set({ since_ms: 0 }).execute()
      await templates.prune()
      assert.deepEqual(await storage.list(prefix), [])
      for (const table of ['sign_in_users', 'sign_in_sessions', 'sign_in_credentials'] as const) {
        const column = table === 'sign_in_users' ? 'id' : 'user_id'
        const rows = await database.queries.selectFrom(table).select('id').where(column, '=', accountId).execute()
        assert.deepEqual(rows, [], table)
      }
      assert.deepEqual(await wallet.balance(accountId), balance)
      assert.equal((await wallet.movements(accountId, { page: 1, limit: 10 })).total, 3, 'a gift, a reserve, a charge')
      assert.ok((await usage.statistics({ accountId }, 7)).totals.succeeded >= 1)
      const erased = await accounts.get(accountId)
      assert.equal(erased?.email, `${accountId}@deleted.invalid`)
      assert.notEqual(erased?.deletedAtMs, null)
      assert.deepEqual((await wallet.verifyLedger()).violations, [])
      await accounts.create({ email })
    }
  })

  it('begins with an operator, who passes the link on if no mail is sent', async () => {
    const service = use()
    const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
    const json = { email: 'Invited@example.com', credits: 50 }
    const invitation = await operator.read(invitationSchema, '/dashboard/api/accounts', json)
    assert.ok(invitation.sign_in_url)
    const token = tokenOf(invitation.sign_in_url)
    const entered = await postFrom(service.running.url, '/dashboard/auth/magic-link/verify', { token })
    assert.equal(entered.status, 200)
    assert.match(cookieOf(entered), /vitrine\.session=/)
    const again = await operator.send('/dashboard/api/accounts', { json })
    assert.equal(errorBody.parse(await again.json()).code, 'EMAIL_TAKEN')
    const bad = await operator.send('/dashboard/api/accounts', { json: { email: 'not an address' } })
    assert.equal(bad.status, 400)
    const link = `/dashboard/api/accounts/${invitation.account_id}/sign-in-link`
    assert.ok(!service.log.some(line => line.includes(token)), 'the link is in no log')
    // As if it had been created this long ago.
    const ageLinks = async (hours: number) => {
      const { queries, kind } = service.running.services.database
      const aged =
        kind === 'sqlite'
          ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, ${`-${hours} hours`})`
          : sql`expires_at - make_interval(hours => ${hours})`
      await sql`update sign_in_verifications set expires_at = ${aged}`.execute(queries)
    }
    for (const [hours, works] of [
      [limits.handedLinkHours - 1, true],
      [limits.handedLinkHours, false],
    ] as const) {
      const made = await operator.read(invitationSchema, link, {})
      assert.ok(made.sign_in_url)
      await ageLinks(hours)
      const verify = { token: tokenOf(made.sign_in_url) }
      const { status } = await postFrom(service.running.url, '/dashboard/auth/magic-link/verify', verify)
      assert.equal(status === 200, works, `after ${hours} hours`)
      const heldHours = (Date.parse(made.expires_at) - Date.now()) / 3_600_000
      assert.equal(Math.round(heldHours), limits.handedLinkHours)
    }
    const owner = await service.running.services.accounts.findByEmail('owner@example.com')
    for (const action of ['sign-in-link', 'suspend', 'delete']) {
      const answer = await operator.send(`/dashboard/api/accounts/${owner?.accountId}/${action}`, {
        json: { email: 'owner@example.com' },
      })
      assert.equal(errorBody.parse(await answer.json()).code, 'IS_OPERATOR', action)
    }
  })
})

describe('The life of an account with mail', () => {
  it('begins with a mail to its owner, and no link for the operator', async () => {
    await using mails = await MailServer.start()
    await using service = await TestService.start('sqlite', {
      environment: { SMTP_URL: mails.url, SMTP_FROM: 'vitrine@example.com' },
    })
    const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
    const json = { email: 'mailed@example.com' }
    const invitation = await operator.read(invitationSchema, '/dashboard/api/accounts', json)
    assert.equal(invitation.sign_in_url, null)
    const token = /\/enter#(\S+)/.exec(await mails.mailTo('mailed@example.com'))?.[1]
    const entered = await postFrom(service.running.url, '/dashboard/auth/magic-link/verify', { token })
    assert.equal(entered.status, 200)
  })
})
