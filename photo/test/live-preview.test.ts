import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ChosenColors, composeMockup, type DecodedArtwork, type OpaquePixmap } from '@vitrine/engine'
import { createSharpCodec, deflateParts } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { parseDrawing } from '../src/drawing/drawing.ts'
import { LivePreview, makeTemplate, type Outlines, PhotoRefusedError } from '../src/index.ts'
import type { PhotoPixels } from '../src/photo-pixels.ts'
import { buildSurface } from '../src/surfaces/build-surface.ts'
import type { SurfaceMap } from '../src/surfaces/frame-surface.ts'
import { createLens } from '../src/surfaces/lens.ts'
import { renderBundle } from './render-bundle.ts'
import {
  bodyFrame,
  clothFrame,
  drawingHead,
  flatFrame,
  PHOTO_HEIGHT,
  PHOTO_WIDTH,
  smallPhoto,
  warpFrame,
} from './small-photo.ts'

const codec = createSharpCodec()
const photo = smallPhoto()
const none: Outlines = { product: null, fronts: [] }
const noColors: ChosenColors = new Map()

type Place = readonly [number, number]
const shifted = ([x, y]: Place): Place => [x + 7, y + 4]
const bentCloth = { ...clothFrame, bulge: 0.2, pins: [{ at: [170, 125], u: 0.5, v: 0.48 }] }
const bentWarp = { ...warpFrame, mesh: warpFrame.mesh.map(([x = 0, y = 0], i) => [x + (i % 3) * 9, y - (i % 5) * 6]) }
/** Its artwork reaches beyond where the body turns away. */
const sidedFrame = {
  kind: 'body',
  measures: 'mug-11oz',
  surface: 'ceramic',
  snap: false,
  marks: [
    { at: [90, 70], side: 'left' },
    { at: [94, 200], side: 'left' },
    { at: [230, 70], side: 'right' },
    { at: [226, 200], side: 'right' },
    { at: [160, 86], v: 0 },
    { at: [160, 224], v: 1 },
  ],
  print: { left: -100, right: 100, top: 0.1, bottom: 0.9 },
} as const

/** A frame of each kind, and with a point that was moved. */
const moves = {
  flat: [flatFrame, { ...flatFrame, corners: [shifted(flatFrame.corners[0]), ...flatFrame.corners.slice(1)] }],
  body: [
    bodyFrame,
    {
      ...bodyFrame,
      marks: bodyFrame.marks.map((mark, i) => (i === 4 ? { ...mark, at: shifted(mark.at) } : mark)),
    },
  ],
  'round, up to its sides': [sidedFrame, { ...sidedFrame, print: { ...sidedFrame.print, left: -120 } }],
  cloth: [clothFrame, bentCloth],
  warp: [warpFrame, bentWarp],
} as const

const drawingOf = (frame: object, more: object = {}): object => ({ ...drawingHead, ...more, frames: [frame] })

/** The map of a frame as its bundle has it. */
function mapOf(frame: object): SurfaceMap {
  const [drawn] = parseDrawing(drawingOf(frame)).frames
  if (!drawn) throw new Error('Expected a frame.')
  return buildSurface(drawn, photo, createLens(0, PHOTO_WIDTH, PHOTO_HEIGHT)).rasterize()
}

/** How many px of the photo a step of the artwork's coordinates is, on average. */
function pxPerArtwork({ rect, u, coverage }: SurfaceMap): number {
  let [sum, count] = [0, 0]
  for (let i = 0; i + 1 < u.length; i++) {
    if ((i + 1) % rect.widthPx === 0 || (coverage[i] ?? 0) < 1 || (coverage[i + 1] ?? 0) < 1) continue
    sum += Math.abs((u[i + 1] ?? 0) - (u[i] ?? 0))
    count++
  }
  return count / sum
}

/** The artwork's colours tell where it lies. */
const gradient: DecodedArtwork = {
  alpha: 'straight',
  widthPx: 64,
  heightPx: 64,
  data: Uint8Array.from({ length: 64 * 64 * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : i % 4 === 0 ? 4 * (Math.floor(i / 4) % 64) : 90 + Math.floor(i / 256),
  ),
  extent: { left: 0, top: 0, width: 64, height: 64 },
  decodedBy: 'memory',
  sourceWidthPx: 64,
  sourceHeightPx: 64,
  isOpaque: true,
}

describe('what is drawn while a handle is moved', () => {
  for (const [kind, [before, after]] of Object.entries(moves)) {
    it(`lies where it will lie in the bundle, on ${kind} surfaces`, () => {
      const live = new LivePreview(photo)
      live.draw(parseDrawing(drawingOf(before)), none, noColors)
      const { prepared } = live.draw(parseDrawing(drawingOf(after)), none, noColors)
      const exact = mapOf(after)
      const [frame] = prepared.frames
      assert.ok(frame)
      const { region, map } = frame.plan
      const scale = pxPerArtwork(exact)
      let [farthest, lessCovered] = [0, 0]
      for (let i = 0; i < exact.coverage.length; i++) {
        const [x, y] = [exact.rect.left + (i % exact.rect.widthPx), exact.rect.top + Math.floor(i / exact.rect.widthPx)]
        const [column, row] = [x - region.left, y - region.top]
        const isInside = column >= 0 && row >= 0 && column < region.widthPx && row < region.heightPx
        const at = row * region.widthPx + column
        const covered = isInside ? (frame.coverage[at] ?? 0) / 255 : 0
        lessCovered = Math.max(lessCovered, Math.abs(covered - (exact.coverage[i] ?? 0)))
        if (covered === 0 || map.kind !== 'grid') continue
        const away = Math.hypot((map.u[at] ?? NaN) - (exact.u[i] ?? NaN), (map.v[at] ?? NaN) - (exact.v[i] ?? NaN))
        farthest = Math.max(farthest, away * scale)
      }
      assert.ok(lessCovered < 0.05, `coverage differs by ${lessCovered}`)
      assert.ok(farthest < 0.1, `${farthest} px away`)
      assert.equal(map.kind, kind === 'flat' ? 'homography' : 'grid')
    })
  }

  it('looks nearly as the bundle does', async () => {
    for (const [kind, [before, after]] of Object.entries(moves)) {
      const live = new LivePreview(photo)
      live.draw(parseDrawing(drawingOf(before)), none, noColors)
      const { prepared } = live.draw(parseDrawing(drawingOf(after)), none, noColors)
      const store = new MemoryStore()
      const details = { id: 'photo', name: 'Photo', category: 'Photos' }
      await makeTemplate(details, photo, drawingOf(after), none, { store, deflate: deflateParts })
      const picture = await codec.encode(
        { alpha: 'opaque', widthPx: 64, heightPx: 64, data: gradient.data.filter((_, i) => i % 4 !== 3) },
        { format: 'png' },
      )
      const bundle = await renderBundle(store, { bytes: picture }, PHOTO_WIDTH, codec)
      const difference = meanDifference(composeMockup(prepared, [gradient]), bundle)
      assert.ok(difference < 1.5, `${kind}: ${difference} of 255 on average`)
    }
  })

  it('takes the light that was found before, wherever it is moved', () => {
    const live = new LivePreview(photo)
    lightFrom(live, 60)
    const found = lightFrom(live, 100)
    for (const x of [75, 110, 90]) assert.deepEqual(lightFrom(live, x), found)
  })

  it('knows the light everywhere once it has rested', () => {
    const live = new LivePreview(photo)
    lightFrom(live, 60)
    while (live.rest());
    assert.deepEqual(lightFrom(live, 60), lightFrom(live, 110))
  })

  it('has the light of another surface at once', () => {
    const live = new LivePreview(photo)
    const highlights = (gloss: number): number => {
      const { prepared } = live.draw(parseDrawing(drawingOf({ ...flatFrame, surface: 'glass', gloss })), none, noColors)
      return prepared.frames[0]?.light?.highlights?.reduce((sum, byte) => sum + byte, 0) ?? 0
    }
    assert.ok(highlights(2) > 1.2 * highlights(1))
  })

  it('is told the colour of the ground again where it comes to darker ground', () => {
    const data = photo.data.map((byte, i) => (Math.floor(i / 3) % PHOTO_WIDTH < 160 ? byte : Math.round(byte / 4)))
    const live = new LivePreview({ ...photo, data })
    const lightAt = (x: number): number => {
      const corners = [[x, 80] as const, [x + 60, 80] as const, [x + 60, 200] as const, [x, 200] as const]
      const { prepared } = live.draw(parseDrawing(drawingOf({ ...flatFrame, corners, color: 'auto' })), none, noColors)
      return prepared.frames[0]?.light?.surface[1] ?? 0
    }
    assert.ok(lightAt(170) < 0.4 * lightAt(70))
  })
})

describe('a dyed product while a handle is moved', () => {
  const product = { widthPx: PHOTO_WIDTH, heightPx: PHOTO_HEIGHT, data: new Uint8Array(PHOTO_WIDTH * PHOTO_HEIGHT) }
  for (let y = 40; y < 240; y++) product.data.fill(255, y * PHOTO_WIDTH + 60, y * PHOTO_WIDTH + 260)
  const outlines: Outlines = { product, fronts: [] }
  const strokes = [{ points: [[160, 140]], radius: 20 }]
  const onShirt = { ...clothFrame, bulge: 0, pins: [] }
  const drawing = drawingOf(onShirt, { product: { strokes, name: 'shirt' } })
  const navy = new Map([['shirt', '#1f2a44']])

  it('has its colour around the frame as in the bundle, and under clear artwork nearly so', async () => {
    const live = new LivePreview(photo)
    const { prepared, productColor } = live.draw(parseDrawing(drawing), outlines, navy)
    assert.equal(productColor, '#ffffff')
    const store = new MemoryStore()
    const details = { id: 'photo', name: 'Photo', category: 'Photos' }
    await makeTemplate(details, photo, drawing, outlines, { store, deflate: deflateParts })
    const bytes = await codec.encode(
      { alpha: 'opaque', widthPx: 1, heightPx: 1, data: new Uint8Array(3) },
      { format: 'png' },
    )
    const bundle = await renderBundle(store, { bytes }, PHOTO_WIDTH, codec, navy)
    const black = {
      ...gradient,
      widthPx: 1,
      heightPx: 1,
      sourceWidthPx: 1,
      sourceHeightPx: 1,
      extent: { left: 0, top: 0, width: 1, height: 1 },
      data: Uint8Array.from([0, 0, 0, 255]),
    }
    assert.ok(meanDifference(composeMockup(prepared, [black]), bundle) < 1)
  })

  it('keeps its colour where none is chosen, and has the next one at once', () => {
    const live = new LivePreview(photo)
    const colorAt = (colors: ChosenColors): number[] => {
      const { data } = live.draw(parseDrawing(drawing), outlines, colors).prepared.empty
      return [...data.subarray((60 * PHOTO_WIDTH + 64) * 3, (60 * PHOTO_WIDTH + 64) * 3 + 3)]
    }
    const own = colorAt(noColors)
    assert.deepEqual(own, [...photo.data.subarray((60 * PHOTO_WIDTH + 64) * 3, (60 * PHOTO_WIDTH + 64) * 3 + 3)])
    const [red = 0, , blue = 0] = colorAt(navy)
    assert.ok(blue > red && blue < 100)
    const [otherRed = 0, , otherBlue = 0] = colorAt(new Map([['shirt', '#b02020']]))
    assert.ok(otherRed > 2 * otherBlue, `${otherRed} and ${otherBlue}`)
  })

  it('is refused where the brush found nothing, as its bundle is', () => {
    const nothing = { ...product, data: new Uint8Array(product.data.length) }
    const live = new LivePreview(photo)
    assert.throws(() => live.draw(parseDrawing(drawing), { product: nothing, fronts: [] }, noColors), PhotoRefusedError)
  })
})

/** The light at one place of the photo, on a flat frame that begins at `x`. */
function lightFrom(live: LivePreview, x: number): unknown {
  const corners = [[x, 80] as const, [x + 90, 80] as const, [x + 90, 200] as const, [x, 200] as const]
  const { prepared } = live.draw(parseDrawing(drawingOf({ ...flatFrame, corners })), none, noColors)
  const [frame] = prepared.frames
  assert.ok(frame?.light)
  const { left, top, widthPx } = frame.plan.region
  const pixel = ((130 - top) * widthPx + 150 - left) * 3
  return [...frame.light.shade.subarray(pixel, pixel + 3), frame.light.layerTable[255]]
}

function meanDifference(one: OpaquePixmap, other: PhotoPixels): number {
  return one.data.reduce((sum, byte, i) => sum + Math.abs(byte - (other.data[i] ?? 0)), 0) / one.data.length
}
