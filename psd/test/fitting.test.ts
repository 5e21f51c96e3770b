import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkBundle, estimateTemplateCost, isTooCostly, parseTemplate } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import type { BlendMode, Layer } from 'ag-psd'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { findFittingWidth, type WrittenPicture } from '../src/bundle/find-fitting-width.ts'
import { importPsd } from '../src/import-psd.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import { paint, pixelLayer, writePsd } from './make-psd.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd } from './mockup-file.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()
const matte = [255, 255, 255] as const

/** Layers over the whole picture, of these modes in turn. */
function layersOf(count: number, modes: readonly BlendMode[]): Layer[] {
  return Array.from({ length: count }, (_, i) =>
    pixelLayer(`Light ${i + 1}`, 0, 0, paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, [120 + i, 99, 200 - i, 20]), {
      blendMode: modes[i % modes.length] ?? 'normal',
    }),
  )
}

async function importLayers(above: Layer[]) {
  const store = new MemoryStore()
  const options = { name: 'Lights', frames: [], matte }
  const result = await importPsd(mockupPsd({ above }), options, { codec, kernel, store })
  const template: unknown = JSON.parse(new TextDecoder().decode(await store.read('template.json')))
  return { ...result, store, template: Object(template) }
}

describe('what is imported may be used', () => {
  test('with more layers than a mockup of 4,000 pixels has time for: it is drawn smaller, and says what to merge', async () => {
    const { store, template, report } = await importLayers(layersOf(60, ['overlay', 'soft light']))
    const { faults } = await checkBundle(store, codec)
    assert.deepEqual(faults, [])
    assert.ok(template.max_width >= MOCKUP_WIDTH && template.max_width < 4000, `${template.max_width}`)
    const hint = report.notes.find(({ text }) => text.startsWith('mockups are drawn up to'))
    assert.match(hint?.text ?? '', /Merge "Light \d+" and "Light \d+", or other layers over the design/)
  })

  test('with layers that mockups of every width have time for: it says nothing', async () => {
    const { template, report } = await importLayers(layersOf(4, ['overlay', 'soft light']))
    assert.equal(template.max_width, undefined)
    assert.deepEqual(report.notes, [])
  })

  test('unless its picture is longer than a scene may be', async () => {
    const file = writePsd(40, 200, [pixelLayer('ground', 0, 0, paint(40, 200, [9, 9, 9]))])
    const store = new MemoryStore()
    await assert.rejects(importPsd(file, { name: 'tall', frames: [], matte }, { codec, kernel, store }), error => {
      assert.ok(error instanceof PsdRefusedError)
      assert.match(error.message, /40 x 200 pixels is too long .* between 1:4 and 4:1/)
      return true
    })
  })
})

describe('the greatest width at which a bundle fits', () => {
  const size = (widthPx: number, heightPx: number): WrittenPicture => ({ widthPx, heightPx, sizeBytes: 1_000_000 })
  const bundleOf = async (count: number) => {
    const store = new MemoryStore()
    const region = [500, 300, 3500, 2400]
    const names = Array.from({ length: count }, (_, i) => `layer-${i}.png`)
    const corners = [
      [500, 300],
      [4000, 300],
      [4000, 2700],
      [500, 2700],
    ]
    const description = {
      format: 1,
      id: 'fit',
      name: 'Fit',
      category: 'Test',
      type: 'product',
      render_mode: 'corners',
      scene: 'scene.png',
      frames: [{ aspect_ratio: 1.5, corners }],
      stack: [{ frame: 0 }, ...names.map(picture => ({ picture, region, blending_mode: 'overlay' }))],
    }
    await store.write('template.json', new TextEncoder().encode(JSON.stringify(description)))
    const pictures = new Map([['scene.png', size(4500, 3000)], ...names.map(name => [name, size(3500, 2400)] as const)])
    return { store, pictures, template: parseTemplate(description) }
  }

  test('is that of all mockups for a few layers, less for many, and none for too many', async () => {
    const widthOf = async (count: number) => {
      const { store, pictures } = await bundleOf(count)
      return findFittingWidth(store, pictures, 2000)
    }
    const [three, twelve, sixty] = [await widthOf(3), await widthOf(12), await widthOf(60)]
    assert.equal(three, 4000)
    assert.ok(twelve !== null && twelve >= 2000 && twelve < 4000, `${twelve}`)
    assert.equal(sixty, null)
  })

  test('fits, reduced to it', async () => {
    const { store, pictures, template } = await bundleOf(12)
    const widthPx = (await findFittingWidth(store, pictures, 2000)) ?? 0
    const costAt = (maxWidth: number) => {
      const scale = maxWidth / 4500
      const place = ([x, y]: readonly [number, number]) => [x * scale, y * scale] as const
      const frames = template.frames.map(frame => {
        const { placement } = frame
        if (placement.kind !== 'corners') return frame
        const [a, b, c, d] = placement.corners
        return { ...frame, placement: { ...placement, corners: [place(a), place(b), place(c), place(d)] as const } }
      })
      const region = { x: 500 * scale, y: 300 * scale, width: 3500 * scale, height: 2400 * scale }
      const stack = (template.stack ?? []).map(operation =>
        operation.kind === 'picture' ? { ...operation, layer: { ...operation.layer, region } } : operation,
      )
      return estimateTemplateCost({ ...template, frames, stack, maxWidth }, (_, path) => {
        const { widthPx: width = 0, heightPx: height = 0 } = pictures.get(path) ?? {}
        const stored = { widthPx: Math.ceil(width * scale), heightPx: Math.ceil(height * scale) }
        return { ...stored, shown: { left: 0, top: 0, ...stored } }
      })
    }
    assert.equal(isTooCostly(costAt(widthPx)), false)
    assert.equal(isTooCostly(costAt(widthPx + 200)), true)
  })
})
