import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { asPlaced, placePart } from '../../test/place-part.ts'
import { buildPicture } from '../../test/properties/build-template.ts'
import { createRandom } from '../../test/reference/detail-artwork.ts'
import { kernels } from '../../test/reference/kernel-registry.ts'
import { asDecoded } from '../../test/reference/memory-codec.ts'
import { blendModeNames } from '../blending/blend-modes.ts'
import type { DecodedArtwork } from '../codec.ts'
import { copyPixels } from '../drawing/copy-pixels.ts'
import { PlainDrawer } from '../drawing/drawer.ts'
import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import type { AffineMap } from '../geometry/affine-map.ts'
import type { Repeat } from '../geometry/artwork-placement.ts'
import { homographyFromQuad } from '../geometry/homography.ts'
import type { Quad } from '../geometry/quad.ts'
import { areaOf, uniteRects } from '../geometry/rect.ts'
import type { Light } from '../lighting/light-chunk.ts'
import { buildLightTable, buildToneTables } from '../lighting/light-tables.ts'
import { toneNames } from '../lighting/tones.ts'
import { loadKernels } from '../node/load-kernels.ts'
import type { FrameOperation, PictureOperation } from '../operations/operation.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { composeMockup } from '../render.ts'
import { repeatExtensions } from '../sampling/extend-texture.ts'
import { findFrameRim, followRim } from '../sampling/frame-rim.ts'
import type { PlacedArtwork } from '../sampling/placed-artwork.ts'
import { type ArtworkMap, buildSamplingPlan, type SamplingPlan } from '../sampling/sampling-plan.ts'
import { assembleDrawing } from '../template/compile-drawing.ts'
import { trimOperations } from '../template/compile-operations.ts'
import type { PreparedTemplate } from '../template/prepare-template.ts'
import { FrameKernel } from './frame-kernel.ts'

/** So many random frames, or an eighth of them. */
const runs = (full: number): number => (process.env['VITRINE_TEST_SIZE'] === 'full' ? full : Math.ceil(full / 8))

const modules = loadKernels()

type Random = () => number

function buildMap(
  random: Random,
  kind: 'matrix' | 'grid' | 'hostile',
  left: number,
  top: number,
  widthPx: number,
  heightPx: number,
): ArtworkMap {
  if (kind === 'matrix') {
    const near = (value: number): number => value + (random() - 0.5) * Math.min(widthPx, heightPx) * 0.6
    const quad: Quad = [
      [near(left), near(top)],
      [near(left + widthPx), near(top)],
      [near(left + widthPx), near(top + heightPx)],
      [near(left), near(top + heightPx)],
    ]
    return { kind: 'homography', matrix: homographyFromQuad(quad) }
  }
  const hostile = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e30, -1e30, 2, -1]
  const count = widthPx * heightPx
  const bend = random() * 3
  const place = (x: number): number =>
    kind === 'hostile' && random() < 0.3 ? (hostile[Math.floor(random() * hostile.length)] ?? 0) : x
  const u = Float32Array.from({ length: count }, (_, i) =>
    place(((i % widthPx) + 0.5) / widthPx + 0.05 * Math.sin(bend * i)),
  )
  const v = Float32Array.from({ length: count }, (_, i) => place((Math.floor(i / widthPx) + 0.5) / heightPx))
  return { kind: 'grid', u, v, wrapsU: random() < 0.5 }
}

const toneTables = { srgb: buildToneTables('srgb'), 'shoulder0.7': buildToneTables('shoulder0.7') }

function buildFrame(
  random: Random,
  map: 'matrix' | 'grid' | 'hostile',
  isLit: boolean,
  picture: OpaquePixmap,
): PreparedFrame {
  const left = Math.floor(random() * picture.widthPx)
  const top = Math.floor(random() * picture.heightPx)
  const widthPx = 1 + Math.floor(random() * (picture.widthPx - left))
  const heightPx = 1 + Math.floor(random() * (picture.heightPx - top))
  const region = { left, top, widthPx, heightPx }
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => Math.floor(random() * 256))
  const coverage = bytes(widthPx * heightPx).map(byte => (byte < 40 ? 0 : byte > 120 ? 255 : byte))
  const [tone = 'srgb'] = random() < 0.5 ? toneNames : toneNames.toReversed()
  const light: Light = {
    tone: toneTables[tone],
    layerTable: buildLightTable(0.3 + random() * 2),
    surface: [random(), random(), random()],
    shade: bytes(widthPx * heightPx * 3),
    highlights: random() < 0.5 ? bytes(widthPx * heightPx * 3) : null,
  }
  const plan = buildSamplingPlan(region, buildMap(random, map, left, top, widthPx, heightPx), coverage)
  const rim = findFrameRim(plan, coverage)
  return {
    aspectRatio: 1,
    plan: rim && random() < 0.5 ? followRim(plan, rim, random() < 0.7) : plan,
    reach: region,
    rim,
    coverage,
    light: isLit ? light : null,
  }
}

function buildPlainFrame(plan: SamplingPlan, coverage: Uint8Array): PreparedFrame {
  return { aspectRatio: 1, plan, reach: plan.region, rim: null, coverage, light: null }
}

/** A template with random frames, which may overlap, and overlays. */
function buildPrepared(random: Random, frameCount: number, overlayCount: number): PreparedTemplate {
  const widthPx = 40 + Math.floor(random() * 60)
  const heightPx = 30 + Math.floor(random() * 40)
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => Math.floor(random() * 256))
  const scene: OpaquePixmap = { alpha: 'opaque', widthPx, heightPx, data: bytes(widthPx * heightPx * 3) }
  const frames = Array.from({ length: frameCount }, () => buildFrame(random, 'matrix', random() < 0.5, scene))
  const [blendMode = 'normal'] = [...blendModeNames].toSorted(() => random() - 0.5)
  const touched = uniteRects(frames.map(frame => frame.plan.region))
  const over = Array.from({ length: overlayCount }, (): PictureOperation => {
    const data = bytes(widthPx * heightPx * 4)
    for (let i = 3; i < data.length; i += 4) if (random() < 0.3) data.fill(0, i - 3, i + 1)
    for (let i = 0; i < data.length; i++) data[i] = Math.min(data[i] ?? 0, data[i | 3] ?? 0)
    const region = { left: 0, top: 0, widthPx, heightPx }
    return { kind: 'picture', region, data, blendMode, opacity: random(), fill: 1 }
  })
  const drawn = frames.map(
    ({ plan: { region }, light }, index): FrameOperation => ({
      kind: light ? 'light' : 'frame',
      region,
      index,
      inner: [],
      effects: null,
      filters: null,
      blendMode: random() < 0.5 ? blendMode : 'darken',
      opacity: random() < 0.5 ? 1 : random(),
      fill: 1,
    }),
  )
  const empty = { ...scene, data: new Uint8Array(scene.data) }
  for (const operation of over) new PlainDrawer().drawPicture(empty, operation)
  const whole = { left: 0, top: 0, pixels: scene }
  const data = new Uint8Array(areaOf(touched) * 3)
  const { left, top } = touched
  const under = { left, top, pixels: { ...scene, widthPx: touched.widthPx, heightPx: touched.heightPx, data } }
  copyPixels(whole, under, touched)
  const ground = overlayCount > 0 || random() < 0.5 ? under : whole
  const operations = trimOperations([...drawn, ...over], touched)
  const drawing = assembleDrawing('bytes', touched, ground, frames, operations)
  return { widthPx, heightPx, enlargedTo: null, frames, empty, touchedBands: [touched], drawing, sizeBytes: 0 }
}

/** The frame's axes have any direction on the artwork, and are partly outside. */
function turnPlacement(random: Random): AffineMap {
  const [angle, scale] = [random() * 2 * Math.PI, 0.3 + random() * 1.5]
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale]
  const [x0, y0] = [0.5 - (cos - sin) / 2, 0.5 - (sin + cos) / 2]
  return { xPerU: cos, xPerV: -sin, x0, yPerU: sin, yPerV: cos, y0 }
}

const repeats: readonly Repeat[] = ['none', 'none', 'tile', 'mirror']

/** Random edges of the artwork, padding, repetition and background. */
function placeAnyhow(random: Random, { plan }: PreparedFrame): Partial<PlacedArtwork> {
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)]
  const { widthPx, heightPx } = plan.region
  const end = random() * 1.3 * widthPx
  const cut = Uint8Array.from({ length: widthPx * heightPx }, (_, i) =>
    i % widthPx < end ? 255 : random() < 0.3 ? Math.floor(random() * 256) : 0,
  )
  const channel = (): number => Math.floor(random() * 256)
  return {
    repeat: pick(repeats) ?? 'none',
    marginPx: pick([0, 4]) ?? 0,
    across: pick(extensions) ?? 0,
    down: pick(extensions) ?? 0,
    cut: random() < 0.5 ? cut : null,
    background: random() < 0.5 ? { red: channel(), green: channel(), blue: channel() } : null,
  }
}

/** How artwork is blended when blending does not matter. */
const normal = { blendMode: 'normal', opacity: 1 } as const

const extensions = Object.values(repeatExtensions)

describe('the frame kernel', () => {
  const { reference, simd } = kernels.frame
  const fast = simd(modules)

  it('equals the plain TypeScript byte for byte, for any frame, map, mode, light and artwork', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(...blendModeNames),
        fc.constantFrom('matrix' as const, 'grid' as const, 'hostile' as const),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 330 }),
        fc.integer({ min: 1, max: 90 }),
        (seed, mode, map, isLit, isOpaque, artWidth, artHeight) => {
          const random = createRandom(seed)
          const widthPx = 1 + Math.floor(random() * 300)
          const heightPx = 1 + Math.floor(random() * 12)
          const data = Uint8Array.from({ length: widthPx * heightPx * 3 }, () => Math.floor(random() * 256))
          const picture: OpaquePixmap = { alpha: 'opaque', widthPx, heightPx, data }
          const frame = buildFrame(random, map, isLit, picture)
          const byte = (): number => Math.floor(random() * 256)
          const artwork = asDecoded(
            buildPicture(artWidth, artHeight, () => [byte(), byte(), byte(), isOpaque ? 255 : byte()]),
          )
          const part = placePart({ left: random() * 0.3, top: random() * 0.3, width: 0.6, height: 0.5 })
          const placement = random() < 0.5 ? part : turnPlacement(random)
          const placed = asPlaced(artwork, placement, placeAnyhow(random, frame))
          const compositing = { blendMode: mode, opacity: random() < 0.5 ? 1 : random() }
          const expected = reference(picture, frame, placed, compositing)
          const actual = fast(picture, frame, placed, compositing)
          assert.deepEqual(actual.data, expected.data)
        },
      ),
      { numRuns: runs(400) },
    )
  })

  it('locates every pixel of wide, slightly slanted frames like exact divisions', () => {
    const placement = placePart()
    const slants = [0, 1e-6, 0.001, 0.01, 0.03, 0.1, 0.3]
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(...slants),
        fc.integer({ min: 100, max: 2400 }),
        (seed, slant, size) => {
          const random = createRandom(seed)
          const region = {
            left: Math.floor(random() * 9),
            top: 300 + Math.floor(random() * 600),
            widthPx: size,
            heightPx: 3,
          }
          const near = (value: number): number => Math.round(value) + (random() - 0.5) * slant * size
          const [left, right, top, bottom] = [region.left, region.left + size, 0, 1200]
          const quad: Quad = [
            [near(left), near(top)],
            [near(right), near(top)],
            [near(right), near(bottom)],
            [near(left), near(bottom)],
          ]
          const coverage = new Uint8Array(size * 3).fill(255)
          const map: ArtworkMap = { kind: 'homography', matrix: homographyFromQuad(quad) }
          const plan = buildSamplingPlan(region, map, coverage)
          const frame = buildPlainFrame(plan, coverage)
          // Every texel differs from its neighbours, so that a position off by 1/128 of a texel shows.
          const artSize = Math.round(size * (0.5 + random() * 2))
          const artwork = asDecoded(
            buildPicture(artSize, 40, (x, y) => [(x & 1) * 255, ((x + y) & 1) * 255, (y & 1) * 255, 255]),
          )
          const data = new Uint8Array((size + 9) * 903 * 3)
          const picture: OpaquePixmap = { alpha: 'opaque', widthPx: size + 9, heightPx: 903, data }
          const expected = reference(picture, frame, asPlaced(artwork, placement), normal)
          assert.ok(Buffer.from(expected.data).equals(fast(picture, frame, asPlaced(artwork, placement), normal).data))
        },
      ),
      { numRuns: runs(60) },
    )
  })

  it('draws overlays of any mode, alpha, opacity and position like the plain TypeScript, byte for byte', () => {
    const { reference, simd } = kernels.overlay
    const fast = simd(modules)
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(...blendModeNames),
        fc.constantFrom('opaque' as const, 'partly' as const, 'any' as const),
        fc.constantFrom(0, 1, 0.8),
        (seed, blendMode, alphas, opacity) => {
          const random = createRandom(seed)
          const widthPx = 1 + Math.floor(random() * 90)
          const heightPx = 1 + Math.floor(random() * 40)
          const data = Uint8Array.from({ length: widthPx * heightPx * 3 }, () => Math.floor(random() * 256))
          const picture: OpaquePixmap = { alpha: 'opaque', widthPx, heightPx, data }
          const left = Math.floor(random() * widthPx)
          const top = Math.floor(random() * heightPx)
          const region = {
            left,
            top,
            widthPx: Math.floor(random() * (widthPx - left + 1)),
            heightPx: Math.floor(random() * (heightPx - top + 1)),
          }
          const colors = new Uint8Array(region.widthPx * region.heightPx * 4)
          for (let i = 0; i < colors.length; i += 4) {
            const isOpaque = alphas === 'opaque' || (alphas === 'partly' && random() < 0.7)
            const alpha = isOpaque ? 255 : Math.floor(random() * 256)
            const channel = (): number => Math.floor(random() * (alpha + 1))
            colors.set([channel(), channel(), channel(), alpha], i)
          }
          const overlay = { kind: 'picture', region, data: colors, blendMode, opacity, fill: 1 } as const
          assert.deepEqual(fast(picture, overlay).data, reference(picture, overlay).data)
        },
      ),
      { numRuns: runs(500) },
    )
  })

  it('gives the same byte as the reference for every pair of grey or strong colours, mode and weight', () => {
    const { reference, simd } = kernels.overlay
    const fast = simd(modules)
    const values = Array.from({ length: 18 }, (_, i) => i * 15)
    const shades = values.flatMap(value => [
      [value, value, value],
      [value, 0, 255],
      [255 - value, 255, value],
      [value, 128, 127],
    ])
    const data = Uint8Array.from(shades.flatMap(back => shades.flatMap(() => back)))
    const picture: OpaquePixmap = { alpha: 'opaque', widthPx: shades.length, heightPx: shades.length, data }
    for (const alpha of [255, 254, 128, 1]) {
      const scaled = (value: number): number => Math.round((value * alpha) / 255)
      const colors = shades.flatMap(() => shades.flatMap(shade => [...shade.map(scaled), alpha]))
      for (const blendMode of blendModeNames) {
        const region = { left: 0, top: 0, widthPx: shades.length, heightPx: shades.length }
        const overlay = {
          kind: 'picture',
          region,
          data: Uint8Array.from(colors),
          blendMode,
          opacity: 1,
          fill: 1,
        } as const
        assert.deepEqual(fast(picture, overlay).data, reference(picture, overlay).data, `${blendMode}, alpha ${alpha}`)
      }
    }
  })

  it('unpremultiplies every channel and alpha like the reference', () => {
    const { reference, simd } = kernels.overlay
    const colors = new Uint8Array(256 * 256 * 4)
    for (let i = 0; i < 65536; i++) {
      const alpha = i >> 8
      const channel = Math.min(i & 255, alpha)
      colors.set([channel, alpha - channel, alpha >> 1, alpha], i * 4)
    }
    const data = new Uint8Array(256 * 256 * 3).fill(77)
    const picture: OpaquePixmap = { alpha: 'opaque', widthPx: 256, heightPx: 256, data }
    const region = { left: 0, top: 0, widthPx: 256, heightPx: 256 }
    for (const opacity of [1, 0.37]) {
      // One copies the colour, the other amplifies every step of it where alpha is small.
      for (const blendMode of ['normal', 'hard-mix'] as const) {
        const overlay = { kind: 'picture', region, data: colors, blendMode, opacity, fill: 1 } as const
        assert.deepEqual(simd(modules)(picture, overlay).data, reference(picture, overlay).data)
      }
    }
  })

  it('draws artwork larger than its window, upright, turned and upside down, like the reference', () => {
    const [artWidth, artHeight] = [400, 2400]
    const random = createRandom(7)
    const texels = Uint8Array.from({ length: artWidth * artHeight * 4 }, (_, i) =>
      (i & 3) === 3 ? 255 : Math.floor(random() * 256),
    )
    const artwork = asDecoded({ alpha: 'straight', widthPx: artWidth, heightPx: artHeight, data: texels })
    const kernel = new FrameKernel(modules.get('frame-drawer'))
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(0, 0.01, 0.1, 0.5, 3, Math.PI),
        fc.constantFrom(0.5, 0.9, 2),
        (seed, turn, scale) => {
          const random = createRandom(seed)
          const [widthPx, heightPx] = [130 + Math.floor(random() * 40), 600 + Math.floor(random() * 500)]
          const picture: OpaquePixmap = {
            alpha: 'opaque',
            widthPx: widthPx + 5,
            heightPx: heightPx + 7,
            data: new Uint8Array((widthPx + 5) * (heightPx + 7) * 3).fill(90),
          }
          const region = { left: 3, top: 2, widthPx, heightPx }
          // Corners of the artwork around the region's middle, turned, each slightly displaced.
          const corner = (x: number, y: number): [number, number] => {
            const [dx, dy] = [x * widthPx * scale + (random() - 0.5) * 9, y * heightPx * scale + (random() - 0.5) * 9]
            const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
            return [3 + widthPx / 2 + dx * cos - dy * sin, 2 + heightPx / 2 + dx * sin + dy * cos]
          }
          const quad: Quad = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)]
          // Covered between two slanted edges, with some empty rows.
          const slant = (random() - 0.5) * 0.04
          const gap = Math.floor(random() * heightPx)
          const coverage = Uint8Array.from({ length: widthPx * heightPx }, (_, i) => {
            const y = Math.floor(i / widthPx)
            const x = (i % widthPx) + slant * (y - heightPx / 2)
            return x < 4 || x > widthPx - 4 || (y >= gap && y < gap + 40) ? 0 : 255
          })
          const map: ArtworkMap = { kind: 'homography', matrix: homographyFromQuad(quad) }
          const plan = buildSamplingPlan(region, map, coverage)
          const frame = buildPlainFrame(plan, coverage)
          const placement = random() < 0.5 ? placePart() : turnPlacement(random)
          const expected = reference(picture, frame, asPlaced(artwork, placement), normal)
          kernel.draw(picture, frame, asPlaced(artwork, placement), normal)
          assert.ok(Buffer.from(expected.data).equals(picture.data))
        },
      ),
      { numRuns: runs(30) },
    )
  })

  it('draws an artwork into one frame after another, with larger and smaller parts and other artwork in between, like the reference', () => {
    const kernel = new FrameKernel(modules.get('frame-drawer'))
    const random = createRandom(11)
    const byte = (): number => Math.floor(random() * 256)
    const artworks = [255, 255, 90].map(alpha =>
      asDecoded(buildPicture(90, 140, () => [byte(), byte(), byte(), alpha])),
    )
    fc.assert(
      fc.property(
        fc.integer(),
        fc.array(fc.tuple(fc.nat({ max: 2 }), fc.constantFrom(0, 0.1, 0.3)), { minLength: 2, maxLength: 6 }),
        (seed, draws) => {
          const random = createRandom(seed)
          for (const [which, cut] of draws) {
            const artwork = artworks[which]
            assert.ok(artwork)
            const [widthPx, heightPx] = [60 + Math.floor(random() * 60), 80 + Math.floor(random() * 60)]
            const data = Uint8Array.from({ length: widthPx * heightPx * 3 }, () => Math.floor(random() * 256))
            const picture: OpaquePixmap = { alpha: 'opaque', widthPx, heightPx, data }
            // The artwork's corners, some far outside the picture: frames begin and end at different rows.
            const [top, bottom] = [-random() * 200, heightPx + random() * 200]
            const slant = random() * 9
            const quad: Quad = [
              [1, top],
              [widthPx - 1, top + slant],
              [widthPx - 2, bottom + slant],
              [2, bottom],
            ]
            const map: ArtworkMap = { kind: 'homography', matrix: homographyFromQuad(quad) }
            const coverage = new Uint8Array(widthPx * heightPx).fill(255)
            const plan = buildSamplingPlan({ left: 0, top: 0, widthPx, heightPx }, map, coverage)
            const frame = buildPlainFrame(plan, coverage)
            const placement = placePart({ left: 0, top: cut, width: 1, height: 1 - 2 * cut })
            const expected = reference(picture, frame, asPlaced(artwork, placement), normal)
            kernel.draw(picture, frame, asPlaced(artwork, placement), normal)
            assert.ok(Buffer.from(expected.data).equals(picture.data))
          }
        },
      ),
      { numRuns: runs(60) },
    )
  })

  it('draws a frame the same after a larger one has used its memory', () => {
    const kernel = new FrameKernel(modules.get('frame-drawer'))
    const placement = placePart()
    for (const size of [700, 20, 300]) {
      const random = createRandom(size)
      const picture: OpaquePixmap = { alpha: 'opaque', widthPx: 60, heightPx: 40, data: new Uint8Array(7200).fill(90) }
      const frame = buildFrame(random, 'matrix', false, picture)
      const artwork = asDecoded(buildPicture(size, size, (x, y) => [x % 256, y % 256, (x * y) % 256, 255]))
      const expected = reference(picture, frame, asPlaced(artwork, placement), { blendMode: 'multiply', opacity: 1 })
      kernel.draw(picture, frame, asPlaced(artwork, placement), { blendMode: 'multiply', opacity: 1 })
      assert.deepEqual(picture.data, expected.data)
    }
  })
})

describe('a whole mockup', () => {
  it('is the same with and without the kernel, for separate and overlapping frames, overlays, and reused pictures', () => {
    const kernel = new FrameKernel(modules.get('frame-drawer'))
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 2 }),
        (seed, frames, over) => {
          const random = createRandom(seed)
          const prepared = buildPrepared(random, frames, over)
          const artworks = (): DecodedArtwork[] => {
            const byte = (): number => Math.floor(random() * 256)
            return prepared.frames.map(() => asDecoded(buildPicture(40, 30, () => [byte(), byte(), byte(), byte()])))
          }
          const [first, second] = [artworks(), artworks()]
          const reused = composeMockup(prepared, first, kernel)
          assert.deepEqual(reused.data, composeMockup(prepared, first).data)
          assert.deepEqual(composeMockup(prepared, second, kernel, reused).data, composeMockup(prepared, second).data)
        },
      ),
      { numRuns: runs(150) },
    )
  })
})
