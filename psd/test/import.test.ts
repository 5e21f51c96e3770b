import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkBundle } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import { type ImportResult, importPsd } from '../src/import-psd.ts'
import { describeReport } from '../src/import-report.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import { filesOf } from '../src/verifying/draw-check.ts'
import { paint, pixelLayer, writePsd } from './make-psd.ts'
import { mockupPsd } from './mockup-file.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()

function importFile(bytes: Uint8Array, frames: readonly string[] = []): Promise<ImportResult> {
  return importPsd(bytes, { name: 'Small mockup', frames, matte: [255, 255, 255] }, { codec, kernel })
}

function descriptionOf({ bundle }: ImportResult): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(bundle.get('template.json')))
}

describe('a mockup of one design', () => {
  test('becomes a bundle without a fault, proven by the design that the file holds', async () => {
    const result = await importFile(mockupPsd())
    const { template, faults } = await checkBundle(filesOf(result.bundle), codec)
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
    assert.match(describeReport(report, 'small.psd').join('\n'), /DIFFERENT from Photoshop/)
  })

  test('keeps outside the design what Photoshop saved, whatever its layers are', async () => {
    const result = await importFile(mockupPsd({ merged: () => [9, 99, 199] }))
    const scene = await codec.decodeLayer(result.bundle.get('scene.png') ?? new Uint8Array(0), 'rgb')
    assert.deepEqual([...scene.data.subarray(0, 3)], [9, 99, 199])
    const inside = ((16 + 18) * scene.widthPx + 20 + 24) * 3
    assert.deepEqual([...scene.data.subarray(inside, inside + 3)], [200 - 44, 180 - 34, 150])
  })

  test('has its layer above cut to the design', async () => {
    const description = descriptionOf(await importFile(mockupPsd()))
    assert.deepEqual(description['overlays'], [{ image: 'layer-0.png', region: [20, 16, 48, 36] }])
  })

  test('names the effects that are left out', async () => {
    const bevel = { effects: { bevel: { enabled: true, size: { units: 'Pixels' as const, value: 3 } } } }
    const { report } = await importFile(mockupPsd({ design: bevel }))
    const [note] = report.notes
    assert.equal(note?.kind, 'left-out')
    assert.equal(note?.layer, 'Your design here')
    assert.match(note?.text ?? '', /bevel follows the design's shape/)
  })

  test('imported twice is the same, byte for byte', async () => {
    const [first, second] = [await importFile(mockupPsd()), await importFile(mockupPsd())]
    assert.deepEqual([...first.bundle], [...second.bundle])
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
  test('by the name of a smart object that is not there', () =>
    assertRefused(mockupPsd(), /No visible smart object is called "Logo"\. There are: "Your design here"/, ['Logo']))
})
