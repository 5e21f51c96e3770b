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
const SIZE_PX = 64

/** Grey of 4 x for column x. */
const pixels = Uint8Array.from({ length: SIZE_PX * SIZE_PX * 3 }, (_, i) => 4 * (Math.floor(i / 3) % SIZE_PX))
const scene = await sharp(pixels, { raw: { width: SIZE_PX, height: SIZE_PX, channels: 3 } })
  .png()
  .toBuffer()

/** Blue in its upper half, white in the lower one. */
const artwork = asDecoded(buildPicture(SIZE_PX, SIZE_PX, (_, y) => (y < 32 ? [0, 0, 255, 255] : [255, 255, 255, 255])))

const templateWith = (stack: readonly object[]) => ({
  format: 1,
  id: 'ranges',
  name: 'Ranges',
  category: 'Test',
  type: 'print',
  render_mode: 'corners',
  blending_mode: 'normal',
  scene: 'scene.png',
  frames: [
    {
      aspect_ratio: 1,
      corners: [
        [0, 0],
        [64, 0],
        [64, 64],
        [0, 64],
      ],
    },
  ],
  stack,
})

const bundleWith = (stack: readonly object[]) =>
  bundleOf({ 'template.json': jsonBytes(templateWith(stack)), 'scene.png': scene })

async function draw(files: ReturnType<typeof bundleOf>): Promise<OpaquePixmap> {
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
  const prepared = await prepareTemplate(template, files, SIZE_PX, codec)
  const drawn = composeMockup(prepared, [artwork])
  assert.deepEqual(composeMockup(prepared, [artwork], kernel).data, drawn.data, 'with the kernel')
  return drawn
}

const at = ({ data, widthPx }: OpaquePixmap, x: number, y: number): number[] => [
  ...data.subarray((y * widthPx + x) * 3, (y * widthPx + x) * 3 + 3),
]

describe('ranges of colours', () => {
  it('below a mix say where something is drawn, with ramps that have both of their ends', async () => {
    const drawn = await draw(bundleWith([{ mix: [{ frame: 0 }], where: { gray: [40, 80, 160, 200] } }]))
    assert.deepEqual(at(drawn, 9, 10), [36, 36, 36])
    assert.deepEqual(at(drawn, 51, 10), [204, 204, 204])
    for (const x of [20, 30, 40]) assert.deepEqual(at(drawn, x, 10), [0, 0, 255], `${x}`)
    // 60 of 40..80 is 21 of 41 steps.
    assert.deepEqual(at(drawn, 15, 10), [29, 29, 160])
    assert.deepEqual(at(drawn, 45, 10), [88, 88, 219])
  })

  it('of a group say which of its own colours are seen, channel by channel', async () => {
    const stack = (where: object) => [{ group: [{ frame: 0 }], blending_mode: 'multiply', where }]
    const dark = await draw(bundleWith(stack({ gray: [0, 0, 200, 200] })))
    assert.deepEqual(
      [at(dark, 40, 10), at(dark, 40, 50)],
      [
        [0, 0, 160],
        [160, 160, 160],
      ],
    )
    const red = await draw(bundleWith(stack({ red: [128, 128, 255, 255], blue: [0, 0, 255, 255] })))
    assert.deepEqual(at(red, 40, 10), [160, 160, 160])
  })

  it('are the same in previews, and weigh with a mask', async () => {
    const mask = await sharp(
      Uint8Array.from({ length: 64 * 64 }, (_, i) => (i % 64 < 32 ? 255 : 0)),
      {
        raw: { width: 64, height: 64, channels: 1 },
      },
    )
      .png()
      .toBuffer()
    const files = bundleWith([
      {
        mix: [{ group: [{ frame: 0 }], where: { red: [0, 10, 255, 255] } }],
        mask: 'mask.png',
        where: { gray: [0, 20, 90, 140] },
      },
    ])
    const masked = {
      ...files,
      read: async (name: string) => (name === 'mask.png' ? new Uint8Array(mask) : files.read(name)),
    }
    const drawn = await draw(masked)
    assert.deepEqual(
      [at(drawn, 10, 50), at(drawn, 33, 50)],
      [
        [255, 255, 255],
        [132, 132, 132],
      ],
    )
    const { description, layers } = await reduceTemplate(masked, SIZE_PX, codec)
    const stored = await Promise.all(
      [...layers].map(async ([name, layer]) => [name, await encodeLayer(layer)] as const),
    )
    const reduced = await draw(bundleOf({ 'template.json': jsonBytes(description), ...Object.fromEntries(stored) }))
    for (const x of [10, 50]) {
      const [whole, small] = [at(drawn, x, 50), at(reduced, x, 50)]
      assert.ok(
        whole.every((value, c) => Math.abs(value - (small[c] ?? 0)) <= 12),
        `${x}: ${whole.join()} and ${small.join()}`,
      )
    }
  })

  it('are four bytes in order', () => {
    const parse = (range: readonly unknown[]): unknown =>
      parseTemplate(templateWith([{ mix: [{ frame: 0 }], where: { gray: range } }]))
    for (const range of [
      [0, 1, 2],
      [0, 20, 10, 255],
      [0, 0, 255, 256],
      [0.5, 1, 2, 3],
    ]) {
      assert.throws(() => parse(range), /four whole numbers from 0 to 255/)
    }
  })
})
