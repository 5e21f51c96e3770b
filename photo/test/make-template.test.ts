import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BundleError, encodePng } from '@vitrine/engine'
import { createSharpCodec, deflateParts } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { makeTemplate, type Outlines, PhotoRefusedError } from '../src/index.ts'
import type { PhotoPixels } from '../src/photo-pixels.ts'
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
const details = { id: 'photo', name: 'Photo', category: 'Photos' }
const none: Outlines = { product: null, fronts: [] }
const clear = { bytes: await encodePng({ widthPx: 2, heightPx: 2, channels: 4, samples: new Uint8Array(16) }) }
const photo = smallPhoto()

async function make(frames: readonly object[], outlines = none, from: PhotoPixels = photo, more: object = {}) {
  const store = new MemoryStore()
  const made = await makeTemplate(details, from, { ...drawingHead, ...more, frames }, outlines, {
    store,
    deflate: deflateParts,
  })
  return { ...made, store }
}

/** The greatest difference of two pictures, of 255. */
function differenceOf(a: { data: Uint8Array }, b: { data: Uint8Array }): number {
  return a.data.reduce((most, value, i) => Math.max(most, Math.abs(value - (b.data[i] ?? 0))), 0)
}

const frames = { flat: flatFrame, body: bodyFrame, cloth: clothFrame, warp: warpFrame }

describe('with clear artwork the mockup is the photo within 1 of 255', () => {
  for (const [kind, frame] of Object.entries(frames)) {
    for (const clean of [true, false]) {
      it(`on ${kind} surfaces, with light ${clean ? 'cleaned' : 'as it is'}`, async () => {
        const { store, report } = await make([{ ...frame, clean, surface: 'ceramic' }])
        const mockup = await renderBundle(store, clear, PHOTO_WIDTH, codec)
        assert.ok(differenceOf(mockup, photo) <= 1, `${differenceOf(mockup, photo)} of 255`)
        assert.ok(report.clearDifference <= 1)
        assert.equal(store.files.has('rest-0.png'), clean)
      })
    }
  }

  it('on a dark product, whose colour is named or found', async () => {
    const dark = smallPhoto(0.22)
    for (const color of ['#2a2a2e', 'auto']) {
      const { store } = await make([{ ...clothFrame, color }], none, dark)
      const mockup = await renderBundle(store, clear, PHOTO_WIDTH, codec)
      assert.ok(differenceOf(mockup, dark) <= 1, `${color}: ${differenceOf(mockup, dark)} of 255`)
    }
  })

  it('in several frames that overlap, and through a lens', async () => {
    const { store } = await make([bodyFrame, flatFrame], none, photo, { lens: 0.1 })
    const mockup = await renderBundle(store, clear, PHOTO_WIDTH, codec)
    assert.ok(differenceOf(mockup, photo) <= 1, `${differenceOf(mockup, photo)} of 255`)
  })
})

/** What is at a pixel, as three bytes. */
function pixelAt({ data }: { data: Uint8Array }, x: number, y: number): number[] {
  return [...data.subarray((y * PHOTO_WIDTH + x) * 3, (y * PHOTO_WIDTH + x) * 3 + 3)]
}

describe('artwork', () => {
  const red = encodePng({ widthPx: 1, heightPx: 1, channels: 3, samples: Uint8Array.from([255, 0, 0]) })

  it('takes the light of the photo, brighter where the photo is', async () => {
    const { store } = await make([flatFrame])
    const mockup = await renderBundle(store, { bytes: await red }, PHOTO_WIDTH, codec)
    const [left = 0, leftGreen = 0] = pixelAt(mockup, 70, 140)
    const [right = 0] = pixelAt(mockup, 250, 140)
    assert.ok(right > left + 30, `${left} and ${right}`)
    assert.ok(leftGreen < 60, `${leftGreen}`)
    assert.deepEqual(pixelAt(mockup, 20, 20), pixelAt(photo, 20, 20))
  })

  it('does not lie on what is in front, nor beyond the inset of its product', async () => {
    const product = { widthPx: PHOTO_WIDTH, heightPx: PHOTO_HEIGHT, data: new Uint8Array(PHOTO_WIDTH * PHOTO_HEIGHT) }
    const front = { ...product, data: product.data.slice() }
    for (let y = 40; y < 240; y++) product.data.fill(255, y * PHOTO_WIDTH + 60, y * PHOTO_WIDTH + 260)
    for (let y = 130; y < 150; y++) front.data.fill(255, y * PHOTO_WIDTH + 150, y * PHOTO_WIDTH + 170)
    const frame = { ...clothFrame, corners: flatFrame.corners, pins: [], bulge: 0, inset: 20 }
    const strokes = [{ points: [[160, 140]], radius: 20 }]
    const { store } = await make([frame], { product, fronts: [front] }, photo, {
      product: { strokes, color: '#ffffff' },
    })
    const mockup = await renderBundle(store, { bytes: await red }, PHOTO_WIDTH, codec)
    for (const [x, y] of [
      [160, 140],
      [70, 140],
      [160, 230],
    ] as const)
      assert.deepEqual(pixelAt(mockup, x, y), pixelAt(photo, x, y))
    assert.notDeepEqual(pixelAt(mockup, 100, 140), pixelAt(photo, 100, 140))
  })
})

describe('a dyed product', () => {
  const shirtFrame = {
    ...clothFrame,
    corners: [
      [100, 80],
      [220, 80],
      [220, 200],
      [100, 200],
    ],
    pins: [],
    bulge: 0,
  }

  it('takes the colour everywhere but where it is not, under clear artwork too', async () => {
    const product = { widthPx: PHOTO_WIDTH, heightPx: PHOTO_HEIGHT, data: new Uint8Array(PHOTO_WIDTH * PHOTO_HEIGHT) }
    for (let y = 40; y < 240; y++) product.data.fill(255, y * PHOTO_WIDTH + 60, y * PHOTO_WIDTH + 260)
    const strokes = [{ points: [[160, 140]], radius: 20 }]
    const suggestions = [{ name: 'Navy', value: '#1f2a44' }]
    const { store, report } = await make([shirtFrame], { product, fronts: [] }, photo, {
      product: { strokes, name: 'shirt', suggestions },
    })
    assert.equal(report.productColor, '#ffffff')
    const mockup = await renderBundle(store, clear, PHOTO_WIDTH, codec, new Map([['shirt', '#1f2a44']]))
    assert.deepEqual(pixelAt(mockup, 20, 20), pixelAt(photo, 20, 20))
    for (const [x, y] of [
      [160, 140],
      [80, 60],
    ] as const) {
      const [r = 0, , b = 0] = pixelAt(mockup, x, y)
      assert.ok(b > r && b < 90, `${r}, ${b} at ${x}, ${y}`)
    }
    // One colour on both sides of the frame's edge.
    const [inside, outside] = [pixelAt(mockup, 160, 83), pixelAt(mockup, 160, 76)]
    for (const c of [0, 1, 2])
      assert.ok(Math.abs((inside[c] ?? 0) - (outside[c] ?? 0)) < 10, `${inside.join()} and ${outside.join()}`)
  })

  it('has neither grain nor a bright rim where it is black before a bright wall', async () => {
    const data = new Uint8Array(PHOTO_WIDTH * PHOTO_HEIGHT * 3).fill(230)
    const outline = new Uint8Array(PHOTO_WIDTH * PHOTO_HEIGHT)
    for (let y = 40; y < 240; y++) {
      for (let x = 60; x < 260; x++) {
        // Half of the pixels at its edge are of the wall.
        const isEdge = x === 60 || x === 259 || y === 40 || y === 239
        outline[y * PHOTO_WIDTH + x] = isEdge ? 128 : 255
        data.fill(isEdge ? 168 : 20, 3 * (y * PHOTO_WIDTH + x), 3 * (y * PHOTO_WIDTH + x) + 3)
      }
    }
    const product = { widthPx: PHOTO_WIDTH, heightPx: PHOTO_HEIGHT, data: outline }
    const black = { color: '#202024', strokes: [{ points: [[160, 140]], radius: 20 }], name: 'shirt' }
    const { store } = await make([shirtFrame], { product, fronts: [] }, { ...photo, data }, { product: black })
    const mockup = await renderBundle(store, clear, PHOTO_WIDTH, codec, new Map([['shirt', '#b3202c']]))
    const reds = Array.from({ length: 60 }, (_, x) => pixelAt(mockup, 70 + x, 60)[0] ?? 0)
    assert.ok(Math.max(...reds) - Math.min(...reds) <= 2, reds.join())
    // A pixel at the edge has half of both: no green and blue of the dye but of the wall.
    const [red = 0, green = 0] = pixelAt(mockup, 60, 140)
    assert.ok(red < 190 && green > 150 && green < 185, `${red}, ${green}`)
  })
})

it('the drawing is a file of the bundle, declared and as it was given', async () => {
  const { store, files } = await make([flatFrame])
  const drawing = JSON.parse(Buffer.from(await store.read('drawing.json')).toString())
  assert.deepEqual(drawing, { ...drawingHead, frames: [{ ...flatFrame }] })
  assert.ok(files.includes('drawing.json'))
})

it('the same photo and drawing give the same bytes', async () => {
  const [one, two] = [await make([bodyFrame]), await make([bodyFrame])]
  assert.deepEqual([...one.store.files], [...two.store.files])
})

it('a drawing on a smaller copy of the photo gives the same template', async () => {
  const half = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(half) : typeof value === 'number' ? value / 2 : value
  const frame = { ...flatFrame, corners: half(flatFrame.corners) }
  const size = { width: PHOTO_WIDTH / 2, height: PHOTO_HEIGHT / 2 }
  const [small, large] = [await make([frame], none, photo, size), await make([flatFrame])]
  for (const name of ['template.json', 'frame-0-shade.png', 'scene.png']) {
    assert.deepEqual(await small.store.read(name), await large.store.read(name))
  }
})

describe('what cannot become a template is refused with a sentence', () => {
  const refusals: readonly (readonly [string, object, object, RegExp])[] = [
    [
      'a drawing on another photo',
      flatFrame,
      { width: 280 },
      /Expected a drawing on a photo of 320 x 280 px but received one on 280/,
    ],
    [
      'a frame beside the photo',
      {
        ...flatFrame,
        corners: [
          [-300, 0],
          [-200, 0],
          [-200, 90],
          [-300, 90],
        ],
      },
      {},
      /Nothing of frame 1 lies on the photo/,
    ],
    ['an inset without a product', { ...clothFrame, inset: 5 }, {}, /brush over the product/],
  ]
  for (const [name, frame, more, expected] of refusals) {
    it(name, async () => {
      await assert.rejects(make([frame], none, photo, more), (error: unknown) => {
        assert.ok(error instanceof PhotoRefusedError)
        assert.match(error.message, expected)
        return true
      })
    })
  }

  it('a warp with a point too few, by the exact number', async () => {
    await assert.rejects(
      make([{ ...warpFrame, mesh: warpFrame.mesh.slice(1) }]),
      /Expected a list of 16 for frames\[0\]\.mesh .*received a list of 15/,
    )
  })

  it('a faulty drawing, with every fault', async () => {
    await assert.rejects(make([{ ...flatFrame, corners: [[0, 0]], surface: 'wood' }]), (error: unknown) => {
      assert.ok(error instanceof BundleError)
      assert.equal(error.faults.length, 2)
      assert.match(error.message, /surface \(drawing.json\) but received "wood"/)
      return true
    })
  })
})
