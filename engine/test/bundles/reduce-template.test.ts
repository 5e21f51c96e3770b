import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import {
  type BundleFiles,
  checkBundle,
  composeMockup,
  decodeArtworks,
  type ImageCodec,
  inspectArtwork,
  type OpaquePixmap,
  parseTemplate,
  prepareTemplate,
  type ReducedLayer,
  reduceTemplate,
} from '../../src/index.ts'
import { createSharpCodec, encodeLayer, openBundleFolder } from '../../src/node/index.ts'
import { bundleOf, goodBundle, goodDescription, goodMapBundle, goodMapDescription, jsonBytes } from './make-bundle.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const codec = createSharpCodec()
const starters = path.resolve(import.meta.dirname, '../../../templates')
const artwork = await readFile(path.resolve(import.meta.dirname, '../../../service/assets/sample-artwork.jpg'))

type Reduced = Awaited<ReturnType<typeof reduceTemplate>>

async function asBundle({ description, layers }: Reduced): Promise<BundleFiles> {
  const entries = await Promise.all([...layers].map(async ([name, layer]) => [name, await encodeLayer(layer)] as const))
  return bundleOf({ 'template.json': jsonBytes(description), ...Object.fromEntries(entries) })
}

async function render(files: BundleFiles, widthPx: number): Promise<OpaquePixmap> {
  const json: unknown = JSON.parse(Buffer.from(await files.read('template.json')).toString())
  const prepared = await prepareTemplate(parseTemplate(json), files, widthPx, codec)
  return composeMockup(prepared, await decodeArtworks(prepared.frames, { bytes: artwork }, codec))
}

/** Of 255, over all channels. */
function differenceOf(one: OpaquePixmap, other: OpaquePixmap): { mean: number; greatest: number } {
  assert.deepEqual([one.widthPx, one.heightPx], [other.widthPx, other.heightPx])
  let [sum, greatest] = [0, 0]
  for (const [i, value] of one.data.entries()) {
    const difference = Math.abs(value - (other.data[i] ?? 0))
    sum += difference
    greatest = Math.max(greatest, difference)
  }
  return { mean: sum / one.data.length, greatest }
}

/** The reduced bundle without the loss of its files' formats. */
async function renderLossless({ description, layers }: Reduced, widthPx: number): Promise<OpaquePixmap> {
  const layerOf = new Map<Uint8Array, ReducedLayer>()
  const read = async (name: string): Promise<Uint8Array> => {
    const layer = layers.get(name)
    assert.ok(layer, name)
    const bytes = Buffer.from(name)
    layerOf.set(bytes, layer)
    return bytes
  }
  // The kinds are those that the template asks for: the test's assertions would fail on any other.
  const decodeLayer = (async bytes => layerOf.get(bytes)) as ImageCodec['decodeLayer']
  const prepared = await prepareTemplate(parseTemplate(description), { read }, widthPx, { ...codec, decodeLayer })
  return composeMockup(prepared, await decodeArtworks(prepared.frames, { bytes: artwork }, codec))
}

const reducedNames = ['gallery-wall-three', 'white-tee-flat-lay', ...(isFull ? ['white-mug-marble'] : [])]
for (const name of reducedNames)
  test(`${name} at a small width is a sound bundle that renders as the whole one, and nothing larger is in it`, async () => {
    const whole = await openBundleFolder(path.join(starters, name))
    const reduced = await reduceTemplate(whole, 500, codec)
    const small = await asBundle(reduced)
    const { faults } = await checkBundle(small, codec)
    assert.deepEqual(faults, [])
    let sizeBytes = 0
    for (const file of await small.list()) {
      sizeBytes += file.sizeBytes
      if (file.path === 'template.json') continue
      const { widthPx } = inspectArtwork(await small.read(file.path))
      assert.ok(widthPx <= 500, `${file.path}: ${widthPx} px`)
    }
    assert.ok(sizeBytes < 1_500_000, `${sizeBytes} bytes`)
    const wanted = await render(whole, 500)
    const exact = differenceOf(await renderLossless(reduced, 500), wanted)
    // Coordinates are rounded to 16 bits, and continued beyond a map's rim from nearer pixels.
    assert.ok(exact.mean < 0.03 && exact.greatest <= 20, JSON.stringify(exact))
    const { mean } = differenceOf(await render(small, 500), wanted)
    assert.ok(mean < 1.3, `${mean} of 255`)
  })

test('masks, light, overlays and maps with coverage stay where they are, at the very pixels', async () => {
  const turned = await goodBundle()
  const fade = Uint8Array.from({ length: 120 * 90 * 4 }, (_, i) => (i % 4 === 3 ? (i >> 5) & 255 : (i * 7) & 255))
  const front = await encodeLayer({ alpha: 'straight', widthPx: 120, heightPx: 90, data: fade })
  // A map of 80 x 60 pixels whose coverage fades, over a part that begins within a pixel.
  const data = new Uint16Array(80 * 60 * 3)
  for (let y = 0; y < 60; y++)
    for (let x = 0; x < 80; x++)
      data.set([x * 800 + 500, y * 1000 + 500, Math.min(65_535, x * y * 40)], (y * 80 + x) * 3)
  const uv = await encodeLayer({ alpha: 'uv', widthPx: 80, heightPx: 60, hasCoverage: true, data })
  const [frame = {}] = goodMapDescription().frames
  const placed = { ...frame, uvmap: { image: 'uv.png', region: [10.3, 7.7, 90, 70] } }
  for (const [what, files] of [
    ['corners', { ...turned, 'front.png': front }],
    [
      'a map',
      {
        ...(await goodMapBundle()),
        'uv.png': uv,
        'template.json': jsonBytes({ ...goodMapDescription(), frames: [placed] }),
      },
    ],
  ] as const) {
    const whole = bundleOf(files)
    for (const widthPx of [120, 61]) {
      const reduced = await reduceTemplate(whole, widthPx, codec)
      const wanted = await render(whole, widthPx)
      const exact = differenceOf(await renderLossless(reduced, widthPx), wanted)
      assert.ok(exact.mean < 0.1 && exact.greatest <= 4, `${what}, ${widthPx} px: ${JSON.stringify(exact)}`)
      const { mean } = differenceOf(await render(await asBundle(reduced), widthPx), wanted)
      assert.ok(mean < 1.5, `${what}, ${widthPx} px: ${mean} of 255`)
    }
  }
})

test('a scene that is no wider keeps its size, a layer that shows nothing stays a layer, and unknown text stays text', async () => {
  const files = await goodBundle()
  const whole = bundleOf({ ...files, 'template.json': jsonBytes({ ...goodDescription(), name: 'Ärmel' }) })
  const { description, layers } = await reduceTemplate(whole, 1000, codec)
  assert.equal(parseTemplate(description).name, 'Ärmel')
  assert.equal(parseTemplate(description).thumbnail, null)
  assert.deepEqual([layers.get('scene.webp')?.widthPx, layers.get('scene.webp')?.heightPx], [120, 90])
})
