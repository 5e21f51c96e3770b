import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { EXTENDS_EDGE, EXTENDS_WRAPPED } from '../../kernels/assembly/frame/constants.ts'
import { findDecodeTarget } from '../../src/decode-plan.ts'
import { PlainDrawer } from '../../src/drawing/drawer.ts'
import { boundUnitSquare } from '../../src/geometry/affine-map.ts'
import { buildArtworkMap, centredCover } from '../../src/geometry/artwork-placement.ts'
import { homographyFromQuad } from '../../src/geometry/homography.ts'
import { findQuadFault, type Quad } from '../../src/geometry/quad.ts'
import type { OpaquePixmap, UvPixmap } from '../../src/pixmap.ts'
import { composeMockup } from '../../src/render.ts'
import { createChunkScratch, sampleChunk } from '../../src/sampling/sample-chunk.ts'
import { buildSamplingPlan } from '../../src/sampling/sampling-plan.ts'
import { buildTexture } from '../../src/sampling/texture.ts'
import { runSteps } from '../../src/steps.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'
import { asPlaced } from '../place-part.ts'
import { createRandom } from '../reference/detail-artwork.ts'
import { asDecoded, MemoryBundle } from '../reference/memory-codec.ts'
import { buildFrame, buildPicture, buildTemplate } from './build-template.ts'

const size = fc.integer({ min: 1, max: 40 })

function addScene(bundle: MemoryBundle, widthPx: number, heightPx: number, value = 90): void {
  bundle.add('scene', { alpha: 'opaque', widthPx, heightPx, data: new Uint8Array(widthPx * heightPx * 3).fill(value) })
}

function buildNoise(
  widthPx: number,
  heightPx: number,
  seed: number,
  isOpaque: boolean,
): ReturnType<typeof buildPicture> {
  const random = createRandom(seed)
  const byte = (): number => Math.floor(random() * 256)
  return buildPicture(widthPx, heightPx, () => [byte(), byte(), byte(), isOpaque ? 255 : byte()])
}

/** A convex quad: a box with every corner moved by less than a third of its size. */
function buildConvexQuad(leastSize: number): fc.Arbitrary<Quad> {
  return fc
    .record({
      x: fc.double({ min: -10, max: 40, noNaN: true }),
      y: fc.double({ min: -10, max: 40, noNaN: true }),
      w: fc.double({ min: leastSize, max: 60, noNaN: true }),
      h: fc.double({ min: leastSize, max: 60, noNaN: true }),
      moves: fc.array(fc.double({ min: 0, max: 0.3, noNaN: true }), { minLength: 8, maxLength: 8 }),
    })
    .map(({ x, y, w, h, moves }): Quad => {
      const m = (i: number): number => moves[i] ?? 0
      return [
        [x + m(0) * w, y + m(1) * h],
        [x + w - m(2) * w, y + m(3) * h],
        [x + w - m(4) * w, y + h - m(5) * h],
        [x + m(6) * w, y + h - m(7) * h],
      ]
    })
    .filter(quad => findQuadFault(quad) === null)
}

const convexQuad = buildConvexQuad(4)

describe('sampling', () => {
  it('copies artwork exactly where the frame is the artwork itself', async () => {
    await fc.assert(
      fc.asyncProperty(size, size, fc.integer(), async (widthPx, heightPx, seed) => {
        const artwork = buildNoise(widthPx, heightPx, seed, true)
        const bundle = new MemoryBundle()
        addScene(bundle, widthPx, heightPx)
        const corners: Quad = [
          [0, 0],
          [widthPx, 0],
          [widthPx, heightPx],
          [0, heightPx],
        ]
        const frame = buildFrame(widthPx / heightPx, { kind: 'corners', corners })
        const prepared = await prepareTemplate(buildTemplate([frame]), bundle, widthPx, bundle.codec())
        const picture = composeMockup(prepared, [asDecoded(artwork)])
        const expected = artwork.data.filter((_, i) => i % 4 !== 3)
        assert.deepEqual(Array.from(picture.data), Array.from(expected))
      }),
      { numRuns: 60 },
    )
  })

  it('copies artwork exactly through a map that says so', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 2, max: 40 }),
        fc.integer(),
        async (widthPx, heightPx, seed) => {
          const artwork = buildNoise(widthPx, heightPx, seed, true)
          const bundle = new MemoryBundle()
          addScene(bundle, widthPx, heightPx)
          bundle.add(
            'map',
            buildMap(widthPx, heightPx, (x, y) => [x / widthPx, y / heightPx]),
          )
          const frame = buildFrame(widthPx / heightPx, { kind: 'uvmap', uvmap: { image: 'map', region: null } })
          const prepared = await prepareTemplate(buildTemplate([frame]), bundle, widthPx, bundle.codec())
          const picture = composeMockup(prepared, [asDecoded(artwork)])
          assert.deepEqual(Array.from(picture.data), Array.from(artwork.data.filter((_, i) => i % 4 !== 3)))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('keeps a constant constant under every quad, size of artwork and filter', async () => {
    await fc.assert(
      fc.asyncProperty(
        convexQuad,
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 0, max: 255 }),
        async (corners, artWidth, artHeight, value) => {
          const bundle = new MemoryBundle()
          addScene(bundle, 64, 64, value)
          const prepared = await prepareTemplate(
            buildTemplate([buildFrame(artWidth / artHeight, { kind: 'corners', corners })]),
            bundle,
            64,
            bundle.codec(),
          )
          const artwork = buildPicture(artWidth, artHeight, () => [value, value, value, 255])
          const picture = composeMockup(prepared, [asDecoded(artwork)])
          assert.ok(picture.data.every(byte => byte === value))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('gives the same picture for corners and for the map that says the same', async () => {
    await fc.assert(
      fc.asyncProperty(buildConvexQuad(30), fc.integer(), async (corners, seed) => {
        const random = createRandom(seed)
        const [a, b] = [random() * 4, random() * 4]
        const artwork = buildPicture(90, 90, (x, y) => [
          Math.round(127 + 120 * Math.sin(x / 9 + a)),
          Math.round(127 + 120 * Math.cos(y / 7 + b)),
          Math.round(127 + 120 * Math.sin((x + y) / 11)),
          255,
        ])
        const bundle = new MemoryBundle()
        addScene(bundle, 64, 64)
        const prepared = await prepareTemplate(
          buildTemplate([buildFrame(1, { kind: 'corners', corners })]),
          bundle,
          64,
          bundle.codec(),
        )
        const viaCorners = composeMockup(prepared, [asDecoded(artwork)])
        const [frame] = prepared.frames
        assert.ok(frame)
        const { left, top, widthPx, heightPx } = frame.plan.region
        const matrix = homographyFromQuad(corners)
        const count = widthPx * heightPx
        const u = new Float32Array(count)
        const v = new Float32Array(count)
        for (let i = 0; i < count; i++) {
          const [x, y] = [left + (i % widthPx) + 0.5, top + Math.floor(i / widthPx) + 0.5]
          const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = matrix
          const w = m6 * x + m7 * y + m8
          u[i] = (m0 * x + m1 * y + m2) / w
          v[i] = (m3 * x + m4 * y + m5) / w
        }
        const plan = buildSamplingPlan(frame.plan.region, { kind: 'grid', u, v, wrapsU: false }, frame.coverage)
        const viaMap: OpaquePixmap = { ...prepared.empty, data: new Uint8Array(prepared.empty.data) }
        const placed = asPlaced(asDecoded(artwork))
        runSteps(new PlainDrawer().drawInSteps(viaMap, { ...frame, plan }, placed, { blendMode: 'normal', opacity: 1 }))
        // The kernels may differ by a step of their table, because a map's scale is a difference and a
        // matrix's a derivative.
        for (let i = 0; i < viaMap.data.length; i++) {
          assert.ok(Math.abs((viaMap.data[i] ?? 0) - (viaCorners.data[i] ?? 0)) <= 12, `byte ${i}`)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('shows the same part of an artwork in the same place whatever its size, shape and reduction', async () => {
    // A ramp from left to right of the cropped part: every pixel tells where on the artwork it lies, 4 steps
    // of a byte to a pixel. Three roundings are 1.5 of them, and filters round besides.
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        fc.integer({ min: 150, max: 500 }),
        async (frameRatio, artworkRatio, artWidth) => {
          const artHeight = Math.round(artWidth / artworkRatio)
          const crop = boundUnitSquare(buildArtworkMap(centredCover, artWidth, artHeight, frameRatio), 0)
          const place = (at: number, start: number, length: number): number =>
            Math.max(0, Math.min(255, Math.round((255 * (at - start)) / length)))
          const artwork = buildPicture(artWidth, artHeight, (x, y) => [
            place((x + 0.5) / artWidth, crop.left, crop.width),
            place((y + 0.5) / artHeight, crop.top, crop.height),
            0,
            255,
          ])
          const bundle = new MemoryBundle()
          addScene(bundle, 64, 64)
          bundle.add('artwork', artwork)
          const corners: Quad = [
            [0, 0],
            [64, 0],
            [64, 64],
            [0, 64],
          ]
          const codec = bundle.codec()
          const prepared = await prepareTemplate(
            buildTemplate([buildFrame(frameRatio, { kind: 'corners', corners })]),
            bundle,
            64,
            codec,
          )
          const [frame] = prepared.frames
          assert.ok(frame)
          const target = findDecodeTarget(frame, artWidth, artHeight)
          const decoded = await codec.decodeArtwork(await bundle.read('artwork'), target)
          const picture = composeMockup(prepared, [decoded])
          for (let y = 4; y < 60; y++) {
            for (let x = 4; x < 60; x++) {
              const i = (y * 64 + x) * 3
              assert.ok(
                Math.abs((picture.data[i] ?? 0) - (255 * (x + 0.5)) / 64) <= 2,
                `${picture.data[i]} at column ${x}`,
              )
              assert.ok(
                Math.abs((picture.data[i + 1] ?? 0) - (255 * (y + 0.5)) / 64) <= 2,
                `${picture.data[i + 1]} at row ${y}`,
              )
            }
          }
        },
      ),
      { numRuns: 15, endOnFailure: true },
    )
  })

  it('never reads outside the artwork, whatever a map says', () => {
    const hostile = fc.oneof(
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e30, -1e30, 0, 1, -0.001, 1.001),
      fc.double(),
      fc.float(),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 64 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        fc.boolean(),
        (places, artWidth, artHeight, wrapsU, isOpaque) => {
          const region = { left: 0, top: 0, widthPx: places.length, heightPx: 1 }
          const u = Float32Array.from(places, place => place[0])
          const v = Float32Array.from(places, place => place[1])
          const coverage = new Uint8Array(places.length).fill(255)
          const plan = buildSamplingPlan(region, { kind: 'grid', u, v, wrapsU }, coverage)
          const artwork = { ...asDecoded(buildPicture(artWidth, artHeight, () => [200, 200, 200, 255])), isOpaque }
          const texture = buildTexture(
            asPlaced(artwork, undefined, { across: wrapsU ? EXTENDS_WRAPPED : EXTENDS_EDGE }),
          )
          const scratch = createChunkScratch()
          for (let chunk = 0; chunk < plan.chunkCount; chunk++) {
            sampleChunk(plan, texture, chunk, scratch)
            // A tap outside would read as 0 and darken the constant.
            const length = plan.chunkLength[chunk] ?? 0
            for (let i = 0; i < length * 4; i++) assert.equal(scratch.color[i], i % 4 === 3 ? 255 : 200)
          }
        },
      ),
      { numRuns: 400 },
    )
  })

  it('never lets the colour of clear pixels show', async () => {
    const bundle = new MemoryBundle()
    addScene(bundle, 64, 64, 255)
    const corners: Quad = [
      [5, 6],
      [58, 9],
      [55, 60],
      [8, 52],
    ]
    const prepared = await prepareTemplate(
      buildTemplate([buildFrame(1, { kind: 'corners', corners })]),
      bundle,
      64,
      bundle.codec(),
    )
    // Red stripes between clear pixels that are black underneath: over white, green and blue stay equal and
    // red stays full.
    const artwork = buildPicture(100, 100, (x, y) => ((x + y) % 7 < 3 ? [255, 0, 0, 255] : [0, 0, 0, 0]))
    const picture = composeMockup(prepared, [asDecoded(artwork)])
    for (let i = 0; i < picture.data.length; i += 3) {
      assert.ok((picture.data[i] ?? 0) >= 254, `red of pixel ${i / 3}`)
      assert.equal(picture.data[i + 1], picture.data[i + 2])
    }
  })

  it('shows no seam where a map runs all the way round', async () => {
    const bundle = new MemoryBundle()
    addScene(bundle, 80, 20)
    // u runs from 0.5 through 1 = 0 to 0.5 in steps that no pixel hits exactly; half the resolution of the
    // scene.
    bundle.add(
      'map',
      buildMap(40, 10, (x, y) => [(0.5 + (x + 0.13) / 40) % 1, y / 10]),
    )
    const frame = buildFrame(4, { kind: 'uvmap', uvmap: { image: 'map', region: null } })
    const prepared = await prepareTemplate(buildTemplate([frame]), bundle, 80, bundle.codec())
    const artwork = buildPicture(240, 60, x => {
      const value = Math.round(127 + 100 * Math.cos((2 * Math.PI * (x + 0.5)) / 240))
      return [value, value, value, 255]
    })
    const picture = composeMockup(prepared, [asDecoded(artwork)])
    for (let y = 0; y < 20; y++) {
      for (let x = 2; x < 79; x++) {
        const i = (y * 80 + x) * 3
        const step = Math.abs((picture.data[i] ?? 0) - (picture.data[i - 3] ?? 0))
        assert.ok(step <= 10, `a step of ${step} at ${x}, ${y}`)
      }
    }
  })

  it('continues a map beyond its rim, so that zeros outside never pull the artwork', async () => {
    const bundle = new MemoryBundle()
    addScene(bundle, 64, 64)
    const inside = (x: number, y: number): boolean => Math.hypot(x - 16, y - 16) < 12
    bundle.add(
      'map',
      buildMap(32, 32, (x, y) => (inside(x, y) ? [x / 32, y / 32] : [0, 0])),
    )
    const mask = new Uint8Array(64 * 64)
    for (let y = 0; y < 64; y++)
      for (let x = 0; x < 64; x++) mask[y * 64 + x] = inside((x + 0.5) / 2, (y + 0.5) / 2) ? 255 : 0
    bundle.add('mask', { alpha: 'coverage', widthPx: 64, heightPx: 64, data: mask })
    const frame = buildFrame(
      1,
      { kind: 'uvmap', uvmap: { image: 'map', region: null } },
      { mask: { image: 'mask', region: null } },
    )
    const prepared = await prepareTemplate(buildTemplate([frame]), bundle, 64, bundle.codec())
    const artwork = buildPicture(64, 64, (x, y) => [x * 4, y * 4, 0, 255])
    const picture = composeMockup(prepared, [asDecoded(artwork)])
    for (let y = 0; y < 64; y++) {
      for (let x = 0; x < 64; x++) {
        if (mask[y * 64 + x] === 0) continue
        const i = (y * 64 + x) * 3
        assert.ok(Math.abs((picture.data[i] ?? 0) - x * 4) <= 3, `u at ${x}, ${y}: ${picture.data[i]}`)
        assert.ok(Math.abs((picture.data[i + 1] ?? 0) - y * 4) <= 3, `v at ${x}, ${y}: ${picture.data[i + 1]}`)
      }
    }
  })
})

/** A stored map from u, v at pixel centres. */
function buildMap(
  widthPx: number,
  heightPx: number,
  place: (x: number, y: number) => readonly [number, number],
): UvPixmap {
  const data = new Uint16Array(widthPx * heightPx * 3)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i += 3) {
      const [u, v] = place(x + 0.5, y + 0.5)
      data[i] = Math.round(u * 65535)
      data[i + 1] = Math.round(v * 65535)
      data[i + 2] = 65535
    }
  }
  return { alpha: 'uv', widthPx, heightPx, hasCoverage: false, data }
}
