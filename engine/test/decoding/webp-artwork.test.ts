import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mutateWebp } from '../../fuzz/mutate-webp.ts'
import { Random } from '../../fuzz/random.ts'
import { seedWebps } from '../../fuzz/seed-webps.ts'
import { ArtworkError } from '../../src/artwork/artwork-error.ts'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import type { DecodedArtwork, DecodeTarget } from '../../src/codec.ts'
import { findDecodeTarget } from '../../src/decode-plan.ts'
import { decodeWebpArtwork } from '../../src/decoding/decode-webp-artwork.ts'
import { isDecodedSize } from '../../src/decoding/decoded-size.ts'
import { coversPart } from '../../src/decoding/shown-part.ts'
import { WebpDecoder } from '../../src/decoding/webp/webp-decoder.ts'
import { decodeWithSharp } from '../../src/node/decode-artwork.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { createSharpCodec } from '../../src/node/index.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { turns } from '../../src/node/turn-picture.ts'
import { composeMockup } from '../../src/render.ts'
import { ReusedMemory } from '../../src/reused-memory.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'
import { animatedWebp } from '../artwork/make-artwork.ts'
import { waves } from '../artwork/waves.ts'
import { buildFrame, buildTemplate } from '../properties/build-template.ts'
import { MemoryBundle } from '../reference/memory-codec.ts'
import { chunkOf, makeWebp, wrapChunk } from './make-webp.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
/** Long enough that no bound would hold if the whole picture were held. */
const shortSidePx = isFull ? 600 : 340

const module = loadKernels().get('webp-decoder')
const decoder = new WebpDecoder(module)
const codec = createSharpCodec()

const decode = (bytes: Uint8Array, target: DecodeTarget | null): DecodedArtwork =>
  decodeWebpArtwork(inspectArtwork(bytes), target, decoder)

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** Waves, stored as they are and turned by EXIF. */
async function turned(widthPx: number, heightPx: number, orientation: number): Promise<Buffer> {
  return waves(widthPx, heightPx).withMetadata({ orientation }).webp({ quality: 80 }).toBuffer()
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

it('a turned WebP is the stored one turned as EXIF says', async () => {
  const [width, height] = [333, 203]
  const file = await waves(width, height).webp({ quality: 80 }).toBuffer()
  for (const target of [null, { minWidthPx: 90, minHeightPx: 70 }]) {
    for (const orientation of orientations) {
      const isTurned = orientation >= 5
      const stored = decode(file, target && isTurned ? { minWidthPx: 70, minHeightPx: 90 } : target)
      const { flip, flop, angle } = turns[orientation]
      const raw = { width: stored.widthPx, height: stored.heightPx, channels: 4 } as const
      const picture = sharp(stored.data, { raw })
      if (flip) picture.flip()
      if (flop) picture.flop()
      const expected = await picture.rotate(angle).raw().toBuffer({ resolveWithObject: true })
      const decoded = decode(await turned(width, height, orientation), target)
      assert.deepEqual([decoded.widthPx, decoded.heightPx], [expected.info.width, expected.info.height])
      assert.ok(expected.data.equals(decoded.data), `orientation ${orientation}`)
      assert.deepEqual([decoded.sourceWidthPx, decoded.sourceHeightPx], isTurned ? [height, width] : [width, height])
    }
  }
})

it('at full size it is what libvips gives, byte for byte, in all orientations', async () => {
  for (const orientation of orientations) {
    const file = await turned(131, 77, orientation)
    const { decodedBy, ...ours } = decode(file, null)
    const { sizes: _sizes, ...pixels } = ours
    const { decodedBy: by, ...theirs } = await decodeWithSharp(inspectArtwork(file), null)
    assert.deepEqual([decodedBy, by], ['vitrine', 'general'])
    assert.deepEqual({ ...pixels, data: Buffer.from(pixels.data) }, { ...theirs, data: Buffer.from(theirs.data) })
  }
})

it('artwork of which a frame shows a part gives the same mockup from that part alone, however it is turned', async () => {
  for (const orientation of orientations) {
    const artwork = await turned(901, 607, orientation)
    const { widthPx, heightPx } = inspectArtwork(artwork)
    for (const [width, height] of [
      [90, 310],
      [500, 111],
    ] as const) {
      const bundle = new MemoryBundle()
      const data = new Uint8Array(520 * 330 * 3).fill(90)
      bundle.add('scene', { alpha: 'opaque', widthPx: 520, heightPx: 330, data })
      const corners = [
        [3.4, 5.7],
        [3.4 + width, 5.7],
        [3.4 + width, 5.7 + height],
        [3.4, 5.7 + height],
      ] as const
      const template = buildTemplate([buildFrame(width / height, { kind: 'corners', corners })])
      const prepared = await prepareTemplate(template, bundle, 520, bundle.codec())
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
  const file = await waves(640, 64).webp().toBuffer()
  for (const [minWidthPx, widthPx] of [
    [1, 20],
    [18, 21],
    [80, 90],
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
  const picture = waves(160, 120)
  const serves = async (file: Uint8Array): Promise<unknown> => (await codec.decodeArtwork(file, small)).decodedBy

  it('ours for WebPs in sRGB, lossy or lossless, with alpha or without, with a profile that says so or none, with EXIF and XMP', async () => {
    const files = [
      picture.clone().webp({ lossless: true }),
      picture.clone().ensureAlpha(0.5).webp(),
      picture.clone().ensureAlpha(0.5).webp({ lossless: true }),
      picture.clone().ensureAlpha(0.5).webp({ lossless: true }).withIccProfile('srgb'),
      picture.clone().webp(),
      picture.clone().webp({ quality: 100, effort: 6 }),
      picture.clone().webp().withIccProfile('srgb'),
      picture.clone().webp().withMetadata({ density: 300, orientation: 6 }),
      picture.clone().webp().withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'),
    ]
    for (const file of files) assert.equal(await serves(await file.toBuffer()), 'vitrine')
  })

  it('ours for another colour space and the first frame of an animation', async () => {
    const files = [
      picture.clone().webp({ lossless: true }).withIccProfile('p3'),
      picture.clone().webp().withIccProfile('p3'),
    ]
    for (const file of files) assert.equal(await serves(await file.toBuffer()), 'vitrine')
    assert.equal(await serves(await animatedWebp()), 'vitrine')
  })

  it('ours for a file whose writer forgot the padding of its last chunk', async () => {
    const frame = makeWebp({ widthPx: 160, heightPx: 120, quantizer: 4 }, new Random(3))
    const chunk = chunkOf(frame)
    const odd = wrapChunk(chunk.length % 2 === 1 ? chunk : chunk.subarray(0, -1))
    const cut = Buffer.from(odd.subarray(0, -1))
    cut.writeUInt32LE(cut.length - 8, 4)
    assert.equal(await serves(cut), 'vitrine')
    assert.deepEqual(await codec.decodeArtwork(cut, small), await codec.decodeArtwork(odd, small))
  })
})

describe('a damaged WebP has the outcome that it has without our decoder:', () => {
  const target = { minWidthPx: 20, minHeightPx: 20 }
  const outcomes = async (file: Uint8Array): Promise<readonly [unknown, unknown]> => {
    const run = async (work: () => Promise<DecodedArtwork>): Promise<unknown> => {
      const error = await errorOf(Promise.resolve().then(work))
      return error instanceof ArtworkError ? 'refused' : error
    }
    const alone = await run(async () => decodeWithSharp(inspectArtwork(file), target))
    return [alone, await run(async () => codec.decodeArtwork(file, target))]
  }

  it('cut short anywhere', async () => {
    const file = await waves(150, 110).webp({ quality: 85 }).toBuffer()
    const chunk = chunkOf(file)
    let refused = 0
    for (let bytes = 0; bytes < chunk.length; bytes += bytes < 64 || bytes > chunk.length - 8 ? 1 : 41) {
      const [alone, both] = await outcomes(wrapChunk(chunk.subarray(0, bytes)))
      assert.deepEqual(both, alone, `${bytes} of ${chunk.length} bytes`)
      refused += Number(alone !== null)
    }
    assert.ok(refused > 90, `${refused}`)
    const [alone, both] = await outcomes(file.subarray(0, file.length / 2))
    assert.deepEqual([alone, both], ['refused', 'refused'])
  })

  it('mutated in any way', async () => {
    const seeds = await seedWebps()
    const random = new Random(20_261_127)
    const rounds = isFull ? 600 : 60
    let [refused, accepted] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      const [seed, other] = [seeds[random.below(seeds.length)], seeds[random.below(seeds.length)]]
      assert.ok(seed && other)
      const mutant = mutateWebp(seed.bytes, other.bytes, random, 2)
      const [alone, both] = await outcomes(mutant.bytes)
      assert.deepEqual(both, alone, `round ${round}: ${mutant.name}`)
      if (alone === null) accepted++
      else refused++
    }
    assert.ok(refused > rounds / 6 && accepted > rounds / 6, `${refused} refused, ${accepted} accepted`)
  })
})

it('the largest pictures are held a row of macroblocks at a time: at most 8 MB beside the file and the result', async () => {
  for (const [width, height] of [
    [16_383, shortSidePx],
    [shortSidePx, 16_383],
  ] as const) {
    const file = await sharp({ create: { width, height, channels: 3, background: '#1a7f9c' } })
      .webp({ effort: 0 })
      .toBuffer()
    for (const size of [null, { widthPx: Math.ceil(width / 3), heightPx: Math.ceil(height / 3) }]) {
      const own = new WebpDecoder(module)
      own.decode(file, size)
      const besideBytes = own.sizeBytes - file.length
      assert.ok(besideBytes > 0 && besideBytes <= 8e6, `${besideBytes} bytes`)
    }
  }
})

describe('Pixels of a WebP in memory that held another customer’s picture', () => {
  it('are those of the picture alone, and nobody’s after a failure', async () => {
    const memory = new ReusedMemory({ maxBytes: 2 ** 26, maxCount: 4 })
    const reusing = new WebpDecoder(module, memory)
    for (const orientation of [1, 6, 3, 8] as const) {
      const before = memory.take(403 * 301 * 4)
      before.fill(0x5a)
      memory.giveBack(before)
      const file = await turned(403, 301, orientation)
      const reused = decodeWebpArtwork(inspectArtwork(file), null, reusing)
      assert.deepEqual(reused, decode(file, null))
      memory.giveBack(reused.data)
    }
    const idleBytes = memory.idleBytes
    assert.ok(idleBytes > 0)
    const file = await turned(403, 301, 1)
    const chunk = chunkOf(await waves(403, 301).webp({ quality: 80 }).toBuffer())
    const damaged = wrapChunk(chunk.subarray(0, chunk.length * 0.9))
    assert.throws(() => decodeWebpArtwork(inspectArtwork(damaged), null, reusing), /as much data/)
    assert.equal(memory.idleBytes, idleBytes)
    assert.deepEqual(decodeWebpArtwork(inspectArtwork(file), null, reusing), decode(file, null))
  })
})
