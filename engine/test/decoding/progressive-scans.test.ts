import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { judgeBySharp } from '../../fuzz/judge-by-sharp.ts'
import { Random } from '../../fuzz/random.ts'
import { DeclinedError } from '../../src/decoding/declined.ts'
import { JpegDecoder } from '../../src/decoding/jpeg/jpeg-decoder.ts'
import type { JpegLayout } from '../../src/decoding/jpeg/jpeg-layout.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { freshMemory } from '../../src/reused-memory.ts'
import { KernelInstance } from '../../src/webassembly/kernel-instance.ts'
import { waves } from '../artwork/waves.ts'
import { type Coefficients, emptyPlanes, type ScanSpec, writeJpeg } from './write-jpeg.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

const module = loadKernels().get('jpeg-decoder')
const decoder = new JpegDecoder(module)

/** A picture of random coefficients: dense and sparse blocks, empty ones, runs of zeros of every length. */
function anyPicture(random: Random): Coefficients {
  const [factorX, factorY] = random.pick([
    [1, 1],
    [2, 1],
    [1, 2],
    [2, 2],
  ])
  const isGrey = random.below(4) === 0
  const [widthPx, heightPx] = [8 + random.below(60), 8 + random.below(60)]
  const planes = emptyPlanes(widthPx, heightPx, isGrey ? 1 : factorX, isGrey ? 1 : factorY, isGrey)
  for (const { coefficients, paddedX, blocksX, blocksY } of planes) {
    for (let at = 0; at < coefficients.length; at += 64) {
      coefficients[at] = random.below(400) - 200
      const x = (at / 64) % paddedX
      // blocks of padding have no AC coefficients in a progressive file
      if (x >= blocksX || Math.floor(at / 64 / paddedX) >= blocksY) continue
      const share = random.pick([0, 0.03, 0.1, 0.5, 1])
      for (let k = 1; k < 64; k++) {
        if (random.next() < share) coefficients[at + k] = Math.round((random.next() - 0.5) * 2 ** random.below(8))
      }
    }
  }
  const quantiser = Array.from({ length: 64 }, () => 1 + random.below(4))
  return { widthPx, heightPx, quantiser, planes }
}

/** Bands that cover the AC coefficients. */
function anyBands(random: Random): (readonly [first: number, last: number])[] {
  const cuts = new Set(Array.from({ length: random.below(4) }, () => 2 + random.below(62)))
  const firsts = [1, ...[...cuts].toSorted((a, b) => a - b)]
  return firsts.map((first, i) => [first, (firsts[i + 1] ?? 64) - 1] as const)
}

/** Scans that hold everything: any bands, bits one after the other, components in any order. */
function anyScans(random: Random, components: number): ScanSpec[] {
  const dcLow = random.below(3)
  const all = Array.from({ length: components }, (_, i) => i)
  const apart = random.below(3) === 0
  const dc = (high: number, low: number): ScanSpec[] =>
    apart
      ? all.map(i => ({ components: [i], first: 0, last: 0, high, low }))
      : [{ components: all, first: 0, last: 0, high, low }]
  const queues = all.map((i): ScanSpec[] => {
    const acLow = random.below(4)
    const scans = anyBands(random).map(
      ([first, last]): ScanSpec => ({ components: [i], first, last, high: 0, low: acLow }),
    )
    for (let low = acLow - 1; low >= 0; low--)
      scans.push(...anyBands(random).map(([first, last]) => ({ components: [i], first, last, high: low + 1, low })))
    return scans
  })
  queues.push(Array.from({ length: dcLow }, (_, i) => dc(dcLow - i, dcLow - i - 1)).flat())
  const scans = dc(0, dcLow)
  for (;;) {
    const left = queues.filter(queue => queue.length > 0)
    const next = left[random.below(left.length)]?.shift()
    if (!next) return scans
    scans.push(next)
  }
}

/** The message of a refusal, or null. */
function refusal(bytes: Uint8Array, eighths: number): string | null {
  try {
    decoder.decode(bytes, eighths)
    return null
  } catch (error) {
    assert.ok(error instanceof DeclinedError, String(error))
    return error.message
  }
}

describe('A progressive picture', () => {
  it('has the pixels of its sequential twin, at any scale, whole and in part, whatever its scans are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(0x7fffffff), async seed => {
        const random = new Random(seed)
        const picture = anyPicture(random)
        const interval = random.pick([0, 0, 1, 3, 7, 40])
        const scans = anyScans(random, picture.planes.length)
        const progressive = writeJpeg(picture, { scans, interval, runs: random.pick([1, 2, 5, 32_767]) })
        const sequential = writeJpeg(picture, { scans: null, interval: 0, runs: 1 })
        const [x, y] = [1 + random.below(8), 1 + random.below(8)]
        const [left, top] = [random.below(picture.widthPx), random.below(picture.heightPx)]
        const part = { left, top, right: left + random.below(40), bottom: top + random.below(40) }
        for (const wanted of [null, part]) {
          const expected = decoder.decode(sequential, x, y, wanted)
          const found = decoder.decode(progressive, x, y, wanted)
          assert.deepEqual(found.part, expected.part)
          assert.ok(Buffer.from(expected.data).equals(found.data), `${x}/8 x ${y}/8 ${JSON.stringify(scans)}`)
        }
        assert.equal(await judgeBySharp(progressive, decoder.decode(progressive, 8).data), 'equal')
      }),
      { numRuns: isFull ? 20_000 : 30 },
    )
  })

  it('is declined for damage in any scan at every scale alike, also where the scale needs nothing of that scan', () => {
    let declined = 0
    fc.assert(
      fc.property(fc.nat(0x7fffffff), seed => {
        const random = new Random(seed)
        const picture = anyPicture(random)
        const bytes = writeJpeg(picture, { scans: anyScans(random, picture.planes.length), interval: 0, runs: 9 })
        const dataAt = bytes.indexOf(Buffer.of(0xff, 0xda))
        for (let i = 0; i <= random.below(3); i++) {
          const at = dataAt + random.below(bytes.length - dataAt - 2)
          bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
        }
        const full = refusal(bytes, 8)
        // the values themselves are judged where they are transformed exactly
        if (full?.includes('coefficients that a picture can have')) return
        if (full !== null) declined++
        for (let eighths = 1; eighths < 8; eighths++) assert.equal(refusal(bytes, eighths), full)
      }),
      { numRuns: isFull ? 20_000 : 30 },
    )
    assert.ok(declined > (isFull ? 100 : 10), `${declined} declined`)
  })

  it('takes memory for one row of its blocks, not for all of them', async () => {
    let layout: JpegLayout | null = null
    const watched = new JpegDecoder(module, freshMemory, {
      gapBytes: 0,
      instantiate: compiled => new KernelInstance(compiled),
      laidOut: made => {
        layout = made
      },
    })
    const taken = async (heightPx: number): Promise<number> => {
      const bytes = await waves(1600, heightPx).jpeg({ progressive: true, quality: 30 }).toBuffer()
      watched.decode(bytes, 1)
      return (layout?.end ?? Number.NaN) - 2 * bytes.length
    }
    const low = await taken(400)
    assert.ok(low < 4 * 1024 * 1024)
    assert.ok(Math.abs((await taken(3200)) - low) < 4096)
  })
})
