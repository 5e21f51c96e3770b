import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { deflateParts } from './deflate-parts.ts'

/** Half noise, half runs. */
const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i % 2000 < 1000 ? Math.imul(i, 0x9e3779b1) >>> 24 : 255))

test('separately compressed parts form one zlib stream', async () => {
  for (const sizes of [[], [0], [1], [5552, 5553], [1, 300_000, 0, 70_000]]) {
    const parts = sizes.map(bytesOf)
    const packed = Buffer.concat(await deflateParts(parts))
    // It verifies the checksum.
    assert.deepEqual(inflateSync(packed), Buffer.concat(parts), `${sizes.join(', ')} bytes`)
  }
})

test('incompressible bytes are restored', async () => {
  const noise = Uint8Array.from({ length: 2 << 20 }, (_, i) => Math.imul(i + 1, 0x85ebca6b) >>> 13)
  const packed = Buffer.concat(await deflateParts([noise]))
  assert.deepEqual(inflateSync(packed), Buffer.from(noise))
})
