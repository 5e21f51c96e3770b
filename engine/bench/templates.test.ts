import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const bench = path.join(import.meta.dirname, 'templates.ts')
const template = path.resolve(import.meta.dirname, '../../templates/oak-frame-portrait')
const quickly = [bench, '--template', template, '--rounds', '1', '--width', '300']

describe('the bench of templates', () => {
  it('measures every stage of a mockup', async () => {
    const { stdout } = await run(process.execPath, [...quickly, '--json'])
    const report: unknown = JSON.parse(stdout)
    assert.ok(typeof report === 'object' && report !== null && 'templates' in report && Array.isArray(report.templates))
    const [{ id, widthPx, stages }] = report.templates
    assert.deepEqual([id, widthPx], ['oak-frame-portrait', 300])
    assert.deepEqual(Object.keys(stages), ['prepare', 'inspect', 'decode', 'compose', 'encode', 'total'])
    for (const stage of Object.keys(stages))
      assert.ok(stages[stage].timeMs > 0 && Number.isFinite(stages[stage].cpuMs), stage)
  })

  it('prints a table for people', async () => {
    const { stdout } = await run(process.execPath, [...quickly, '--format', 'png'])
    assert.match(stdout, /oak-frame-portrait, 300 x \d+ px, 1 frame/)
    assert.match(stdout, /total +\d+\.\d/)
    assert.match(stdout, /greatest memory of the process: \d+ MiB/)
  })

  it('says what is wrong with an option', async () => {
    await assert.rejects(
      run(process.execPath, [bench, '--rounds', 'many']),
      /whole number of at least 1 for --rounds but received many/,
    )
  })
})
