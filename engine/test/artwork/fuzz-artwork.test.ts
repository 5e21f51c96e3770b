import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { ArtworkError } from '../../src/artwork/artwork-error.ts'
import type { ArtworkFacts } from '../../src/artwork/artwork-facts.ts'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import { createSharpCodec } from '../../src/node/create-sharp-codec.ts'
import { soundFiles } from './make-artwork.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const codec = createSharpCodec()

type Mutation =
  | { readonly kind: 'set'; readonly at: number; readonly value: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'drop' | 'repeat'; readonly at: number; readonly length: number }
  | { readonly kind: 'insert'; readonly at: number; readonly bytes: Uint8Array }

/**
 * Positions as fractions of the file (not fc.double, which crowds around 0); most mutations hit its first
 * part, where the structure is.
 */
const fraction = (share: number): fc.Arbitrary<number> =>
  fc.noBias(fc.nat(999_999)).map(position => (position / 1_000_000) * share)
const at = fc.oneof(fraction(1), fraction(0.1))
const value = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 0xd8, 0xd9, 0xda))
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), at, value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('drop' as const, 'repeat' as const),
      at,
      length: fc.integer({ min: 1, max: 300 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      at,
      bytes: fc.uint8Array({ minLength: 1, maxLength: 20 }),
    }),
  },
)

function mutate(file: Buffer, mutations: readonly Mutation[]): Buffer {
  let bytes = Buffer.from(file)
  for (const mutation of mutations) {
    const at = Math.floor(mutation.at * bytes.length)
    switch (mutation.kind) {
      case 'set':
        bytes[at] = mutation.value
        break
      case 'cut':
        bytes = bytes.subarray(0, at)
        break
      case 'drop':
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + mutation.length)])
        break
      case 'repeat':
        bytes = Buffer.concat([bytes.subarray(0, at + mutation.length), bytes.subarray(at)])
        break
      case 'insert':
        bytes = Buffer.concat([bytes.subarray(0, at), mutation.bytes, bytes.subarray(at)])
    }
  }
  return bytes
}

function inspected(bytes: Uint8Array): ArtworkFacts | null {
  try {
    return inspectArtwork(bytes)
  } catch (error) {
    if (error instanceof ArtworkError) return null
    throw error
  }
}

describe('any damage to any kind of picture', () => {
  let files: readonly (readonly [string, Buffer])[] = []
  before(async () => {
    files = Object.entries(await soundFiles())
  })
  const damaged = (): fc.Arbitrary<Buffer> =>
    fc
      .tuple(fc.constantFrom(...files), fc.array(mutation, { minLength: 1, maxLength: 4 }))
      .map(([[, file], mutations]) => mutate(file, mutations))

  it('starts from files that are sound', async () => {
    for (const [name, file] of files) await assert.doesNotReject(codec.decodeArtwork(file, null), name)
  })

  it('is inspected to facts within the limits or to an ArtworkError', () => {
    fc.assert(
      fc.property(damaged(), bytes => {
        const facts = inspected(bytes)
        if (facts !== null)
          assert.ok(facts.widthPx * facts.heightPx <= 100_000_000 && facts.widthPx > 0 && facts.heightPx > 0)
      }),
      { numRuns: isFull ? 200_000 : 300 },
    )
  })

  it('leaves a stripped file of the same kind and size, which strips to itself', () => {
    fc.assert(
      fc.property(damaged(), bytes => {
        const facts = inspected(bytes)
        if (facts === null || facts.frame !== null) return
        const again = inspectArtwork(facts.bytesToDecode)
        const still = ({ type, storedWidthPx, storedHeightPx, channels, profile }: ArtworkFacts): unknown => [
          type,
          storedWidthPx,
          storedHeightPx,
          channels,
          profile === null ? null : Buffer.from(profile.bytes),
        ]
        assert.deepEqual(still(again), still(facts))
        assert.equal(again.orientation, 1)
        assert.deepEqual(Buffer.from(again.bytesToDecode), Buffer.from(facts.bytesToDecode))
      }),
      { numRuns: isFull ? 50_000 : 100 },
    )
  })

  it('is decoded to the size that was inspected, or refused with an ArtworkError', async () => {
    await fc.assert(
      fc.asyncProperty(damaged(), async bytes => {
        const facts = inspected(bytes)
        // Header lies of many megapixels are for the corpus tests; here they would only take time.
        if (facts === null || facts.widthPx * facts.heightPx > 4_000_000) return
        try {
          const picture = await codec.decodeArtwork(bytes, { minWidthPx: 12, minHeightPx: 9 })
          assert.equal(picture.data.byteLength, picture.widthPx * picture.heightPx * 4)
          assert.deepEqual([picture.sourceWidthPx, picture.sourceHeightPx], [facts.widthPx, facts.heightPx])
        } catch (error) {
          assert.ok(error instanceof ArtworkError, String(error))
        }
      }),
      { numRuns: isFull ? 20_000 : 60 },
    )
  })
})
