import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { newId } from '../database/new-id.ts'
import { type LoggedRequest, RequestLog } from './request-log.ts'

const nowMs = Date.UTC(2026, 10, 24, 12)
const DAY_MS = 86_400_000

describeOnBothDatabases('The request log', use => {
  const open = () => new RequestLog(use().database, { clock: () => nowMs, onError: assert.ifError })
  const requestOf = (accountId: string, index: number, changes: Partial<LoggedRequest> = {}): LoggedRequest => ({
    accountId,
    keyId: 'key_a',
    requestId: `req_${String(index).padStart(4, '0')}`,
    endpoint: 'POST /api/v1/mockups/generate',
    templateIds: ['oak-frame', 'mug'],
    atMs: nowMs + index,
    status: 200,
    code: null,
    reason: null,
    durationMs: 81.6,
    credits: 2,
    isReplayed: false,
    ...changes,
  })
  const idsOf = async (log: RequestLog, filter: Parameters<RequestLog['list']>[0]) =>
    (await log.list(filter, { after: null, limit: 100 })).requests.map(({ requestId }) => Number(requestId.slice(4)))

  it('lists every field, newest first, page by page, of one account only', async () => {
    const [log, accountId] = [open(), newId('acc')]
    for (let i = 0; i < 7; i++) log.record(requestOf(accountId, i, { atMs: nowMs + Math.floor(i / 3) }))
    log.record(requestOf(newId('acc'), 8))
    const first = await log.list({ accountId }, { after: null, limit: 4 })
    const second = await log.list({ accountId }, { after: first.next, limit: 4 })
    const ids = [...first.requests, ...second.requests].map(({ requestId }) => Number(requestId.slice(4)))
    assert.deepEqual([ids, second.next], [[6, 5, 4, 3, 2, 1, 0], null])
    const [newest] = first.requests
    assert.deepEqual(newest, { ...requestOf(accountId, 6, { atMs: nowMs + 2 }), durationMs: 82, keyName: null })
    await log.close()
  })

  it('finds by key, outcome, code, template and id, whatever characters they have', async () => {
    const [log, accountId] = [open(), newId('acc')]
    log.record(requestOf(accountId, 1))
    log.record(requestOf(accountId, 2, { keyId: null, templateIds: ['100%_mug\\'] }))
    const failed = { status: 404, code: 'TEMPLATE_NOT_FOUND', reason: 'No "x\0".', credits: 0, templateIds: ['x'] }
    log.record(requestOf(accountId, 3, failed))
    assert.deepEqual(await idsOf(log, { accountId, keyId: null }), [2])
    assert.deepEqual(await idsOf(log, { accountId, outcome: 'failed' }), [3])
    assert.deepEqual(await idsOf(log, { accountId, outcome: 'ok' }), [2, 1])
    assert.deepEqual(await idsOf(log, { accountId, code: 'TEMPLATE_NOT_FOUND' }), [3])
    assert.deepEqual(await idsOf(log, { accountId, templateId: 'mug' }), [1])
    assert.deepEqual(await idsOf(log, { accountId, templateId: 'm_g' }), [])
    assert.deepEqual(await idsOf(log, { accountId, templateId: '100%_mug\\' }), [2])
    assert.deepEqual(await idsOf(log, { accountId, requestId: 'req_0002' }), [2])
    const [{ reason } = assert.fail()] = (await log.list({ accountId, outcome: 'failed' }, { after: null, limit: 1 }))
      .requests
    assert.equal(reason, 'No "x".')
    await log.close()
  })

  it('logs all requests that cost credits, and twenty of a flood of others between two writes', async () => {
    const [log, accountId] = [open(), newId('acc')]
    for (let i = 0; i < 50; i++) log.record(requestOf(accountId, i, { credits: i % 2, status: i % 2 ? 200 : 429 }))
    const ids = await idsOf(log, { accountId })
    assert.deepEqual([ids.filter(id => id % 2 === 1).length, ids.filter(id => id % 2 === 0).length], [25, 20])
    log.record(requestOf(accountId, 60, { credits: 0, status: 429 }))
    assert.equal((await idsOf(log, { accountId }))[0], 60)
    await log.close()
  })

  it('deletes requests older than thirty days, and those of deleted accounts', async () => {
    const [log, accountId, other] = [open(), newId('acc'), newId('acc')]
    log.record(requestOf(accountId, 1, { atMs: nowMs - 29 * DAY_MS }))
    log.record(requestOf(accountId, 2, { atMs: nowMs - 31 * DAY_MS }))
    log.record(requestOf(other, 3))
    await log.list({ accountId }, { after: null, limit: 1 })
    await log.forgetOld()
    assert.deepEqual(await idsOf(log, { accountId }), [1])
    await log.forgetAccount(accountId)
    assert.deepEqual([await idsOf(log, { accountId }), await idsOf(log, { accountId: other })], [[], [3]])
    await log.close()
  })

  it('retains fifty thousand requests per account', async () => {
    const [log, accountId] = [open(), newId('acc')]
    for (let block = 0; block < 6; block++) {
      for (let i = 0; i < 9_000; i++) log.record(requestOf(accountId, block * 9_000 + i))
      await log.list({ accountId }, { after: null, limit: 1 })
    }
    const { kept, oldest } = await use()
      .database.queries.selectFrom('request_log')
      .select(({ fn }) => [fn.countAll<number>().as('kept'), fn.min('at_ms').as('oldest')])
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    assert.deepEqual([kept, oldest], [50_000, nowMs + 4_000])
    await log.close()
  })

  it('retries failed writes', async () => {
    const [accountId, { queries }] = [newId('acc'), use().database]
    const errors: unknown[] = []
    const log = new RequestLog(use().database, { onError: error => errors.push(error) })
    await queries.schema.alterTable('request_log').renameTo('request_log_away').execute()
    log.record(requestOf(accountId, 1))
    await assert.rejects(log.list({ accountId }, { after: null, limit: 1 }))
    await queries.schema.alterTable('request_log_away').renameTo('request_log').execute()
    assert.equal(errors.length, 1)
    assert.deepEqual(await idsOf(log, { accountId }), [1])
    await log.close()
  })
})
