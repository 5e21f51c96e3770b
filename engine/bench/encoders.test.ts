import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('the bench of the encoders runs, and its PNGs show the pixels', async () => {
  const bench = path.join(import.meta.dirname, 'encoders.ts')
  const options = [bench, '--rounds=1', '--width=160', '--height=120']
  const { stdout } = await promisify(execFile)(process.execPath, options)
  assert.equal(stdout.match(/JPEG\n/g)?.length, 4)
  assert.equal(stdout.match(/pixels equal/g)?.length, 4)
  assert.doesNotMatch(stdout, /NaN/)
})
