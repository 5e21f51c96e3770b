import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { Wallet } from '../credits/wallet.ts'
import type { DatabaseLocation } from './database.ts'
import { findDeadInstances, Instance } from './instance.ts'

const urlOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

const claimAndReserve = `
  import { openDatabase } from ${urlOf('database.ts')}
  import { Instance } from ${urlOf('instance.ts')}
  import { Wallet } from ${urlOf('../credits/wallet.ts')}
  const [dataDir, databaseUrl, accountId] = process.argv.slice(1)
  const database = await openDatabase({ dataDir, databaseUrl })
  const { id } = await Instance.claim(database)
  const order = { accountId, keyId: null, credits: 3, requestId: 'req', expiresAtMs: Date.now() + 60_000 }
  await new Wallet(database, { instanceId: id }).reserve(order)
  setInterval(() => undefined, 1000)
  console.log('reserved')`

/** Starts a process that claims a data folder, reserves credits and runs until it is killed. */
async function startNode({ dataDir, databaseUrl = '' }: DatabaseLocation, accountId: string) {
  const args = ['--input-type=module', '-e', claimAndReserve, dataDir, databaseUrl, accountId]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exited])
  assert.equal(child.exitCode, null, 'the child has reserved and runs')
  return { child, exited }
}

test('only one process serves a data folder; the next can as soon as it is dead, however it died', async t => {
  const { database, location, remove } = await createTestDatabase('sqlite')
  t.after(remove)
  const { accountId } = await new Accounts(database).create({ email: 'node@example.org', credits: 10 })
  const { child, exited } = await startNode(location, accountId)
  await assert.rejects(Instance.claim(database), {
    name: 'DatabaseRefusedError',
    message: /^Another Vitrine already serves the data folder .*: stop it first\.$/,
  })
  // Commands, which claim nothing, can still use the folder.
  assert.equal((await database.queries.selectFrom('instances').select('id').execute()).length, 1)
  child.kill('SIGKILL')
  await exited
  const instance = await Instance.claim(database)
  await instance.release()
  const again = await Instance.claim(database)
  await again.release()
})

test('on PostgreSQL the next process on a killed one’s data folder releases its reservations at once', async t => {
  const { database, location, remove } = await createTestDatabase('postgres')
  t.after(remove)
  const { accountId } = await new Accounts(database).create({ email: 'node@example.org', credits: 10 })
  const elsewhere = await mkdtemp(path.join(os.tmpdir(), 'vitrine-node-'))
  t.after(() => rm(elsewhere, { recursive: true, force: true }))
  const killed = await startNode(location, accountId)
  const other = await startNode({ ...location, dataDir: elsewhere }, accountId)
  t.after(() => other.child.kill('SIGKILL'))

  // A second process beside a living one on its folder: it serves, and takes nothing from it.
  const neighbor = await Instance.claim(database)
  const wallet = new Wallet(database, { instanceId: neighbor.id })
  assert.equal(await wallet.recoverAtStart(), 0)
  await neighbor.release()

  killed.child.kill('SIGKILL')
  await killed.exited
  const successor = await Instance.claim(database)
  assert.equal(await new Wallet(database, { instanceId: successor.id }).recoverAtStart(), 1)
  const { spendableCredits, reservedCredits } = await wallet.balance(accountId)
  assert.deepEqual([spendableCredits, reservedCredits], [7, 3], 'the node on another folder retains its reservations')
  await successor.release()
})

test('an instance that was wrongly declared dead registers again', async t => {
  const { database, remove } = await createTestDatabase('postgres')
  t.after(remove)
  const instance = await Instance.claim(database)
  await database.queries.deleteFrom('instances').execute()
  await instance.heartbeat()
  assert.deepEqual(await findDeadInstances(database, [instance.id], 'ins_own', Date.now), [])
  await instance.release()
})

test('an instance counts those with a recent heartbeat, including itself; on SQLite it is alone', async t => {
  const { database, remove } = await createTestDatabase('postgres')
  t.after(remove)
  const first = await Instance.claim(database)
  assert.equal(first.liveNodes, 1)
  const second = await Instance.claim(database)
  assert.equal(second.liveNodes, 2)
  const longAgo = first.clock() - 31_000
  const silent = { id: 'ins_silent', started_at_ms: longAgo, heartbeat_at_ms: longAgo }
  await database.queries.insertInto('instances').values(silent).execute()
  await first.heartbeat()
  assert.equal(first.liveNodes, 2)
  await database.queries.updateTable('instances').set({ heartbeat_at_ms: first.clock() }).execute()
  await first.heartbeat()
  assert.equal(first.liveNodes, 3)
  await second.release()
  await first.heartbeat()
  assert.equal(first.liveNodes, 2)
  await first.release()

  const embedded = await createTestDatabase('sqlite')
  t.after(embedded.remove)
  const alone = await Instance.claim(embedded.database)
  await alone.heartbeat()
  assert.equal(alone.liveNodes, 1)
  await alone.release()
})
