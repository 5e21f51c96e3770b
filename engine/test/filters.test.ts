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

function describeFrame(frame: object): object {
  const corners = [
    [20, 20],
    [80, 20],
    [80, 80],
    [20, 80],
  ]
  return {
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
}

function bundleWith(frame: object, more: Readonly<Record<string, Uint8Array>> = {}) {
  return bundleOf({ 'template.json': jsonBytes(describeFrame(frame)), 'scene.png': scene, ...more })
}

async function draw(files: ReturnType<typeof bundleOf>, widthPx = 100, artwork = white): Promise<OpaquePixmap> {
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
  const prepared = await prepareTemplate(template, files, widthPx, codec)
  const drawn = composeMockup(prepared, [artwork])
  assert.deepEqual(composeMockup(prepared, [artwork], kernel).data, drawn.data, 'with the kernel')
  return drawn
}

async function reduced(files: ReturnType<typeof bundleOf>, widthPx: number): Promise<ReturnType<typeof bundleOf>> {
  const { description, layers } = await reduceTemplate(files, widthPx, codec)
  const stored = await Promise.all([...layers].map(async ([name, layer]) => [name, await encodeLayer(layer)] as const))
  return bundleOf({ 'template.json': jsonBytes(description), ...Object.fromEntries(stored) })
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
    const [large, small] = [row(await draw(files)), row(await draw(files, 50))]
    const same = row(await draw(await reduced(files, 50), 50))
    for (const [x, value] of small.entries()) {
      const wanted = ((large[2 * x] ?? 0) + (large[2 * x + 1] ?? 0)) / 2
      assert.ok(Math.abs(value - wanted) <= 3 && Math.abs(value - (same[x] ?? 0)) <= 3, `${x}`)
    }
  })
})

const at = ({ data, widthPx }: OpaquePixmap, x: number, y: number): number => data[(y * widthPx + x) * 3] ?? 0

describe('a frame with a motion blur', () => {
  it('has edges that are as long as the line along it, and sharp ones across', async () => {
    for (const [angle, isAcross] of [
      [0, true],
      [90, false],
      [-180, true],
    ] as const) {
      const drawn = await draw(bundleWith({ motion_blur: { length: 15, angle } }))
      for (let i = 10; i < 30; i++) {
        // The share of a line of 15 pixels about the pixel that lies in the frame, which begins at 20.
        const share = Math.min(1, Math.max(0, (i + 8 - 20) / 15))
        const [along, beside] = isAcross ? [at(drawn, i, 50), at(drawn, 50, i)] : [at(drawn, 50, i), at(drawn, i, 50)]
        assert.ok(Math.abs(along - 255 * share) <= 1, `${angle}, ${i}: ${along}`)
        assert.equal(beside, i < 20 ? 0 : 255)
      }
    }
  })

  it('is the mean of the pixels along a slanting line', async () => {
    const drawn = await draw(bundleWith({ motion_blur: { length: 21, angle: 37 } }))
    const [x, y] = [Math.cos((37 * Math.PI) / 180), -Math.sin((37 * Math.PI) / 180)]
    let greatest = 0
    for (const [column, row] of [
      [20, 30],
      [76, 24],
      [50, 20],
      [25, 79],
      [83, 50],
    ] as const) {
      let sum = 0
      for (let step = 0; step < 2100; step++) {
        const away = (step + 0.5) / 100 - 10.5
        const [atX, atY] = [column + 0.5 + x * away, row + 0.5 + y * away]
        if (atX >= 20 && atX < 80 && atY >= 20 && atY < 80) sum += 255 / 2100
      }
      greatest = Math.max(greatest, Math.abs(at(drawn, column, row) - sum))
    }
    // Pixels have an extent across the line too, and the sum has not.
    assert.ok(greatest <= 8, `${greatest}`)
  })
})

describe('a sharpened frame', () => {
  const step = (x: number): number => (x < 30 ? 100 : 160)
  const steps = asDecoded(buildPicture(60, 60, x => [step(x), step(x), step(x), 255]))
  const weights = Array.from({ length: 41 }, (_, i) => Math.exp(-((i - 20) ** 2) / (2 * 3 ** 2)))
  const all = weights.reduce((a, b) => a + b, 0)
  const low = (x: number): number => weights.reduce((sum, weight, i) => sum + (weight * step(x + i - 20)) / all, 0)

  it('has its difference to a Gaussian added, less the threshold, and the edges that it had', async () => {
    for (const [amount, threshold] of [
      [1, 0],
      [1.5, 6],
    ] as const) {
      const drawn = await draw(bundleWith({ sharpen: { amount, radius: 3, threshold } }), 100, steps)
      for (let x = 8; x < 52; x++) {
        const change = amount * (step(x) - low(x))
        const wanted = step(x) + Math.sign(change) * Math.max(0, Math.abs(change) - threshold)
        assert.ok(Math.abs(at(drawn, 20 + x, 50) - wanted) <= 2, `${x}: ${at(drawn, 20 + x, 50)}, not ${wanted}`)
      }
      assert.deepEqual([at(drawn, 19, 50), at(drawn, 20, 50), at(drawn, 79, 50), at(drawn, 80, 50)], [0, 100, 160, 0])
    }
  })
})

describe('a mask of filters', () => {
  const grey = async (level: (x: number) => number): Promise<Uint8Array> =>
    sharp(
      Uint8Array.from({ length: 100 * 100 }, (_, i) => level(i % 100)),
      { raw: { width: 100, height: 100, channels: 1 } },
    )
      .png()
      .toBuffer()

  it('mixes artwork as it was and filtered by its grey, edges too', async () => {
    const filters = { blur: 4, motion_blur: { length: 9, angle: 20 } }
    const filtered = row(await draw(bundleWith(filters)))
    const sharpRow = row(await draw(bundleWith({})))
    const mask = await grey(x => (x < 50 ? 64 : 255))
    const files = bundleWith({ ...filters, filter_mask: 'mask.png' }, { 'mask.png': mask })
    for (const [x, value] of row(await draw(files)).entries()) {
      const [before, after] = [sharpRow[x] ?? 0, filtered[x] ?? 0]
      const wanted = x < 50 ? before + (64 / 255) * (after - before) : after
      assert.ok(Math.abs(value - wanted) <= 1, `${x}: ${value}, not ${wanted}`)
    }
  })

  it('is in a reduced bundle as well', async () => {
    const mask = await grey(x => (x < 50 ? 0 : 255))
    const filters = { blur: 6, motion_blur: { length: 12, angle: 45 }, sharpen: { amount: 1, radius: 2 } }
    const files = bundleWith({ ...filters, filter_mask: 'mask.png' }, { 'mask.png': mask })
    const [small, same] = [row(await draw(files, 50)), row(await draw(await reduced(files, 50), 50))]
    for (const [x, value] of small.entries()) assert.ok(Math.abs(value - (same[x] ?? 0)) <= 3, `${x}`)
  })

  it('is of a frame without lighting, as filters are', () => {
    const lit = { lighting: {}, motion_blur: { length: 3, angle: 0 } }
    assert.throws(() => parseTemplate(describeFrame(lit)), /none in a frame with lighting for frames\[0\]\.motion_blur/)
  })
})
