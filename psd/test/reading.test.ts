import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { adjustmentFormula, readAdjustment } from '../src/adjusting/adjustment.ts'
import { readSource } from '../src/compositing/layer-source.ts'
import { placementOf } from '../src/geometry/placement.ts'
import { MAX_DEPTH, MAX_DISTANCE_IN_CANVASES, MAX_LAYERS } from '../src/limits.ts'
import { openChannel } from '../src/reading/channel-rows.ts'
import { bytesInMemory, bytesOnDisk } from '../src/reading/file-bytes.ts'
import { openDocument } from '../src/reading/open-document.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import { paint, pixelLayer, smartLayer, writePsd } from './make-psd.ts'
import { block, type RawRecord, record, u16, u32, writeRawPsd } from './write-raw-psd.ts'

/** The file is refused with a sentence. */
function assertRefused(bytes: Uint8Array, sentence: RegExp): void {
  assert.throws(
    () => openDocument(bytes),
    (error: unknown) => {
      assert.ok(error instanceof PsdRefusedError, String(error))
      assert.match(error.message, sentence)
      return true
    },
  )
}

const group = (kind: number): Buffer => record({ bottom: 0, right: 0, extra: block('lsct', u32(kind)) })

describe('a file that is not read is refused with what to do', () => {
  test('another kind of file', () => assertRefused(Buffer.from('GIF89a and more bytes than a header has'), /8BPS/))
  test('CMYK, Lab, a duotone and indexed colour, by name', () => {
    const modes: [number, RegExp][] = [
      [4, /in CMYK\. Choose Image > Mode > RGB Color and 8 Bits\/Channel and save again/],
      [9, /in Lab/],
      [8, /a duotone/],
      [2, /in indexed colour/],
    ]
    for (const [mode, sentence] of modes) assertRefused(writeRawPsd({ mode, channelCount: 4 }), sentence)
  })
  test('32 bits and 1 bit per channel', () => {
    for (const bits of [1, 32]) assertRefused(writeRawPsd({ bits }), new RegExp(`${bits} bits per channel`))
  })
  test('a canvas without end', () => {
    assertRefused(writeRawPsd({ width: 30_000, height: 30_000, merged: u16(1) }), /too large/)
  })
  test('an empty canvas', () =>
    assertRefused(writeRawPsd({ width: 0, height: 8 }), /damaged: its canvas has 0 x 8 pixels/))
})

describe('nothing is taken from declared sizes', () => {
  test('sections beyond the file', () => {
    const bytes = writeRawPsd({})
    bytes.writeUInt32BE(0xffff_fff0, 34)
    assertRefused(bytes, /ends before what it announces/)
  })
  test('channels that are longer than the file', () => {
    const channels = [0, 1, 2].map(id => ({ id, length: 99 << 20, data: Buffer.alloc(0) }))
    const records = Array.from({ length: 100 }, () => record({ bottom: 10, right: 10, channels }))
    assertRefused(writeRawPsd({ records, pixels: Buffer.alloc(64) }), /pixels beyond its end/)
  })
  test('layers far outside the canvas, and one at the limit', () => {
    const size = 8 + 8 * MAX_DISTANCE_IN_CANVASES
    assert.equal(openDocument(writeRawPsd({ records: [record({ bottom: size, right: size })] })).layers.length, 1)
    assertRefused(writeRawPsd({ records: [record({ bottom: size + 1, right: size })] }), /far outside the canvas/)
  })
  test('more layers than the limit, and as many', () => {
    const records = Array.from({ length: MAX_LAYERS }, () => record({ bottom: 0, right: 0 }))
    assert.equal(openDocument(writeRawPsd({ records })).layers.length, MAX_LAYERS)
    assertRefused(writeRawPsd({ records: [...records, record({ bottom: 0, right: 0 })] }), /more than 2000 layers/)
  })
  test('groups that are nested too deep, and as deep as allowed', () => {
    const nest = (depth: number): Buffer =>
      writeRawPsd({
        records: [...Array.from({ length: depth }, () => group(3)), ...Array.from({ length: depth }, () => group(1))],
      })
    assert.equal(openDocument(nest(MAX_DEPTH)).layers.length, 1)
    assertRefused(nest(MAX_DEPTH + 1), /nested more than 32 deep/)
    assertRefused(nest(900), /nested more than 32 deep/)
  })
  test('a count of layers without layers', () => assertRefused(writeRawPsd({ count: 32_767 }), /damaged|ends before/))
  test('zip-compressed pixels that inflate without end fill one row at a time', () => {
    const bomb = deflateSync(Buffer.alloc(64 << 20), { level: 9 })
    const shape = { compression: 2, widthPx: 64, heightPx: 64, bits: 8, isLarge: false } as const
    const out = new Uint8Array(64).fill(9)
    openChannel({ ...shape, data: bytesInMemory(bomb) }).read(0, 0, out)
    assert.deepEqual(out, new Uint8Array(64))
  })
})

describe('pixels', () => {
  test('packed rows give what was stored, from any row and column', () => {
    const rows = [
      [254, 7, 0, 9],
      [3, 1, 2, 3, 4],
    ]
    const data = bytesInMemory(Buffer.concat([u16(4), u16(5), Buffer.from(rows.flat())]))
    const channel = openChannel({ compression: 1, data, widthPx: 4, heightPx: 2, bits: 8, isLarge: false })
    const out = new Uint8Array(3)
    channel.read(1, 1, out)
    assert.deepEqual([...out], [2, 3, 4])
    channel.read(0, 0, out)
    assert.deepEqual([...out], [7, 7, 7])
  })
  test('a row that is cut off is filled with 0', () => {
    const channel = openChannel({
      compression: 0,
      data: bytesInMemory(Buffer.from([5])),
      widthPx: 2,
      heightPx: 2,
      bits: 8,
      isLarge: false,
    })
    const out = new Uint8Array(2)
    channel.read(0, 0, out)
    assert.deepEqual([...out], [5, 0])
    channel.read(1, 0, out)
    assert.deepEqual([...out], [0, 0])
  })
  test('16 bits with prediction are undone and rounded', () => {
    const stored = Buffer.concat([u16(0x8000), u16(0x0101), u16(0x7efe)])
    const channel = openChannel({
      compression: 3,
      data: bytesInMemory(deflateSync(stored)),
      widthPx: 3,
      heightPx: 1,
      bits: 16,
      isLarge: false,
    })
    const out = new Uint8Array(3)
    channel.read(0, 0, out)
    assert.deepEqual([...out], [128, 129, 255])
  })
  test('inflated rows can be read again from the top', () => {
    const stored = Buffer.from([1, 2, 3, 4, 5, 6])
    const channel = openChannel({
      compression: 2,
      data: bytesInMemory(deflateSync(stored)),
      widthPx: 2,
      heightPx: 3,
      bits: 8,
      isLarge: false,
    })
    const out = new Uint8Array(2)
    const read = (y: number): number[] => {
      channel.read(y, 0, out)
      return [...out]
    }
    assert.deepEqual(
      [read(2), read(0), read(0), read(1)],
      [
        [5, 6],
        [1, 2],
        [1, 2],
        [3, 4],
      ],
    )
  })
  test('a layer has its colour and alpha where it lies', () => {
    const layer = pixelLayer('red', 2, 3, paint(2, 1, [255, 0, 51, 128]))
    const document = openDocument(writePsd(8, 8, [layer]))
    const [read] = document.layers
    assert.ok(read)
    const canvas = { left: 0, top: 0, widthPx: 8, heightPx: 8 }
    const picture = readSource(document.file, read, canvas, canvas)
    assert.deepEqual(picture?.rect, { left: 2, top: 3, widthPx: 2, heightPx: 1 })
    assert.deepEqual(
      [...(picture?.color ?? [])].slice(0, 3).map(value => Math.round(value * 255)),
      [255, 0, 51],
    )
    assert.equal(Math.round((picture?.alpha[0] ?? 0) * 255), 128)
  })
})

describe('a file that is read in blocks', () => {
  const stored = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31 + (i >> 8)) & 255)
  test('gives what it holds: within a block, over several, up to its end and not beyond', () => {
    const file = bytesOnDisk(stored.length, (target, from) => target.set(stored.subarray(from, from + target.length)))
    for (const [from, length] of [
      [0, 10],
      [65_530, 12],
      [65_536, 65_536],
      [10, 290_000],
      [299_990, 100],
      [300_000, 4],
    ] as const) {
      assert.deepEqual(file.read(from, length), stored.slice(from, from + length), `${length} bytes from ${from}`)
    }
  })
  test('keeps the last blocks and no more than 16 MiB of them', () => {
    const reads: number[] = []
    const file = bytesOnDisk(300 * 65_536, (target, from) => {
      reads.push(from)
      target.fill(from / 65_536)
    })
    const firstOf = (block: number): number | undefined => file.read(block * 65_536, 1)[0]
    for (let block = 0; block < 257; block++) assert.equal(firstOf(block), block & 255)
    assert.equal(firstOf(256), 0)
    assert.equal(reads.length, 257)
    assert.equal(firstOf(0), 0)
    assert.equal(reads.length, 258)
  })
})

test('a smart object whose descriptor has no corners, or some that cross, is refused', () => {
  const layer = smartLayer('Your design', [0, 0, 8, 0, 8, 8, 0, 8], { width: 8, height: 8 })
  assert.ok(layer.placedLayer)
  const placed = Object.assign(layer.placedLayer, { transform: undefined })
  assert.throws(() => placementOf(placed), /a smart object has no corners/)
  for (const transform of [
    [0, 0, 8, 8, 8, 0, 0, 8],
    [0, 0, 8, 4e121, 8, 8, 0, 8],
  ]) {
    const crossed = Object.assign(layer.placedLayer, { transform })
    assert.throws(() => placementOf(crossed), /the corners of a smart object are no quadrilateral/)
  }
})

describe('what Photoshop and others write of layers and masks without an area', () => {
  const rectangle = (top: number, left: number, bottom: number, right: number) =>
    Buffer.concat([u32(top), u32(left), u32(bottom), u32(right)])
  const id = block('lyid', u32(7))
  const layerOf = (raw: RawRecord) => openDocument(writeRawPsd({ records: [record({ ...raw, extra: id })] })).layers[0]

  test('a shape that ends before it begins is a layer without pixels', () => {
    const layer = layerOf({ bottom: -3, right: -1 })
    assert.equal(layer?.id, 7)
    assert.ok((layer?.bottom ?? 1) <= (layer?.top ?? 0))
  })
  test('an empty mask of a path is read, alone and before a second mask', () => {
    const empty = rectangle(0, 0, -1, 0)
    const alone = Buffer.concat([empty, Buffer.from([255, 8, 0, 0])])
    assert.equal(layerOf({ mask: alone })?.mask?.fromVectorData, true)
    const second = Buffer.concat([empty, Buffer.from([255, 8, 0, 255]), rectangle(0, 0, -1, 0)])
    const layer = layerOf({ mask: second })
    assert.equal(layer?.realMask?.defaultColor, 255)
  })
  test('parameters behind a single mask are not taken for a second one', () => {
    const feather = Buffer.alloc(8)
    feather.writeDoubleBE(2.5)
    const parameters = Buffer.concat([
      Buffer.from([15, 128]),
      feather,
      Buffer.from([255]),
      Buffer.alloc(8),
      Buffer.alloc(1),
    ])
    const mask = Buffer.concat([rectangle(0, 0, 4, 4), Buffer.from([0, 0x18]), parameters])
    const layer = layerOf({ mask })
    assert.equal(layer?.realMask, undefined)
    assert.deepEqual(
      [layer?.mask?.userMaskDensity, layer?.mask?.userMaskFeather, layer?.mask?.vectorMaskDensity],
      [128 / 255, 2.5, 1],
    )
  })
})

test('curves and levels of a grey document are those of its only channel', () => {
  const red = [
    { input: 0, output: 255 },
    { input: 255, output: 0 },
  ]
  const file = Buffer.from(writePsd(4, 4, [{ name: 'curves', adjustment: { type: 'curves', red } }]))
  const toneOf = (): number[] => {
    const adjustment = readAdjustment(openDocument(file).layers[0]?.adjustment ?? { type: 'invert' })
    assert.ok(adjustment)
    return adjustmentFormula(adjustment)([0.2, 0.2, 0.2]).map(value => Math.round(10 * value))
  }
  assert.deepEqual(toneOf(), [8, 2, 2])
  file.writeUInt16BE(1, 24)
  assert.deepEqual(toneOf(), [8, 8, 8])
})

test('how a gradient map mixes colours is read by its code', () => {
  const stop = (location: number, value: number) => ({
    location,
    midpoint: 0.5,
    color: { r: value, g: value, b: value },
  })
  const opacityStops = [0, 1].map(location => ({ location, midpoint: 0.5, opacity: 1 }))
  const colorStops = [stop(0, 0), stop(1, 255)]
  const adjustment = { type: 'gradient map', gradientType: 'solid', name: 'A', colorStops, opacityStops } as const
  const bytes = writePsd(4, 4, [{ name: 'map', id: 7, adjustment }])
  const methodOf = (file: Uint8Array): string | undefined => {
    const read = openDocument(file).layers[0]?.adjustment
    return read?.type === 'gradient map' ? read.method : 'none'
  }
  assert.equal(methodOf(bytes), undefined)
  for (const [code, method] of [
    ['Gcls', undefined],
    ['Perc', 'perceptual'],
    ['Lnr ', 'linear'],
    ['Smoo', 'smooth'],
  ] as const) {
    const file = Buffer.from(bytes)
    const at = file.indexOf('grdm') + 8
    // The code in place of the name's length, and no name in place of the name.
    file.writeUInt16BE(3, at)
    file.write(code, at + 4, 'latin1')
    file.writeUInt32BE(0, at + 8)
    assert.equal(methodOf(file), method, code)
  }
})

describe('the merged picture', () => {
  const canvas = { left: 0, top: 0, widthPx: 2, heightPx: 1 }
  test('of a transparent document lies over the matte', () => {
    // Planes of red, green, blue and alpha; colour is stored over white.
    const merged = Buffer.concat([u16(0), Buffer.from([255, 200, 255, 200, 255, 200, 0, 255])])
    const records = [record({ bottom: 0, right: 0 })]
    const document = openDocument(writeRawPsd({ width: 2, height: 1, channelCount: 4, merged, records, count: -1 }))
    assert.equal(document.isTransparent, true)
    assert.deepEqual([...(document.merged?.read(canvas, [10, 20, 30]) ?? [])], [10, 20, 30, 200, 200, 200])
  })
  test('that is missing counts as none', () => {
    const document = openDocument(writeRawPsd({ width: 2, height: 1, merged: Buffer.alloc(0) }))
    assert.equal(document.merged, null)
    assert.equal(document.isMergedReal, false)
  })
  test('that is cut off is refused, packed or not: an upload was interrupted', () => {
    const planes = [10, 20, 30].flatMap(value => Array<number>(12).fill(value))
    const unpacked = Buffer.concat([u16(0), Buffer.from(planes)])
    // Rows of four equal samples, in PackBits: the table of lengths, then a count and a value for each row.
    const rows = planes.filter((_, index) => index % 4 === 0)
    const packed = Buffer.concat([u16(1), ...rows.map(() => u16(2)), ...rows.map(value => Buffer.from([253, value]))])
    for (const merged of [unpacked, packed]) {
      const open = (length: number) =>
        openDocument(writeRawPsd({ width: 4, height: 3, merged: merged.subarray(0, length) }))
      const read = open(merged.length).merged?.read({ left: 0, top: 0, widthPx: 4, heightPx: 3 }, [0, 0, 0])
      assert.deepEqual([...(read ?? [])].slice(-3), [10, 20, 30])
      for (let length = 2; length < merged.length; length++) {
        assert.throws(() => open(length), /This file ends early: \d+ bytes of its picture are missing/, `${length}`)
      }
    }
  })
})
