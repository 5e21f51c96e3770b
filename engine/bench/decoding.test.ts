import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('the benchmark of decoding prints what every N/8 costs with both decoders', async () => {
  const script = path.join(import.meta.dirname, 'decoding.ts')
  const picture = path.join(import.meta.dirname, '../test/decoding/fixtures/420.jpg')
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--rounds', '1', picture])
  assert.match(stdout, /\| 420\.jpg, \d+ x \d+ (\| \d+\/\d+ ){8}\|/)
})
