import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const bench = path.join(import.meta.dirname, 'bench.ts')

test('the bench judges the bars and writes tables and figures', {
  skip: process.env['VITRINE_TEST_SIZE'] !== 'full' && 'VITRINE_TEST_SIZE=full runs it',
}, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  try {
    const json = path.join(folder, 'report.json')
    const { stdout } = await run(process.execPath, [bench, '--quick', '--rounds', '1', '--json', json])
    assert.match(stdout, /\| cold default mockup .* \| [\d.]+ \| (\*\*)?\d+\.\d+(\*\*)? \|/)
    const report: unknown = JSON.parse(await readFile(json, 'utf8'))
    assert.ok(typeof report === 'object' && report !== null && 'cases' in report && Array.isArray(report.cases))
    const [{ stages, hash }] = report.cases
    assert.match(hash, /^[0-9a-f]{12}$/)
    for (const stage of ['inspect', 'decode', 'compose', 'encode', 'cold', 'warm'])
      assert.ok(stages[stage] > 0 && Number.isFinite(stages[stage]), stage)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the bench says what is wrong with an option', async () => {
  await assert.rejects(
    run(process.execPath, [bench, '--rounds', 'many']),
    /whole number of at least 1 for --rounds but received many/,
  )
})
