import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createTestDatabase } from '../../test/servers/test-database.ts'
import { DatabaseRefused } from './database-error.ts'
import { Instance } from './instance.ts'

const claimForever = `
  import { openDatabase } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'database.ts')).href)}
  import { Instance } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'instance.ts')).href)}
  await Instance.claim(await openDatabase({ dataDir: process.argv[1] }))
  setInterval(() => undefined, 1000)
  console.log('claimed')`

test('one process serves a data folder; the next may as soon as it is dead, however it died', async t => {
  const { database, location, remove } = await createTestDatabase('sqlite')
  t.after(remove)
  const child = spawn(process.execPath, ['--input-type=module', '-e', claimForever, location.dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exited])
  assert.equal(child.exitCode, null, 'the child claimed the folder and runs')
  await assert.rejects(Instance.claim(database), error => {
    assert.ok(error instanceof DatabaseRefused)
    assert.match(error.message, /^Another Vitrine already serves the data folder .*: stop it first\.$/)
    return true
  })
  // The folder is still there for commands, which claim nothing.
  assert.equal((await database.queries.selectFrom('instances').select('id').execute()).length, 1)
  child.kill('SIGKILL')
  await exited
  const instance = await Instance.claim(database)
  await instance.release()
  const again = await Instance.claim(database)
  await again.release()
})
