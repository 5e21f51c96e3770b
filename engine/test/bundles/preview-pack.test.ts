import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import {
  buildPack,
  composeMockup,
  decodeArtworks,
  type OpaquePixmap,
  openPack,
  parseTemplate,
  prepareTemplate,
  reduceTemplate,
} from '../../src/index.ts'
import { createSharpCodec, encodeLayer, encodePack, openBundleFolder } from '../../src/node/index.ts'
import type { LayerFiles } from '../../src/template/prepare-layer.ts'
import { packBytesMax } from '../../src/template/preview-pack.ts'
import { comparePictures } from '../compare-pictures.ts'
import { bundleOf, goodMapBundle, goodMapDescription, jsonBytes } from './make-bundle.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const codec = createSharpCodec()
const root = path.resolve(import.meta.dirname, '../../..')
const pattern = await readFile(path.join(root, 'templates/artworks/petal-pattern.jpg'))

async function packOf(files: LayerFiles, widthPx: 480 | 960): Promise<Uint8Array> {
  const pack = await encodePack(await reduceTemplate(files, widthPx, codec, 'coarse'), widthPx)
  assert.ok(pack)
  return pack
}

async function render(files: LayerFiles, widthPx: number): Promise<OpaquePixmap> {
  const json: unknown = JSON.parse(Buffer.from(await files.read('template.json')).toString())
  const prepared = await prepareTemplate(parseTemplate(json), files, widthPx, codec)
  return composeMockup(prepared, await decodeArtworks(prepared.frames, { bytes: pattern }, codec))
}

const packed = [
  ['white-mug-walnut-table', 220],
  ['square-cushion-sofa', 320],
] as const
for (const [name, framePx] of isFull ? packed : packed.slice(0, 1))
  test(`${name} in a pack shows the artwork where the service does, with a map that is smaller than its frame`, async () => {
    const whole = await openBundleFolder(path.join(root, 'templates', name))
    const pack = await packOf(whole, 480)
    assert.ok(pack.byteLength <= 80_000, `${pack.byteLength} bytes`)
    const { mean, edgesDb } = comparePictures(await render(openPack(pack), 480), await render(whole, 480))
    assert.ok(mean <= 1.5, `${mean} of 255`)
    assert.ok(edgesDb >= 34, `${edgesDb} dB`)
    const map = await codec.decodeLayer(await openPack(pack).read('frame-0-uv.png'), 'uv')
    assert.ok(map.widthPx < framePx, `${map.widthPx} px`)
  })

test('a map that runs round keeps its seam, and what its coverage hides stays hidden', async () => {
  const [widthPx, heightPx] = [80, 60]
  const data = new Uint16Array(widthPx * heightPx * 3)
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) {
      const u = (x / widthPx + 0.5) % 1
      const isShown = x > 10 && x < 70 && y > 5 && y < 50
      data.set(
        [Math.max(1, Math.round(u * 65_535)), Math.round((y / heightPx) * 65_535), isShown ? 65_535 : 0],
        (y * widthPx + x) * 3,
      )
    }
  const uv = await encodeLayer({ alpha: 'uv', widthPx, heightPx, hasCoverage: true, data })
  const [frame = {}] = goodMapDescription().frames
  const placed = { ...frame, uvmap: { image: 'uv.png', region: [10, 8, 90, 70] } }
  const whole = bundleOf({
    ...(await goodMapBundle()),
    'uv.png': uv,
    'template.json': jsonBytes({ ...goodMapDescription(), frames: [placed] }),
  })
  const { mean, edgesDb } = comparePictures(
    await render(openPack(await packOf(whole, 480)), 120),
    await render(whole, 120),
  )
  assert.ok(mean <= 1.5 && edgesDb >= 34, `${mean} of 255, ${edgesDb} dB`)
})

test('a pack that would be too large is encoded with less quality, and is none beyond that', async () => {
  const noise = (widthPx: number, seed: number): OpaquePixmap => {
    let state = seed
    const data = new Uint8Array(widthPx * widthPx * 3).map(() => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state >>> 24
    })
    return { alpha: 'opaque', widthPx, heightPx: widthPx, data }
  }
  const one = await encodePack({ description: {}, layers: new Map([['scene.webp', noise(480, 1)]]) }, 480)
  assert.ok(one !== null && one.byteLength > 80_000 && one.byteLength <= packBytesMax(480), `${one?.byteLength} bytes`)
  const layers = new Map(Array.from({ length: 4 }, (_, i) => [`overlay-${i}.webp`, noise(480, i)] as const))
  assert.equal(await encodePack({ description: {}, layers }, 480), null)
})

test('what is no pack is refused, and a file that is not in it is none', async () => {
  const pack = buildPack({ name: 'One' }, new Map([['scene.webp', new Uint8Array([1, 2, 3])]]))
  const files = openPack(pack)
  assert.equal(Buffer.from(await files.read('template.json')).toString(), '{"name":"One"}')
  assert.deepEqual([...(await files.read('scene.webp'))], [1, 2, 3])
  await assert.rejects(files.read('mask.webp'), /no file mask\.webp/)
  for (let length = 0; length < pack.byteLength; length++) assert.throws(() => openPack(pack.subarray(0, length)))
  assert.throws(() => openPack(new Uint8Array(64).fill(255)), /another file/)
  for (const index of ['{}', '[1]', '[["a",-1]]', '[["a",1.5]]', '[["a"]]']) {
    const bytes = Buffer.concat([Buffer.from([index.length, 0, 0, 0]), Buffer.from(index), Buffer.alloc(64)])
    assert.throws(() => openPack(bytes), /preview pack/, index)
  }
})
