import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayShareProcess, slowFirst } from './test-order.ts'

test('a test that computes may share its process', () => {
  const text = "import { test } from 'node:test'\ntest('adds', () => assert.equal(add(1, 1), 2))\n"
  assert(mayShareProcess('engine/test/add.test.ts', text))
  assert(mayShareProcess('service/src/credits/add.test.ts', text))
  for (const file of ['service/test/add.test.ts', 'dashboard/test/add.test.ts', 'scripts/add.test.ts'])
    assert(!mayShareProcess(file, text), file)
})

test('tests with databases of their own may share a process, unless they start servers', () => {
  const database = "import { describeOnBothDatabases } from '../../test/servers/test-database.ts'\n"
  assert(mayShareProcess('service/src/a.test.ts', database))
  assert(!mayShareProcess('service/src/a.test.ts', `${database}import { startS3 } from '../../test/servers/s3.ts'\n`))
})

test('a test that changes its process, or has hooks for all its tests, shares it with none', () => {
  for (const text of [
    "process.env['PORT'] = '1'\n",
    'import process from "node:process"\n',
    "import { spawn } from 'node:child_process'\n",
    "import { startOwnPostgres } from '../../test/servers/postgres.ts'\n",
    'mock.timers.enable()\n',
    'globalThis.fetch = answer\n',
    'after(async () => rm(folder))\n',
  ])
    assert(!mayShareProcess('service/src/a.test.ts', text), text)
  assert(mayShareProcess('service/src/a.test.ts', "describe('a', () => {\n  after(close)\n})\n"))
})

test('files with browsers run first, then those with services, then the others', () => {
  const files = ['engine/src/a.test.ts', 'engine/test/b.test.ts', 'service/test/c.test.ts', 'dashboard/test/d.test.ts']
  assert.deepEqual(slowFirst(files), files.toReversed())
})
