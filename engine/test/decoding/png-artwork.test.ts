import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { constants, crc32, deflateSync } from 'node:zlib'
import { Random } from '../../fuzz/random.ts'
import { ArtworkError } from '../../src/artwork/artwork-error.ts'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import type { DecodedArtwork, DecodeTarget } from '../../src/codec.ts'
import { findDecodeTarget } from '../../src/decode-plan.ts'
import { decodePngArtwork } from '../../src/decoding/decode-png-artwork.ts'
import { isDecodedSize } from '../../src/decoding/decoded-size.ts'
import { PngDecoder } from '../../src/decoding/png/png-decoder.ts'
import { coversPart } from '../../src/decoding/shown-part.ts'
import { decodeWithSharp } from '../../src/node/decode-artwork.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { createSharpCodec } from '../../src/node/index.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { turns } from '../../src/node/turn-picture.ts'
import { composeMockup } from '../../src/render.ts'
import { ReusedMemory } from '../../src/reused-memory.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'
import { exifBlock, pngChunk } from '../artwork/build-files.ts'
import { waves } from '../artwork/waves.ts'
import { buildFrame, buildTemplate } from '../properties/build-template.ts'
import { MemoryBundle } from '../reference/memory-codec.ts'
import { filterRows, makePng, type PngSpec, wrapPng } from './make-png.ts'

/** Long enough that no bound would hold if the whole picture were held. */
const shortSidePx = process.env['VITRINE_TEST_SIZE'] === 'full' ? 600 : 160

const module = loadKernels().get('png-decoder')
const decoder = new PngDecoder(module, crc32)
const codec = createSharpCodec()

const decode = (bytes: Uint8Array, target: DecodeTarget | null): DecodedArtwork =>
  decodePngArtwork(inspectArtwork(bytes), target, decoder)

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const

function turned(file: Uint8Array, orientation: number): Buffer {
  return Buffer.concat([file.subarray(0, 33), pngChunk('eXIf', exifBlock(orientation)), file.subarray(33)])
}

/** Waves under an alpha that grows to the right. */
async function cutOut(widthPx: number, heightPx: number): Promise<Buffer> {
  const { data } = await waves(widthPx, heightPx).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  for (let i = 3; i < data.length; i += 4) data[i] = (((i >> 2) % widthPx) * 255) / widthPx
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 4 } })
    .png({ adaptiveFiltering: true })
    .toBuffer()
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

it('a turned PNG is the stored one turned as EXIF says', async () => {
  const [width, height] = [333, 203]
  const file = await cutOut(width, height)
  for (const target of [null, { minWidthPx: 90, minHeightPx: 70 }]) {
    for (const orientation of orientations) {
      const isTurned = orientation >= 5
      const asStored = target && isTurned ? { minWidthPx: 70, minHeightPx: 90 } : target
      const stored = decode(file, asStored)
      const { flip, flop, angle } = turns[orientation]
      const raw = { width: stored.widthPx, height: stored.heightPx, channels: 4 } as const
      const picture = sharp(stored.data, { raw })
      if (flip) picture.flip()
      if (flop) picture.flop()
      const expected = await picture.rotate(angle).raw().toBuffer({ resolveWithObject: true })
      const decoded = decode(turned(file, orientation), target)
      assert.deepEqual([decoded.widthPx, decoded.heightPx], [expected.info.width, expected.info.height])
      assert.ok(expected.data.equals(decoded.data), `orientation ${orientation}`)
      assert.deepEqual([decoded.sourceWidthPx, decoded.sourceHeightPx], isTurned ? [height, width] : [width, height])
    }
  }
})

it('artwork of which a frame shows a part gives the same mockup from that part alone, however it is turned', async () => {
  const stored = await cutOut(901, 607)
  for (const orientation of orientations) {
    const artwork = turned(stored, orientation)
    const { widthPx, heightPx } = inspectArtwork(artwork)
    for (const [width, height] of [
      [90, 310],
      [500, 111],
    ] as const) {
      const bundle = new MemoryBundle()
      const scene = {
        alpha: 'opaque',
        widthPx: 520,
        heightPx: 330,
        data: new Uint8Array(520 * 330 * 3).fill(90),
      } as const
      bundle.add('scene', scene)
      const corners = [
        [3.4, 5.7],
        [3.4 + width, 5.7],
        [3.4 + width, 5.7 + height],
        [3.4, 5.7 + height],
      ] as const
      const prepared = await prepareTemplate(
        buildTemplate([buildFrame(width / height, { kind: 'corners', corners })]),
        bundle,
        520,
        bundle.codec(),
      )
      const [only] = prepared.frames
      assert.ok(only)
      const target = findDecodeTarget(only, widthPx, heightPx)
      const part = decode(artwork, target)
      const whole = decode(artwork, { ...target, shown: null })
      assert.ok(part.data.length < 0.7 * whole.data.length, `${part.widthPx} x ${part.heightPx}`)
      assert.ok(coversPart(part, target.shown ?? null) && coversPart(whole, null) && !coversPart(part, null))
      assert.deepEqual(composeMockup(prepared, [part]), composeMockup(prepared, [whole]), `turned ${orientation}`)
    }
  }
})

it('a side is reduced to 1.8 times the density of its target’s 1.6, not by less than a fifth, not below a 32nd', async () => {
  const file = await waves(640, 64).png().toBuffer()
  for (const [minWidthPx, widthPx] of [
    [1, 20],
    [17, 20],
    [18, 21],
    [80, 90],
    [400, 450],
    [473, 533],
    [474, 640],
    [5000, 640],
  ] as const) {
    const target = { minWidthPx, minHeightPx: 5 }
    const decoded = decode(file, target)
    assert.deepEqual([decoded.widthPx, decoded.heightPx, decoded.extent.width], [widthPx, 6, widthPx])
    assert.ok(isDecodedSize(decoded, target))
    assert.ok(!isDecodedSize(decoded, { minWidthPx: 222, minHeightPx: 5 }))
  }
})

describe('which decoder serves:', () => {
  const small = { minWidthPx: 60, minHeightPx: 40 }

  it('ours for every colour type in sRGB, with a profile that says so or none', async () => {
    const picture = waves(160, 120)
    const files = [
      picture.clone().png(),
      picture.clone().ensureAlpha(0.5).png(),
      picture.clone().greyscale().png(),
      picture.clone().png({ palette: true }),
      picture.clone().toColourspace('rgb16').png(),
      picture.clone().png().withIccProfile('srgb'),
      picture.clone().png().withMetadata({ density: 300 }),
      picture.clone().png().withIccProfile('p3'),
      picture.clone().png({ progressive: true }),
      picture.clone().ensureAlpha(0.5).png({ progressive: true }).withIccProfile('p3'),
    ]
    for (const file of files)
      assert.equal((await codec.decodeArtwork(await file.toBuffer(), small)).decodedBy, 'vitrine')
  })

  it('the general one for another colour space of 16 bits, which is converted before it is rounded', async () => {
    const file = await waves(160, 120).toColourspace('rgb16').png().withIccProfile('p3').toBuffer()
    assert.equal((await codec.decodeArtwork(file, small)).decodedBy, 'general')
  })

  it('ours for interlaced rows of any size and format, with the pixels that libpng gives', async () => {
    for (const [width, height] of [...Array(9).keys()].flatMap(i => [[i + 1, 9 - i] as const, [2, i + 1] as const])) {
      const picture = waves(width, height)
      const files = [
        picture.clone().png({ progressive: true }),
        picture.clone().ensureAlpha(0.5).png({ progressive: true }),
        picture.clone().greyscale().png({ progressive: true }),
        picture.clone().toColourspace('rgb16').png({ progressive: true }),
        ...[2, 4, 16, 200].map(colours => picture.clone().png({ progressive: true, palette: true, colours })),
      ]
      for (const open of files) {
        const file = await open.toBuffer()
        const ours = await codec.decodeArtwork(file, null)
        assert.equal(ours.decodedBy, 'vitrine')
        const general = await decodeWithSharp(inspectArtwork(file), null)
        assert.deepEqual(Buffer.from(ours.data), Buffer.from(general.data), `${width} x ${height}`)
      }
    }
  })

  it('and of interlaced rows nothing that is cut or damaged', async () => {
    const file = await waves(60, 40).png({ progressive: true }).toBuffer()
    const at = file.indexOf('IDAT', 'latin1')
    const size = file.readUInt32BE(at - 4)
    const data = file.subarray(at + 4, at + 4 + size)
    const withData = (changed: Uint8Array): Buffer =>
      Buffer.concat([file.subarray(0, at - 4), pngChunk('IDAT', changed), file.subarray(-12)])
    const wanted = await codec.decodeArtwork(file, null)
    assert.deepEqual(await codec.decodeArtwork(withData(data.subarray(0, -4)), null), wanted)
    assert.deepEqual(await codec.decodeArtwork(withData(Buffer.concat([data, data])), null), wanted)
    for (const damaged of [withData(data.subarray(0, size / 2)), withWrongChecksum(file, 'IDAT')])
      await assert.rejects(codec.decodeArtwork(damaged, null), ArtworkError)
  })

  it('the first picture of an animated PNG is ours, as it is for who knows no animation', async () => {
    const file = await waves(160, 120).png().toBuffer()
    const animated = Buffer.concat([
      file.subarray(0, 33),
      pngChunk('acTL', Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0)),
      file.subarray(33, -12),
      pngChunk('fdAT', Uint8Array.of(0, 0, 0, 1, 9, 9, 9)),
      file.subarray(-12),
    ])
    const decoded = await codec.decodeArtwork(animated, small)
    assert.deepEqual(decoded, await codec.decodeArtwork(file, small))
    assert.equal(decoded.decodedBy, 'vitrine')
  })
})

const head = { widthPx: 90, heightPx: 70, colorType: 6, bitDepth: 8 } as const
const rows = Array.from({ length: 70 }, (_, y) => Uint8Array.from({ length: 360 }, (_, i) => (i * 7 + y * y) & 255))
const spec: PngSpec = { ...head, rows, filterOf: y => y % 5 }
const stream = deflateSync(filterRows(spec))

/** With the checksum of a chunk changed. */
function withWrongChecksum(file: Buffer, name: string): Buffer {
  const at = file.indexOf(name, 'latin1')
  const changed = Buffer.from(file)
  const last = at + 4 + file.readUInt32BE(at - 4) + 3
  changed[last] = (changed[last] ?? 0) ^ 1
  return changed
}

describe('a damaged PNG has the outcome that it has without our decoder:', () => {
  const sound = makePng(spec)
  const changed = (at: number, value: number): Buffer => {
    const filtered = filterRows(spec)
    filtered[at] = value
    return deflateSync(filtered)
  }
  const cases: readonly (readonly [string, Buffer])[] = [
    ['a wrong checksum of the header', withWrongChecksum(sound, 'IHDR')],
    ['a wrong checksum of the data', withWrongChecksum(sound, 'IDAT')],
    ['a row too few', wrapPng(spec, deflateSync(filterRows(spec).subarray(361)))],
    ['data that breaks off', wrapPng(spec, stream.subarray(0, stream.length / 2))],
    ['a file that breaks off', sound.subarray(0, sound.length / 2)],
    ['an unknown filter', wrapPng(spec, changed(361 * 9, 5))],
    ['a dictionary', wrapPng(spec, Buffer.concat([Buffer.of(0x78, 0x20), stream.subarray(2)]))],
    ['a size that lies', wrapPng({ ...spec, heightPx: 9000, widthPx: 9000 }, stream)],
  ]
  for (const [what, file] of cases) {
    it(what, async () => {
      const target = { minWidthPx: 30, minHeightPx: 30 }
      const outcome = async (work: () => Promise<DecodedArtwork>): Promise<unknown> =>
        errorOf(Promise.resolve().then(work))
      const alone = await outcome(async () => decodeWithSharp(inspectArtwork(file), target))
      const ours = await outcome(async () => codec.decodeArtwork(file, target))
      assert.ok(alone instanceof ArtworkError && ours instanceof ArtworkError, String(ours))
    })
  }
})

describe('a PNG of which every pixel is there is decoded, by ours:', () => {
  const sound = makePng(spec)
  const behind = (rest: Uint8Array): Buffer => Buffer.concat([sound.subarray(0, -12), rest])
  const cases: readonly (readonly [string, Buffer])[] = [
    ['a wrong checksum of the end', withWrongChecksum(sound, 'IEND')],
    ['an end without a checksum', sound.subarray(0, -4)],
    ['an end that is cut', sound.subarray(0, -9)],
    ['an end that is not empty', behind(pngChunk('IEND', Buffer.of(1)))],
    ['data without a checksum', sound.subarray(0, -16)],
    ['data with half a checksum', sound.subarray(0, -14)],
    ['a chunk behind the data that breaks off', behind(Buffer.from([0, 0, 0, 99, 0x74, 0x45, 0x58, 0x74]))],
    ['a chunk behind the data of 3 GiB', behind(Buffer.from([200, 0, 0, 0, 0x74, 0x45, 0x58, 0x74]))],
    ['a critical chunk behind the data', behind(pngChunk('ABCD', Buffer.of(1)))],
    ['letters behind the data', behind(Buffer.from('no chunk at all'))],
    ['a wrong Adler-32', wrapPng(spec, Buffer.concat([stream.subarray(0, -1), Buffer.of((stream.at(-1) ?? 0) ^ 1)]))],
    ['no Adler-32', wrapPng(spec, stream.subarray(0, -4))],
    ['half an Adler-32', wrapPng(spec, stream.subarray(0, -2))],
    ['bytes behind the stream', wrapPng(spec, Buffer.concat([stream, Buffer.alloc(9)]))],
    ['a row too many', wrapPng(spec, deflateSync(Buffer.concat([filterRows(spec), Buffer.alloc(361)])))],
    ['a window that is too small', wrapPng(spec, Buffer.concat([Buffer.of(0x18, 0x19), stream.subarray(2)]))],
  ]
  for (const [what, file] of cases) {
    it(what, async () => {
      assert.deepEqual(await codec.decodeArtwork(file, null), await codec.decodeArtwork(sound, null))
    })
  }

  it('but not with a wrong checksum of data, wherever it is', async () => {
    for (const data of [Buffer.concat([stream, Buffer.alloc(200_000)]), stream])
      await assert.rejects(codec.decodeArtwork(withWrongChecksum(wrapPng(spec, data), 'IDAT'), null), ArtworkError)
  })
})

describe('chunks that say too much of a PNG’s colours', () => {
  const rows = Array.from({ length: 8 }, (_, y) => new Uint8Array(8).fill(y % 4))
  const indexed: PngSpec = { widthPx: 8, heightPx: 8, colorType: 3, bitDepth: 8, rows, palette: new Uint8Array(6) }
  const alphasOf = async (file: Buffer): Promise<number[]> => {
    const { data } = await codec.decodeArtwork(file, null)
    return [0, 1, 2, 3].map(y => data[y * 32 + 3] ?? 0)
  }

  it('more alphas than colours: those of the colours', async () => {
    const alphas = pngChunk('tRNS', Buffer.from([9, 8, 7, 6, 5]))
    const file = makePng(indexed)
    const at = file.indexOf('IDAT', 'latin1') - 4
    const long = Buffer.concat([file.subarray(0, at), alphas, file.subarray(at)])
    assert.deepEqual(await alphasOf(long), [9, 8, 255, 255])
    assert.equal((await codec.decodeArtwork(long, null)).decodedBy, 'vitrine')
  })

  it('indices beyond the palette: black, as in libpng', async () => {
    const file = makePng({ ...indexed, palette: new Uint8Array(6).fill(200) })
    const ours = await codec.decodeArtwork(file, null)
    assert.equal(ours.decodedBy, 'vitrine')
    assert.deepEqual(Buffer.from(ours.data), (await decodeWithSharp(inspectArtwork(file), null)).data)
  })

  it('more colours than indices: the first', async () => {
    const bits = { ...indexed, bitDepth: 1, rows: rows.map(() => Uint8Array.of(0x55)) } as const
    const file = makePng({ ...bits, palette: Uint8Array.from({ length: 12 }, (_, i) => i * 9) })
    const wanted = makePng({ ...bits, palette: Uint8Array.from({ length: 6 }, (_, i) => i * 9) })
    assert.deepEqual(await codec.decodeArtwork(file, null), await codec.decodeArtwork(wanted, null))
  })
})

it('many small blocks, whose codes cost more than their pixels, are for the general decoder', async () => {
  const random = new Random(1)
  const wide: PngSpec = {
    ...head,
    widthPx: 2000,
    heightPx: 200,
    rows: Array.from({ length: 200 }, () => Uint8Array.from({ length: 8000 }, () => random.below(16))),
  }
  const strategy = constants.Z_HUFFMAN_ONLY
  for (const [memLevel, decodedBy] of [
    [8, 'vitrine'],
    [1, 'general'],
  ] as const) {
    const decoded = await codec.decodeArtwork(makePng({ ...wide, zlib: { strategy, memLevel } }), null)
    assert.equal(decoded.decodedBy, decodedBy)
    assert.ok(wide.rows.every((row, y) => Buffer.from(row).equals(decoded.data.subarray(y * 8000, (y + 1) * 8000))))
  }
})

it('the largest pictures are held a few rows at a time: at most 8 MB beside the file and the result', () => {
  for (const [widthPx, heightPx, bitDepth] of [
    [16_384, shortSidePx, 16],
    [16_384, shortSidePx, 8],
    [shortSidePx, 16_384, 16],
  ] as const) {
    const rowBytes = (widthPx * bitDepth) / 2
    const rows = Array.from({ length: heightPx }, (_, y) => new Uint8Array(rowBytes).fill(y & 255))
    const file = makePng({ widthPx, heightPx, colorType: 6, bitDepth, rows, zlib: { level: 1 } })
    for (const size of [null, { widthPx: Math.ceil(widthPx / 3), heightPx: Math.ceil(heightPx / 3) }]) {
      const own = new PngDecoder(module, crc32)
      own.decode(file, size)
      assert.ok(own.sizeBytes > 0 && own.sizeBytes <= 8e6, `${own.sizeBytes} bytes`)
    }
  }
})

describe('Pixels of a PNG in memory that held another customer’s picture', () => {
  it('are those of the picture alone, and nobody’s after a failure', async () => {
    const memory = new ReusedMemory({ maxBytes: 2 ** 26, maxCount: 4 })
    const reusing = new PngDecoder(module, crc32, memory)
    const file = await cutOut(403, 301)
    for (const orientation of [1, 6, 3, 8] as const) {
      const before = memory.take(403 * 301 * 4)
      before.fill(0x5a)
      memory.giveBack(before)
      const reused = decodePngArtwork(inspectArtwork(turned(file, orientation)), null, reusing)
      assert.deepEqual(reused, decode(turned(file, orientation), null))
      memory.giveBack(reused.data)
    }
    const idleBytes = memory.idleBytes
    assert.ok(idleBytes > 0)
    const data = file.indexOf('IDAT', 'latin1')
    const size = file.readUInt32BE(data - 4)
    const damaged = Buffer.concat([
      file.subarray(0, data - 4),
      pngChunk('IDAT', Buffer.from(file.subarray(data + 4, data + 4 + size)).fill(0, size - 40)),
      file.subarray(data + 8 + size),
    ])
    assert.throws(() => decodePngArtwork(inspectArtwork(damaged), null, reusing), /deflate stream|rows|checksum/)
    assert.equal(memory.idleBytes, idleBytes)
    assert.deepEqual(decodePngArtwork(inspectArtwork(file), null, reusing), decode(file, null))
  })
})
