import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'node:test'
import { decodeArtworks } from '../src/decode-plan.ts'
import { readHexColor } from '../src/hex-color.ts'
import { createFrameKernel, createSharpCodec, openBundleFolder } from '../src/node/index.ts'
import type { CoveragePixmap, OpaquePixmap } from '../src/pixmap.ts'
import { composeMockup } from '../src/render.ts'
import { parseTemplate } from '../src/template/parse-template.ts'
import { prepareTemplate } from '../src/template/prepare-template.ts'
import { recolorTemplate } from '../src/template/recolor-template.ts'
import { reduceTemplate } from '../src/template/reduce-template.ts'
import type { Template } from '../src/template/template.ts'
import { writePng } from './golden/write-png.ts'
import { buildArea, buildFrame, buildPicture, buildTemplate } from './properties/build-template.ts'
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
      colors: [buildArea('wall', { default: '#c8c8c8' })],
      overlays: [{ layer: { image: 'leaf', region: null }, blendMode: 'normal', opacity: 1 }],
    })
    const plain = await prepareTemplate(described, bundle, 20, bundle.codec())
    const red = await recolorTemplate(plain, described, bundle, new Map([['wall', '#b3202c']]), bundle.codec())
    const at = (picture: OpaquePixmap, x: number) => [
      ...picture.data.subarray((15 * 20 + x) * 3, (15 * 20 + x) * 3 + 3),
    ]
    assert.deepEqual(at(red.empty, 2), [10, 120, 20])
    assert.deepEqual(at(red.empty, 17), [0xb3, 0x20, 0x2c])
    assert.deepEqual(red.drawing.operations.slice(1), plain.drawing.operations.slice(1))
  })
})

describe('a part with light of its own in a dark colour', () => {
  const SIDE_PX = 24
  const layer = (value: number): OpaquePixmap =>
    toOpaque(buildPicture(SIDE_PX, SIDE_PX, (x, y) => [value + x, value + y, value + ((x * y) % 40), 255]))
  const [light, dark] = [
    { shade: layer(180), highlights: layer(60) },
    { shade: layer(120), highlights: layer(20) },
  ]
  const bundle = new MemoryBundle()
  bundle.add('scene', layer(150))
  bundle.add(
    'mask',
    coverage(x => (x < 16 ? 255 : 0)),
  )
  bundle.add(
    'print',
    coverage(x => (x < 16 ? 0 : 255)),
  )
  bundle.add('shade', light.shade)
  bundle.add('highlights', light.highlights)
  bundle.add('dark-shade', dark.shade)
  bundle.add('dark-highlights', dark.highlights)

  function coverage(shareAt: (x: number) => number): CoveragePixmap {
    const data = Uint8Array.from({ length: SIDE_PX * SIDE_PX }, (_, i) => shareAt(i % SIDE_PX))
    return { alpha: 'coverage', widthPx: SIDE_PX, heightPx: SIDE_PX, data }
  }

  /** A part on the left and a print on it at the right, both in the light of those layers. */
  function describeProduct(default_: string, names: readonly [string, string], isDark: boolean): Template {
    const whole = (image: string) => ({ image, region: null })
    const lighting = { shade: whole(names[0]), highlights: whole(names[1]), scale: 1 }
    const darkLighting = { shade: whole('dark-shade'), highlights: whole('dark-highlights'), scale: 1 }
    const quad = [
      [0, 0],
      [SIDE_PX, 0],
      [SIDE_PX, SIDE_PX],
      [0, SIDE_PX],
    ] as const
    const frame = buildFrame(
      1,
      { kind: 'corners', corners: quad },
      {
        mask: whole('print'),
        surface: 'mug',
        surfaceColor: readHexColor(default_),
        lighting,
        darkLighting: isDark ? darkLighting : null,
      },
    )
    const area = buildArea('mug', {
      default: default_,
      lighting,
      dark: isDark ? { color: readHexColor('#1b1b1d'), lighting: darkLighting } : null,
    })
    return buildTemplate([frame], { colors: [area] })
  }

  const product = describeProduct('#ffffff', ['shade', 'highlights'], true)
  const clear = asDecoded(buildPicture(4, 4, () => [0, 0, 0, 0]))

  async function draw(described: Template, color: string): Promise<{ data: Uint8Array; sizeBytes: number }> {
    const plain = await prepareTemplate(described, bundle, SIDE_PX, bundle.codec())
    const dyed = await recolorTemplate(plain, described, bundle, new Map([['mug', color]]), bundle.codec())
    return { data: composeMockup(dyed, [clear]).data, sizeBytes: dyed.sizeBytes }
  }

  it('is as without it in its default', async () => {
    const plain = describeProduct('#ffffff', ['shade', 'highlights'], false)
    assert.deepEqual((await draw(product, '#ffffff')).data, (await draw(plain, '#ffffff')).data)
  })

  it('has exactly that light in its dark colour and in darker ones, its prints too', async () => {
    for (const color of ['#1b1b1d', '#0a0a0b']) {
      const found = await draw(product, color)
      const wanted = await draw(describeProduct('#fffffe', ['dark-shade', 'dark-highlights'], false), color)
      for (const [i, value] of found.data.entries())
        assert.ok(Math.abs(value - (wanted.data[i] ?? 0)) <= 1, `byte ${i}: ${value} for ${wanted.data[i]}`)
    }
  })

  it('goes from the one to the other without a step back, and each channel by itself', async () => {
    // The default shows the pixels of the scene.
    const greys = ['#fefefe', '#e0e0e0', '#b4b4b4', '#808080', '#505050', '#303030', '#1b1b1d']
    let before: Uint8Array | null = null
    for (const grey of greys) {
      const { data } = await draw(product, grey)
      if (before) for (const [i, value] of data.entries()) assert.ok(value <= (before[i] ?? 0), `${grey}, byte ${i}`)
      before = data
    }
    const [bright, dull] = [await draw(product, '#ff8080'), await draw(product, '#208080')]
    for (const [i, value] of bright.data.entries()) {
      if (i % 3 === 0) assert.ok(value > (dull.data[i] ?? 0), `byte ${i}`)
      else assert.equal(value, dull.data[i])
    }
  })

  it('counts the light that a colour holds for itself', async () => {
    const { sizeBytes } = await draw(product, '#808080')
    const plain = await draw(describeProduct('#ffffff', ['shade', 'highlights'], false), '#808080')
    assert.equal(sizeBytes - plain.sizeBytes, 2 * 3 * 8 * SIDE_PX)
  })
})

function toOpaque({ widthPx, heightPx, data }: { widthPx: number; heightPx: number; data: Uint8Array }): OpaquePixmap {
  return { alpha: 'opaque', widthPx, heightPx, data: data.filter((_, i) => i % 4 !== 3) }
}
