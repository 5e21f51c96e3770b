import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { compileKernel, kernelFile, moduleNames } from './build.ts'

for (const name of moduleNames) {
  test(`${name}.wasm is what its source compiles to, byte for byte`, async () => {
    const committed = await readFile(kernelFile(name))
    const compiled = await compileKernel(name)
    assert.ok(committed.equals(compiled), 'run: node engine/kernels/build.ts')
  })
}
