import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import { DeclinedError } from '../../src/decoding/declined.ts'
import { decodeJpegArtwork } from '../../src/decoding/decode-jpeg-artwork.ts'
import { JpegDecoder } from '../../src/decoding/jpeg/jpeg-decoder.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { freshMemory } from '../../src/reused-memory.ts'
import { KernelInstance } from '../../src/webassembly/kernel-instance.ts'
import { waves } from '../artwork/waves.ts'

const module = loadKernels().get('jpeg-decoder')
let begun = 0
const decoder = new JpegDecoder(module, freshMemory, {
  gapBytes: 0,
  instantiate: compiled => new KernelInstance(compiled),
  laidOut: () => {
    begun++
  },
})
const plain = new JpegDecoder(module)

const sound = await waves(333, 222).withIccProfile('srgb').jpeg({ progressive: true }).toBuffer()
const facts = inspectArtwork(sound)
const { bytes, scanEnds } = facts.jpeg ?? { bytes: sound, scanEnds: [] }

/**
 * The file as it lies in front of the decoder, in pieces: up to the end of the first scan, the other scans
 * with their headers, EOI.
 */
const pieces = [0, ...scanEnds].map((from, i) => Buffer.from(bytes.subarray(from, scanEnds[i])))
/** Huffman tables, none of them: decoding may need it, so metadata between it is cut out piece by piece. */
const tables = Buffer.from([0xff, 0xc4, 0, 2])
const comment = Buffer.from([0xff, 0xfe, 0, 5, 1, 2, 3])

/** Decodes as an artwork arrives; tells whether the work on its data began. */
function decode(file: Uint8Array): { readonly data: Uint8Array | null; readonly isBegun: boolean } {
  const before = begun
  try {
    const { data } = decodeJpegArtwork(inspectArtwork(file), null, decoder)
    return { data, isBegun: begun > before }
  } catch (error) {
    assert.ok(error instanceof DeclinedError, String(error))
    return { data: null, isBegun: begun > before }
  }
}

/** The pieces in another order. */
const arrange = (order: readonly number[]): Buffer => Buffer.concat(order.map(i => pieces[i] ?? Buffer.alloc(0)))

const all = pieces.map((_, i) => i)
const eoi = pieces.length - 1

describe('The headers of a progressive picture’s scans are judged before any of its data:', () => {
  it('the inspection finds the end of every scan, with a profile before them and comments between', () => {
    assert.ok(scanEnds.length >= 6, `${scanEnds.length} scans`)
    const expected = plain.decode(facts.bytesToDecode, 8).data
    assert.deepEqual(decode(sound), { data: expected, isBegun: true })
    const noted = Buffer.concat(pieces.flatMap(piece => [piece, comment]).slice(0, -1))
    assert.deepEqual(decode(noted), { data: expected, isBegun: true })
  })

  it('the inspection copies no file for the sake of metadata before its data, and metadata elsewhere or in many pieces harms nothing', async () => {
    const sequential = await waves(333, 222).jpeg().toBuffer()
    for (const file of [sequential, sound]) {
      const expected = plain.decode(file, 8).data
      const parts = [file.subarray(0, 2), file.subarray(2, -2), file.subarray(-2)] as const
      const [soi, middle, end] = parts
      const many = Array.from({ length: 140 }, (_, i) => (i % 2 === 0 ? comment : tables))
      const cases = [
        [true, file],
        [true, Buffer.concat([soi, comment, middle, end, Buffer.from('behind EOI')])],
        [false, Buffer.concat([soi, ...many, middle, end])],
        [false, Buffer.concat([soi, middle, comment, end])],
      ] as const
      for (const [isWhole, changed] of cases) {
        const { jpeg, bytesToDecode } = inspectArtwork(changed)
        assert.equal(jpeg?.bytes.buffer === changed.buffer && jpeg.bytes.byteOffset === changed.byteOffset, isWhole)
        for (const at of jpeg?.scanEnds ?? []) assert.equal(jpeg?.bytes[at], 0xff)
        assert.deepEqual(decode(changed), { data: expected, isBegun: true })
        assert.deepEqual(plain.decode(bytesToDecode, 8).data, expected)
      }
    }
  })

  it('scans out of order, twice there or missing are declined at once', () => {
    const cases = [
      [0, 1, 2, 2, ...all.slice(3)],
      [0, 2, 1, ...all.slice(3).toReversed()].filter(i => i !== eoi).concat(eoi),
      all.filter(i => i !== eoi - 1),
      [0, eoi],
    ]
    for (const order of cases) {
      const file = arrange(order)
      // the work would begin without the scans' ends
      assert.throws(() => plain.decode(inspectArtwork(file).bytesToDecode, 8), DeclinedError)
      assert.deepEqual(decode(file), { data: null, isBegun: false }, order.join())
    }
  })

  it('so are restart intervals that change, tables of quantisers between scans, and more blocks than the first scan has bits', () => {
    const between = (...segment: number[]): Buffer =>
      Buffer.concat([...pieces.slice(0, 2), Buffer.from(segment), ...pieces.slice(2)])
    assert.deepEqual(decode(between(0xff, 0xdd, 0, 4, 0, 9)), { data: null, isBegun: false })
    assert.deepEqual(decode(between(0xff, 0xdb, 0, 67, 0, ...Array.from({ length: 64 }, () => 9))), {
      data: null,
      isBegun: false,
    })
    const lying = Buffer.from(bytes)
    const sof = lying.indexOf(Buffer.from([0xff, 0xc2, 0, 17, 8]))
    assert.ok(sof > 0)
    lying.writeUInt16BE(7000, sof + 5)
    lying.writeUInt16BE(7000, sof + 7)
    assert.deepEqual(decode(lying), { data: null, isBegun: false })
  })
})
