import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('the benchmark of template costs prints what was measured beside the estimate', async () => {
  const script = path.join(import.meta.dirname, 'template-cost.ts')
  const args = [script, '--width', '100', '--layer', '50', 'lit', 'map']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  for (const name of ['lit', 'map'])
    assert.match(stdout, new RegExp(`^${name} +\\d+ +\\d+ +\\d+ +\\d\\.\\d s, \\d+ MB$`, 'm'))
})
