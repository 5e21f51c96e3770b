import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DecodedArtwork } from '../../src/codec.ts'
import { createSharpCodec } from '../../src/node/create-sharp-codec.ts'
import { displacements, waves } from './waves.ts'

const codec = createSharpCodec()
function assertInPlace(picture: DecodedArtwork, message: string): void {
  const off = displacements(picture, 4, picture.extent)
  assert.ok(
    off.every(distance => Math.abs(distance) < 0.02),
    `${message}: ${off.map(distance => distance.toFixed(3)).join(' ')} px`,
  )
}

/**
 * Its pixels are no fewer than 15/16 of the target's, and exactly as many as these where libvips reduced it.
 * libwebp leaves more.
 */
function assertSize(picture: DecodedArtwork, widthPx: number, heightPx: number, isWebp = false): void {
  const { extent, decodedBy } = picture
  const least = Math.min(extent.width / widthPx, extent.height / heightPx)
  if (decodedBy === 'vitrine') assert.ok(least >= 15 / 16)
  else if (isWebp) assert.ok(least >= 1)
  else assert.deepEqual([picture.widthPx, picture.heightPx], [widthPx, heightPx])
}

describe('reduced artwork lies where the full artwork lies, to a fiftieth of a pixel:', () => {
  // 1501 and 1007 leave remainders for every reduction that a JPEG decoder offers by itself
  for (const [width, height] of [
    [1500, 1000],
    [1501, 1007],
    [1496, 1000],
  ] as const) {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      it(`${format} of ${width} x ${height} at any reduction`, async () => {
        const picture = waves(width, height)
        const file = await (format === 'jpeg'
          ? picture.jpeg({ quality: 95 })
          : format === 'png'
            ? picture.png({ compressionLevel: 1 })
            : picture.webp({ lossless: true, effort: 0 })
        ).toBuffer()
        for (const target of [80, 150, 187, 333, 374, 700, 1490]) {
          const decoded = await codec.decodeArtwork(file, {
            minWidthPx: target,
            minHeightPx: Math.round((target * height) / width),
          })
          assertSize(decoded, target, Math.round((target * height) / width), format === 'webp')
          assertInPlace(decoded, `${format} ${width} x ${height} to ${target}`)
        }
      })
    }
  }

  it('each axis by itself, as frames that are seen from the side need it', async () => {
    const file = await waves(1501, 1007).jpeg({ quality: 95 }).toBuffer()
    for (const [minWidthPx, minHeightPx] of [
      [200, 1000],
      [1400, 150],
    ] as const) {
      const decoded = await codec.decodeArtwork(file, { minWidthPx, minHeightPx })
      assertSize(decoded, minWidthPx, minHeightPx)
      assertInPlace(decoded, `${minWidthPx} x ${minHeightPx}`)
    }
  })
})

describe('the same picture', () => {
  it('of 600 or 6,000 px is in the same place', async () => {
    for (const size of [600, 6000]) {
      const file = await waves(size, size / 1.5)
        .jpeg({ quality: 90 })
        .toBuffer()
      const decoded = await codec.decodeArtwork(file, { minWidthPx: 500, minHeightPx: 333 })
      assertSize(decoded, 500, 333)
      assertInPlace(decoded, `${size} px`)
    }
  })

  it('with a DPI tag of 72, of 300 or without is the same', async () => {
    const decoded = await Promise.all(
      [
        waves(600, 400),
        waves(600, 400).withMetadata({ density: 72 }),
        waves(600, 400).withMetadata({ density: 300 }),
      ].flatMap(picture =>
        [picture.clone().jpeg(), picture.clone().png()].map(async file =>
          codec.decodeArtwork(await file.toBuffer(), { minWidthPx: 200, minHeightPx: 133 }),
        ),
      ),
    )
    const [plainJpeg, plainPng, ...tagged] = decoded
    for (const [index, picture] of tagged.entries()) assert.deepEqual(picture, index % 2 === 0 ? plainJpeg : plainPng)
  })

  it('is never enlarged', async () => {
    const decoded = await codec.decodeArtwork(await waves(60, 40).png().toBuffer(), {
      minWidthPx: 500,
      minHeightPx: 20.5,
    })
    assert.equal(decoded.widthPx, 60)
    assert.ok(decoded.heightPx >= 21 && decoded.heightPx < 40, `${decoded.heightPx} px high`)
  })
})
