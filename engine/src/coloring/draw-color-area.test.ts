import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readHexColor } from '../hex-color.ts'
import type { LightLayers } from '../lighting/light-chunk.ts'
import { buildLightTable, buildToneTables } from '../lighting/light-tables.ts'
import { applyTone, decodeSrgb, type Tone } from '../lighting/tones.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { PreparedColorArea } from './color-area.ts'
import { drawColorArea } from './draw-color-area.ts'

const WIDTH_PX = 24
const HEIGHT_PX = 3

type Rgb = readonly [red: number, green: number, blue: number]

const linear = (hex: string): Rgb => {
  const { red, green, blue } = readHexColor(hex)
  return [decodeSrgb(red / 255), decodeSrgb(green / 255), decodeSrgb(blue / 255)]
}
const bytesOf = (tone: Tone, light: Rgb) => light.map(value => Math.round(applyTone(tone, value) * 255))

function buildLight(count: number, shade: number, highlights: number): LightLayers {
  return {
    layerTable: buildLightTable(1),
    shade: new Uint8Array(3 * count).fill(shade),
    highlights: new Uint8Array(3 * count).fill(highlights),
  }
}

/** A row of pixels of an area whose coverage falls from left to right. */
function buildArea(coverageAt: (x: number) => number, changes: Partial<PreparedColorArea> = {}): PreparedColorArea {
  const count = WIDTH_PX * HEIGHT_PX
  const tone = buildToneTables('srgb')
  return {
    region: { left: 0, top: 0, widthPx: WIDTH_PX, heightPx: HEIGHT_PX },
    coverage: Uint8Array.from({ length: count }, (_, i) => coverageAt(i % WIDTH_PX)),
    framed: new Uint8Array(count),
    light: { from: buildLight(count, 230, 40), to: buildLight(count, 230, 40) },
    tone,
    blendMode: 'multiply',
    from: readHexColor('#f2efe9'),
    to: readHexColor('#1d1d20'),
    ...changes,
  }
}

const shade = decodeSrgb(230 / 255)
const gloss = decodeSrgb(40 / 255)

/** The area in a colour over a background, in linear light, as a camera sees it. */
function seen(coverage: number, color: string, ground: Rgb): Rgb {
  const share = coverage / 255
  const [red, green, blue] = linear(color)
  const channel = (value: number, under: number) => share * (shade * value + gloss) + (1 - share) * under
  return [channel(red, ground[0]), channel(green, ground[1]), channel(blue, ground[2])]
}

function picture(lightAt: (x: number) => Rgb, noise: (i: number) => number = () => 0): OpaquePixmap {
  const data = new Uint8Array(3 * WIDTH_PX * HEIGHT_PX)
  for (let i = 0; i < data.length; i += 3) {
    const bytes = bytesOf('srgb', lightAt((i / 3) % WIDTH_PX))
    data.set(
      bytes.map((value, channel) => Math.max(0, Math.min(255, value + noise(i + channel)))),
      i,
    )
  }
  return { alpha: 'opaque', widthPx: WIDTH_PX, heightPx: HEIGHT_PX, data }
}

/** Full coverage from 0 to 7, then an edge of 5 pixels. */
const edge = (x: number) => (x < 8 ? 255 : x < 13 ? 255 - 51 * (x - 7) : 0)
const wood = linear('#5a4632')

describe('a colour area in light', () => {
  it('shows the new colour inside, the ground outside, and both along the edge', () => {
    const scene = picture(x => seen(edge(x), '#f2efe9', wood))
    drawColorArea(scene, buildArea(edge))
    const wanted = picture(x => seen(edge(x), '#1d1d20', wood))
    for (const [i, value] of scene.data.entries()) {
      assert.ok(Math.abs(value - (wanted.data[i] ?? 0)) <= 2, `byte ${i}: ${value} for ${wanted.data[i]}`)
    }
  })

  it('subtracts the light on the old colour and adds the light on the new one', () => {
    const scene = picture(x => seen(edge(x), '#f2efe9', wood))
    const count = WIDTH_PX * HEIGHT_PX
    const light = { from: buildLight(count, 230, 40), to: buildLight(count, 190, 20) }
    drawColorArea(scene, buildArea(edge, { light }))
    const [red, green, blue] = linear('#1d1d20')
    const lit = (color: number) => decodeSrgb(190 / 255) * color + decodeSrgb(20 / 255)
    const wanted = picture(x => {
      const share = edge(x) / 255
      const channel = (color: number, ground: number) => share * lit(color) + (1 - share) * ground
      return [channel(red, wood[0]), channel(green, wood[1]), channel(blue, wood[2])]
    })
    for (const [i, value] of scene.data.entries()) {
      assert.ok(Math.abs(value - (wanted.data[i] ?? 0)) <= 2, `byte ${i}: ${value} for ${wanted.data[i]}`)
    }
  })

  it('shows no dots around a dark colour if the scene has compression noise', () => {
    const noise = (i: number) => ((i * 7919) % 9) - 4
    const scene = picture(x => seen(edge(x), '#f2efe9', wood), noise)
    drawColorArea(scene, buildArea(edge))
    const wanted = picture(x => seen(edge(x), '#1d1d20', wood))
    for (const [i, value] of scene.data.entries()) {
      if (edge(Math.floor(i / 3) % WIDTH_PX) === 0) continue
      assert.ok(Math.abs(value - (wanted.data[i] ?? 0)) <= 6, `byte ${i}: ${value} for ${wanted.data[i]}`)
    }
  })

  it('leaves no light of the old colour next to a frame, which is black in the scene', () => {
    const framed = Uint8Array.from({ length: WIDTH_PX * HEIGHT_PX }, (_, i) => 255 - edge(i % WIDTH_PX))
    const scene = picture(
      x => seen(edge(x), '#f2efe9', [0, 0, 0]),
      i => (i * 7919) % 5,
    )
    drawColorArea(scene, buildArea(edge, { framed }))
    const wanted = picture(x => seen(edge(x), '#1d1d20', [0, 0, 0]))
    for (const [i, value] of scene.data.entries()) {
      if (edge(Math.floor(i / 3) % WIDTH_PX) > 0) assert.equal(value, wanted.data[i])
    }
  })
})

describe('a colour area of a photograph', () => {
  it('is the photograph times the new colour divided by the old, in linear light', () => {
    const product: Rgb = [0.31, 0.3, 0.28]
    const scene = picture(() => product)
    drawColorArea(scene, buildArea(edge, { light: null, from: readHexColor('#c8c8c8') }))
    const [from] = linear('#c8c8c8')
    const to = linear('#1d1d20')
    const wanted = picture(x => {
      const share = edge(x) / 255
      const channel = (value: number, color: number) => value * (1 - share + (share * color) / from)
      return [channel(product[0], to[0]), channel(product[1], to[1]), channel(product[2], to[2])]
    })
    for (const [i, value] of scene.data.entries()) assert.ok(Math.abs(value - (wanted.data[i] ?? 0)) <= 1)
  })

  it('is blended in encoded sRGB with modes other than multiply', () => {
    const scene = picture(() => [0.5, 0.5, 0.5])
    drawColorArea(scene, buildArea(edge, { light: null, blendMode: 'normal' }))
    assert.deepEqual([...scene.data.subarray(0, 3)], [0x1d, 0x1d, 0x20])
  })
})
