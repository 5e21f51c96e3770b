import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzImports } from './fuzz-import.ts'

const FILES = process.env['VITRINE_TEST_SIZE'] === 'full' ? 10_000 : 30

test(`${FILES} mutated Photoshop files are imported or refused with a sentence, and break nothing`, async () => {
  const { broken, passed, refused } = await fuzzImports(FILES, 20)
  assert.deepEqual(broken, [])
  assert.ok(passed > FILES / 20, `${passed} imported`)
  assert.ok(refused > FILES / 20, `${refused} refused`)
})
