import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { Random } from '../../fuzz/random.ts'
import { convertInks } from '../../src/artwork/color-table.ts'
import { parseIccProfile } from '../../src/artwork/icc-profile.ts'
import { buildInkTable } from '../../src/artwork/icc-table.ts'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import { unpackPressTable } from '../../src/artwork/press-table.ts'
import { decodeWithSharp } from '../../src/node/decode-artwork.ts'
import { profileSegments } from '../artwork/build-files.ts'
import { flatJpeg } from './flat-jpeg.ts'
import { cmykProfile } from './profiles.ts'

const COLUMNS = 32
const packed = new URL('../../kernels/press-table.bin', import.meta.url)

const random = new Random(35)
const inks = Array.from({ length: COLUMNS * COLUMNS }, (_, i) =>
  [0, 1, 2, 3].map(ink => (i % 7 === ink ? 0 : i % 11 === ink ? 255 : random.below(256))),
)

/** The greatest difference between a table's colours and those that littleCMS gives. */
async function worstOf(table: Uint8Array, segments: readonly Uint8Array[]): Promise<number> {
  const stored = inks.map(ink => ink.map(value => 255 - value))
  const { data, widthPx } = await decodeWithSharp(inspectArtwork(flatJpeg(stored, COLUMNS, 0, segments)), null)
  const pixels = Uint8Array.from(inks.flat())
  convertInks(pixels, table)
  const differences = inks.flatMap((_, i) => {
    const at = 4 * ((Math.floor(i / COLUMNS) * 8 + 4) * widthPx + (i % COLUMNS) * 8 + 4)
    return [0, 1, 2, 3].map(channel => Math.abs((data[at + channel] ?? 0) - (pixels[i * 4 + channel] ?? 0)))
  })
  return Math.max(...differences)
}

it('CMYK without a profile has the colours of libvips, within 1 of 255', async () => {
  assert.ok((await worstOf(unpackPressTable(await readFile(packed)), [])) <= 1)
})

it('CMYK with a profile of tables has the colours of littleCMS, within 1 of 255', async () => {
  const profile = parseIccProfile(cmykProfile())
  assert.ok(profile)
  const table = buildInkTable(profile)
  assert.ok(table)
  assert.ok((await worstOf(table, profileSegments(cmykProfile()))) <= 1)
})

it('a profile whose tables are cut or of another kind has no table of inks', () => {
  const profile = parseIccProfile(cmykProfile())
  assert.ok(profile)
  const at = Buffer.from(profile.bytes).indexOf('mft2')
  for (const [offset, byte] of [
    [0, 0x78],
    [8, 3],
    [9, 4],
    [10, 200],
    [10, 1],
    [48, 255],
  ] as const) {
    const bytes: Uint8Array = Uint8Array.from(profile.bytes)
    bytes[at + offset] = byte
    assert.equal(buildInkTable({ ...profile, bytes }), null, `${offset}`)
  }
})
