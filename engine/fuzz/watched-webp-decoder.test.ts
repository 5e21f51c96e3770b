import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type LosslessSpec, makeLosslessWebp } from '../test/decoding/make-lossless-webp.ts'
import { makeWebp, type WebpSpec } from '../test/decoding/make-webp.ts'
import { fuzzedWebp } from './fuzzed-webp.ts'
import { judgeBySharp } from './judge-by-sharp.ts'
import { Random } from './random.ts'
import { seedWebps } from './seed-webps.ts'
import { tryMutants } from './try-mutants.ts'
import { WatchedWebpDecoder } from './watched-webp-decoder.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const MUTANTS = isFull ? 100_000 : 60
const whole = { x: 1, y: 1 }

let decoder: WatchedWebpDecoder

before(async () => {
  decoder = await WatchedWebpDecoder.load()
})

it('sound WebPs stay in their memory, take the same instructions each time, and equal libwebp’s pictures', async () => {
  let decoded = 0
  for (const { name, bytes } of await seedWebps()) {
    for (const reduction of [whole, { x: 0.3, y: 0.7 }]) {
      const first = decoder.decode(bytes, reduction)
      const second = decoder.decode(bytes, reduction, 0x5a)
      assert.equal(first.violation, null, name)
      assert.deepEqual(first.verdict, second.verdict, name)
      assert.equal(first.instructions, second.instructions, name)
      // random coefficients may be none of pixels
      if (!('data' in first.verdict)) continue
      decoded++
      if (reduction === whole) assert.equal(await judgeBySharp(bytes, first.verdict.data), 'equal', name)
    }
  }
  assert.ok(decoded > 60, `${decoded}`)
})

describe('work follows the size of a WebP and of what it claims:', () => {
  const full: Partial<WebpSpec> = { quantizer: 0, level: 40, sharpness: 3, bytesPerBlock: 1200 }
  const costly: readonly (readonly [string, Partial<WebpSpec>])[] = [
    ['every coefficient', { ...full, newProbabilities: 0 }],
    ['segments and partitions', { ...full, partitions: 3, deltas: [10, 20] }],
    ['mostly modes', { skip: 1, level: 63, bytesPerBlock: 60 }],
  ]
  const make = (side: number, spec: Partial<WebpSpec>): Buffer =>
    makeWebp({ widthPx: side, heightPx: side, ...spec }, new Random(6))

  it('costly files of each kind stay within the bound, and take it up to a fair part', () => {
    const parts = costly.map(([name, spec]) => {
      const bytes = make(isFull ? 1024 : 256, spec)
      const [one, reduced] = [decoder.decode(bytes, whole), decoder.decode(bytes, { x: 0.31, y: 0.31 })]
      assert.ok('data' in one.verdict, name)
      assert.equal(one.violation, null, name)
      assert.equal(reduced.violation, null, name)
      return Math.max(one.instructions / one.instructionBound, reduced.instructions / reduced.instructionBound)
    })
    assert.ok(Math.max(...parts) > 0.1, parts.join(' '))
  })

  it('a picture four times as large takes little more than four times the work', () => {
    for (const [name, spec] of costly) {
      for (const reduction of [whole, { x: 0.31, y: 0.31 }]) {
        const once = decoder.decode(make(isFull ? 256 : 128, spec), reduction)
        const fourTimes = decoder.decode(make(isFull ? 512 : 256, spec), reduction)
        const [work, more] = [once.instructions, fourTimes.instructions]
        assert.ok(more < 4.5 * work, `${name}: ${work}, ${more}`)
      }
    }
  })

  const spread: Partial<LosslessSpec> = { transforms: ['predictor', 'color', 'green'], symbols: 256, references: 0.1 }
  const costlyStreams: readonly (readonly [string, Partial<LosslessSpec>])[] = [
    ['long codes and all transforms', { ...spread, cacheBits: 11 }],
    ['a group of codes for each tile', { ...spread, symbols: 2, groups: 4000, cacheBits: 11, references: 0 }],
    ['a group of long codes for each tile', { ...spread, tileBits: 3, groups: 4000, cacheBits: 11 }],
    ['mostly colours of the cache', { cacheBits: 11, references: 1, symbols: 2 }],
  ]
  const makeStream = (side: number, spec: Partial<LosslessSpec>): Buffer =>
    makeLosslessWebp({ widthPx: side, heightPx: side, ...spec }, new Random(6))

  it('costly lossless files of each kind stay within the bound, and take it up to a fair part', () => {
    const parts = costlyStreams.map(([name, spec]) => {
      const bytes = makeStream(isFull ? 1024 : 128, spec)
      const [one, reduced] = [decoder.decode(bytes, whole), decoder.decode(bytes, { x: 0.31, y: 0.31 })]
      assert.equal(one.violation, null, name)
      assert.equal(reduced.violation, null, name)
      return Math.max(one.instructions / one.instructionBound, reduced.instructions / reduced.instructionBound)
    })
    assert.ok(Math.max(...parts) > 0.1, parts.join(' '))
  })

  it('sides that lie take no more than the bytes that are there', () => {
    const bytes = make(64, full)
    const lying = Buffer.from(bytes)
    lying.writeUInt16LE(16_383, 20 + 6)
    lying.writeUInt16LE(4000, 20 + 8)
    const { verdict, violation, instructions, memoryBytes } = decoder.decode(lying, whole)
    assert.match('message' in verdict ? verdict.message : '', /as much data|coefficients/)
    assert.equal(violation, null)
    assert.ok(instructions < 1500 * bytes.length, `${instructions} for ${bytes.length} bytes`)
    assert.ok(memoryBytes < 4e6, `${memoryBytes}`)
  })
})

it('damaged WebP files: no trap, no foreign access, no old memory, no warning or other picture of libwebp', async () => {
  const tally = await tryMutants(fuzzedWebp, decoder, MUTANTS, 20_261_127)
  assert.deepEqual(
    tally.defects.map(({ what, mutation, seed }) => `${mutation} of ${seed}: ${what}`),
    [],
  )
  assert.ok(
    tally.accepted > 0.15 * MUTANTS && tally.reduced > 0.05 * MUTANTS,
    `${tally.accepted} accepted, ${tally.reduced} reduced`,
  )
  assert.ok(tally.declined.size >= 5, [...tally.declined.keys()].join())
})
