import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

test('a run of several files ends with the slowest of them and the totals', () => {
  const files = ['scripts/references.test.ts', 'service/src/database/request-id.test.ts']
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${path.join(import.meta.dirname, 'slowest-files-reporter.ts')}`, ...files],
    { cwd: path.resolve(import.meta.dirname, '..'), encoding: 'utf8', env: environment },
  )
  assert.equal(status, 0, stdout)
  const [, end = ''] = stdout.split('The slowest files:\n')
  for (const file of files) assert.match(end, new RegExp(` s {2}${file}$`, 'm'))
  assert.match(end, /^ℹ tests \d+$/m)
})
