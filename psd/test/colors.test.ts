import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  checkBundle,
  composeMockup,
  decodeArtworks,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
} from '@vitrine/engine'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import type { ColorChoice } from '../src/converting/choose-colors.ts'
import { importPsd } from '../src/import-psd.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import { designPng } from './mockup-file.ts'
import { groundAt, isShirt, SHIRT_WIDTH, shirtPsd } from './shirt-file.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()
async function importFile(file: Uint8Array, colors: readonly ColorChoice[]) {
  const store = new MemoryStore()
  const options = { name: 'Shirt', frames: [], colors, matte: [255, 255, 255] } as const
  return { ...(await importPsd(file, options, { codec, kernel, store })), store }
}

const chosen: readonly ColorChoice[] = [{ name: 'shirt', layer: 'Shirt color' }]

describe('a layer of one colour', () => {
  test('that is named becomes a colour of the template, and the picture stays', async () => {
    const { report, store } = await importFile(shirtPsd(), chosen)
    assert.equal(report.result, 'verified')
    const [color] = report.colors
    assert.deepEqual([color?.name, color?.layer, color?.default], ['shirt', 'Shirt color', '#c8283c'])
    assert.equal(color?.check?.verdict, 'same')
    assert.deepEqual(report.other_colors, [])
    const { template, faults } = await checkBundle(store, codec)
    assert.deepEqual(faults, [])
    assert.deepEqual(
      template?.colors.map(({ name, default: value }) => [name, value]),
      [['shirt', '#c8283c']],
    )
  })

  test('is changed by requests where it shows, under the design and the layers above, and nowhere else', async () => {
    const { store } = await importFile(shirtPsd(), chosen)
    const template = parseTemplate(JSON.parse(new TextDecoder().decode(await store.read('template.json'))))
    const base = await prepareTemplate(template, store, SHIRT_WIDTH, codec, kernel)
    const white = await recolorTemplate(base, template, store, new Map([['shirt', '#ffffff']]), codec, kernel)
    const draw = async (prepared: typeof base) => {
      const artworks = await decodeArtworks(prepared.frames, { bytes: designPng }, codec)
      return composeMockup(prepared, artworks, kernel).data
    }
    const [before, after] = [await draw(base), await draw(white)]
    for (let i = 0; i < after.length; i++) {
      const [x, y] = [Math.floor(i / 3) % SHIRT_WIDTH, Math.floor(i / 3 / SHIRT_WIDTH)]
      const isDesign = x >= 20 && x < 68 && y >= 16 && y < 52
      if (!isShirt(x, y)) assert.equal(after[i], before[i], `${x}, ${y}`)
      else if (isDesign) assert.ok((after[i] ?? 0) > (before[i] ?? 0), `${x}, ${y}`)
      else {
        // The folds are a tenth of black.
        const wanted = (groundAt(x, y)[i % 3] ?? 0) * 0.9
        assert.ok(Math.abs((after[i] ?? 0) - wanted) <= 2, `${x}, ${y}: ${after[i]} for ${wanted}`)
      }
    }
  })

  test('stays in the scene where it is not named, and the report names it', async () => {
    const { report, store } = await importFile(shirtPsd(), [])
    assert.deepEqual(report.other_colors, ['Shirt color'])
    const description: unknown = JSON.parse(new TextDecoder().decode(await store.read('template.json')))
    assert.ok(description instanceof Object && !('colors' in description))
  })

  test('that is not there, or hidden, is refused with the names of those that are', async () => {
    await assert.rejects(
      () => importFile(shirtPsd(), [{ name: 'shirt', layer: 'Cloth' }]),
      (error: unknown) =>
        error instanceof PsdRefusedError && /called "Cloth".*Such layers are "Shirt color"\./s.test(error.message),
    )
    await assert.rejects(
      () => importFile(shirtPsd({ hidden: true }), chosen),
      (error: unknown) => error instanceof PsdRefusedError && /The file has no such layers/.test(error.message),
    )
  })
})
