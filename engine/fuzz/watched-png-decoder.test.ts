import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { inspectArtwork } from '../src/artwork/inspect-artwork.ts'
import { costlyPngs, emptyDynamicBlocks, emptyFixedBlocks, withBlocks } from './costly-pngs.ts'
import { fuzzedPng } from './fuzzed-png.ts'
import { judgeBySharp } from './judge-by-sharp.ts'
import { seedPngs } from './seed-pngs.ts'
import { tryMutants } from './try-mutants.ts'
import { WatchedPngDecoder } from './watched-png-decoder.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const MUTANTS = isFull ? 100_000 : 60
const whole = { x: 1, y: 1 }

let decoder: WatchedPngDecoder

before(async () => {
  decoder = await WatchedPngDecoder.load()
})

it('sound PNGs stay in their memory, take the same instructions each time, and equal libpng’s pictures', async () => {
  for (const { name, bytes } of seedPngs()) {
    for (const reduction of [whole, { x: 0.3, y: 0.7 }]) {
      const first = decoder.decode(bytes, reduction)
      const second = decoder.decode(bytes, reduction, 0x5a)
      assert.equal(first.violation, null, name)
      assert.ok('data' in first.verdict && 'data' in second.verdict, name)
      assert.deepEqual(first.verdict, second.verdict, name)
      assert.equal(first.instructions, second.instructions, name)
      if (reduction !== whole) continue
      const isWide = inspectArtwork(bytes).bitsPerChannel === 16
      assert.equal(await judgeBySharp(bytes, first.verdict.data, isWide), 'equal', name)
    }
  }
})

describe('work follows the size of a PNG and of what it claims:', () => {
  it('the costliest files of each kind stay within the bound, and take it up to a fair part', () => {
    const parts = costlyPngs(isFull ? 1024 : 256).map(({ name, bytes }) => {
      const full = decoder.decode(bytes, whole)
      assert.ok('data' in full.verdict, name)
      assert.equal(full.violation, null, name)
      const reduced = decoder.decode(bytes, { x: 0.31, y: 0.31 })
      assert.equal(reduced.violation, null, name)
      return Math.max(full.instructions / full.instructionBound, reduced.instructions / reduced.instructionBound)
    })
    assert.ok(Math.max(...parts) > 0.3, parts.join(' '))
  })

  it('empty blocks without end are declined after as many as the picture may have', () => {
    const rows = Array.from({ length: 64 }, () => new Uint8Array(256))
    const spec = { widthPx: 64, heightPx: 64, colorType: 6, bitDepth: 8, rows } as const
    for (const empty of [emptyFixedBlocks, emptyDynamicBlocks]) {
      const few = decoder.decode(withBlocks(spec, empty(100)), whole)
      assert.ok('data' in few.verdict)
      const [many, more] = [2000, 40_000].map(count => decoder.decode(withBlocks(spec, empty(count)), whole))
      assert.ok(many && more)
      for (const { verdict, violation } of [many, more]) {
        assert.match('message' in verdict ? verdict.message : '', /blocks of the usual size/)
        assert.equal(violation, null)
      }
      // a piece of the input is copied and summed up, whatever there is behind it
      assert.ok(more.instructions < many.instructions + 200_000, `${many.instructions}, ${more.instructions}`)
    }
  })

  it('a picture four times as large takes no more than four times the work', () => {
    const larger = costlyPngs(isFull ? 512 : 256)
    for (const [i, { name, bytes }] of costlyPngs(isFull ? 256 : 128).entries()) {
      for (const reduction of [whole, { x: 0.31, y: 0.31 }]) {
        const once = decoder.decode(bytes, reduction)
        const fourTimes = decoder.decode(larger[i]?.bytes ?? bytes, reduction)
        const [work, more] = [once.instructions, fourTimes.instructions]
        assert.ok(more < 4.2 * work, `${name}: ${work}, ${more}`)
      }
    }
  })
})

it('damaged PNG files: no trap, no foreign access, no old memory, no warning or other picture of libpng', async () => {
  const tally = await tryMutants(fuzzedPng, decoder, MUTANTS, 20_261_122)
  assert.deepEqual(
    tally.defects.map(({ what, mutation, seed }) => `${mutation} of ${seed}: ${what}`),
    [],
  )
  assert.ok(
    tally.accepted > 0.15 * MUTANTS && tally.reduced > 0.05 * MUTANTS,
    `${tally.accepted} accepted, ${tally.reduced} reduced`,
  )
  assert.ok(tally.declined.size > (isFull ? 14 : 4), [...tally.declined.keys()].join('\n'))
})
