import assert from 'node:assert/strict'
import type { Random } from '../../fuzz/random.ts'
import type { ReducingDecoder } from '../../src/decoding/decode-reduced-artwork.ts'
import type { Size } from '../../src/decoding/reduction/result-layout.ts'

/** Any part of the picture reduced to `size` has the pixels of the whole. */
export function assertPart(
  decoder: Pick<ReducingDecoder, 'decode'>,
  file: Uint8Array,
  size: Size,
  random: Random,
): void {
  const whole = decoder.decode(file, size, null)
  const left = random.below(size.widthPx)
  const top = random.below(size.heightPx)
  const part = {
    left,
    top,
    right: left + 1 + random.below(size.widthPx - left),
    bottom: top + 1 + random.below(size.heightPx - top),
  }
  const cut = decoder.decode(file, size, part)
  assert.deepEqual(cut.part, part)
  for (let y = part.top; y < part.bottom; y++) {
    const from = (y * size.widthPx + part.left) * 4
    const row = cut.data.subarray((y - part.top) * cut.widthPx * 4, (y - part.top + 1) * cut.widthPx * 4)
    assert.deepEqual(row, whole.data.subarray(from, from + cut.widthPx * 4), JSON.stringify([size, part, y]))
  }
}
