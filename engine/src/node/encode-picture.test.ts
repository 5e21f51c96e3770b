import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { letteringLike, photographLike } from '../../bench/made-up-artwork.ts'
import { makePicture, redraw } from '../../test/made-pictures.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { createSharpCodec } from './create-sharp-codec.ts'
import { estimateDeflated } from './encode-picture.ts'
import { createPictureEncoder } from './load-kernels.ts'

const codec = createSharpCodec()

/** The picture repeated side by side and below, `times` times. */
function tile(picture: OpaquePixmap, times: number): OpaquePixmap {
  const rowBytes = 3 * picture.widthPx
  const data = new Uint8Array(picture.data.length * times * times)
  for (let y = 0; y < picture.heightPx * times; y++) {
    const from = (y % picture.heightPx) * rowBytes
    for (let i = 0; i < times; i++) data.set(picture.data.subarray(from, from + rowBytes), (y * times + i) * rowBytes)
  }
  return { alpha: 'opaque', widthPx: picture.widthPx * times, heightPx: picture.heightPx * times, data }
}

const pictures: Record<string, OpaquePixmap> = {
  photograph: photographLike(),
  lettering: letteringLike(),
  'much lettering': tile(letteringLike(), 4),
  flat: makePicture(300, 200, 'flat', 7),
  smooth: makePicture(300, 200, 'smooth', 7),
  sparse: makePicture(301, 203, 'sparse', 7),
  noise: makePicture(100, 100, 'noise', 7),
  small: makePicture(1, 1, 'flat', 1),
}

for (const [name, picture] of Object.entries(pictures)) {
  test(`a PNG of ${name} is no larger than with sharp’s defaults, and has the same pixels`, async () => {
    const raw = { width: picture.widthPx, height: picture.heightPx, channels: 3 } as const
    const theirs = await sharp(picture.data, { raw }).png().toBuffer()
    const ours = await codec.encode(picture, { format: 'png' })
    // A tiny picture's own code table may cost more than deflate's fixed one.
    assert.ok(
      ours.length <= theirs.length + (picture.widthPx * picture.heightPx < 1000 ? 64 : 0),
      `${ours.length} ${theirs.length}`,
    )
    assert.ok((await sharp(ours).raw().toBuffer()).equals(picture.data))
  })
}

test('a mockup that libvips compresses better is the same cold and warm', async () => {
  const scene = pictures['much lettering'] ?? assert.fail()
  const drawn = [{ left: 40, top: 60, widthPx: 300, heightPx: 200 }]
  const picture = redraw(scene, drawn, 'flat', 90)
  const ours = createPictureEncoder().encode(picture, { format: 'png' }, { scene, drawn })
  const first = await codec.encode(picture, { format: 'png' }, { scene, drawn })
  assert.ok(first.length < ours.length, 'the case is one where libvips wins')
  assert.deepEqual(await codec.encode(picture, { format: 'png' }, { scene, drawn }), first)
  assert.deepEqual(await createSharpCodec().encode(picture, { format: 'png' }, { scene, drawn }), first)
})

test('the estimate is exact for pictures within the sample and close for larger ones', () => {
  for (const name of ['lettering', 'photograph', 'much lettering']) {
    const picture = pictures[name] ?? assert.fail()
    const rowBytes = 3 * picture.widthPx
    const rows = new Uint8Array(picture.heightPx * (1 + rowBytes))
    for (let y = 0; y < picture.heightPx; y++) {
      rows.set(picture.data.subarray(y * rowBytes, (y + 1) * rowBytes), y * (1 + rowBytes) + 1)
    }
    // Six bytes are zlib's own header and checksum.
    const whole = deflateSync(rows, { level: 6 }).length - 6
    assert.equal(estimateDeflated(picture, { strips: 1000, rows: 3 }), whole)
    const near = estimateDeflated(picture, { strips: 24, rows: 3 })
    assert.ok(near > whole * 0.75 && near < whole * 1.33, `${name}: ${near} of ${whole}`)
  }
})
