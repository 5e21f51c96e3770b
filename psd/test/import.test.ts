import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkBundle } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import type { Layer } from 'ag-psd'
import { adobeRgb, srgbFromXyz } from '../../engine/test/color/profiles.ts'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { type ImportResult, importPsd } from '../src/import-psd.ts'
import { describeReport } from '../src/import-report.ts'
import { MAX_GROUP_DEPTH } from '../src/limits.ts'
import { bytesOnDisk, type FileBytes } from '../src/reading/file-bytes.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import {
  CONTENT_ID,
  namedProfile,
  paint,
  pixelLayer,
  type Rgba,
  smartLayer,
  srgbProfile,
  withProfile,
  writePsd,
} from './make-psd.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd, nestedMockupPsd } from './mockup-file.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()

type Imported = ImportResult & { readonly store: MemoryStore }

async function importFile(file: Uint8Array | FileBytes, frames: readonly string[] = []): Promise<Imported> {
  const store = new MemoryStore()
  const options = { name: 'Small mockup', frames, matte: [255, 255, 255] } as const
  return { ...(await importPsd(file, options, { codec, kernel, store })), store }
}

function descriptionOf({ store }: Imported): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(store.files.get('template.json')))
}

describe('a mockup of one design', () => {
  test('becomes a bundle without a fault, proven by the design that the file holds', async () => {
    const result = await importFile(mockupPsd())
    const { template, faults } = await checkBundle(result.store, codec)
    assert.deepEqual(faults, [])
    assert.equal(template?.id, 'small-mockup')
    assert.equal(template?.frames.length, 1)
    assert.equal(template?.blendMode, 'multiply')
    assert.equal(template?.overlays.length, 1)
    assert.equal(result.report.result, 'verified')
    const [frame] = result.report.frames
    assert.equal(frame?.check?.verdict, 'same')
    assert.ok((frame?.check?.mean ?? 9) < 0.6, `${frame?.check?.mean}`)
  })

  test('whose saved picture shows something else is said to differ', async () => {
    const { report } = await importFile(mockupPsd({ merged: () => [90, 160, 220] }))
    assert.equal(report.result, 'different')
    assert.equal(report.frames[0]?.check?.verdict, 'different')
    assert.match(
      describeReport(report, 'small.psd').join('\n'),
      /DIFFERENT: \d+\.\d\d of 255 from Photoshop on average/,
    )
  })

  test('keeps outside the design what Photoshop saved, whatever its layers are', async () => {
    const result = await importFile(mockupPsd({ merged: () => [9, 99, 199] }))
    const scene = await codec.decodeLayer(await result.store.read('scene.png'), 'rgb')
    assert.deepEqual([...scene.data.subarray(0, 3)], [9, 99, 199])
    const inside = ((16 + 18) * scene.widthPx + 20 + 24) * 3
    assert.deepEqual([...scene.data.subarray(inside, inside + 3)], [200 - 44, 180 - 34, 150])
  })

  test("leaves no line of the old design where Photoshop's edge goes further than ours", async () => {
    // Stored pixels of the smart object are two pixels larger on each side, and seen in the saved picture.
    const [left, top, width, height] = [18, 14, 52, 40]
    const isStored = (x: number, y: number): boolean => x >= left && x < left + width && y >= top && y < top + height
    const merged = (x: number, y: number): Rgba => (isStored(x, y) ? [250, 20, 20] : [9, 99, 199])
    const design = pixelLayer('Your design here', left, top, paint(width, height, [250, 20, 20]))
    const { store } = await importFile(mockupPsd({ design, above: [], merged }))
    const { data } = await codec.decodeLayer(await store.read('scene.png'), 'rgb')
    const at = (x: number, y: number): number[] => [...data.subarray((y * 96 + x) * 3, (y * 96 + x) * 3 + 3)]
    for (const [x, y] of [
      [left, top],
      [left + 1, 30],
      [40, top + height - 1],
    ] as const)
      assert.deepEqual(at(x, y), [200 - x, 180 - y, 150], `${x}, ${y}`)
    assert.deepEqual(at(4, 4), [9, 99, 199])
  })

  test("has Photoshop's pixels under clear artwork, unless a layer lies above", async () => {
    // The stored pixels of the smart object are clear in its left half; the saved picture is of no layer.
    const merged = (): Rgba => [9, 99, 199]
    const stored = paint(48, 36, (x): Rgba => [250, 20, 20, x < 24 ? 0 : 255])
    const design = pixelLayer('Your design here', 20, 16, stored)
    const above = pixelLayer('above', 0, 0, paint(MOCKUP_WIDTH, 30, [255, 255, 255, 90]))
    const { store } = await importFile(mockupPsd({ design, above: [above], merged }))
    const { data } = await codec.decodeLayer(await store.read('scene.png'), 'rgb')
    const at = (x: number, y: number): number[] => [...data.subarray((y * 96 + x) * 3, (y * 96 + x) * 3 + 3)]
    assert.deepEqual(at(30, 40), [9, 99, 199], 'clear')
    assert.deepEqual(at(60, 40), [140, 140, 150], 'not clear')
    assert.deepEqual(at(30, 20), [170, 160, 150], 'below a layer')
  })

  test('says where its smart objects lie in the picture', async () => {
    const { placedLayer, ...badge } = smartLayer('Badge', [72, 0, 96, 0, 96, 36, 72, 36], { width: 24, height: 36 })
    assert.ok(placedLayer)
    const above = [{ ...badge, placedLayer: { ...placedLayer, id: '20953ddb-9391-11ec-b4f1-c15674f50bc6' } }]
    const { report } = await importFile(mockupPsd({ above }))
    const shown = report.smart_objects.map(({ name, is_frame, outline }) => [name, is_frame, outline[0], outline[16]])
    assert.deepEqual(shown, [
      ['Your design here', true, [0.2083, 0.2222], [0.7083, 0.7222]],
      ['Badge', false, [0.75, 0], [1, 0.5]],
    ])
  })

  test('has its layer above cut to the design', async () => {
    const description = descriptionOf(await importFile(mockupPsd()))
    assert.deepEqual(description['overlays'], [{ image: 'layer-0.png', region: [20, 16, 48, 36] }])
  })

  test("with adjustments and joined layers above it leaves Photoshop's pixels where no design shows", async () => {
    // The mask hides the right part of the design, so that the frame's rectangle has pixels without it.
    const hidden = paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, x => (x < 44 ? [255, 255, 255] : [0, 0, 0]))
    const mask = {
      top: 0,
      left: 0,
      bottom: MOCKUP_HEIGHT,
      right: MOCKUP_WIDTH,
      defaultColor: 0,
      imageData: hidden,
    }
    const over = (name: string, blendMode: 'multiply' | 'screen'): Layer =>
      pixelLayer(name, 0, 0, paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, [90, 120, 200, 200]), { blendMode })
    const invert: Layer = { name: 'invert', adjustment: { type: 'invert' } }
    const above = [over('shade', 'multiply'), over('gleam', 'screen'), over('fold', 'multiply'), invert]
    const result = await importFile(mockupPsd({ above, design: { mask }, merged: () => [9, 99, 199] }))
    const { stack } = descriptionOf(result)
    assert.ok(Array.isArray(stack))
    const kinds = stack.map((operation: object) => Object.keys(operation)[0])
    assert.deepEqual(kinds, ['frame', 'affine', 'adjust'])
    assert.ok(result.comparison)
    const { ours } = result.comparison
    for (let k = 0; k < MOCKUP_WIDTH * MOCKUP_HEIGHT; k++) {
      const [x, y] = [k % MOCKUP_WIDTH, Math.floor(k / MOCKUP_WIDTH)]
      const isDesign = x >= 20 && x < 44 && y >= 16 && y < 52
      const color = [...ours.data.subarray(3 * k, 3 * k + 3)]
      if (isDesign) assert.notDeepEqual(color, [9, 99, 199], `${x}, ${y}`)
      else assert.deepEqual(color, [9, 99, 199], `${x}, ${y}`)
    }
  })

  test('names adjustments above it that are only near Photoshop', async () => {
    const shift = { cyanRed: 20, magentaGreen: 0, yellowBlue: 0 }
    const balance: Layer = { name: 'warm', adjustment: { type: 'color balance', midtones: shift } }
    const vibrance: Layer = { name: 'bright', adjustment: { type: 'vibrance', vibrance: 30, saturation: 0 } }
    const { report } = await importFile(mockupPsd({ above: [balance, vibrance] }))
    assert.deepEqual(
      report.notes.map(({ kind, layer }) => [kind, layer]),
      [['approximated', 'bright']],
    )
  })

  test('names the effects that are left out', async () => {
    const bevel = { effects: { bevel: { enabled: true, size: { units: 'Pixels' as const, value: 3 } } } }
    const { report } = await importFile(mockupPsd({ design: bevel }))
    const [note] = report.notes
    assert.equal(note?.kind, 'left-out')
    assert.equal(note?.layer, 'Your design here')
    assert.match(note?.text ?? '', /bevel is not drawn: draw it on a layer/)
  })

  test('names smart filters of a kind that cannot be read', async () => {
    const black = { r: 0, g: 0, b: 0 }
    const invert = { type: 'invert', name: 'Invert', opacity: 1, blendMode: 'normal', enabled: true } as const
    const list = [{ ...invert, hasOptions: false, foregroundColor: black, backgroundColor: black }]
    const shown = { enabled: true, validAtPosition: true, maskEnabled: false, maskLinked: true }
    const filter = { ...shown, maskExtendWithWhite: true, list }
    const { placedLayer } = smartLayer('', [20, 16, 68, 16, 68, 52, 20, 52], { width: 48, height: 36 })
    assert.ok(placedLayer)
    const file = mockupPsd({ design: { id: 7, placedLayer: { ...placedLayer, filter } } })
    const notesOf = async () => (await importFile(file)).report.notes.map(({ kind, text }) => `${kind} ${text}`)
    assert.deepEqual(await notesOf(), [])
    const at = Buffer.from(file.buffer).indexOf('filterIDlong') + 'filterIDlong'.length
    file.set([0, 1, 2, 3], at)
    const [note] = await notesOf()
    assert.match(note ?? '', /^left-out a smart filter of an unknown kind is not drawn: apply it to/)
    // The general reader then returns none of the filters.
    file.set(Buffer.from('none'), Buffer.from(file.buffer).indexOf('Nrml', at - 400))
    const [other] = await notesOf()
    assert.equal(other, note)
  })

  test('imported twice is the same, byte for byte', async () => {
    const [first, second] = [await importFile(mockupPsd()), await importFile(mockupPsd())]
    assert.deepEqual(first.store.files, second.store.files)
    assert.deepEqual([...first.files].sort(), [...first.store.files.keys()].sort())
  })

  test('in a Buffer stays as it is', async () => {
    const bytes = Buffer.from(mockupPsd())
    const before = Uint8Array.from(bytes)
    await importFile(bytes)
    assert.deepEqual(Uint8Array.from(bytes), before)
  })

  test('read from a disk in blocks is the same, byte for byte', async () => {
    const bytes = mockupPsd()
    const onDisk = bytesOnDisk(bytes.length, (target, from) => target.set(bytes.subarray(from, from + target.length)))
    const [whole, read] = [await importFile(bytes), await importFile(onDisk)]
    assert.deepEqual(read.store.files, whole.store.files)
  })
})

describe('a document whose colours are not sRGB', () => {
  /** A design of colours that sRGB has, on a ground; they and the embedded file are in Adobe RGB. */
  function adobeMockup(isInverted = false): Uint8Array {
    const designAt = (x: number, y: number): Rgba => [110 + 2 * x, 190 - 2 * y, 120]
    const [width, height] = [48, 36]
    const content = writePsd(width, height, [pixelLayer('art', 0, 0, paint(width, height, designAt))])
    const merged = paint(96, 72, (x, y) => {
      const isDesign = x >= 20 && x < 68 && y >= 16 && y < 52
      const [r, g, b] = isDesign ? designAt(x - 20, y - 16) : [60, 200, 80]
      return isInverted ? [255 - r, 255 - g, 255 - b] : [r, g, b]
    })
    const layers = [
      pixelLayer('ground', 0, 0, paint(96, 72, [60, 200, 80])),
      smartLayer('Your design here', [20, 16, 68, 16, 68, 52, 20, 52], { width, height }),
      ...(isInverted ? [{ name: 'invert', adjustment: { type: 'invert' as const } }] : []),
    ]
    const linked = [
      { id: CONTENT_ID, name: 'art.psb', type: '8BPB' as const, data: withProfile(content, adobeRgb.profile) },
    ]
    return withProfile(writePsd(96, 72, layers, { merged, linked }), adobeRgb.profile)
  }

  test('is converted, scene and content alike, and compared in sRGB', async () => {
    const { report, store } = await importFile(adobeMockup())
    assert.deepEqual([report.file.profile_kind, report.doubts, report.result], ['converted', [], 'verified'])
    assert.equal(report.frames[0]?.check?.verdict, 'same')
    const scene = await codec.decodeLayer(await store.read('scene.png'), 'rgb')
    const expected = srgbFromXyz(adobeRgb.toXyz([60 / 255, 200 / 255, 80 / 255]))
    for (const [c, value] of expected.entries()) {
      const wanted = Math.min(255, Math.max(0, value * 255))
      assert.ok(Math.abs((scene.data[c] ?? 999) - wanted) <= 1, `channel ${c}: ${scene.data[c]}, not ${wanted}`)
    }
    assert.match(describeReport(report, 'a.psd')[0] ?? '', /\(converted to sRGB\)/)
  })

  test('has its adjustments computed with the colours of the document', async () => {
    const { report } = await importFile(adobeMockup(true))
    const [frame] = report.frames
    assert.equal(report.above.adjustments, 1)
    assert.ok((frame?.check?.mean ?? 9) < 1, `${frame?.check?.mean}`)
  })
})

describe('what the comparison cannot show is said', () => {
  test('a profile that has no colours to convert by, by its name', async () => {
    const { report } = await importFile(withProfile(mockupPsd(), namedProfile('Adobe RGB (1998)')))
    assert.deepEqual([report.file.profile, report.file.profile_kind], ['Adobe RGB (1998)', 'other'])
    assert.match(report.doubts.join(), /\(Adobe RGB \(1998\)\) and were taken as sRGB, not converted/)
    assert.match(describeReport(report, 'a.psd')[0] ?? '', /Adobe RGB \(1998\) \(taken as sRGB\)/)
  })
  test('a profile that cannot be read', async () => {
    const { report } = await importFile(withProfile(mockupPsd(), Buffer.alloc(31, 7)))
    assert.equal(report.file.profile_kind, 'other')
    assert.equal(report.doubts.length, 1)
  })
  test('a profile of sRGB is no doubt, nor is none', async () => {
    const { report } = await importFile(withProfile(mockupPsd(), srgbProfile()))
    assert.deepEqual([report.file.profile, report.file.profile_kind, report.doubts], [null, 'srgb', []])
    const none = (await importFile(mockupPsd())).report
    assert.deepEqual([none.file.profile_kind, none.doubts], ['none', []])
  })
  test('"Blend If" of an adjustment, and knockout; full ranges are none', async () => {
    const full = [0, 0, 255, 255]
    const ranges = (first: readonly number[]): Layer => ({
      blendingRanges: {
        compositeGrayBlendSource: [...first],
        compositeGraphBlendDestinationRange: full,
        ranges: [{ sourceRange: full, destRange: full }],
      },
    })
    const whole = paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, [255, 255, 255, 9])
    const above: Layer[] = [
      { name: 'part', adjustment: { type: 'invert' }, ...ranges([0, 20, 255, 255]) },
      pixelLayer('all', 0, 0, whole, ranges(full)),
    ]
    const { report } = await importFile(mockupPsd({ above, design: { knockout: true } }))
    const said = report.notes.map(({ kind, layer, text }) => `${kind} ${layer}: ${text}`)
    assert.deepEqual(said, [
      'left-out Your design here: its knockout is not drawn: use a layer mask instead',
      'left-out part: the "Blend If" range of its own colours is not drawn: use a layer mask instead',
    ])
  })
})

describe('a file that cannot become a template is refused with what to do', () => {
  const assertRefused = async (bytes: Uint8Array, sentence: RegExp, frames: readonly string[] = []): Promise<void> => {
    await assert.rejects(importFile(bytes, frames), (error: unknown) => {
      assert.ok(error instanceof PsdRefusedError, String(error))
      assert.match(error.message, sentence)
      return true
    })
  }
  const ground = pixelLayer('ground', 0, 0, paint(8, 8, [9, 9, 9]))

  test('without a smart object', () =>
    assertRefused(writePsd(8, 8, [ground]), /convert the layer that shows the design/))
  test('with a text that stands for the design', () => {
    const text = { ...pixelLayer('Your text here', 0, 0, paint(4, 4, [0, 0, 0])), text: { text: 'Your text' } }
    return assertRefused(writePsd(8, 8, [ground, text]), /text layer; convert it to a smart object/)
  })
  test('whose smart object is hidden', () =>
    assertRefused(mockupPsd({ design: { hidden: true } }), /no visible smart object; hidden: "Your design here"/))
  test('of several artboards; one is no reason', async () => {
    const artboard = { rect: { top: 0, left: 0, bottom: MOCKUP_HEIGHT, right: MOCKUP_WIDTH } }
    const board = (name: string): Layer => ({ name, artboard, children: [] })
    await assertRefused(mockupPsd({ above: [board('A'), board('B')] }), /has 2 artboards\. Export one artboard/)
    assert.equal((await importFile(mockupPsd({ above: [board('A')] }))).report.frames.length, 1)
  })
  test('whose groups around the design are nested deeper than a template allows', async () => {
    assert.equal((await importFile(nestedMockupPsd(MAX_GROUP_DEPTH))).report.frames.length, 1)
    await assertRefused(nestedMockupPsd(MAX_GROUP_DEPTH + 1), /nested 5 deep, and a template has up to 4/)
  })
  test('by the name of a smart object that is not there', () =>
    assertRefused(mockupPsd(), /No visible smart object is called "Logo"\. There are others/, ['Logo']))
})
