import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { DecodedArtwork } from '../../src/codec.ts'
import { findDecodeTarget } from '../../src/decode-plan.ts'
import { centredCover, type Placement } from '../../src/geometry/artwork-placement.ts'
import type { Point, Quad } from '../../src/geometry/quad.ts'
import { createFrameKernel } from '../../src/node/index.ts'
import type { StraightPixmap, UvPixmap } from '../../src/pixmap.ts'
import { composeMockup } from '../../src/render.ts'
import { type PreparedTemplate, prepareTemplate } from '../../src/template/prepare-template.ts'
import type { Frame } from '../../src/template/template.ts'
import { createRandom } from '../reference/detail-artwork.ts'
import { asDecoded, MemoryBundle } from '../reference/memory-codec.ts'
import { buildFrame, buildPicture, buildTemplate } from './build-template.ts'

const kernel = createFrameKernel()
const WIDTH_PX = 120
const HEIGHT_PX = 100

function buildNoise(widthPx: number, heightPx: number, seed = 3): StraightPixmap {
  const random = createRandom(seed)
  const byte = (): number => Math.floor(random() * 256)
  return buildPicture(widthPx, heightPx, () => [byte(), byte(), byte(), 255])
}

async function prepare(frames: readonly Frame[], map?: UvPixmap): Promise<PreparedTemplate> {
  const bundle = new MemoryBundle()
  const data = new Uint8Array(WIDTH_PX * HEIGHT_PX * 3).fill(200)
  bundle.add('scene', { alpha: 'opaque', widthPx: WIDTH_PX, heightPx: HEIGHT_PX, data })
  if (map) bundle.add('map', map)
  return prepareTemplate(buildTemplate(frames), bundle, WIDTH_PX, bundle.codec())
}

/** Neighbours differ by little: a position that rounds to the next phase shows no more than a step. */
function buildWaves(widthPx: number, heightPx: number): StraightPixmap {
  const wave = (at: number): number => Math.round(127.5 + 100 * Math.sin(at))
  return buildPicture(widthPx, heightPx, (x, y) => [wave(x / 7), wave(y / 9 + 1), wave((x + y) / 11), 255])
}

const onQuad = (corners: Quad, aspectRatio: number): Frame => buildFrame(aspectRatio, { kind: 'corners', corners })

/** Drawn by the kernel, which must equal the definition. */
function draw(prepared: PreparedTemplate, artwork: DecodedArtwork, placement?: Partial<Placement>): Uint8Array {
  const placements = placement ? { all: { ...centredCover, ...placement } } : {}
  const artworks = prepared.frames.map(() => artwork)
  const drawn = composeMockup(prepared, artworks, kernel, null, placements).data
  assertSame(drawn, composeMockup(prepared, artworks, null, null, placements).data, 'the kernel differs')
  return drawn
}

const upright: Quad = [
  [10, 10],
  [90, 10],
  [90, 90],
  [10, 90],
]
const slanted: Quad = [
  [12.3, 9.1],
  [101.7, 17.9],
  [95.2, 88.4],
  [17.6, 79.3],
]

function greatestDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((greatest, value, i) => Math.max(greatest, Math.abs(value - (b[i] ?? 0))), 0)
}

/** Not deepEqual, which takes minutes to tell how pictures differ. */
function assertSame(actual: Uint8Array, expected: Uint8Array, message?: string): void {
  assert.ok(Buffer.from(actual).equals(expected), message ?? `differs by up to ${greatestDifference(actual, expected)}`)
}

describe('a placement', () => {
  it('that says what no placement says gives the same bytes', async () => {
    for (const corners of [upright, slanted]) {
      const prepared = await prepare([onQuad(corners, 1.3)])
      const artwork = asDecoded(buildNoise(90, 130))
      assertSame(draw(prepared, artwork, { fit: 'cover', scale: 1 }), draw(prepared, artwork))
    }
  })

  it('turned by quarters equals turned corners, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: -4, max: 4 }), async (seed, quarters) => {
        const random = createRandom(seed)
        const near = ([x, y]: Point): Point => [x + random() * 9, y + random() * 9]
        const corners = slanted.map(near)
        const turned = corners.map((corner, i) => corners[(((i + quarters) % 4) + 4) % 4] ?? corner)
        const artwork = asDecoded(buildNoise(70, 110, seed))
        const asQuad = ([a = [0, 0], b = [0, 0], c = [0, 0], d = [0, 0]]: readonly Point[]): Quad => [a, b, c, d]
        const byPlacement = await prepare([onQuad(asQuad(corners), 1)])
        const byCorners = await prepare([onQuad(asQuad(turned), 1)])
        assertSame(draw(byPlacement, artwork, { rotation: 90 * quarters }), draw(byCorners, artwork))
      }),
      { numRuns: 30 },
    )
  })

  it('that moves and shrinks artwork equals a smaller frame there, its edges included', async () => {
    const artwork = asDecoded(buildNoise(100, 100))
    const placed = draw(await prepare([onQuad(upright, 1)]), artwork, { scale: 0.37, x: 0.31, y: 0.62 })
    // 80 px wide: the centre at 10 + 24.8, 10 + 49.6, half a side 14.8.
    const smaller: Quad = [
      [20, 44.8],
      [49.6, 44.8],
      [49.6, 74.4],
      [20, 74.4],
    ]
    const expected = draw(await prepare([onQuad(smaller, 1)]), artwork)
    assert.ok(greatestDifference(placed, expected) <= 1)
  })

  it('shows along the edges of a frame what a larger frame shows of the same artwork there', async () => {
    const artwork = asDecoded(buildNoise(100, 100))
    const inner: Quad = [
      [30, 30],
      [70, 30],
      [70, 70],
      [30, 70],
    ]
    const smaller = await prepare([onQuad(inner, 1)])
    const larger = draw(await prepare([onQuad(upright, 1)]), artwork, { scale: 2 })
    const placement = { ...centredCover, scale: 4 }
    const inFrame = (picture: Uint8Array): Uint8Array =>
      picture.filter((_, i) => {
        const [x, y] = [Math.floor(i / 3) % WIDTH_PX, Math.floor(i / 3 / WIDTH_PX)]
        return Math.min(x, y) >= 30 && Math.max(x, y) < 70
      })
    assert.ok(greatestDifference(inFrame(draw(smaller, artwork, placement)), inFrame(larger)) <= 1)
    const [frame] = smaller.frames
    const shown = frame && findDecodeTarget(frame, 100, 100, placement).shown
    // A quarter of the artwork, and at least four texels on either side of it.
    assert.ok(shown && shown.left <= 0.335 && shown.left + shown.width >= 0.665 && shown.width < 0.4)
  })

  it('with contain shows all of the artwork, and the scene beside it', async () => {
    const prepared = await prepare([onQuad(upright, 1)])
    const placed = draw(prepared, asDecoded(buildNoise(100, 50)), { fit: 'contain' })
    const inner: Quad = [
      [10, 30],
      [90, 30],
      [90, 70],
      [10, 70],
    ]
    const expected = draw(await prepare([onQuad(inner, 2)]), asDecoded(buildNoise(100, 50)))
    assert.ok(greatestDifference(placed, expected) <= 1)
  })

  it('with stretch shows all of the artwork in all of the frame', async () => {
    const artwork = asDecoded(buildNoise(100, 50))
    const placed = draw(await prepare([onQuad(slanted, 0.7)]), artwork, { fit: 'stretch' })
    assertSame(placed, draw(await prepare([onQuad(slanted, 2)]), artwork))
  })

  it('with a focus shows that end of the artwork', async () => {
    const noise = buildNoise(120, 60)
    const left = buildPicture(60, 60, (x, y) => pixelAt(noise, x, y))
    const prepared = await prepare([onQuad(upright, 1)])
    const shown = draw(prepared, asDecoded(noise), { focus: [0.1, 0.5] })
    // Beyond the crop the artwork goes on: only pixels at the right edge may differ.
    assert.ok(differenceInside(prepared, shown, draw(prepared, asDecoded(left))) <= 1)
    const right = draw(prepared, asDecoded(noise), { focus: [1, 0] })
    assertSame(right, draw(prepared, asDecoded(noise), { focus: [0.9, 1] }), 'the frame stays filled')
  })

  it('flips artwork as a flipped file would', async () => {
    const noise = buildWaves(60, 80)
    const prepared = await prepare([onQuad(slanted, 0.75)])
    const flips = { horizontal: [true, false], vertical: [false, true], both: [true, true] } as const
    for (const flip of ['horizontal', 'vertical', 'both'] as const) {
      const [across, down] = flips[flip]
      const flipped = buildPicture(60, 80, (x, y) => pixelAt(noise, across ? 59 - x : x, down ? 79 - y : y))
      assert.ok(greatestDifference(draw(prepared, asDecoded(noise), { flip }), draw(prepared, asDecoded(flipped))) <= 1)
    }
  })

  it('that tiles 2 x 2 copies equals artwork that was tiled before, within 1', async () => {
    const noise = buildNoise(64, 64)
    const waves = buildWaves(64, 64)
    const four = buildPicture(128, 128, (x, y) => pixelAt(noise, x % 64, y % 64))
    const mirrored = buildPicture(128, 128, (x, y) => pixelAt(waves, x < 64 ? x : 127 - x, y < 64 ? y : 127 - y))
    for (const corners of [upright, slanted]) {
      const prepared = await prepare([onQuad(corners, 1)])
      // One copy fills a quarter of the frame; the first one begins at its corner.
      const placement = { scale: 0.5, x: 0.25, y: 0.25 }
      const tiled = draw(prepared, asDecoded(noise), { ...placement, repeat: 'tile' })
      assert.ok(differenceInside(prepared, tiled, draw(prepared, asDecoded(four))) <= 1)
      // In a mirrored copy positions round to the other of two phases.
      const folded = draw(prepared, asDecoded(waves), { ...placement, repeat: 'mirror' })
      assert.ok(differenceInside(prepared, folded, draw(prepared, asDecoded(mirrored))) <= 2)
    }
  })

  it('that repeats one colour is that colour, at any scale and angle: no seam shows', async () => {
    const plain = asDecoded(buildPicture(31, 23, () => [40, 120, 210, 255]))
    const prepared = await prepare([onQuad(slanted, 1.2)])
    const [frame] = prepared.frames
    assert.ok(frame)
    for (const repeat of ['tile', 'mirror'] as const) {
      for (const [scale, rotation] of [
        [0.05, 0],
        [0.11, 17],
        [0.3, 45],
        [1, -133],
        [7, 10],
      ] as const) {
        const drawn = draw(prepared, plain, { repeat, scale, rotation })
        assert.ok(differenceInside(prepared, drawn, draw(prepared, plain)) === 0, `${repeat} ${scale} ${rotation}`)
      }
    }
  })

  it('with a background shows it in the frame where artwork is clear or ends', async () => {
    const half = buildPicture(50, 50, x => [200, 30, 90, x < 25 ? 0 : 255])
    const background = '#1f2a44'
    const prepared = await prepare([onQuad(upright, 1)])
    const drawn = draw(prepared, asDecoded(half), { background })
    const at = (x: number): number[] => [...drawn.subarray((50 * WIDTH_PX + x) * 3, (50 * WIDTH_PX + x) * 3 + 3)]
    assert.deepEqual(
      [at(5), at(12), at(46), at(54), at(88)],
      [
        [200, 200, 200],
        [31, 42, 68],
        [31, 42, 68],
        [200, 30, 90],
        [200, 30, 90],
      ],
    )
    const beside = draw(prepared, asDecoded(half), { background, x: 3, scale: 0.1 })
    const plain = asDecoded(buildPicture(4, 4, () => [31, 42, 68, 255]))
    assertSame(beside, draw(prepared, plain))
  })

  it('beside the frame leaves the scene as it is', async () => {
    const prepared = await prepare([onQuad(slanted, 1)])
    assertSame(draw(prepared, asDecoded(buildNoise(30, 30)), { x: -2, scale: 0.5 }), prepared.empty.data)
  })

  it('goes on at the other side where a map runs all the way round', async () => {
    const round = (startU: number): UvPixmap => {
      const data = new Uint16Array(WIDTH_PX * HEIGHT_PX * 3)
      for (let y = 0, i = 0; y < HEIGHT_PX; y++) {
        for (let x = 0; x < WIDTH_PX; x++, i += 3) {
          const u = ((x + 0.5) / WIDTH_PX + startU) % 1
          data.set([Math.round(u * 65535), Math.round(((y + 0.5) / HEIGHT_PX) * 65535), 65535], i)
        }
      }
      return { alpha: 'uv', widthPx: WIDTH_PX, heightPx: HEIGHT_PX, hasCoverage: false, data }
    }
    const frame = buildFrame(1.2, { kind: 'uvmap', uvmap: { image: 'map', region: null } })
    const artwork = asDecoded(buildNoise(60, 50))
    const seam = await prepare([frame], round(0.6))
    const apart = await prepare([frame], round(0.1))
    // Half way round from where it is apart.
    const placed = draw(seam, artwork, { scale: 0.5, x: 0.98, rotation: 20 })
    const expected = draw(apart, artwork, { scale: 0.5, x: 0.48, rotation: 20 })
    assert.ok(greatestDifference(placed, expected) <= 3)
  })

  it('of one frame leaves the others as they are', async () => {
    const other: Quad = [
      [50, 10],
      [118, 10],
      [118, 90],
      [50, 90],
    ]
    const first: Quad = [
      [2, 10],
      [48, 10],
      [48, 90],
      [2, 90],
    ]
    const prepared = await prepare([onQuad(first, 0.6), onQuad(other, 0.8)])
    const artworks = [asDecoded(buildNoise(60, 100)), asDecoded(buildNoise(80, 100, 5))]
    const compose = (placements: Parameters<typeof composeMockup>[4]): Uint8Array =>
      composeMockup(prepared, artworks, kernel, null, placements).data
    const turned = { ...centredCover, rotation: 180 }
    const half = (data: Uint8Array, from: number, to: number): Uint8Array =>
      data.filter((_, i) => ((i / 3) | 0) % WIDTH_PX >= from && ((i / 3) | 0) % WIDTH_PX < to)
    const one = compose({ byFrame: new Map([[1, turned]]) })
    assertSame(half(one, 0, 49), half(compose({}), 0, 49))
    assertSame(half(one, 49, WIDTH_PX), half(compose({ all: turned }), 49, WIDTH_PX))
    assert.ok(greatestDifference(half(one, 49, WIDTH_PX), half(compose({}), 49, WIDTH_PX)) > 50)
  })

  it('decides what is decoded: little of it where it is small, the visible part where it is large', async () => {
    const [frame] = (await prepare([onQuad(upright, 1)])).frames
    assert.ok(frame)
    const target = (placement: Partial<Placement>) =>
      findDecodeTarget(frame, 5000, 4000, { ...centredCover, ...placement })
    assert.equal(target({}).minHeightPx, Math.ceil(80 * 1.6))
    assert.equal(target({ scale: 0.1 }).minHeightPx, Math.ceil(8 * 2.2))
    assert.ok(target({ scale: 0.1, repeat: 'tile' }).minHeightPx < 100)
    const large = target({ scale: 10, rotation: 30 })
    assert.ok((large.shown?.width ?? 1) < 0.15 && (large.shown?.height ?? 1) < 0.15)
    assert.equal(target({ x: 3, scale: 0.1 }).minHeightPx, 1)
  })
})

function pixelAt({ data, widthPx }: StraightPixmap, x: number, y: number): [number, number, number, number] {
  const i = (y * widthPx + x) * 4
  return [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0, data[i + 3] ?? 0]
}

/** The greatest difference of pixels that lie wholly inside the frame, two pixels from its edges. */
function differenceInside({ frames, widthPx }: PreparedTemplate, a: Uint8Array, b: Uint8Array): number {
  const [frame] = frames
  const region = frame?.plan.region
  if (!frame || !region) throw new Error('The template has no frame.')
  const isInside = (x: number, y: number): boolean =>
    [-2, 0, 2].every(dy =>
      [-2, 0, 2].every(dx => {
        const [column, row] = [x + dx - region.left, y + dy - region.top]
        const isWithin = column >= 0 && row >= 0 && column < region.widthPx && row < region.heightPx
        return isWithin && frame.coverage[row * region.widthPx + column] === 255
      }),
    )
  let greatest = 0
  for (let i = 0; i < a.length; i++) {
    const pixel = Math.floor(i / 3)
    const difference = Math.abs((a[i] ?? 0) - (b[i] ?? 0))
    if (difference > greatest && isInside(pixel % widthPx, Math.floor(pixel / widthPx))) greatest = difference
  }
  return greatest
}
