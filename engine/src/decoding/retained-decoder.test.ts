import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeclinedError } from './declined.ts'
import { RetainedDecoder } from './retained-decoder.ts'

const MIB = 1024 * 1024

function openDecoder() {
  const kernels: { sizeBytes: number }[] = []
  const decoder = new RetainedDecoder(() => {
    const kernel = { sizeBytes: MIB }
    kernels.push(kernel)
    return kernel
  })
  return { decoder, kernels }
}

test('a picture that needs more than 192 MiB is declined before a kernel is created', () => {
  const { decoder, kernels } = openDecoder()
  assert.throws(
    () => decoder.decode(192 * MIB + 1, () => assert.fail('not decoded')),
    error => error instanceof DeclinedError && error.kind === 'too-large',
  )
  assert.equal(kernels.length, 0)
  assert.equal(
    decoder.decode(192 * MIB, () => 'decoded'),
    'decoded',
  )
})

test('a kernel is reused for the next picture, but not after a failure or once it exceeds 96 MiB', () => {
  const { decoder, kernels } = openDecoder()
  for (let picture = 0; picture < 3; picture++) decoder.decode(1, () => picture)
  assert.deepEqual([kernels.length, decoder.sizeBytes], [1, MIB])
  assert.throws(
    () =>
      decoder.decode(1, () => {
        throw new DeclinedError('doubtful', 'on purpose')
      }),
    DeclinedError,
  )
  assert.equal(decoder.sizeBytes, 0)
  decoder.decode(1, kernel => (kernel.sizeBytes = 96 * MIB))
  assert.deepEqual([kernels.length, decoder.sizeBytes], [2, 96 * MIB])
  decoder.decode(1, kernel => (kernel.sizeBytes = 96 * MIB + 1))
  assert.equal(decoder.sizeBytes, 0)
})
