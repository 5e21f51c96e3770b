import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { reportRun } from './slowest-files-reporter.ts'

test('a run of several files ends with the slowest of them and the totals', () => {
  const files = ['scripts/references.test.ts', 'service/src/database/request-id.test.ts']
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  const { status, stdout } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'test.ts'), ...files], {
    cwd: path.resolve(import.meta.dirname, '..'),
    encoding: 'utf8',
    env: environment,
  })
  assert.equal(status, 0, stdout)
  const [, end = ''] = stdout.split('The slowest files:\n')
  for (const file of files) assert.match(end, new RegExp(` s {2}${file}$`, 'm'))
  assert.match(end, /^ℹ tests \d+$/m)
})

test('what is awaited before the totals, like results of checks, comes before them', async () => {
  const events = Readable.from([
    { type: 'test:diagnostic', data: { nesting: 0, level: 'info', message: 'tests 1' } },
    { type: 'test:diagnostic', data: { nesting: 0, level: 'info', message: 'fail 0' } },
  ])
  const report = await text(reportRun(events, Promise.resolve('FAIL formatting\n')))
  assert.match(stripVTControlCharacters(report), /^FAIL formatting\nℹ tests 1\nℹ fail 0\n/)
})
