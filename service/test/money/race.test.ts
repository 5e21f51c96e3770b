import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { Accounts } from '../../src/accounts/accounts.ts'
import { Wallet } from '../../src/credits/wallet.ts'
import { describeOnBothDatabases } from '../servers/test-database.ts'

const PROCESSES = 4
const REQUESTS_EACH = 250
const CREDITS = 100

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`a process ended with ${code}`)))
  })
}

describeOnBothDatabases('1,000 requests at once from 4 processes on 100 credits', use => {
  test('get exactly 100 credits', async () => {
    const { database, location } = use()
    const { accountId } = await new Accounts(database).create({ email: 'race@example.org', credits: CREDITS })
    const start = JSON.stringify({ ...location, accountId, requests: REQUESTS_EACH })
    const children = Array.from({ length: PROCESSES }, () =>
      fork(path.join(import.meta.dirname, 'spend-credits.ts'), [start], { execArgv: [] }),
    )
    await Promise.all(children.map(nextMessage))
    const results = Promise.all(children.map(nextMessage))
    for (const child of children) child.send('go')
    const granted = (await results).map(result => {
      assert.ok(typeof result === 'object' && result !== null && 'granted' in result)
      return Number(result.granted)
    })
    assert.equal(
      granted.reduce((sum, each) => sum + each),
      CREDITS,
    )
    const wallet = new Wallet(database, { instanceId: 'ins_test' })
    const { spendableCredits, reservedCredits, consumedCredits } = await wallet.balance(accountId)
    assert.deepEqual([spendableCredits, reservedCredits, consumedCredits], [0, 0, CREDITS])
    assert.deepEqual((await wallet.verifyLedger()).violations, [])
  })
})
