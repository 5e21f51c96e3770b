import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzTemplates } from './fuzz-template.ts'

const DRAWINGS = process.env['VITRINE_TEST_SIZE'] === 'full' ? 2000 : 6

test(`${DRAWINGS} random drawings on mutated photos are templates or refused with a sentence, and break nothing`, async () => {
  const { broken, passed, refused } = await fuzzTemplates(DRAWINGS, 4)
  assert.deepEqual(broken, [])
  assert.ok(passed > DRAWINGS / 4, `${passed} made`)
  assert.ok(refused > DRAWINGS / 20, `${refused} refused`)
})
