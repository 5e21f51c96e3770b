import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ArtworkError, type ArtworkErrorReason } from '../../src/artwork/artwork-error.ts'
import type { ArtworkFacts } from '../../src/artwork/artwork-facts.ts'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import * as limits from '../../src/artwork/limits.ts'
import {
  exifBlock,
  exifSegment,
  extendedHeader,
  gif,
  iccProfile,
  jpeg,
  jpegFrame,
  jpegScan,
  jpegSegment,
  losslessHeader,
  png,
  pngChunk,
  profileChunk,
  profileSegments,
  webp,
  webpChunk,
} from './build-files.ts'

function reasonOf(bytes: Uint8Array): ArtworkErrorReason | 'accepted' {
  try {
    inspectArtwork(bytes)
    return 'accepted'
  } catch (error) {
    assert.ok(error instanceof ArtworkError, String(error))
    assert.match(error.message, /^Expected .+ but received .+\.$/)
    return error.reason
  }
}

const frame = jpegFrame(0xc0, 64, 48, 3)
const bytesOf = (length: number): Buffer => Buffer.alloc(length, 0x20)

/** [what, picture at the bound, picture one past it, reason of the refusal] */
const bounds: readonly (readonly [string, () => Uint8Array, () => Uint8Array, ArtworkErrorReason])[] = [
  [
    '100 megapixels',
    () => png({ widthPx: 10_000, heightPx: 10_000 }),
    () => png({ widthPx: 10_000, heightPx: 10_001 }),
    'too_many_pixels',
  ],
  [
    'a side of 16,384 px',
    () => png({ widthPx: 16_384, heightPx: 1 }),
    () => png({ widthPx: 16_385, heightPx: 1 }),
    'too_many_pixels',
  ],
  [
    'a height of 16,384 px',
    () => jpeg([jpegFrame(0xc0, 1, 16_384, 1), jpegScan]),
    () => jpeg([jpegFrame(0xc0, 1, 16_385, 1), jpegScan]),
    'too_many_pixels',
  ],
  // 16-bit RGBA: 8 bytes a pixel, 8192 x 8192 x 8 = 512 MiB
  [
    '512 MiB of pixels',
    () => png({ widthPx: 8192, heightPx: 8192, bitDepth: 16, colorType: 6 }),
    () => png({ widthPx: 8192, heightPx: 8193, bitDepth: 16, colorType: 6 }),
    'too_many_pixels',
  ],
  [
    '256 MiB of interlaced pixels',
    () => png({ widthPx: 8192, heightPx: 4096, bitDepth: 16, colorType: 6, isInterlaced: true }),
    () => png({ widthPx: 8192, heightPx: 4097, bitDepth: 16, colorType: 6, isInterlaced: true }),
    'too_many_pixels',
  ],
  [
    '256 MiB of progressive pixels',
    () => jpeg([jpegFrame(0xc2, 8192, 8192, 4), jpegScan]),
    () => jpeg([jpegFrame(0xc2, 8192, 8193, 4), jpegScan]),
    'too_many_pixels',
  ],
  [
    'a frame on a canvas of 25 megapixels',
    () => gif(5000, 5000, [{ widthPx: 1, heightPx: 1 }]),
    () => gif(5000, 5001, [{ widthPx: 1, heightPx: 1 }]),
    'too_many_pixels',
  ],
  [
    '100 scans',
    () => jpeg([frame, ...Array(100).fill(jpegScan)]),
    () => jpeg([frame, ...Array(101).fill(jpegScan)]),
    'too_complex',
  ],
  // 10,000 x 10,000 px: 50 scans are 5,000 megapixels
  [
    '5,000 megapixels of scans',
    () => jpeg([jpegFrame(0xc2, 10_000, 10_000, 1), ...Array(50).fill(jpegScan)]),
    () => jpeg([jpegFrame(0xc2, 10_000, 10_000, 1), ...Array(51).fill(jpegScan)]),
    'too_complex',
  ],
  // the frame header and the scan are segments too
  [
    '2,000 segments',
    () => jpeg([...Array(1998).fill(jpegSegment(0xdd, Buffer.from([0, 0]))), frame, jpegScan]),
    () => jpeg([...Array(1999).fill(jpegSegment(0xdd, Buffer.from([0, 0]))), frame, jpegScan]),
    'too_complex',
  ],
  // 128 x 65,535 + 128 = 8 MiB, lengths included
  [
    '8 MiB of metadata',
    () =>
      jpeg([...Array(128).fill(jpegSegment(0xfe, bytesOf(65_533))), jpegSegment(0xe5, bytesOf(126)), frame, jpegScan]),
    () =>
      jpeg([...Array(128).fill(jpegSegment(0xfe, bytesOf(65_533))), jpegSegment(0xe5, bytesOf(127)), frame, jpegScan]),
    'too_complex',
  ],
]

describe('artwork is accepted at a limit and refused one past it:', () => {
  for (const [what, atBound, past, reason] of bounds) {
    it(what, () => {
      assert.equal(reasonOf(atBound()), 'accepted')
      assert.equal(reasonOf(past()), reason)
    })
  }

  it('every limit of the module has such a test', () => {
    const tested = new Set([
      'MAX_PIXELS',
      'MAX_SIDE_PX',
      'MAX_DECODED_SIZE_BYTES',
      'MAX_PROGRESSIVE_SIZE_BYTES',
      'MAX_PLACED_PIXELS',
      'MAX_JPEG_SCANS',
      'MAX_JPEG_SCAN_PIXELS',
      'MAX_JPEG_SEGMENTS',
      'MAX_JPEG_METADATA_SIZE_BYTES',
      'MAX_PROFILE_SIZE_BYTES',
      'MAX_EXIF_SIZE_BYTES',
    ])
    assert.deepEqual(new Set(Object.keys(limits)), tested)
  })

  it('a profile of 4 MiB is used, a larger one is ignored', () => {
    for (const [extra, isUsed] of [
      [0, true],
      [1, false],
    ] as const) {
      const profile = Buffer.concat([iccProfile('RGB '), bytesOf(limits.MAX_PROFILE_SIZE_BYTES - 132 + extra)])
      profile.writeUInt32BE(profile.length, 0)
      assert.equal(inspectArtwork(png({ widthPx: 9, heightPx: 9 }, [profileChunk(profile)])).profile !== null, isUsed)
      assert.equal(inspectArtwork(jpeg([...profileSegments(profile), frame, jpegScan])).profile !== null, isUsed)
      assert.equal(
        inspectArtwork(webp([extendedHeader(9, 9, 0x20), webpChunk('ICCP', profile), losslessHeader(9, 9)])).profile !==
          null,
        isUsed,
      )
    }
  })

  it('an EXIF block of 64 KiB is read, a larger one is ignored', () => {
    for (const [extra, orientation] of [
      [0, 6],
      [1, 1],
    ] as const) {
      const block = Buffer.concat([exifBlock(6), bytesOf(limits.MAX_EXIF_SIZE_BYTES - 26 + extra)])
      assert.equal(inspectArtwork(png({ widthPx: 9, heightPx: 9 }, [pngChunk('eXIf', block)])).orientation, orientation)
      assert.equal(
        inspectArtwork(webp([extendedHeader(9, 9, 8), losslessHeader(9, 9), webpChunk('EXIF', block)])).orientation,
        orientation,
      )
    }
  })
})

/** [what, bytes, reason] */
const refusals: readonly (readonly [string, () => Uint8Array, ArtworkErrorReason])[] = [
  ['no bytes', () => new Uint8Array(0), 'empty'],
  ['one byte', () => Buffer.from([0x89]), 'unsupported_type'],
  ['text', () => Buffer.from('hello'), 'unsupported_type'],
  ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'unsupported_type'],
  ['TIFF', () => Buffer.from('II*\0aaaaaaaa'), 'unsupported_type'],
  ['PDF', () => Buffer.from('%PDF-1.4\n'), 'unsupported_type'],
  ['AVIF', () => Buffer.from('\0\0\0\x20ftypavif', 'latin1'), 'unsupported_type'],
  ['a JPEG of SOI alone', () => Buffer.from([0xff, 0xd8, 0xff]), 'truncated'],
  ['a JPEG without EOI', () => jpeg([frame, jpegScan]).subarray(0, -2), 'truncated'],
  ['a JPEG cut in a segment', () => jpeg([frame, jpegScan]).subarray(0, 9), 'truncated'],
  ['a JPEG without a frame', () => jpeg([]), 'corrupt'],
  ['a JPEG without a scan', () => jpeg([frame]), 'corrupt'],
  ['a JPEG with a scan before its frame', () => jpeg([jpegScan, frame]), 'corrupt'],
  ['a JPEG of two frames', () => jpeg([frame, frame, jpegScan]), 'corrupt'],
  ['a JPEG of no width', () => jpeg([jpegFrame(0xc0, 0, 9, 3), jpegScan]), 'corrupt'],
  ['a JPEG of no height', () => jpeg([jpegFrame(0xc0, 9, 0, 3), jpegScan]), 'corrupt'],
  ['a JPEG segment of length 1', () => jpeg([Buffer.from([0xff, 0xdb, 0, 1, 0])]), 'corrupt'],
  ['bytes between JPEG segments', () => jpeg([Buffer.from('x'), frame, jpegScan]), 'unsupported_type'],
  ['a JPEG of 12 bits', () => jpeg([jpegFrame(0xc1, 9, 9, 3, 12), jpegScan]), 'unsupported_type'],
  ['a JPEG of two components', () => jpeg([jpegFrame(0xc0, 9, 9, 2), jpegScan]), 'unsupported_type'],
  ['a lossless JPEG', () => jpeg([jpegFrame(0xc3, 9, 9, 3), jpegScan]), 'unsupported_type'],
  ['an arithmetic JPEG', () => jpeg([jpegFrame(0xc9, 9, 9, 3), jpegScan]), 'unsupported_type'],
  ['a PNG signature alone', () => png({ widthPx: 9, heightPx: 9 }).subarray(0, 8), 'truncated'],
  ['a PNG cut in its data', () => png({ widthPx: 9, heightPx: 9 }, [], bytesOf(99)).subarray(0, -40), 'truncated'],
  ['a PNG of no width', () => png({ widthPx: 0, heightPx: 9 }), 'corrupt'],
  ['a PNG of negative size', () => png({ widthPx: 0xffffffff, heightPx: 9 }), 'corrupt'],
  ['a PNG of an unknown colour type', () => png({ widthPx: 9, heightPx: 9, colorType: 5 }), 'corrupt'],
  ['a PNG of 16-bit palette', () => png({ widthPx: 9, heightPx: 9, colorType: 3, bitDepth: 16 }), 'corrupt'],
  ['a palette PNG without palette', () => png({ widthPx: 9, heightPx: 9, colorType: 3 }), 'corrupt'],
  [
    'a PNG without data',
    () => Buffer.concat([png({ widthPx: 9, heightPx: 9 }).subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))]),
    'corrupt',
  ],
  [
    'a PNG with an unknown critical chunk',
    () => png({ widthPx: 9, heightPx: 9 }, [pngChunk('ABCD', bytesOf(4))]),
    'corrupt',
  ],
  [
    'a PNG with two headers',
    () => png({ widthPx: 9, heightPx: 9 }, [png({ widthPx: 9, heightPx: 9 }).subarray(8, 33)]),
    'corrupt',
  ],
  [
    'a PNG chunk of 4 GiB',
    () =>
      Buffer.concat([
        png({ widthPx: 9, heightPx: 9 }).subarray(0, 33),
        Buffer.from([255, 255, 255, 255, 73, 68, 65, 84]),
      ]),
    'corrupt',
  ],
  ['a GIF without frames', () => gif(9, 9, []), 'corrupt'],
  ['a GIF cut in its frame', () => gif(9, 9, [{ widthPx: 9, heightPx: 9 }]).subarray(0, -3), 'truncated'],
  ['a GIF frame of no width', () => gif(9, 9, [{ widthPx: 0, heightPx: 9 }]), 'corrupt'],
  [
    'a GIF of code size 255',
    () => gif(9, 9, [{ widthPx: 9, heightPx: 9, data: Buffer.from([255, 2, 0x44, 1, 0]) }]),
    'corrupt',
  ],
  [
    'a GIF frame of 60,000 px on a small canvas',
    () => gif(9, 9, [{ widthPx: 60_000, heightPx: 60_000 }]),
    'too_many_pixels',
  ],
  [
    'a GIF frame far outside its canvas',
    () => gif(9, 9, [{ leftPx: 60_000, topPx: 60_000, widthPx: 99, heightPx: 99 }]),
    'too_many_pixels',
  ],
  [
    'a GIF canvas of 65,535 px around one pixel',
    () => gif(65_535, 65_535, [{ widthPx: 1, heightPx: 1 }]),
    'too_many_pixels',
  ],
  ['a WebP shorter than it says', () => webp([losslessHeader(9, 9)]).subarray(0, -2), 'truncated'],
  ['a WebP without a picture', () => webp([webpChunk('EXIF', bytesOf(8))]), 'corrupt'],
  ['a WebP whose canvas and picture differ', () => webp([extendedHeader(10, 9), losslessHeader(9, 9)]), 'corrupt'],
  [
    'a WebP canvas of 16,777,216 px',
    () =>
      webp([
        extendedHeader(16_777_216, 256, 2),
        webpChunk('ANMF', Buffer.concat([Buffer.alloc(16), losslessHeader(1, 1)])),
      ]),
    'too_many_pixels',
  ],
  [
    'a WebP frame beside its canvas',
    () =>
      webp([
        extendedHeader(9, 9, 2),
        webpChunk('ANMF', Buffer.concat([Buffer.from([9, 0, 0, 0, 0, 0]), Buffer.alloc(10), losslessHeader(1, 1)])),
      ]),
    'corrupt',
  ],
  ['a WebP of 268 megapixels in 26 bytes', () => webp([losslessHeader(16_384, 16_384)]), 'too_many_pixels'],
  [
    'a lossy WebP that begins with a delta frame',
    () => webp([webpChunk('VP8 ', Buffer.from([1, 0, 0, 0x9d, 1, 0x2a, 9, 0, 9, 0]))]),
    'corrupt',
  ],
]

describe('artwork is refused with its reason:', () => {
  for (const [what, bytes, reason] of refusals) {
    it(what, () => assert.equal(reasonOf(bytes()), reason))
  }
})

describe('what a file says about itself', () => {
  const facts = (bytes: Uint8Array, wanted: Partial<ArtworkFacts>): void => {
    const found = inspectArtwork(bytes)
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map(key => [key, Reflect.get(found, key)])), wanted)
  }

  it('is read from a JPEG', () => {
    facts(jpeg([frame, jpegScan]), {
      type: 'jpeg',
      widthPx: 64,
      heightPx: 48,
      channels: 3,
      colorModel: 'rgb',
      isProgressive: false,
      hasAlpha: false,
      orientation: 1,
    })
    facts(jpeg([jpegFrame(0xc2, 7, 5, 4), jpegScan]), { colorModel: 'cmyk', isProgressive: true, channels: 4 })
    facts(jpeg([jpegFrame(0xc1, 7, 5, 1), jpegScan]), { colorModel: 'grey', isProgressive: false, channels: 1 })
  })

  it('is read from a PNG', () => {
    facts(png({ widthPx: 7, heightPx: 5, colorType: 6, bitDepth: 16, isInterlaced: true }), {
      type: 'png',
      channels: 4,
      bitsPerChannel: 16,
      isProgressive: true,
      hasAlpha: true,
    })
    facts(png({ widthPx: 7, heightPx: 5, colorType: 0, bitDepth: 1 }), {
      colorModel: 'grey',
      channels: 1,
      bitsPerChannel: 8,
      hasAlpha: false,
    })
    facts(
      png({ widthPx: 7, heightPx: 5, colorType: 3, bitDepth: 2 }, [
        pngChunk('PLTE', bytesOf(6)),
        pngChunk('tRNS', bytesOf(1)),
      ]),
      { colorModel: 'rgb', channels: 4, hasAlpha: true },
    )
    facts(png({ widthPx: 7, heightPx: 5 }, [pngChunk('acTL', bytesOf(8))]), { isAnimated: true })
  })

  it('is read from a GIF: the canvas, grown to hold the first frame', () => {
    facts(gif(9, 7, [{ widthPx: 9, heightPx: 7 }]), {
      type: 'gif',
      widthPx: 9,
      heightPx: 7,
      frame: null,
      isAnimated: false,
      hasAlpha: false,
    })
    facts(
      gif(9, 7, [
        { leftPx: 4, topPx: 2, widthPx: 9, heightPx: 3 },
        { widthPx: 1, heightPx: 1 },
      ]),
      {
        widthPx: 13,
        heightPx: 7,
        hasAlpha: true,
        isAnimated: true,
        frame: { leftPx: 4, topPx: 2, widthPx: 9, heightPx: 3 },
      },
    )
    facts(gif(0, 0, [{ widthPx: 9, heightPx: 7, transparentIndex: 0, isInterlaced: true }]), {
      widthPx: 9,
      heightPx: 7,
      frame: null,
      hasAlpha: true,
      isProgressive: true,
    })
  })

  it('is read from a WebP', () => {
    facts(webp([losslessHeader(9, 7)]), { type: 'webp', widthPx: 9, heightPx: 7, isAnimated: false })
    facts(webp([webpChunk('VP8 ', Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 9, 0xc0, 7, 0]))]), {
      widthPx: 9,
      heightPx: 7,
      hasAlpha: false,
    })
    facts(
      webp([
        extendedHeader(20, 10, 2),
        webpChunk(
          'ANMF',
          Buffer.concat([Buffer.from([2, 0, 0, 1, 0, 0, 8, 0, 0, 6, 0, 0, 0, 0, 0, 0]), losslessHeader(9, 7)]),
        ),
      ]),
      { widthPx: 20, heightPx: 10, isAnimated: true, frame: { leftPx: 4, topPx: 2, widthPx: 9, heightPx: 7 } },
    )
  })

  it('turns the size with the orientation, and reads values that mean nothing as upright', () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8] as const) {
      facts(jpeg([exifSegment(orientation), frame, jpegScan]), {
        orientation,
        widthPx: orientation >= 5 ? 48 : 64,
        storedWidthPx: 64,
      })
    }
    for (const value of [0, 9, 65_535]) facts(jpeg([exifSegment(value), frame, jpegScan]), { orientation: 1 })
    facts(jpeg([jpegSegment(0xe1, Buffer.from('Exif\0\0II*\0\xff\xff\xff\xff', 'latin1')), frame, jpegScan]), {
      orientation: 1,
    })
  })

  it('holds a profile only where it is sound and of the picture own colour model', () => {
    const inJpeg = (profile: Uint8Array, components: number): ArtworkFacts =>
      inspectArtwork(jpeg([...profileSegments(profile, 100), jpegFrame(0xc0, 9, 9, components), jpegScan]))
    assert.equal(inJpeg(iccProfile('RGB '), 3).profile?.space, 'rgb')
    assert.equal(inJpeg(iccProfile('CMYK'), 4).profile?.space, 'cmyk')
    assert.equal(inJpeg(iccProfile('GRAY'), 1).profile?.space, 'grey')
    assert.equal(inJpeg(iccProfile('GRAY'), 3).profile, null)
    assert.equal(inJpeg(iccProfile('RGB '), 4).profile, null)
    assert.equal(inJpeg(iccProfile('Lab '), 3).profile, null)
    assert.equal(inJpeg(iccProfile('RGB ').subarray(0, 131), 3).profile, null)
    const lying = iccProfile('RGB ', { rXYZ: bytesOf(20) })
    lying.writeUInt32BE(1_000_000, 128 + 8)
    assert.equal(inJpeg(lying, 3).profile, null)
    const [first, ...rest] = profileSegments(iccProfile('RGB '), 100)
    assert.ok(first)
    assert.equal(inspectArtwork(jpeg([first, frame, jpegScan])).profile, null, 'a missing part')
    assert.equal(inspectArtwork(jpeg([first, first, ...rest, frame, jpegScan])).profile?.space, 'rgb', 'a part twice')
    const other = Buffer.from(first)
    other[other.length - 1] = 7
    assert.equal(inspectArtwork(jpeg([first, other, ...rest, frame, jpegScan])).profile, null, 'two that differ')
    const larger = Buffer.from(iccProfile('RGB '))
    larger.writeUInt32BE(larger.length + 4)
    assert.equal(inJpeg(larger, 3).profile?.bytes.length, larger.length, 'a size that is 4 too large')
    assert.equal(inspectArtwork(jpeg([...rest, first, frame, jpegScan])).profile?.space, 'rgb', 'parts in any order')
  })
})

describe('what the decoder gets', () => {
  it('of a JPEG is free of metadata but for JFIF, Adobe and a sound profile, and ends at EOI', () => {
    const jfif = jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'))
    const adobe = jpegSegment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1'))
    const comment = jpegSegment(0xfe, Buffer.from('made in a test'))
    const file = Buffer.concat([
      jpeg([jfif, exifSegment(6), comment, adobe, frame, comment, jpegScan]),
      Buffer.from('PK trailing'),
    ])
    assert.deepEqual(Buffer.from(inspectArtwork(file).bytesToDecode), jpeg([jfif, adobe, frame, jpegScan]))
    const plain = jpeg([frame, jpegScan])
    assert.deepEqual(Buffer.from(inspectArtwork(plain).bytesToDecode), plain)
    const [segment] = profileSegments(iccProfile('RGB '))
    assert.ok(segment)
    assert.deepEqual(
      Buffer.from(inspectArtwork(jpeg([comment, segment, frame, jpegScan])).bytesToDecode),
      jpeg([segment, frame, jpegScan]),
    )
  })

  it('of a PNG is the chunks that make pixels, and an end where it lacks one', () => {
    const text = pngChunk('tEXt', bytesOf(50))
    const file = png({ widthPx: 9, heightPx: 9 }, [
      text,
      pngChunk('gAMA', bytesOf(4)),
      pngChunk('pHYs', bytesOf(9)),
      text,
    ])
    assert.deepEqual(
      Buffer.from(inspectArtwork(Buffer.concat([file, bytesOf(99)])).bytesToDecode),
      png({ widthPx: 9, heightPx: 9 }),
    )
    assert.deepEqual(Buffer.from(inspectArtwork(file.subarray(0, -12)).bytesToDecode), png({ widthPx: 9, heightPx: 9 }))
    const profile = profileChunk(iccProfile('RGB '))
    const withProfile = inspectArtwork(png({ widthPx: 9, heightPx: 9 }, [text, profile, text]))
    const again = inspectArtwork(withProfile.bytesToDecode)
    assert.deepEqual(again.bytesToDecode, withProfile.bytesToDecode)
    assert.deepEqual(again.profile, withProfile.profile)
    assert.equal(Buffer.from(again.bytesToDecode).includes('tEXt'), false)
  })

  it('of an animated WebP is its first frame, as a still picture', () => {
    const anim = webpChunk('ANIM', Buffer.alloc(6))
    const first = webpChunk(
      'ANMF',
      Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 8, 0, 0, 6, 0, 0, 0, 0, 0, 0]), losslessHeader(9, 7)]),
    )
    const file = webp([
      extendedHeader(9, 7, 2 | 4 | 8),
      anim,
      first,
      first,
      webpChunk('EXIF', exifBlock(1)),
      webpChunk('XMP ', bytesOf(9)),
    ])
    const still = webp([extendedHeader(9, 7), losslessHeader(9, 7)])
    assert.deepEqual(Buffer.from(inspectArtwork(file).bytesToDecode), still)
  })

  it('is no larger than the file', () => {
    for (const file of [
      jpeg([frame, jpegScan]),
      png({ widthPx: 9, heightPx: 9 }),
      gif(9, 9, [{ widthPx: 9, heightPx: 9 }]),
      webp([losslessHeader(9, 9)]),
    ]) {
      assert.ok(inspectArtwork(file).bytesToDecode.byteLength <= file.length)
    }
  })
})
