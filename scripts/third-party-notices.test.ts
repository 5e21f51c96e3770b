import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { buildNotices } from './third-party-notices.ts'

test('the third-party notices name every package that the lock file brings to users', () => {
  const file = path.resolve(import.meta.dirname, '../THIRD-PARTY-NOTICES.md')
  assert.equal(readFileSync(file, 'utf8'), buildNotices(), 'run "node scripts/third-party-notices.ts"')
})
