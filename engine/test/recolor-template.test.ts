import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'node:test'
import { decodeArtworks } from '../src/decode-plan.ts'
import { createFrameKernel, createSharpCodec, openBundleFolder } from '../src/node/index.ts'
import type { OpaquePixmap } from '../src/pixmap.ts'
import { composeMockup } from '../src/render.ts'
import { parseTemplate } from '../src/template/parse-template.ts'
import { prepareTemplate } from '../src/template/prepare-template.ts'
import { recolorTemplate } from '../src/template/recolor-template.ts'
import { reduceTemplate } from '../src/template/reduce-template.ts'
import { writePng } from './golden/write-png.ts'
import { buildFrame, buildPicture, buildTemplate } from './properties/build-template.ts'
import { asDecoded, MemoryBundle } from './reference/memory-codec.ts'

const WIDTH_PX = 400
const codec = createSharpCodec()
const shirt = await openBundleFolder(path.resolve(import.meta.dirname, '../../templates/white-tee-flat-lay'))
const template = parseTemplate(JSON.parse(new TextDecoder().decode(await shirt.read('template.json'))))
const navy = new Map([['shirt', '#1f2a44']])
const base = await prepareTemplate(template, shirt, WIDTH_PX, codec)
const colored = await recolorTemplate(base, template, shirt, navy, codec)

/** Mean of the channels over the pixels of a frame where `isMeant`. */
function meanOf(picture: OpaquePixmap, isMeant: (coverage: number) => boolean): number {
  const [frame] = base.frames
  assert.ok(frame)
  const { left, top, widthPx } = frame.plan.region
  let [sum, count] = [0, 0]
  for (const [i, coverage] of frame.coverage.entries()) {
    if (!isMeant(coverage)) continue
    const byte = ((top + Math.floor(i / widthPx)) * picture.widthPx + left + (i % widthPx)) * 3
    for (let channel = 0; channel < 3; channel++) sum += picture.data[byte + channel] ?? 0
    count += 3
  }
  return sum / count
}

describe('a template in another colour', () => {
  it('is the template itself in its default colours, and where no area has the name', async () => {
    for (const colors of [new Map(), new Map([['shirt', '#FFFFFF']]), new Map([['mug', '#000000']])])
      assert.equal(await recolorTemplate(base, template, shirt, colors, codec), base)
  })

  it('shares the geometry, and leaves the template as it was', async () => {
    const before = Uint8Array.from(base.empty.data)
    const again = await recolorTemplate(base, template, shirt, navy, codec)
    assert.deepEqual(again.empty.data, colored.empty.data)
    assert.deepEqual(Uint8Array.from(base.empty.data), before)
    assert.equal(again.frames[0]?.plan, base.frames[0]?.plan)
    assert.equal(again.frames[0]?.light?.shade, base.frames[0]?.light?.shade)
    assert.ok(again.sizeBytes < base.sizeBytes)
  })

  it('draws the same bytes with the kernel', async () => {
    const bytes = await writePng(toOpaque(buildPicture(300, 375, (x, y) => [x % 256, y % 256, 128, 255])))
    const artworks = await decodeArtworks(colored.frames, { bytes }, codec)
    assert.deepEqual(composeMockup(colored, artworks, createFrameKernel()).data, composeMockup(colored, artworks).data)
  })

  it('shows the cloth through clear artwork, without a rim around the frame', () => {
    const clear = asDecoded(buildPicture(40, 50, () => [255, 0, 0, 0]))
    const picture = composeMockup(colored, [clear])
    const inside = meanOf(picture, coverage => coverage === 255)
    const rim = meanOf(picture, coverage => coverage > 0 && coverage < 255)
    assert.ok(inside > 15 && inside < 60, `${inside} inside`)
    assert.ok(Math.abs(rim - inside) < 4, `${rim} at the rim, ${inside} inside`)
  })

  it('is the same from the bundle of a preview, whose layers have the size of the output', async () => {
    const { description, layers } = await reduceTemplate(shirt, WIDTH_PX, codec)
    const reduced = parseTemplate(description)
    const bundle = new MemoryBundle()
    for (const [name, layer] of layers) bundle.add(name, layer)
    const small = await prepareTemplate(reduced, bundle, WIDTH_PX, bundle.codec())
    const preview = await recolorTemplate(small, reduced, bundle, navy, bundle.codec())
    let [sum, greatest] = [0, 0]
    for (const [i, value] of preview.empty.data.entries()) {
      const difference = Math.abs(value - (colored.empty.data[i] ?? 0))
      sum += difference
      greatest = Math.max(greatest, difference)
    }
    assert.deepEqual([sum, greatest], [0, 0])
  })

  it('lies under overlays', async () => {
    const bundle = new MemoryBundle()
    const grey = buildPicture(20, 20, () => [200, 200, 200, 255])
    bundle.add('scene', toOpaque(grey))
    bundle.add('mask', { alpha: 'coverage', widthPx: 20, heightPx: 20, data: new Uint8Array(400).fill(255) })
    bundle.add(
      'leaf',
      buildPicture(20, 20, x => [10, 120, 20, x < 10 ? 255 : 0]),
    )
    const corners = [
      [12, 2],
      [18, 2],
      [18, 8],
      [12, 8],
    ] as const
    const described = buildTemplate([buildFrame(1, { kind: 'corners', corners })], {
      colors: [
        {
          name: 'wall',
          default: '#c8c8c8',
          mask: { image: 'mask', region: null },
          lighting: null,
          blendMode: 'multiply',
          suggestions: [],
        },
      ],
      overlays: [{ layer: { image: 'leaf', region: null }, blendMode: 'normal', opacity: 1 }],
    })
    const plain = await prepareTemplate(described, bundle, 20, bundle.codec())
    const red = await recolorTemplate(plain, described, bundle, new Map([['wall', '#b3202c']]), bundle.codec())
    const at = (picture: OpaquePixmap, x: number) => [
      ...picture.data.subarray((15 * 20 + x) * 3, (15 * 20 + x) * 3 + 3),
    ]
    assert.deepEqual(at(red.empty, 2), [10, 120, 20])
    assert.deepEqual(at(red.empty, 17), [0xb3, 0x20, 0x2c])
    assert.deepEqual(red.overlays, plain.overlays)
  })
})

function toOpaque({ widthPx, heightPx, data }: { widthPx: number; heightPx: number; data: Uint8Array }): OpaquePixmap {
  return { alpha: 'opaque', widthPx, heightPx, data: data.filter((_, i) => i % 4 !== 3) }
}
