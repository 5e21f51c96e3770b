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
const SIZE_PX = 100
const ground = [200, 180, 160] as const

const pixels = Uint8Array.from({ length: SIZE_PX * SIZE_PX * 3 }, (_, i) => ground[i % 3] ?? 0)
const scene = await sharp(pixels, { raw: { width: SIZE_PX, height: SIZE_PX, channels: 3 } })
  .png()
  .toBuffer()

/** Blue, with a clear hole from 20 to 40 of its 60 pixels: of the scene's from 40 to 60. */
const ring = asDecoded(
  buildPicture(60, 60, (x, y) => (x >= 20 && x < 40 && y >= 20 && y < 40 ? [0, 0, 0, 0] : [20, 40, 220, 255])),
)
const corners = [
  [20, 20],
  [80, 20],
  [80, 80],
  [20, 80],
]

function bundleWith(effects: readonly object[], frame: object = {}) {
  const description = {
    format: 1,
    id: 'effects',
    name: 'Effects',
    category: 'Test',
    type: 'print',
    render_mode: 'corners',
    blending_mode: 'normal',
    scene: 'scene.png',
    frames: [{ aspect_ratio: 1, corners, effects, ...frame }],
  }
  return bundleOf({ 'template.json': jsonBytes(description), 'scene.png': scene })
}

async function draw(files: ReturnType<typeof bundleOf>, widthPx = SIZE_PX, artwork = ring): Promise<OpaquePixmap> {
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
  const prepared = await prepareTemplate(template, files, widthPx, codec)
  const drawn = composeMockup(prepared, [artwork])
  assert.deepEqual(composeMockup(prepared, [artwork], kernel).data, drawn.data, 'with the kernel')
  const before = composeMockup(prepared, [asDecoded(buildPicture(60, 60, () => [9, 200, 9, 255]))], kernel)
  assert.deepEqual(composeMockup(prepared, [artwork], kernel, before).data, drawn.data, 'on a picture used before')
  return drawn
}

const at = ({ data, widthPx }: OpaquePixmap, x: number, y = x): number[] => [
  ...data.subarray((y * widthPx + x) * 3, (y * widthPx + x) * 3 + 3),
]

describe('effects of a frame', () => {
  it('stroke the artwork along its own edges, those of holes too', async () => {
    const outside = await draw(bundleWith([{ stroke: { color: '#ffffff', width: 4 } }]))
    for (const x of [16, 19, 40, 43, 56, 59, 80, 83]) assert.deepEqual(at(outside, x, 50), [255, 255, 255], `${x}`)
    for (const x of [15, 50, 84]) assert.deepEqual(at(outside, x, 50), [...ground], `${x}`)
    assert.deepEqual(at(outside, 30, 50), [20, 40, 220])
    const inside = await draw(bundleWith([{ stroke: { color: '#ff0000', width: 4, position: 'inside' } }]))
    for (const x of [20, 23, 36, 39, 60, 63, 76, 79]) assert.deepEqual(at(inside, x, 50), [255, 0, 0], `${x}`)
    for (const x of [19, 40, 59, 80]) assert.deepEqual(at(inside, x, 50), [...ground], `${x}`)
    assert.deepEqual(at(inside, 30, 50), [20, 40, 220])
  })

  it('stroke soft edges without ground between, and end as soft', async () => {
    const soft = asDecoded(
      buildPicture(60, 60, (x, y) => [20, 40, 220, x > 0 && x < 59 && y > 0 && y < 59 ? 255 : 102]),
    )
    const template = bundleWith([{ stroke: { color: '#ffffff', width: 3 } }])
    const middle = (drawn: OpaquePixmap) => [16, 17, 18, 19, 20, 21].map(x => at(drawn, x, 50))
    const shown = (share: number, over: readonly number[], under: readonly number[]) =>
      over.map((value, c) => Math.round(share * value + (1 - share) * (under[c] ?? 0)))
    const [white, blue] = [
      [255, 255, 255],
      [20, 40, 220],
    ] as const
    assert.deepEqual(middle(await draw(template, SIZE_PX, soft)), [
      [...ground],
      shown(0.4, white, ground),
      [...white],
      [...white],
      shown(0.4, blue, white),
      [...blue],
    ])
    const inside = bundleWith([{ stroke: { color: '#ffffff', width: 1, position: 'inside' } }])
    assert.deepEqual(middle(await draw(inside, SIZE_PX, soft)).slice(3), [
      [...ground],
      shown(0.4, white, ground),
      [...blue],
    ])
  })

  it('cast a shadow beside the artwork and through its holes, and not through itself', async () => {
    const shadow = { color: '#000000', offset: [8, 8] }
    const half = await draw(bundleWith([{ shadow, blending_mode: 'multiply', opacity: 0.5 }]))
    assert.deepEqual(at(half, 85), [100, 90, 80])
    assert.deepEqual(at(half, 44), [100, 90, 80], 'in the hole')
    assert.deepEqual(at(half, 55), [...ground], 'light falls through the hole')
    assert.deepEqual(at(half, 30), [20, 40, 220])
    const clear = { opacity: 0.5 }
    const seen = await draw(bundleWith([{ shadow: { ...shadow, shows_through: true } }], clear))
    assert.deepEqual(
      at(seen, 30),
      at(await draw(bundleWith([{ shadow: { ...shadow, shows_through: true } }], clear)), 32),
    )
    assert.deepEqual(at(seen, 70), [60, 65, 150], 'half of the artwork over half of the shadow')
  })

  it('darken the artwork along its edges', async () => {
    const edge = { inner_shadow: { color: '#000000', blur: 6 }, blending_mode: 'multiply' }
    const drawn = await draw(bundleWith([edge]))
    const blue = [20, 24, 28, 32, 36, 39].map(x => at(drawn, x, 50)[2] ?? 0)
    assert.ok((blue[0] ?? 255) < 160 && (blue[5] ?? 255) < 220 && blue[2] === 220, blue.join())
    assert.deepEqual(at(drawn, 50), [...ground])
    const middle = await draw(bundleWith([{ ...edge, inner_shadow: { ...edge.inner_shadow, from_center: true } }]))
    assert.deepEqual(at(middle, 28), [0, 0, 0])
  })

  it('are spared by fill, and by the mode of the frame', async () => {
    const overlay = { overlay: { color: '#ff0000' } }
    for (const frame of [{ fill: 0 }, { blending_mode: 'multiply' }, { blending_mode: 'linear-burn', fill: 0.3 }]) {
      const drawn = await draw(bundleWith([overlay], frame))
      assert.deepEqual([at(drawn, 30), at(drawn, 50)], [[255, 0, 0], [...ground]])
    }
    const half = await draw(bundleWith([{ ...overlay, blending_mode: 'multiply' }], { fill: 0, opacity: 0.5 }))
    assert.deepEqual(at(half, 30), [200, 90, 80])
    const weak = await draw(bundleWith([{ ...overlay, opacity: 0.5 }], { fill: 0.5 }))
    assert.deepEqual(at(weak, 30), [183, 55, 95])
  })

  it('are as large in a smaller mockup, and in a reduced bundle the same', async () => {
    const shadow = { shadow: { color: '#102030', offset: [3, 5], blur: 9, spread: 2, gain: 1.5 } }
    const glow = { inner_shadow: { color: '#ffffff', offset: [1, 2], blur: 7, from_center: true }, opacity: 0.7 }
    const stroke = { stroke: { color: '#00ff00', width: 5, position: 'center' }, blending_mode: 'screen' }
    const whole = bundleWith([shadow, glow, { overlay: { color: '#804020' }, opacity: 0.3 }, stroke])
    const { description, layers } = await reduceTemplate(whole, 50, codec)
    const stored = await Promise.all(
      [...layers].map(async ([name, layer]) => [name, await encodeLayer(layer)] as const),
    )
    const reduced = bundleOf({ 'template.json': jsonBytes(description), ...Object.fromEntries(stored) })
    const [small, same] = [await draw(whole, 50), await draw(reduced, 50)]
    assert.ok(small.data.every((value, i) => Math.abs(value - (same.data[i] ?? 0)) <= 3))
    const large = await draw(whole)
    for (const [x, y] of [
      [43, 42],
      [20, 25],
      [5, 5],
    ] as const) {
      const around = [0, 1].flatMap(dy => [0, 1].map(dx => at(large, 2 * x + dx, 2 * y + dy)))
      const wanted = [0, 1, 2].map(c => around.reduce((sum, color) => sum + (color[c] ?? 0) / 4, 0))
      const drawn = at(small, x, y)
      assert.ok(
        wanted.every((value, c) => Math.abs(value - (drawn[c] ?? 0)) <= 8),
        `${x}, ${y}: ${drawn.join()}, not ${wanted.join()}`,
      )
    }
  })
})
