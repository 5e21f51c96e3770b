import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { composeMockup, type OpaquePixmap, parseTemplate, prepareTemplate, reduceTemplate } from '../src/index.ts'
import { sharp } from '../src/node/hardened-sharp.ts'
import { createFrameKernel, createSharpCodec, encodeLayer } from '../src/node/index.ts'
import { bundleOf, jsonBytes } from './bundles/make-bundle.ts'
import { buildPicture } from './properties/build-template.ts'
import { asDecoded } from './reference/memory-codec.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()
const scene = await sharp(new Uint8Array(100 * 100 * 3), { raw: { width: 100, height: 100, channels: 3 } })
  .png()
  .toBuffer()
const white = asDecoded(buildPicture(60, 60, () => [255, 255, 255, 255]))

function bundleWith(frame: object) {
  const corners = [
    [20, 20],
    [80, 20],
    [80, 80],
    [20, 80],
  ]
  const description = {
    format: 1,
    id: 'blur',
    name: 'Blur',
    category: 'Test',
    type: 'print',
    render_mode: 'corners',
    blending_mode: 'normal',
    scene: 'scene.png',
    frames: [{ aspect_ratio: 1, corners, ...frame }],
  }
  return bundleOf({ 'template.json': jsonBytes(description), 'scene.png': scene })
}

async function draw(files: ReturnType<typeof bundleOf>, widthPx = 100): Promise<OpaquePixmap> {
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
  const prepared = await prepareTemplate(template, files, widthPx, codec)
  const drawn = composeMockup(prepared, [white])
  assert.deepEqual(composeMockup(prepared, [white], kernel).data, drawn.data, 'with the kernel')
  return drawn
}

const row = ({ data, widthPx }: OpaquePixmap): number[] =>
  Array.from({ length: widthPx }, (_, x) => data[(Math.floor(widthPx / 2) * widthPx + x) * 3] ?? 0)

describe('a blurred frame', () => {
  it('has soft edges of the variance of its Gaussian, and as much light', async () => {
    for (const blur of [0.3, 1, 4, 5]) {
      const values = row(await draw(bundleWith({ blur })))
      // The slope along the left edge is the blur itself.
      const slope = values.slice(1, 50).map((value, i) => value - (values[i] ?? 0))
      const sum = slope.reduce((a, b) => a + b, 0)
      const mean = slope.reduce((a, b, i) => a + b * (i + 1), 0) / sum
      const variance = slope.reduce((a, b, i) => a + b * (i + 1 - mean) ** 2, 0) / sum
      assert.ok(Math.abs(mean - 20) < 0.1, `${blur}: ${mean}`)
      assert.ok(Math.abs(variance - blur ** 2) < 0.08 * blur ** 2 + 0.05, `${blur}: ${variance}`)
    }
  })

  it('is what strokes and shadows follow, and is blended by its mode', async () => {
    const stroke = { stroke: { color: '#ff0000', width: 3, position: 'inside' } }
    const files = bundleWith({ blur: 2, effects: [stroke], blending_mode: 'screen' })
    const drawn = await draw(files)
    assert.deepEqual([...drawn.data.subarray((50 * 100 + 50) * 3, (50 * 100 + 50) * 3 + 3)], [255, 255, 255])
    const edge = drawn.data[(50 * 100 + 16) * 3 + 1] ?? 0
    assert.ok((drawn.data[(50 * 100 + 16) * 3] ?? 0) > edge, 'red beyond the edges of the sharp frame')
  })

  it('is as soft in a smaller mockup, and in a reduced bundle the same', async () => {
    const files = bundleWith({ blur: 6 })
    const { description, layers } = await reduceTemplate(files, 50, codec)
    const stored = await Promise.all(
      [...layers].map(async ([name, layer]) => [name, await encodeLayer(layer)] as const),
    )
    const reduced = bundleOf({ 'template.json': jsonBytes(description), ...Object.fromEntries(stored) })
    const [large, small, same] = [row(await draw(files)), row(await draw(files, 50)), row(await draw(reduced, 50))]
    for (const [x, value] of small.entries()) {
      const wanted = ((large[2 * x] ?? 0) + (large[2 * x + 1] ?? 0)) / 2
      assert.ok(Math.abs(value - wanted) <= 3 && Math.abs(value - (same[x] ?? 0)) <= 3, `${x}`)
    }
  })
})
