import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { DeclinedError } from '../../src/decoding/declined.ts'
import { JpegDecoder } from '../../src/decoding/jpeg/jpeg-decoder.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'

let decoder: JpegDecoder
let sound: Buffer

before(async () => {
  decoder = new JpegDecoder(loadKernels().get('jpeg-decoder'))
  sound = await readFile(path.join(import.meta.dirname, 'fixtures/420.jpg'))
})

function segment(marker: number, ...body: readonly number[]): Buffer {
  return Buffer.of(0xff, marker, 0, body.length + 2, ...body)
}

/** With segments right behind SOI, or in the place of the JFIF header. */
function withSegments(bytes: Buffer, ...segments: readonly Buffer[]): Buffer {
  const rest = bytes.subarray(2, 4).equals(Buffer.of(0xff, 0xe0)) ? 4 + bytes.readUInt16BE(4) : 2
  return Buffer.concat([bytes.subarray(0, 2), ...segments, bytes.subarray(rest)])
}

async function bySharp(bytes: Buffer): Promise<'decoded' | 'refused'> {
  try {
    await sharp(bytes, { failOn: 'warning' }).raw().toBuffer()
    return 'decoded'
  } catch {
    return 'refused'
  }
}

function byUs(bytes: Buffer): 'decoded' | 'refused' {
  try {
    decoder.decode(bytes, 8)
    return 'decoded'
  } catch (error) {
    assert.ok(error instanceof DeclinedError, String(error))
    return 'refused'
  }
}

// Each of these was accepted once, and found by mutants or by coverage-guided fuzzing (engine/fuzz).
describe('what libjpeg-turbo warns of:', () => {
  it("an unknown colour transform of Adobe's marker is read, as by browsers", async () => {
    const adobe = (transform: number): Buffer =>
      withSegments(sound, segment(0xee, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform))
    for (const [transform, wanted] of [
      [1, 'decoded'],
      [2, 'refused'],
      [255, 'refused'],
    ] as const) {
      assert.equal(byUs(adobe(transform)), 'decoded', `${transform}`)
      assert.equal(await bySharp(adobe(transform)), wanted, `${transform}`)
    }
  })

  it('a JFIF header of a version that is not 1.x is read, as by browsers', async () => {
    const jfif = (major: number): Buffer =>
      withSegments(sound, segment(0xe0, ...Buffer.from('JFIF\0'), major, 1, 0, 0, 1, 0, 1, 0, 0))
    for (const [major, wanted] of [
      [1, 'decoded'],
      [0, 'refused'],
      [2, 'refused'],
    ] as const) {
      assert.equal(byUs(jfif(major)), 'decoded', `${major}`)
      assert.equal(await bySharp(jfif(major)), wanted, `${major}`)
    }
  })

  it('a Huffman table with the code of all ones is declined', async () => {
    assert.equal(byUs(sound), 'decoded')
    const table = sound.indexOf(Buffer.of(0xff, 0xc4))
    const counts = [...sound.subarray(table + 5, table + 21)]
    const longest = counts.findLastIndex(count => count > 0)
    const end = table + 21 + counts.reduce((sum, count) => sum + count)
    // What optimal tables and the standard's leave free: one code of the longest.
    const free = counts.reduce((left, count, i) => left - count * 2 ** (longest - i), 2 ** (longest + 1))
    assert.equal(free, 1)
    const complete = Buffer.concat([sound.subarray(0, end), Buffer.of(0), sound.subarray(end)])
    complete.writeUInt16BE(complete.readUInt16BE(table + 2) + 1, table + 2)
    complete.writeUInt8((counts[longest] ?? 0) + 1, table + 5 + longest)
    assert.equal(byUs(complete), 'refused')
    assert.equal(await bySharp(complete), 'refused')
  })

  it('a segment of a marker that no picture of ours has is declined', async () => {
    for (let marker = 0xdc; marker <= 0xfe; marker++) {
      const isKnown = marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)
      // where it stands for something (a table, a frame) these bytes are damaged
      if (marker === 0xdd) continue
      const other = withSegments(sound, segment(marker, 1, 2, 3))
      assert.equal(byUs(other), isKnown ? 'decoded' : 'refused', marker.toString(16))
      if (byUs(other) === 'decoded') assert.equal(await bySharp(other), 'decoded', marker.toString(16))
    }
    assert.equal(await bySharp(withSegments(sound, segment(0xf6, 1, 2, 3))), 'refused')
  })
})
