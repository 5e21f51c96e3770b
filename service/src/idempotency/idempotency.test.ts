import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { createTestDatabase, describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { Wallet } from '../credits/wallet.ts'
import { newId } from '../database/new-id.ts'
import { Idempotency } from './idempotency.ts'

const DAY_MS = 86_400_000

describeOnBothDatabases('saved answers', use => {
  const deleted: string[] = []
  const bodies = {
    delete: async (key: string) => {
      deleted.push(key)
    },
  }
  const open = (clock: () => number = Date.now, instanceId = newId('ins')) =>
    new Idempotency(use().database, { bodies, instanceId, clock })
  const openAccount = async (credits = 0) =>
    (await new Accounts(use().database).create({ email: `${newId('acc')}@example.org`, credits })).accountId
  const finish = async (answers: Idempotency, request: Parameters<Idempotency['finishing']>[0]) =>
    (await use().database.batch({ finish: answers.finishing(request) }, async () => false))?.stoppedAt === null
  const saved = (name: string, sizeBytes = 10) => ({
    bodyObjectKey: name,
    sizeBytes,
    answer: `{"of":"${name}"}`,
    linkId: null,
  })

  test('a repeated request is replayed; another with the same key is a mismatch; one in progress a conflict', async () => {
    const [answers, accountId] = [open(), await openAccount()]
    const request = { accountId, key: 'order 1' }
    assert.deepEqual(await answers.begin({ ...request, requestHash: 'a' }), { outcome: 'started' })
    assert.deepEqual(await answers.begin({ ...request, requestHash: 'a' }), { outcome: 'conflict' })
    assert.deepEqual(await answers.begin({ ...request, requestHash: 'b' }), { outcome: 'mismatch' })
    assert.equal(await finish(answers, { ...request, ...saved('one') }), true)
    assert.deepEqual(await answers.begin({ ...request, requestHash: 'a' }), { outcome: 'replay', ...saved('one') })
    assert.deepEqual(await answers.begin({ ...request, requestHash: 'b' }), { outcome: 'mismatch' })
    assert.deepEqual(await answers.begin({ ...request, accountId: await openAccount(), requestHash: 'b' }), {
      outcome: 'started',
    })
  })

  test('of fifty concurrent requests one starts', async () => {
    const [answers, accountId] = [open(), await openAccount()]
    const results = await Promise.all(
      Array.from({ length: 50 }, () => answers.begin({ accountId, key: 'k', requestHash: 'a' })),
    )
    assert.equal(results.filter(result => result.outcome === 'started').length, 1)
    assert.equal(results.filter(result => result.outcome === 'conflict').length, 49)
  })

  test('a failed attempt frees the key; a finished one stays saved', async () => {
    const [answers, accountId] = [open(), await openAccount()]
    const request = { accountId, key: 'k' }
    await answers.begin({ ...request, requestHash: 'a' })
    await answers.fail(request)
    assert.deepEqual(await answers.begin({ ...request, requestHash: 'b' }), { outcome: 'started' })
    await finish(answers, { ...request, ...saved('b') })
    await answers.fail(request)
    assert.equal((await answers.begin({ ...request, requestHash: 'b' })).outcome, 'replay')
  })

  test('an answer is saved for a day, then the key is freed and the body deleted', async () => {
    let nowMs = 1_000_000
    const [answers, accountId] = [open(() => nowMs), await openAccount()]
    for (const key of ['taken over', 'swept']) {
      await answers.begin({ accountId, key, requestHash: 'a' })
      await finish(answers, { accountId, key, ...saved(`${accountId} ${key}`) })
    }
    nowMs += DAY_MS - 1
    assert.equal((await answers.begin({ accountId, key: 'taken over', requestHash: 'a' })).outcome, 'replay')
    assert.equal((await answers.sweep(nowMs)).forgotten, 0)
    nowMs += 1
    assert.deepEqual(await answers.begin({ accountId, key: 'taken over', requestHash: 'b' }), { outcome: 'started' })
    assert.ok(deleted.includes(`${accountId} taken over`))
    assert.equal((await answers.sweep(nowMs)).forgotten, 1)
    assert.ok(deleted.includes(`${accountId} swept`))
  })

  test('beyond an account’s limits its oldest answers are deleted, but never the newest', async () => {
    let nowMs = 1_000
    const [answers, accountId] = [open(() => nowMs++), await openAccount()]
    const finishOne = async (name: string, sizeBytes: number) => {
      await answers.begin({ accountId, key: name, requestHash: 'a' })
      await finish(answers, { accountId, key: name, ...saved(`${accountId} ${name}`, sizeBytes) })
    }
    const replays = async (name: string) => {
      const { outcome } = await answers.begin({ accountId, key: name, requestHash: 'a' })
      if (outcome === 'started') await answers.fail({ accountId, key: name })
      return outcome === 'replay'
    }
    for (const name of ['1', '2', '3', '4']) await finishOne(name, 100)
    assert.equal(await answers.forgetBeyondBounds(accountId, { maxAnswers: 3, maxBytes: 10_000 }), 1)
    assert.equal(await replays('1'), false)
    assert.equal(await answers.forgetBeyondBounds(accountId, { maxAnswers: 3, maxBytes: 250 }), 1)
    assert.deepEqual([await replays('2'), await replays('3'), await replays('4')], [false, true, true])
    await finishOne('5', 10_000)
    assert.equal(await answers.forgetBeyondBounds(accountId, { maxAnswers: 3, maxBytes: 250 }), 2)
    assert.equal(await replays('5'), true)
    assert.ok(deleted.includes(`${accountId} 1`) && !deleted.includes(`${accountId} 5`))
  })

  test('beyond the limits, answers of generated keys are deleted before those of chosen keys, except the newest', async () => {
    let nowMs = 1_000
    const [answers, accountId] = [open(() => nowMs++), await openAccount()]
    const finishOne = async (key: string, sizeBytes = 10) => {
      await answers.begin({ accountId, key, requestHash: 'a' })
      await finish(answers, { accountId, key, ...saved(`${accountId} ${key}`, sizeBytes) })
    }
    const keptKeys = async () => {
      const { queries } = use().database
      const rows = await queries
        .selectFrom('idempotency_keys')
        .select('idempotency_key')
        .where('account_id', '=', accountId)
        .orderBy('created_at_ms')
        .execute()
      return rows.map(row => row.idempotency_key)
    }
    const bounds = { maxAnswers: 6, maxBytes: 10_000, madeKeysRetained: 2 }
    const chosen = ['order-1', 'auto', 'AUTO-2', 'automatic']
    for (const key of chosen) await finishOne(key)
    for (let i = 0; i < 40; i++) {
      await finishOne(`auto-${i}`)
      await answers.forgetBeyondBounds(accountId, bounds)
    }
    assert.deepEqual(await keptKeys(), [...chosen, 'auto-38', 'auto-39'])

    await finishOne('order-2')
    await answers.forgetBeyondBounds(accountId, bounds)
    assert.deepEqual(await keptKeys(), [...chosen.slice(1), 'auto-38', 'auto-39', 'order-2'])
    assert.ok(deleted.includes(`${accountId} order-1`))

    await finishOne('auto-large', 9_970)
    await answers.forgetBeyondBounds(accountId, bounds)
    assert.deepEqual(await keptKeys(), ['automatic', 'auto-39', 'order-2', 'auto-large'])
  })

  test('a process checks an account’s limits at its first answer, after 16 more, and after 64 MiB', async t => {
    const [answers, accountId] = [open(), await openAccount()]
    const looks = t.mock.method(answers, 'forgetBeyondBounds').mock
    let count = 0
    const save = async (answersSaved: number, sizeBytes = 10) => {
      const before = looks.callCount()
      for (let i = 0; i < answersSaved; i++) {
        const key = `seen-${count++}`
        await answers.begin({ accountId, key, requestHash: 'a' })
        await finish(answers, { accountId, key, ...saved(`${accountId} ${key}`, sizeBytes) })
        await answers.enforceBounds(accountId)
      }
      return looks.callCount() - before
    }
    assert.deepEqual([await save(1), await save(15), await save(1), await save(15)], [1, 0, 1, 0])
    assert.deepEqual([await save(1), await save(1, 64 * 1024 ** 2), await save(1)], [1, 1, 0])
  })

  test('an account’s count and size of saved answers match its rows, however these are deleted', async () => {
    let nowMs = 1_000
    const [answers, accountId] = [open(() => nowMs), await openAccount()]
    for (let i = 0; i < 40; i++) {
      const request = { accountId, key: `k${i}` }
      await answers.begin({ ...request, requestHash: 'a' })
      if (i % 4 === 3) await answers.fail(request)
      else await finish(answers, { ...request, ...saved(`${accountId} ${i}`, i) })
    }
    const counted = async () => {
      const { queries } = use().database
      const rows = await queries
        .selectFrom('idempotency_keys')
        .select('size_bytes')
        .where('account_id', '=', accountId)
        .execute()
      const total = await queries
        .selectFrom('saved_answers')
        .select(['answers', 'size_bytes'])
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      assert.deepEqual(total, { answers: rows.length, size_bytes: rows.reduce((sum, row) => sum + row.size_bytes, 0) })
      return rows.length
    }
    assert.equal(await counted(), 30)
    assert.equal(await answers.forgetBeyondBounds(accountId, { maxAnswers: 5, maxBytes: 10_000 }), 25)
    assert.equal(await counted(), 5)
    nowMs += 25 * 3_600_000
    await answers.sweep()
    assert.equal(await counted(), 0)
  })

  for (const way of ['by its own request', 'by the next sweep'] as const)
    test(`the answer of a request that ends after its account was deleted is deleted ${way}`, async () => {
      const accounts = new Accounts(use().database)
      const [answers, accountId, other] = [open(), await openAccount(), await openAccount()]
      for (const id of [accountId, other]) await answers.begin({ accountId: id, key: 'k', requestHash: 'a' })
      await answers.forgetBeyondBounds(accountId, { maxAnswers: 0, maxBytes: 0 })
      await accounts.suspend(accountId)
      await accounts.erase(accountId)
      for (const id of [accountId, other]) assert.ok(await finish(answers, { accountId: id, key: 'k', ...saved(id) }))
      if (way === 'by its own request') {
        for (const id of [accountId, other]) await answers.forgetBeyondBounds(id)
      } else await answers.sweep(Date.now())
      assert.ok(deleted.includes(accountId), 'the body')
      assert.equal((await answers.begin({ accountId, key: 'k', requestHash: 'a' })).outcome, 'started')
      assert.equal((await answers.begin({ accountId: other, key: 'k', requestHash: 'a' })).outcome, 'replay')
    })

  test('a start frees the running keys of dead processes, and retains finished answers', async () => {
    const accountId = await openAccount()
    const dead = open()
    await dead.begin({ accountId, key: 'running', requestHash: 'a' })
    await dead.begin({ accountId, key: 'finished', requestHash: 'a' })
    await finish(dead, { accountId, key: 'finished', ...saved('finished') })
    const next = open()
    await next.begin({ accountId, key: 'own', requestHash: 'a' })
    assert.ok((await next.recoverAtStart()) >= 1)
    assert.equal((await next.begin({ accountId, key: 'running', requestHash: 'b' })).outcome, 'started')
    assert.equal((await next.begin({ accountId, key: 'finished', requestHash: 'a' })).outcome, 'replay')
    assert.equal((await next.begin({ accountId, key: 'own', requestHash: 'a' })).outcome, 'conflict')
    assert.equal(await finish(dead, { accountId, key: 'running', ...saved('late') }), false)
  })

  test('a key whose request never ended is freed after ten minutes', async () => {
    const [answers, accountId] = [open(() => 1_000), await openAccount()]
    await answers.begin({ accountId, key: 'stuck', requestHash: 'a' })
    await answers.sweep(600_999)
    assert.equal((await answers.begin({ accountId, key: 'stuck', requestHash: 'a' })).outcome, 'conflict')
    await answers.sweep(601_000)
    assert.equal((await answers.begin({ accountId, key: 'stuck', requestHash: 'a' })).outcome, 'started')
  })

  test('the charge and the saved answer are committed together or not at all', async () => {
    const { database } = use()
    const instanceId = newId('ins')
    const [answers, accountId] = [open(Date.now, instanceId), await openAccount(2)]
    const wallet = new Wallet(database, { instanceId })
    const order = { accountId, keyId: null, credits: 1, requestId: 'req', expiresAtMs: Date.now() + 60_000 }
    const request = { accountId, key: 'k' }
    await answers.begin({ ...request, requestHash: 'a' })
    const reservation = await wallet.reserve(order)
    assert.ok(reservation.ok)
    const { reservationId } = reservation
    const lost = answers.finishing({ accountId, key: 'of another', ...saved('x') })
    assert.equal((await wallet.settle(reservationId, lost)).settled, false)
    assert.equal((await wallet.balance(accountId)).reservedCredits, 1)
    assert.equal((await answers.begin({ ...request, requestHash: 'a' })).outcome, 'conflict')
    const { settled } = await wallet.settle(reservationId, answers.finishing({ ...request, ...saved('x') }))
    assert.equal(settled, true)
    assert.equal((await answers.begin({ ...request, requestHash: 'a' })).outcome, 'replay')
  })
})

test('on PostgreSQL a request with a key takes four round trips more than one without', async t => {
  const { database, remove } = await createTestDatabase('postgres')
  t.after(remove)
  const instanceId = newId('ins')
  const answers = new Idempotency(database, { bodies: { delete: async () => undefined }, instanceId })
  const wallet = new Wallet(database, { instanceId })
  const { accountId } = await new Accounts(database).create({ email: 'keyed@example.org', credits: 10 })
  const roundTrips = t.mock.method(Client.prototype, 'query').mock
  const charge = async (key: string | null) => {
    const order = { accountId, keyId: null, credits: 1, requestId: 'req', expiresAtMs: Date.now() + 60_000 }
    if (key !== null) await answers.begin({ accountId, key, requestHash: 'a' })
    const reservation = await wallet.reserve(order)
    assert.ok(reservation.ok)
    const answer = { bodyObjectKey: 'body', sizeBytes: 10, answer: '{}', linkId: null }
    const saving = key === null ? undefined : answers.finishing({ accountId, key, ...answer })
    assert.ok((await wallet.settle(reservation.reservationId, saving)).settled)
    if (key !== null) await answers.enforceBounds(accountId)
  }
  const counts: number[] = []
  for (const key of [null, null, 'a', 'b', 'c']) {
    const before = roundTrips.callCount()
    await charge(key)
    counts.push(roundTrips.callCount() - before)
  }
  assert.deepEqual(counts.slice(1), [2, 7, 6, 6], 'the first one checks the account’s limits')
})
