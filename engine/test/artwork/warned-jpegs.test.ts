import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { ArtworkError } from '../../src/artwork/artwork-error.ts'
import { createSharpCodec } from '../../src/node/index.ts'
import { flatJpeg } from '../color/flat-jpeg.ts'
import { jpegSegment } from './build-files.ts'

// What libjpeg warns of, and browsers show: not a pixel is missing.

const codec = createSharpCodec()
const sound = new Map<string, Buffer>()

before(async () => {
  const fixture = (name: string): Promise<Buffer> =>
    readFile(path.join(import.meta.dirname, `../decoding/fixtures/${name}.jpg`))
  for (const name of [
    '420',
    'grey',
    '420-progressive',
    '422-progressive-restart',
    '422-restart-each-row',
    '420-restart-each-mcu',
    '411-declined',
    'rgb-declined',
  ]) {
    sound.set(name, await fixture(name))
  }
  sound.set(
    'cmyk',
    flatJpeg(
      [
        [10, 60, 120, 200],
        [250, 3, 90, 40],
      ],
      2,
      0,
    ),
  )
})

type Place = { readonly at: number; readonly end: number; readonly marker: number }

/** Segments from SOI to EOI, with where each begins; scans without their data. */
function segmentsOf(bytes: Buffer): Place[] {
  const places: Place[] = []
  for (let at = 2; at < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    const isData = bytes[at] !== 0xff || marker === 0 || (marker >= 0xd0 && marker <= 0xd7)
    const end = isData ? at + 1 : marker === 0xd9 ? at + 2 : at + 2 + bytes.readUInt16BE(at + 2)
    if (!isData) places.push({ at, end, marker })
    at = end
  }
  return places
}

const insert = (bytes: Buffer, at: number, junk: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at)])

/** [what, how; null where the file has no such place] */
const warnings: readonly (readonly [string, (bytes: Buffer) => Buffer | null])[] = [
  ...[Buffer.of(0), Buffer.of(0x55, 0x66), Buffer.of(0xff, 0), Buffer.of(7, 0xff, 0xd3, 8), Buffer.of(0xff, 1)].map(
    junk =>
      [
        `${junk.toString('hex')} between all segments`,
        (bytes: Buffer) =>
          segmentsOf(bytes)
            .slice(1)
            .toReversed()
            .reduce((file, { at }) => insert(file, at, junk), bytes),
      ] as const,
  ),
  [
    'bytes before each restart',
    bytes => {
      const first = segmentsOf(bytes).find(({ marker }) => marker === 0xda)
      const isRestart = (_: number, i: number): boolean => (bytes[i] ?? 0) >= 0xd0 && (bytes[i] ?? 0) <= 0xd7
      const restarts = [...bytes.keys()].filter(i => i > (first?.end ?? 0) && bytes[i - 1] === 0xff && isRestart(0, i))
      if (restarts.length === 0) return null
      return restarts.toReversed().reduce((file, at) => insert(file, at - 1, Buffer.of(0, 1, 2, 3, 0, 0)), bytes)
    },
  ],
  ...[
    [0, 0, 0],
    [0, 0, 1],
    [5, 63, 0x11],
    [0, 255, 255],
  ].map(
    parameters =>
      [
        `parameters ${parameters.join()} of sequential scans`,
        (bytes: Buffer) => {
          const segments = segmentsOf(bytes)
          if (segments.some(({ marker }) => marker === 0xc2)) return null
          const file = Buffer.from(bytes)
          for (const { marker, end } of segments) if (marker === 0xda) file.set(parameters, end - 3)
          return file
        },
      ] as const,
  ),
  ...[0, 2, 7].map(
    major =>
      [
        `JFIF ${major}`,
        (bytes: Buffer) => {
          if (segmentsOf(bytes)[0]?.marker !== 0xe0) return null
          const file = Buffer.from(bytes)
          file[11] = major
          return file
        },
      ] as const,
  ),
]

describe('a JPEG of which every pixel is there is decoded as without', () => {
  for (const [what, warn] of warnings) {
    it(what, async () => {
      let tried = 0
      for (const [name, bytes] of sound) {
        const file = warn(bytes)
        if (file === null) continue
        // What libvips decodes has no restarts here.
        if (name === 'cmyk' && what.startsWith('bytes before')) continue
        tried++
        const [wanted, found] = [await codec.decodeArtwork(bytes, null), await codec.decodeArtwork(file, null)]
        assert.deepEqual(found, wanted, name)
      }
      assert.ok(tried > 0)
    })
  }

  it("an unknown transform of Adobe's marker: YCC of three components, YCCK of four", async () => {
    const adobe = (transform: number): Buffer =>
      jpegSegment(0xee, Buffer.from([...Buffer.from('Adobe\0\x64\0\0\0\0', 'latin1'), transform]))
    const ycc = sound.get('420') ?? Buffer.alloc(0)
    const withoutJfif = (transform: number): Buffer =>
      Buffer.concat([ycc.subarray(0, 2), adobe(transform), ycc.subarray(segmentsOf(ycc)[0]?.end)])
    const wanted = await codec.decodeArtwork(withoutJfif(1), null)
    for (const transform of [2, 3, 255])
      assert.deepEqual(await codec.decodeArtwork(withoutJfif(transform), null), wanted, `${transform}`)
    const inks = [[10, 60, 120, 200]]
    const ycck = await codec.decodeArtwork(flatJpeg(inks, 1, 2), null)
    const unknown = Buffer.from(flatJpeg(inks, 1, 2))
    unknown[unknown.indexOf('Adobe') + 11] = 1
    assert.deepEqual(await codec.decodeArtwork(unknown, null), ycck)
    assert.notDeepEqual(await codec.decodeArtwork(flatJpeg(inks, 1, 0), null), ycck)
  })
})

it('a JPEG of which something is missing is refused, with such bytes too', async () => {
  for (const [name, bytes] of sound) {
    const scan = segmentsOf(bytes).find(({ marker }) => marker === 0xda)
    assert.ok(scan)
    if (bytes.length - scan.end < 100) continue
    const cut = Buffer.concat([bytes.subarray(0, scan.end + (bytes.length - scan.end) / 2), Buffer.of(0xff, 0xd9)])
    for (const file of [cut, insert(cut, scan.at, Buffer.of(1, 2))])
      await assert.rejects(codec.decodeArtwork(file, null), ArtworkError, name)
  }
})
