import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { inspectArtwork } from './inspect-artwork.ts'

const fixture = path.join(import.meta.dirname, '../../test/decoding/fixtures/420-restart-each-mcu.jpg')

/** The JPEG with padding before the marker that ends its scan, at `offset` of a larger buffer. */
function place(jpeg: Uint8Array, padding: readonly number[], offset: number): Uint8Array {
  const file = [...jpeg.subarray(0, -2), ...padding, ...jpeg.subarray(-2)]
  const buffer = new Uint8Array(offset + file.length + 3).fill(0xff)
  buffer.set(file, offset)
  return buffer.subarray(offset, offset + file.length)
}

test('the end of a scan is found at any address and after any data', async () => {
  const jpeg = await readFile(fixture)
  const { storedWidthPx } = inspectArtwork(jpeg)
  for (let offset = 0; offset < 5; offset++) {
    // up to a group of words, and two groups
    for (const bytes of [...Array(10).keys(), 29, 30, 31, 32, 33, 36, 63, 64, 67]) {
      const ofBytes = (values: readonly number[]): number[] => Array.from({ length: bytes }, () => values).flat()
      for (const padding of [ofBytes([0]), ofBytes([0x80]), ofBytes([0xff, 0])]) {
        const facts = inspectArtwork(place(jpeg, padding, offset))
        assert.equal(facts.storedWidthPx, storedWidthPx)
        assert.equal(facts.bytesToDecode.length, jpeg.length + padding.length)
        // without the end, although the bytes that follow in memory look like the start of a marker
        const cut = place(jpeg, padding, offset)
        assert.throws(() => inspectArtwork(cut.subarray(0, -2)), { reason: 'truncated' })
        assert.throws(() => inspectArtwork(cut.subarray(0, -1)), { reason: 'truncated' })
      }
    }
  }
})
