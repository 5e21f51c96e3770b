import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { compileKernel, digestsFile, findDigests, kernelFile, moduleNames } from './build.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

test('sources, compiler and modules are those of the last compilation, by their digests', async () => {
  const compiled: unknown = JSON.parse(await readFile(digestsFile, 'utf8'))
  assert.deepEqual(compiled, await findDigests(), 'run: node engine/kernels/build.ts')
})

for (const name of moduleNames)
  test(`${name}.wasm is what its source compiles to, byte for byte`, {
    skip: !isFull && 'VITRINE_TEST_SIZE=full compiles it',
  }, async () => {
    const committed = await readFile(kernelFile(name))
    const compiled = await compileKernel(name)
    assert.ok(committed.equals(compiled), 'run: node engine/kernels/build.ts')
  })
