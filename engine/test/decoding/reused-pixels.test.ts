import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import type { DecodedArtwork } from '../../src/codec.ts'
import { DeclinedError } from '../../src/decoding/declined.ts'
import { decodeJpegArtwork } from '../../src/decoding/decode-jpeg-artwork.ts'
import { JpegDecoder } from '../../src/decoding/jpeg/jpeg-decoder.ts'
import { createFrameKernel, createSharpCodec } from '../../src/node/index.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { composeMockup } from '../../src/render.ts'
import { ReusedMemory } from '../../src/reused-memory.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'
import { exifSegment } from '../artwork/build-files.ts'
import { openRgb, rgbOf } from '../artwork/make-artwork.ts'
import { waves } from '../artwork/waves.ts'
import { buildFrame, buildTemplate } from '../properties/build-template.ts'
import { MemoryBundle } from '../reference/memory-codec.ts'

const module = loadKernels().get('jpeg-decoder')
const fresh = new JpegDecoder(module)
const bounds = { maxBytes: 2 ** 26, maxCount: 4 }

/** Above the size from which memory is reused. */
const [WIDTH, HEIGHT] = [403, 301]

const ofOne = await waves(WIDTH, HEIGHT).jpeg().toBuffer()
const ofAnother = await openRgb(
  rgbOf(WIDTH, HEIGHT, (x, y) => [(x * 7) & 255, (y * 5) & 255, (x * y) & 255]),
  WIDTH,
  HEIGHT,
)
  .jpeg({ progressive: true })
  .toBuffer()

const decode = (bytes: Uint8Array, decoder: JpegDecoder): DecodedArtwork =>
  decodeJpegArtwork(inspectArtwork(bytes), null, decoder)

/** A scene of which the artwork fills the middle. */
async function prepareScene() {
  const bundle = new MemoryBundle()
  bundle.add('scene', { alpha: 'opaque', widthPx: 200, heightPx: 160, data: new Uint8Array(200 * 160 * 3).fill(200) })
  const corners = [
    [20, 20],
    [180, 24],
    [178, 140],
    [22, 138],
  ] as const
  const frame = buildFrame(WIDTH / HEIGHT, { kind: 'corners', corners })
  return prepareTemplate(buildTemplate([frame]), bundle, 200, bundle.codec())
}

describe('Pixels in memory that held another customer’s picture', () => {
  it('are those of the picture alone, at every size and in every orientation', () => {
    const memory = new ReusedMemory(bounds)
    const decoder = new JpegDecoder(module, memory)
    for (const orientation of [1, 6, 3, 8] as const) {
      for (const stored of [ofOne, ofAnother, ofAnother, ofOne]) {
        const file = Buffer.concat([stored.subarray(0, 2), exifSegment(orientation), stored.subarray(2)])
        // what was there before: nothing of it may be left
        const before = memory.take(WIDTH * HEIGHT * 4)
        before.fill(0x5a)
        memory.giveBack(before)
        const reused = decode(file, decoder)
        assert.deepEqual(reused, decode(file, fresh))
        memory.giveBack(reused.data)
      }
    }
    assert.ok(memory.idleBytes <= 2 * 1.2 * WIDTH * HEIGHT * 4, `${memory.idleBytes} bytes for two pictures`)
  })

  it('are nobody’s after a failure: what was taken is back, and the next picture is whole', () => {
    const memory = new ReusedMemory(bounds)
    const decoder = new JpegDecoder(module, memory)
    memory.giveBack(decode(ofOne, decoder).data)
    const idleBytes = memory.idleBytes
    assert.ok(idleBytes > 0)
    let declined = 0
    for (let at = Math.floor(ofOne.length / 2); at < ofOne.length - 2; at += 97) {
      const damaged = Buffer.from(ofOne)
      damaged.fill(0, at, Math.min(at + 40, damaged.length))
      try {
        memory.giveBack(decoder.decode(damaged, 8).data)
      } catch (error) {
        assert.ok(error instanceof DeclinedError, String(error))
        declined++
      }
      assert.equal(memory.idleBytes, idleBytes)
      const next = decode(ofAnother, decoder)
      assert.deepEqual(next, decode(ofAnother, fresh))
      memory.giveBack(next.data)
    }
    assert.ok(declined > 5, `${declined} declined`)
  })

  it('are drawn as they are by a kernel that still knows the artwork which was there before, and that one is refused', async () => {
    const memory = new ReusedMemory(bounds)
    const codec = createSharpCodec({ memory })
    const kernel = createFrameKernel()
    const prepared = await prepareScene()
    const plain = (bytes: Uint8Array): Uint8Array => composeMockup(prepared, [decode(bytes, fresh)]).data
    const expected = [plain(ofOne), plain(ofAnother)]
    // held to the end, so that no weak reference to them is ever cleared
    const gone: DecodedArtwork[] = []
    for (let round = 0; round < 4; round++) {
      const bytes = round % 2 === 0 ? ofOne : ofAnother
      const artwork = await codec.decodeArtwork(bytes, null)
      assert.equal(memory.idleBytes, 0)
      assert.deepEqual(composeMockup(prepared, [artwork], kernel).data, expected[round % 2])
      for (const old of gone) {
        for (const drawing of [kernel, null]) {
          assert.throws(() => composeMockup(prepared, [old], drawing), /still held/)
          assert.throws(() => composeMockup(prepared, [{ ...old }], drawing), /still held/)
        }
      }
      assert.deepEqual(composeMockup(prepared, [artwork], kernel).data, expected[round % 2])
      memory.giveBack(artwork.data)
      gone.push(artwork)
      // at once, before another takes its place
      assert.throws(() => composeMockup(prepared, [artwork], kernel), /still held/)
    }
  })
})
