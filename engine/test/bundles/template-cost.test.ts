import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import type { ImageCodec } from '../../src/codec.ts'
import { createSharpCodec } from '../../src/node/create-sharp-codec.ts'
import { openBundleFolder } from '../../src/node/open-bundle-folder.ts'
import { describeFault } from '../../src/template/bundle-error.ts'
import { MAX_BUNDLE_PIXELS, MAX_TEMPLATE_MEMORY_BYTES, MAX_TEMPLATE_TIME_MS } from '../../src/template/bundle-limits.ts'
import { checkBundle } from '../../src/template/check-bundle.ts'
import { FaultCollector } from '../../src/template/fault-collector.ts'
import { checkTemplateCost, type TemplateCost } from '../../src/template/template-cost.ts'
import { wrapPng } from '../decoding/make-png.ts'
import { bundleOf, goodDescription, goodMapDescription, jsonBytes, png } from './make-bundle.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const codec = createSharpCodec()
const noDecoder: ImageCodec = {
  ...codec,
  decodeLayer: () => Promise.reject(new Error('nothing may be decoded')),
}
const templates = path.resolve(import.meta.dirname, '../../../templates')
const whole = [
  [0, 0],
  [100, 0],
  [100, 400],
  [0, 400],
]

/** A 1:4 scene with so many frames that each cover all of it. */
async function tallBundle(frameCount: number): Promise<Record<string, Uint8Array>> {
  return {
    'template.json': jsonBytes({
      ...goodMapDescription(),
      render_mode: 'corners',
      frames: Array.from({ length: frameCount }, () => ({ aspect_ratio: 0.25, corners: whole })),
    }),
    'scene.png': await png(100, 400),
  }
}

/** A PNG of grey without its pixels, for what reads sizes alone. */
function headOf(widthPx: number, heightPx: number): Uint8Array {
  return wrapPng({ widthPx, heightPx, colorType: 0, bitDepth: 8 }, deflateSync(new Uint8Array(1)))
}

/** Overlays of so many pixels each, all over a scene of 100 x 100. */
async function overlayBundle(widthPx: number, heightPx: number, count: number): Promise<Record<string, Uint8Array>> {
  const picture = headOf(widthPx, heightPx)
  const overlays = Array.from({ length: count }, (_, index) => `overlay-${index}.png`)
  return {
    'template.json': jsonBytes({
      ...goodMapDescription(),
      render_mode: 'corners',
      frames: [{ aspect_ratio: 1, corners: whole }],
      overlays: overlays.map(image => ({ image })),
    }),
    'scene.png': await png(100, 100),
    ...Object.fromEntries(overlays.map(name => [name, picture])),
  }
}

describe('the cost of a template', () => {
  it('is refused with figures where frames cover a tall scene sixteen times, and nothing is decoded for it', async () => {
    const { template, faults, cost } = await checkBundle(bundleOf(await tallBundle(16)), noDecoder)
    assert.equal(template, null)
    assert.ok(cost && cost.timeMs > MAX_TEMPLATE_TIME_MS)
    const [fault] = faults
    assert.ok(fault)
    assert.equal(fault.field, 'frames')
    assert.match(
      describeFault(fault),
      /^Expected a template that takes at most 4\.0 s and 600 MB .* for frames but received one that takes \d\d\.\d s and \d{4} MB \(scene 64 megapixels, .*; frames 1024 megapixels, .*\); use fewer/,
    )
  })

  it('lets one plain frame cover a scene of 1:4', async () => {
    const { template, cost } = await checkBundle(bundleOf(await tallBundle(1)), codec)
    assert.ok(template)
    assert.ok(cost && cost.timeMs > 1000)
  })

  it('lets the starter templates pass', async () => {
    // The imports that `scripts/import-starter-pack.ts` stores were checked, too: ordinary runs check two.
    const folders = (await readdir(templates, { withFileTypes: true })).filter(
      entry => entry.isDirectory() && (isFull || ['gallery-wall-three', 'white-tee-flat-lay'].includes(entry.name)),
    )
    let count = 0
    for (const { name } of folders) {
      const files = await openBundleFolder(path.join(templates, name))
      if (!(await files.list()).some(file => file.path === 'template.json')) continue
      const { template, faults } = await checkBundle(files, codec)
      assert.ok(template, `${name}: ${JSON.stringify(faults)}`)
      count++
    }
    assert.ok(count >= (isFull ? 15 : 2))
  })

  it('counts of a layer what it shows, not what it spans', async () => {
    const costOf = async (maskValue: number) => {
      const description = goodDescription()
      for (const frame of description.frames) frame['mask'] = 'mask.png'
      const mask = await png(120, 90, 'b-w', maskValue)
      const files = {
        'template.json': jsonBytes({ ...description, overlays: [], thumbnail: 'scene.png' }),
        'scene.png': await png(120, 90),
        'layers/shade.png': await png(30, 22),
        'layers/highlights.png': await png(30, 22, 'srgb', 3),
        'mask.png': mask,
      }
      return (await checkBundle(bundleOf(files), codec)).cost
    }
    const [shown, hidden] = [await costOf(255), await costOf(0)]
    assert.ok(shown && hidden)
    assert.ok(shown.parts.frames.megapixels > 10)
    assert.equal(hidden.parts.frames.megapixels, 0)
    assert.ok(shown.timeMs > hidden.timeMs)
  })

  it('may be exactly what a process is given, and no more', () => {
    const part = { megapixels: 1, timeMs: 1 }
    const isRefused = (cost: Pick<TemplateCost, 'timeMs' | 'memoryBytes'>) =>
      checkTemplateCost(
        { ...cost, widthPx: 4000, parts: { scene: part, frames: part, colors: part, overlays: part, stack: part } },
        new FaultCollector(),
      )
    const bound = { timeMs: MAX_TEMPLATE_TIME_MS, memoryBytes: MAX_TEMPLATE_MEMORY_BYTES }
    assert.equal(isRefused(bound), false)
    assert.equal(isRefused({ ...bound, timeMs: bound.timeMs + 1 }), true)
    assert.equal(isRefused({ ...bound, memoryBytes: bound.memoryBytes + 1 }), true)
  })
})

describe('the pictures of a bundle', () => {
  const isRefused = async (files: Record<string, Uint8Array>) =>
    (await checkBundle(bundleOf(files), noDecoder)).faults.some(fault => fault.expected.includes('megapixels together'))

  it('may have exactly so many pixels together, and none is decoded where they have more', async () => {
    // 8 x 31.2 megapixels, the scene of 10,000 pixels, and overlays of the rest.
    const rest = MAX_BUNDLE_PIXELS - 10_000 - 7 * 6_000 * 5_200
    assert.equal(rest, 31_590_000)
    const files = await overlayBundle(6_000, 5_200, 8)
    assert.equal(await isRefused({ ...files, 'overlay-7.png': headOf(5_265, 6_000) }), false)
    assert.equal(await isRefused({ ...files, 'overlay-7.png': headOf(5_266, 6_000) }), true)
  })
})
