import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharingOf, slowFirst } from './test-order.ts'

test('a test that computes may share its process', () => {
  const text = "import { test } from 'node:test'\ntest('adds', () => assert.equal(add(1, 1), 2))\n"
  for (const file of ['engine/test/add.test.ts', 'service/src/credits/add.test.ts'])
    assert.equal(sharingOf(file, text), 'computing', file)
  for (const file of ['service/test/add.test.ts', 'dashboard/test/add.test.ts', 'scripts/add.test.ts'])
    assert.equal(sharingOf(file, text), null, file)
})

test('tests with databases of their own may share a process, unless they start servers', () => {
  const database = "import { describeOnBothDatabases } from '../../test/servers/test-database.ts'\n"
  assert.equal(sharingOf('service/src/a.test.ts', database), 'computing')
  assert.equal(
    sharingOf('service/src/a.test.ts', `${database}import { startS3 } from '../../test/servers/s3.ts'\n`),
    null,
  )
})

test('tests of a service in their process may share it, even if they wait or have other servers', () => {
  const text = "import { createServer } from 'node:net'\nimport { TestService } from '../http/test-service.ts'\n"
  assert.equal(sharingOf('service/test/contract/a.test.ts', text), 'serving')
  assert.equal(sharingOf('service/test/cli/a.test.ts', "import { runHere } from './run-here.ts'\n"), null)
})

test('a test that changes its process shares it with none', () => {
  for (const text of [
    "process.env['PORT'] = '1'\n",
    'import process from "node:process"\n',
    "import { spawn } from 'node:child_process'\n",
    'mock.timers.enable()\n',
    'globalThis.fetch = answer\n',
  ])
    for (const file of ['service/src/a.test.ts', 'service/test/http/a.test.ts'])
      assert.equal(sharingOf(file, `import { TestService } from '../http/test-service.ts'\n${text}`), null, text)
})

test('a test that tells of processes, or reads how long its run may be, may share its process', () => {
  for (const text of [
    "test('one process at a time', () => undefined) // Another process.\n",
    "const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'\n",
  ])
    assert.equal(sharingOf('engine/test/a.test.ts', text), 'computing', text)
  assert.equal(sharingOf('engine/test/fidelity/fidelity.test.ts', ''), null)
})

test('files with browsers run first, then those with services, then the others', () => {
  const files = ['engine/src/a.test.ts', 'engine/test/b.test.ts', 'service/test/c.test.ts', 'dashboard/test/d.test.ts']
  assert.deepEqual(slowFirst(files), files.toReversed())
})

test('files that share a browser share their process', () => {
  const text = "import { useBrowser } from './browser-visit.ts'\n"
  assert.equal(sharingOf('dashboard/test/a.test.ts', text), 'browsing')
  assert.equal(sharingOf('dashboard/test/a.test.ts', "import { openBrowser } from './browser-visit.ts'\n"), null)
})
