import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { references } from './references.ts'

const root = path.resolve(import.meta.dirname, '..')

for (const [file, build] of Object.entries(references))
  test(`${file} is what its sources say (node scripts/generate-reference.ts writes it)`, async () => {
    assert.equal(await readFile(path.join(root, file), 'utf8'), build())
  })
