import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import {
  type ChosenColors,
  composeMockup,
  decodeArtworks,
  type OpaquePixmap,
  openPack,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
  reduceTemplate,
} from '../../src/index.ts'
import { createFrameKernel, createSharpCodec, encodeLayer, encodePack } from '../../src/node/index.ts'
import type { LayerFiles } from '../../src/template/prepare-layer.ts'
import { comparePictures } from '../compare-pictures.ts'
import { bundleOf, jsonBytes } from './make-bundle.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()
const artwork = await readFile(path.resolve(import.meta.dirname, '../golden/inputs/print.png'))
const [widthPx, heightPx] = [240, 180]

const opaque = (value: (x: number, y: number, c: number) => number) =>
  encodeLayer({ alpha: 'opaque', widthPx, heightPx, data: fill(3, value) })

function fill(channels: number, value: (x: number, y: number, c: number) => number): Uint8Array {
  return Uint8Array.from({ length: widthPx * heightPx * channels }, (_, i) => {
    const pixel = Math.floor(i / channels)
    return value(pixel % widthPx, Math.floor(pixel / widthPx), i % channels)
  })
}

/** Light from the left, 0..255. */
const slope = (x: number): number => Math.round((x / widthPx) * 255)

function wide(width: number, height: number, value: (i: number) => number): Promise<Uint8Array> {
  const data = Uint16Array.from({ length: width * height * 3 }, (_, i) => Math.round(value(i) * 65_535))
  return encodeLayer({ alpha: 'wide', widthPx: width, heightPx: height, data })
}

const square = (left: number, top: number): number[][] => [
  [left, top],
  [left + 80, top + 6],
  [left + 74, top + 110],
  [left - 4, top + 100],
]

const frames = [
  {
    aspect_ratio: 0.75,
    corners: square(30, 30),
    blending_mode: 'multiply',
    inner: [{ adjust: { tables: 'curve.png' } }, { picture: 'glow.png', blending_mode: 'screen', opacity: 0.4 }],
  },
  { aspect_ratio: 0.75, corners: square(140, 40), blending_mode: 'linear-burn', fill: 0.7 },
]

/** A template with every kind of operation; its shirt has a colour that the stack draws. */
async function stackBundle(changes: Readonly<Record<string, unknown>> = {}): Promise<LayerFiles> {
  const description = {
    format: 1,
    id: 'stack',
    name: 'Stack',
    category: 'Test',
    type: 'product',
    render_mode: 'corners',
    scene: 'scene.png',
    colors: [{ name: 'shirt', default: '#c8c0b8' }],
    frames,
    stack: [
      { color: 'shirt', mask: 'mask.png', blending_mode: 'multiply' },
      { group: [{ frame: 0 }], clip: [{ adjust: { cube: 'cube.png' }, opacity: 0.5 }], mask: 'mask.png', opacity: 0.9 },
      { mix: [{ frame: 1 }, { adjust: { threshold: 128 }, opacity: 0.2 }], mask: 'mask.png' },
      { affine: { multiply: 'multiply.png', add: 'add.png', region: [20, 20, 200, 150] } },
      { picture: 'glow.png', blending_mode: 'soft-light', fill: 0.8 },
    ],
    ...changes,
  }
  return bundleOf({
    'template.json': jsonBytes(description),
    'scene.png': await opaque((x, y, c) => 190 + Math.round(30 * Math.sin((x + 2 * y) / 40)) - 10 * c),
    'glow.png': await encodeLayer({
      alpha: 'straight',
      widthPx,
      heightPx,
      data: fill(4, (x, y, c) => (c === 3 ? slope(x) : Math.round(120 + 100 * Math.sin(y / 30 + c)))),
    }),
    'mask.png': await encodeLayer({
      alpha: 'coverage',
      widthPx,
      heightPx,
      data: fill(1, (x, y) =>
        Math.min(255, Math.max(0, 8 * Math.min(x - 8, y - 8, widthPx - 8 - x, heightPx - 8 - y))),
      ),
    }),
    'shade.png': await opaque((x, y, c) => Math.round(150 + 80 * Math.sin((x - y) / 50)) - 8 * c),
    'curve.png': await wide(256, 1, i => (Math.floor(i / 3) / 255) ** 0.8),
    // Red and blue change places.
    'cube.png': await wide(33, 1089, i => {
      const [entry, c] = [Math.floor(i / 3), i % 3]
      return ([entry % 33, Math.floor(entry / 33) % 33, Math.floor(entry / 1089)][c] ?? 0) / 32
    }),
    'multiply.png': await wide(200, 150, i => 0.8 + 0.2 * Math.sin((i % 600) / 90)),
    'add.png': await wide(200, 150, i => 0.06 + 0.05 * Math.cos((i % 600) / 70)),
  })
}

async function render(files: LayerFiles, width: number, colors: ChosenColors = new Map()): Promise<OpaquePixmap> {
  const json: unknown = JSON.parse(Buffer.from(await files.read('template.json')).toString())
  const template = parseTemplate(json)
  const base = await prepareTemplate(template, files, width, codec)
  const prepared = await recolorTemplate(base, template, files, colors, codec)
  return composeMockup(prepared, await decodeArtworks(prepared.frames, { bytes: artwork }, codec), kernel)
}

function greatestDifference(one: OpaquePixmap, other: OpaquePixmap): number {
  assert.deepEqual([one.widthPx, one.heightPx], [other.widthPx, other.heightPx])
  return one.data.reduce((most, value, i) => Math.max(most, Math.abs(value - (other.data[i] ?? 0))), 0)
}

/** The mean of a channel over a part of the picture. */
function meanOf({ data }: OpaquePixmap, channel: number, isMeant: (x: number, y: number) => boolean): number {
  let [sum, count] = [0, 0]
  for (let i = channel, k = 0; i < data.length; i += 3, k++) {
    if (!isMeant(k % widthPx, Math.floor(k / widthPx))) continue
    sum += data[i] ?? 0
    count++
  }
  return sum / count
}

const bundle = await stackBundle()

test('a template with a stack at a small width is drawn as the whole one', async () => {
  const { description, layers } = await reduceTemplate(bundle, 120, codec)
  const entries = await Promise.all([...layers].map(async ([name, layer]) => [name, await encodeLayer(layer)] as const))
  const small = bundleOf({ 'template.json': jsonBytes(description), ...Object.fromEntries(entries) })
  const { mean, edgesDb } = comparePictures(await render(small, 120), await render(bundle, 120))
  // The scene is a WebP.
  assert.ok(mean < 1.3 && edgesDb > 34, `${mean} of 255, ${edgesDb} dB`)
})

test('a preview pack of a template with a stack shows what the service draws', async () => {
  const pack = await encodePack(await reduceTemplate(bundle, 480, codec, 'coarse'), 480)
  assert.ok(pack)
  const { mean, edgesDb } = comparePictures(await render(openPack(pack), widthPx), await render(bundle, widthPx))
  assert.ok(mean <= 1.5 && edgesDb >= 34, `${mean} of 255, ${edgesDb} dB`)
})

test('a colour of a stack changes what its mask shows, in the whole template, a small one and a pack', async () => {
  const navy: ChosenColors = new Map([['shirt', '#1f2a44']])
  const [before, after] = [await render(bundle, widthPx), await render(bundle, widthPx, navy)]
  const isRim = (x: number, y: number): boolean => x < 8 || y < 8 || x >= widthPx - 8 || y >= heightPx - 8
  const isShirt = (x: number, y: number): boolean => x > 114 && x < 132 && y > 40 && y < 140
  for (const channel of [0, 1, 2]) {
    assert.equal(meanOf(after, channel, isRim), meanOf(before, channel, isRim))
    assert.ok(meanOf(after, channel, isShirt) < 0.7 * meanOf(before, channel, isShirt))
  }
  const { description, layers } = await reduceTemplate(bundle, widthPx, codec)
  const entries = await Promise.all([...layers].map(async ([name, layer]) => [name, await encodeLayer(layer)] as const))
  const small = bundleOf({ 'template.json': jsonBytes(description), ...Object.fromEntries(entries) })
  const pack = await encodePack(await reduceTemplate(bundle, 480, codec, 'coarse'), 480)
  assert.ok(pack)
  for (const files of [small, openPack(pack)]) {
    const { mean } = comparePictures(await render(files, widthPx, navy), after)
    assert.ok(mean <= 1.5, `${mean} of 255`)
  }
})

const litFrame = {
  ...frames[0],
  blending_mode: 'normal',
  surface: 'shirt',
  lighting: { shade: 'shade.png', scale: 0.6 },
}

/** A lit frame in a stack, with an inner list and a fill, on a part that the scene and the stack show. */
const litChanges = {
  tone: 'shoulder0.7',
  colors: [{ name: 'shirt', default: '#c8c0b8', mask: 'mask.png' }],
  frames: [{ ...litFrame, fill: 0.8 }, frames[1]],
  overlays: [{ image: 'glow.png', blending_mode: 'screen', opacity: 0.3 }],
}

test('lit frames of a stack, beside others and overlays, are drawn in the whole template, a small one and a pack', async () => {
  const lit = await stackBundle(litChanges)
  const { description, layers } = await reduceTemplate(lit, widthPx, codec)
  const entries = await Promise.all([...layers].map(async ([name, layer]) => [name, await encodeLayer(layer)] as const))
  const small = bundleOf({ 'template.json': jsonBytes(description), ...Object.fromEntries(entries) })
  const pack = await encodePack(await reduceTemplate(lit, 480, codec, 'coarse'), 480)
  assert.ok(pack)
  const faded = await stackBundle({ ...litChanges, frames: [{ ...litFrame, fill: 1, opacity: 0.8 }, frames[1]] })
  for (const colors of [new Map<string, string>(), new Map([['shirt', '#1f2a44']])]) {
    const whole = await render(lit, widthPx, colors)
    assert.deepEqual(await render(faded, widthPx, colors), whole, 'of a lit frame fill is opacity')
    for (const files of [small, openPack(pack)]) {
      const { mean } = comparePictures(await render(files, widthPx, colors), whole)
      assert.ok(mean <= 1.5, `${mean} of 255`)
    }
  }
})

test('a kernel prepares a stack and its colours to the same bytes', async () => {
  const template = parseTemplate(JSON.parse(Buffer.from(await bundle.read('template.json')).toString()))
  const navy: ChosenColors = new Map([['shirt', '#1f2a44']])
  for (const width of [120, widthPx]) {
    const [plain, fast] = await Promise.all(
      [null, kernel].map(async drawer => {
        const base = await prepareTemplate(template, bundle, width, codec, drawer)
        return { base, colored: await recolorTemplate(base, template, bundle, navy, codec, drawer) }
      }),
    )
    assert.deepEqual(fast, plain)
    assert.notDeepEqual(fast?.colored.empty.data, fast?.base.empty.data)
  }
})

test('the default colour chosen is no change, byte for byte', async () => {
  const chosen = await render(bundle, widthPx, new Map([['shirt', '#C8C0B8']]))
  assert.equal(greatestDifference(chosen, await render(bundle, widthPx)), 0)
})

test('a threshold is white where the rounded luminosity is at least its level, and black elsewhere', async () => {
  const grey = await opaque(x => slope(x))
  const files = await stackBundle({
    colors: [],
    frames: [
      {
        aspect_ratio: 1,
        corners: [
          [0, 0],
          [widthPx, 0],
          [widthPx, heightPx],
          [0, heightPx],
        ],
        opacity: 0,
      },
    ],
    stack: [{ frame: 0 }, { adjust: { threshold: 100 } }],
  })
  const read = async (name: string): Promise<Uint8Array> => (name === 'scene.png' ? grey : files.read(name))
  const stored = await codec.decodeLayer(grey, 'rgb')
  const drawn = await render({ read }, widthPx)
  for (let i = 0; i < drawn.data.length; i += 3) {
    const [r = 0, g = 0, b = 0] = stored.data.subarray(i, i + 3)
    const expected = Math.round(0.3 * r + 0.59 * g + 0.11 * b) >= 100 ? 255 : 0
    assert.deepEqual([...drawn.data.subarray(i, i + 3)], [expected, expected, expected], `pixel ${i / 3}`)
  }
})
