import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'

const run = promisify(execFile)
const report = path.join(import.meta.dirname, 'report.ts')

test('the report measures a case, with whatever other programs there are, writes its page and its crops, and renews a row of them', {
  skip: process.env['VITRINE_TEST_SIZE'] !== 'full' && 'VITRINE_TEST_SIZE=full runs it',
}, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'fidelity-report-'))
  try {
    const options = ['--width', '320', '--cases', 'magnifying', '--rounds', '1', '--out', folder]
    const { stdout } = await run(process.execPath, [report, ...options])
    assert.match(stdout, /^magnifying: inside \d\d\.\d\d dB/)
    const page = await readFile(path.join(folder, 'fidelity.md'), 'utf8')
    assert.match(page, /\| magnifying \| 45 \| \*\*\d\d\.\d\*\* \|/)
    assert.match(page, /\| frame \| magnifying, luminosity, .* \| \d+\.\d \| \d+\.\d \|/)
    await writeFile(
      path.join(folder, 'fidelity.md'),
      page.replace(/^\| magnifying \| 45 .*$/m, '| magnifying | 45 | - |'),
    )
    await run(process.execPath, [report, ...options, '--renew'])
    const rows = (text: string): readonly string[] => text.split('\n').filter(line => line.startsWith('| magnifying |'))
    assert.deepEqual(rows(await readFile(path.join(folder, 'fidelity.md'), 'utf8')), rows(page))
    const crops = await sharp(path.join(folder, 'fidelity/magnifying.webp')).metadata()
    assert.ok(crops.width >= 488 && crops.height === 488, `${crops.width} x ${crops.height}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the report says what is wrong with an option', async () => {
  await assert.rejects(
    run(process.execPath, [report, '--width', 'wide']),
    /Expected a whole number of at least 320 for --width but received wide/,
  )
  await assert.rejects(
    run(process.execPath, [report, '--cases', 'none']),
    /Expected names of cases for --cases but received none/,
  )
})
