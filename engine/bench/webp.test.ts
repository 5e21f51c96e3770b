import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('the benchmark of WebP has a row for each kind, with and without loss and alpha', async () => {
  const script = path.join(import.meta.dirname, 'webp.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--rounds', '1', '--width', '640'])
  const rows = stdout.trim().split('\n')
  assert.equal(rows.length, 5)
  for (const row of rows) assert.match(row, /^\d+\.\d{3} {2}\((-|0\.5)\) {2}WebP, .*640 x 768.* \d+ \/ \d+ ms, libwebp/)
})
