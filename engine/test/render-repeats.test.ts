import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  composeMockup,
  type DecodedArtwork,
  type ImageCodec,
  inspectArtwork,
  parseTemplate,
  prepareTemplate,
} from '../src/index.ts'
import { createFrameKernel, createSharpCodec } from '../src/node/index.ts'

/** A codec whose pictures are Node's Buffers, whose `slice` shares memory where a Uint8Array's copies. */
function withBuffers(codec: ImageCodec): ImageCodec {
  const asBuffer = <P extends { readonly data: Uint8Array }>(pixmap: P): P => ({
    ...pixmap,
    data: Buffer.from(pixmap.data),
  })
  return {
    decodeArtwork: async (bytes, target) => asBuffer(await codec.decodeArtwork(bytes, target)),
    decodeLayer: (bytes, kind) => codec.decodeLayer(bytes, kind),
    resize: async (scene, widthPx, heightPx) => asBuffer(await codec.resize(scene, widthPx, heightPx)),
    encode: (picture, output) => codec.encode(picture, output),
  }
}

test('a prepared template is unchanged by what is rendered into it, whatever kind of byte array the codec returns', async () => {
  const codec = withBuffers(createSharpCodec())
  const grey = (value: number) => ({
    alpha: 'opaque' as const,
    widthPx: 40,
    heightPx: 40,
    data: new Uint8Array(4800).fill(value),
  })
  const scene = await codec.encode(grey(90), { format: 'png' })
  const template = parseTemplate({
    format: 1,
    id: 'repeat',
    name: 'Repeat',
    category: 'Test',
    type: 'print',
    render_mode: 'corners',
    blending_mode: 'screen',
    scene: 'scene.png',
    frames: [
      {
        aspect_ratio: 1,
        corners: [
          [5, 5],
          [30, 6],
          [31, 33],
          [4, 30],
        ],
      },
    ],
  })
  const prepared = await prepareTemplate(template, { read: async () => scene }, 30, codec)
  const bytes = await codec.encode(grey(120), { format: 'png' })
  const facts = inspectArtwork(bytes)
  const artwork: DecodedArtwork = await codec.decodeArtwork(bytes, {
    minWidthPx: facts.widthPx,
    minHeightPx: facts.heightPx,
  })
  const first = composeMockup(prepared, [artwork]).data
  const second = composeMockup(prepared, [artwork]).data
  assert.deepEqual(second, first)
  assert.notDeepEqual(first, prepared.empty.data)
  const used = composeMockup(prepared, [{ ...artwork, data: artwork.data.map(value => 255 - value) }])
  assert.notDeepEqual(used.data, first)
  assert.deepEqual(composeMockup(prepared, [artwork], null, used).data, first)
  // The kernel takes the scene from the template where nothing else was drawn; the last mockup's artwork must
  // not show through.
  const kernel = createFrameKernel()
  const inverted = { ...artwork, data: artwork.data.map(value => 255 - value) }
  const usedByKernel = composeMockup(prepared, [inverted], kernel)
  assert.notDeepEqual(usedByKernel.data, first)
  assert.deepEqual(composeMockup(prepared, [artwork], kernel, usedByKernel).data, first)
})
