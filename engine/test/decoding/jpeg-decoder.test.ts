import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import { DeclinedError } from '../../src/decoding/declined.ts'
import { JpegDecoder } from '../../src/decoding/jpeg/jpeg-decoder.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { openRgb, rgbOf } from '../artwork/make-artwork.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const fixtures = path.join(import.meta.dirname, 'fixtures')

let decoder: JpegDecoder
let files: readonly (readonly [name: string, bytes: Buffer])[]

before(async () => {
  decoder = new JpegDecoder(loadKernels().get('jpeg-decoder'))
  const names = (await readdir(fixtures)).filter(name => name.endsWith('.jpg') && !name.includes('declined'))
  files = await Promise.all(names.map(async name => [name, await readFile(path.join(fixtures, name))] as const))
})

/** What libjpeg-turbo makes of it, or null where it warns. */
async function bySharp(bytes: Uint8Array): Promise<Buffer | null> {
  try {
    return await sharp(bytes, { failOn: 'warning', ignoreIcc: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer()
  } catch {
    return null
  }
}

/** A picture with smooth and rough parts, the same for every size. */
function drawn(widthPx: number, heightPx: number): ReturnType<typeof sharp> {
  const at = (x: number, y: number): readonly [number, number, number] => {
    const rough = (Math.imul(Math.floor(x) * 7919 + Math.floor(y) * 104_729, 0x9e3779b1) >>> 24) & 63
    const level = Math.round(96 + 90 * Math.sin(x / 9) * Math.cos(y / 13))
    return [level, Math.floor(y) % 16 < 8 ? rough + 100 : level, Math.min(255, Math.floor(x * 2) % 256)]
  }
  return openRgb(rgbOf(widthPx, heightPx, at), widthPx, heightPx)
}

function kindOf(work: () => unknown): DeclinedError['kind'] | 'decoded' {
  try {
    work()
    return 'decoded'
  } catch (error) {
    assert.ok(error instanceof DeclinedError, String(error))
    return error.kind
  }
}

describe('our JPEG decoder at full size equals libjpeg-turbo byte for byte:', () => {
  it('all samplings, sequential and progressive, with and without restarts, grey, best and worst quality', async () => {
    assert.ok(files.length >= 13)
    for (const [name, bytes] of files) {
      const { data } = decoder.decode(bytes, 8)
      const wanted = await bySharp(bytes)
      assert.ok(wanted?.equals(data), name)
    }
  })

  it('every width and height from 8 to 40, where blocks and chroma are cut', async () => {
    const sizes = Array.from({ length: 33 }, (_, i) => [8 + i, 8 + ((i * 7) % 33)] as const)
    for (const [width, height] of sizes) {
      for (const options of [
        { chromaSubsampling: '4:2:0' },
        { chromaSubsampling: '4:4:4' },
        { chromaSubsampling: '4:2:0', progressive: true },
      ]) {
        const bytes = await drawn(width, height)
          .jpeg({ quality: 60 + (width % 40), ...options })
          .toBuffer()
        const wanted = await bySharp(bytes)
        assert.ok(wanted?.equals(decoder.decode(bytes, 8).data), `${width} x ${height} ${JSON.stringify(options)}`)
      }
    }
  })

  it('a larger picture after a smaller one and the other way round, in one decoder', async () => {
    for (const side of [600, 16, 1500, 24]) {
      const bytes = await drawn(side, side).jpeg().toBuffer()
      assert.ok((await bySharp(bytes))?.equals(decoder.decode(bytes, 8).data), `${side}`)
    }
  })

  it('the photographs and drawings that ship as sample artworks', async () => {
    const folder = path.resolve(import.meta.dirname, '../../../templates/artworks')
    for (const name of (await readdir(folder)).filter(name => name.endsWith('.jpg'))) {
      const { bytesToDecode } = inspectArtwork(await readFile(path.join(folder, name)))
      assert.ok((await bySharp(bytesToDecode))?.equals(decoder.decode(bytesToDecode, 8).data), name)
    }
  })
})

describe('at N/8 of the size', () => {
  it('the size is rounded up and a progressive file gives the same bytes as its sequential twin', async () => {
    for (const [width, height] of [
      [333, 250],
      [640, 480],
    ] as const) {
      const sequential = await drawn(width, height).jpeg({ quality: 75 }).toBuffer()
      const progressive = await drawn(width, height).jpeg({ quality: 75, progressive: true }).toBuffer()
      for (let eighths = 1; eighths <= 8; eighths++) {
        const one = decoder.decode(sequential, eighths)
        const other = decoder.decode(progressive, eighths)
        assert.deepEqual(
          [one.widthPx, one.heightPx],
          [Math.ceil((width * eighths) / 8), Math.ceil((height * eighths) / 8)],
        )
        assert.ok(Buffer.from(one.data).equals(other.data), `${width} px at ${eighths}/8`)
      }
    }
  })

  it('a flat picture stays flat, and every pixel is opaque', async () => {
    const bytes = await openRgb(
      rgbOf(100, 70, () => [200, 100, 50]),
      100,
      70,
    )
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer()
    const [red, green, blue] = decoder.decode(bytes, 8).data
    for (let eighths = 1; eighths <= 7; eighths++) {
      const { data } = decoder.decode(bytes, eighths)
      for (let i = 0; i < data.length; i += 4) assert.deepEqual([...data.subarray(i, i + 4)], [red, green, blue, 255])
    }
  })

  it('samples are those of the picture averaged over their area, but for the sharpness of the transform', async () => {
    const [width, height] = [640, 480]
    const bytes = await openRgb(
      rgbOf(width, height, (x, y) => [128 + 100 * Math.sin(x / 40), 128 + 100 * Math.cos(y / 50), 90]),
      width,
      height,
    )
      .jpeg({ quality: 98, chromaSubsampling: '4:4:4' })
      .toBuffer()
    const full = decoder.decode(bytes, 8).data
    for (const eighths of [1, 2, 4]) {
      const { data, widthPx, heightPx } = decoder.decode(bytes, eighths)
      const step = 8 / eighths
      let worst = 0
      for (let y = 0; y < heightPx; y++) {
        for (let x = 0; x < widthPx; x++) {
          let sum = 0
          for (let j = 0; j < step; j++)
            for (let i = 0; i < step; i++) sum += full[((y * step + j) * width + x * step + i) * 4] ?? 0
          worst = Math.max(worst, Math.abs(sum / step ** 2 - (data[(y * widthPx + x) * 4] ?? 0)))
        }
      }
      assert.ok(worst < 4, `${eighths}/8: ${worst}`)
    }
  })
})

it('a part of a picture has the pixels of the whole, at every scale, sampling and place', () => {
  for (const [name, bytes] of files) {
    for (let eighths = 1; eighths <= 8; eighths++) {
      const whole = decoder.decode(bytes, eighths)
      const { widthPx, heightPx } = whole
      const at = (x: number, y: number): number => ((x * 7919 + y * 104_729) >>> 3) % 97
      for (let turn = 0; turn < 12; turn++) {
        const left = (at(turn, eighths) * widthPx) / 110
        const top = (at(eighths, turn) * heightPx) / 110
        const wanted = {
          left,
          top,
          right: left + 1 + (at(turn, 3) * widthPx) / 120,
          bottom: top + 1 + (at(5, turn) * heightPx) / 120,
        }
        const found = decoder.decode(bytes, eighths, eighths, wanted)
        const { part } = found
        assert.ok(part.left <= wanted.left && part.top <= wanted.top, name)
        assert.ok(part.right >= Math.min(widthPx, wanted.right) && part.bottom >= Math.min(heightPx, wanted.bottom))
        assert.deepEqual([found.widthPx, found.heightPx], [part.right - part.left, part.bottom - part.top])
        assert.deepEqual([found.wholeWidthPx, found.wholeHeightPx], [widthPx, heightPx])
        for (let y = part.top; y < part.bottom; y++) {
          const from = (y * widthPx + part.left) * 4
          const expected = whole.data.subarray(from, from + found.widthPx * 4)
          const row = (y - part.top) * found.widthPx * 4
          const isSame = Buffer.from(expected).equals(found.data.subarray(row, row + found.widthPx * 4))
          assert.ok(isSame, `${name} at ${eighths}/8, row ${y} of ${JSON.stringify(part)}`)
        }
      }
    }
  }
})

describe('what is not for our decoder is declined:', () => {
  it('CMYK, RGB, factors of 4, tiny pictures', async () => {
    const raw = drawn(40, 30)
    assert.equal(
      kindOf(() => decoder.decode(new Uint8Array(0), 8)),
      'doubtful',
    )
    const cmyk = await raw.clone().toColourspace('cmyk').jpeg().toBuffer()
    assert.equal(
      kindOf(() => decoder.decode(cmyk, 8)),
      'unsupported',
    )
    for (const name of ['rgb-declined.jpg', '411-declined.jpg']) {
      const bytes = await readFile(path.join(fixtures, name))
      assert.equal(
        kindOf(() => decoder.decode(bytes, 8)),
        'unsupported',
        name,
      )
    }
    const tiny = await drawn(7, 30).jpeg().toBuffer()
    assert.equal(
      kindOf(() => decoder.decode(tiny, 8)),
      'unsupported',
    )
  })

  it('a picture cut short at any byte, at any scale', () => {
    for (const [name, bytes] of files) {
      for (let at = 2; at < bytes.length - 2; at += 61) {
        assert.notEqual(
          kindOf(() => decoder.decode(bytes.subarray(0, at), 4)),
          'decoded',
          `${name} at ${at}`,
        )
      }
    }
  })

  it('a size that would take more memory than the budget, before any memory is taken', () => {
    const small = files.find(([name]) => name === '420-progressive.jpg')?.[1]
    assert.ok(small)
    const frameAt = small.indexOf(Buffer.from([0xff, 0xc2]))
    const lying = Buffer.concat([small.subarray(0, -2), Buffer.alloc(1_000_000, 0x55), small.subarray(-2)])
    lying.writeUInt16BE(9000, frameAt + 5)
    lying.writeUInt16BE(9000, frameAt + 7)
    const before = process.memoryUsage().arrayBuffers
    assert.equal(
      kindOf(() => decoder.decode(lying, 8)),
      'too-large',
    )
    assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024)
  })

  it('a size that its data cannot fill, without walking it', () => {
    const small = files.find(([name]) => name === '420.jpg')?.[1]
    assert.ok(small)
    const lying = Buffer.from(small)
    const frameAt = lying.indexOf(Buffer.from([0xff, 0xc0]))
    lying.writeUInt16BE(4000, frameAt + 5)
    lying.writeUInt16BE(4000, frameAt + 7)
    assert.equal(
      kindOf(() => decoder.decode(lying, 1)),
      'cut',
    )
  })
})

it('damaged pictures are declined or decoded as libjpeg-turbo does, and the decoder stays sound', async () => {
  const good = files.map(([, bytes]) => [bytes, Buffer.from(decoder.decode(bytes, 8).data)] as const)
  // not fc.double, which crowds around 0
  const fraction = fc.noBias(fc.nat(999_999)).map(position => position / 1_000_000)
  const change = fc.tuple(fraction, fc.nat(255), fc.constantFrom('set', 'flip', 'drop'))
  let decoded = 0
  await fc.assert(
    fc.asyncProperty(
      fc.nat(files.length - 1),
      fc.array(change, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 8 }),
      async (index, changes, eighths) => {
        let bytes = Buffer.from(files[index]?.[1] ?? [])
        for (const [position, value, kind] of changes) {
          const at = 2 + Math.floor(position * (bytes.length - 2))
          if (kind === 'set') bytes[at] = value
          else if (kind === 'flip') bytes[at] = (bytes[at] ?? 0) ^ (1 << (value & 7))
          else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + (value & 15))])
        }
        kindOf(() => decoder.decode(bytes, eighths))
        let data: Uint8Array
        try {
          ;({ data } = decoder.decode(bytes, 8))
        } catch (error) {
          assert.ok(error instanceof DeclinedError, String(error))
          return
        }
        const wanted = await bySharp(bytes)
        // libjpeg-turbo warns of a little more than we doubt; what it reads without a warning must be equal
        if (wanted === null) return
        assert.ok(wanted.equals(data))
        decoded++
      },
    ),
    { numRuns: isFull ? 100_000 : 100 },
  )
  assert.ok(decoded > 0)
  for (const [bytes, wanted] of good) assert.ok(wanted.equals(decoder.decode(bytes, 8).data))
})
