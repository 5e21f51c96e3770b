import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharingOf, slowFirst } from './test-order.ts'

test('a test that computes may share its process', () => {
  const text = "import { test } from 'node:test'\ntest('adds', () => assert.equal(add(1, 1), 2))\n"
  for (const file of ['engine/test/add.test.ts', 'service/src/credits/add.test.ts'])
    assert.equal(sharingOf(file, text), 'computing', file)
  for (const file of ['dashboard/test/add.test.ts', 'scripts/add.test.ts'])
    assert.equal(sharingOf(file, text), null, file)
})

test('tests with databases of their own may share a process, with those of services if they start servers', () => {
  const database = "import { describeOnBothDatabases } from '../../test/servers/test-database.ts'\n"
  assert.equal(sharingOf('service/src/a.test.ts', database), 'computing')
  for (const text of [
    "import { startS3 } from '../../test/servers/s3.ts'\n",
    "import { spawn } from 'node:child_process'\n",
  ]) {
    assert.equal(sharingOf('service/src/a.test.ts', `${database}${text}`), 'serving', text)
    assert.equal(sharingOf('engine/src/a.test.ts', text), null, text)
  }
})

test('tests of a service may share a process, even if they wait or have other servers or processes', () => {
  for (const text of [
    "import { createServer } from 'node:net'\nimport { TestService } from '../http/test-service.ts'\n",
    "import { runHere } from './run-here.ts'\n",
    "test('a killed process', () => process.kill(server.pid, 'SIGKILL'))\n",
  ])
    assert.equal(sharingOf('service/test/contract/a.test.ts', text), 'serving', text)
})

test('a test that changes its process shares it with none', () => {
  for (const text of [
    "process.env['PORT'] = '1'\n",
    "delete process.env['PORT']\n",
    'Object.assign(process.env, secrets)\n',
    'process.chdir(folder)\n',
    'const before = process.memoryUsage().rss\n',
    "import { subscribe } from 'node:diagnostics_channel'\n",
    'mock.timers.enable()\n',
    'globalThis.fetch = answer\n',
  ])
    for (const file of ['service/src/a.test.ts', 'service/test/http/a.test.ts', 'engine/test/a.test.ts'])
      assert.equal(sharingOf(file, `import { TestService } from '../http/test-service.ts'\n${text}`), null, text)
})

test('a test that tells of processes, or reads how long its run may be, may share its process', () => {
  for (const text of [
    "test('one process at a time', () => undefined) // Another process.\n",
    "const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'\n",
  ])
    assert.equal(sharingOf('engine/test/a.test.ts', text), 'computing', text)
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
