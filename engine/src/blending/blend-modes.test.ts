import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type Blending, blendChunk, buildBlending } from './blend-chunk.ts'
import { type BlendMode, blendModeNames, blendModes } from './blend-modes.ts'

const byte = fc.integer({ min: 0, max: 255 })
const color = fc.tuple(byte, byte, byte)

/** Blends one pixel with the renderer's code. */
function blendOne(
  blending: Blending,
  scene: readonly number[],
  artwork: readonly number[],
  alpha: number,
  coverage: number,
  opacity: number,
): readonly number[] {
  const out = Uint8Array.from(scene)
  const premultiplied = Uint8Array.from([...artwork.map(value => Math.round((value * alpha) / 255)), alpha])
  blendChunk(blending, opacity, 1, premultiplied, 0, Uint8Array.from([coverage]), 0, out, 0)
  return Array.from(out)
}

type Rgb = readonly [number, number, number]

/** W3C Compositing and Blending Level 1, section 10.2, literally, in 64-bit floats. */
const lum = ([r, g, b]: Rgb): number => 0.3 * r + 0.59 * g + 0.11 * b
const sat = (c: Rgb): number => Math.max(...c) - Math.min(...c)

function ClipColor(c: Rgb): Rgb {
  const l = lum(c)
  const n = Math.min(...c)
  const x = Math.max(...c)
  let [r, g, b] = c
  if (n < 0) [r, g, b] = [l + ((r - l) * l) / (l - n), l + ((g - l) * l) / (l - n), l + ((b - l) * l) / (l - n)]
  if (x > 1) {
    const towards = (channel: number): number => l + ((channel - l) * (1 - l)) / (x - l)
    ;[r, g, b] = [towards(r), towards(g), towards(b)]
  }
  return [r, g, b]
}

function SetLum(c: Rgb, l: number): Rgb {
  const d = l - lum(c)
  return ClipColor([c[0] + d, c[1] + d, c[2] + d])
}

function SetSat(c: Rgb, s: number): Rgb {
  const least = Math.min(...c)
  const range = sat(c)
  const stretch = (channel: number): number => (range > 0 ? ((channel - least) * s) / range : 0)
  return [stretch(c[0]), stretch(c[1]), stretch(c[2])]
}

/** In hundredths of a byte, so that equal values compare equal. */
const bytesLum = (c: Rgb): number => Math.round(lum(c) * 25500)

/** Backdrop and source, 0..1. */
const published: { readonly [K in BlendMode]?: (cb: Rgb, cs: Rgb) => Rgb } = {
  hue: (cb, cs) => SetLum(SetSat(cs, sat(cb)), lum(cb)),
  saturation: (cb, cs) => SetLum(SetSat(cb, sat(cs)), lum(cb)),
  color: (cb, cs) => SetLum(cs, lum(cb)),
  luminosity: (cb, cs) => SetLum(cb, lum(cs)),
  'darker-color': (cb, cs) => (bytesLum(cs) < bytesLum(cb) ? cs : cb),
  'lighter-color': (cb, cs) => (bytesLum(cs) > bytesLum(cb) ? cs : cb),
}

/** The mode's formula in floats, 0..255, unclamped inputs. */
function applyFormula(mode: BlendMode, scene: readonly number[], artwork: readonly number[]): readonly number[] {
  const formula = blendModes[mode]
  const [br = 0, bg = 0, bb = 0] = scene.map(value => value / 255)
  const [sr = 0, sg = 0, sb = 0] = artwork.map(value => value / 255)
  const whole = published[mode]
  if (formula.kind === 'separable') {
    const blended = [formula.blend(br, sr), formula.blend(bg, sg), formula.blend(bb, sb)]
    return blended.map(value => Math.max(0, Math.min(1, value)) * 255)
  }
  assert.ok(whole, 'every mode that is not separable has its published formula here')
  return whole([br, bg, bb], [sr, sg, sb]).map(value => Math.max(0, Math.min(1, value)) * 255)
}

/** Results computed by hand from the published formulas: backdrop, source, result, 0..1. */
const examples: Partial<Record<BlendMode, readonly (readonly [b: number, s: number, result: number])[]>> = {
  normal: [[0.2, 0.7, 0.7]],
  multiply: [[0.5, 0.5, 0.25]],
  screen: [[0.5, 0.5, 0.75]],
  overlay: [
    [0.25, 0.5, 0.25],
    [0.75, 0.5, 0.75],
    [0.25, 0.8, 0.4],
  ],
  darken: [[0.3, 0.6, 0.3]],
  lighten: [[0.3, 0.6, 0.6]],
  'color-dodge': [
    [0, 1, 0],
    [0.25, 0.5, 0.5],
    [0.6, 0.5, 1.2],
    [0.1, 1, 1],
  ],
  'color-burn': [
    [1, 0, 1],
    [0.75, 0.5, 0.5],
    [0.4, 0.5, -0.2],
    [0.9, 0, 0],
  ],
  'hard-light': [
    [0.5, 0.25, 0.25],
    [0.5, 0.75, 0.75],
  ],
  'soft-light': [
    [0.5, 0.5, 0.5],
    [0.5, 0, 0.25],
    [0.25, 1, 0.5],
    [0.16, 1, 0.398_336],
  ],
  difference: [[0.3, 0.8, 0.5]],
  exclusion: [[0.3, 0.8, 0.62]],
  'linear-burn': [
    [0.7, 0.6, 0.3],
    [0.3, 0.3, -0.4],
  ],
  'linear-dodge': [[0.3, 0.4, 0.7]],
  'vivid-light': [
    [0.75, 0.25, 0.5],
    [0.25, 0.75, 0.5],
    [1, 0, 0],
    [0, 1, 1],
  ],
  'linear-light': [
    [0.5, 0.5 + 0.5 / 255, 0.5],
    [0.5, 0.75, 0.996_078],
    [0.5, 0.3, 0.096_078],
  ],
  'pin-light': [
    [0.8, 0.2, 0.4],
    [0.1, 0.8, 0.6],
    [0.5, 0.5, 0.5],
  ],
  'hard-mix': [
    [0.4, 0.601, 1],
    [0.4, 0.6, 0],
    [100 / 255, 155 / 255, 0],
    [100 / 255, 156 / 255, 1],
    [1, 0, 1],
  ],
  subtract: [[0.7, 0.2, 0.5]],
  divide: [
    [0.3, 0.6, 0.5],
    [0, 0, 0],
    [0.2, 0, 1],
  ],
}

describe('blending modes', () => {
  for (const mode of blendModeNames) {
    const formula = blendModes[mode]
    const blending = buildBlending(mode)
    if (formula.kind === 'separable') {
      it(`${mode} matches its published formula`, () => {
        const cases = examples[mode]
        assert.ok(cases, 'every separable mode has worked examples')
        for (const [b, s, result] of cases) assert.ok(Math.abs(formula.blend(b, s) - result) < 1e-3, `B(${b}, ${s})`)
      })
    }
    it(`${mode} is mixed in by alpha, coverage and opacity within one step of a byte`, () => {
      fc.assert(
        fc.property(
          color,
          color,
          byte,
          byte,
          fc.double({ min: 0, max: 1, noNaN: true }),
          (scene, artwork, alpha, coverage, opacity) => {
            const opaque = alpha > 0 && alpha < 255 ? 255 : alpha
            const weight = (opaque / 255) * (coverage / 255) * opacity
            const blended = applyFormula(mode, scene, artwork)
            const actual = blendOne(blending, scene, artwork, opaque, coverage, opacity)
            scene.forEach((value, channel) => {
              const expected = value + ((blended[channel] ?? 0) - value) * weight
              assert.ok(Math.abs((actual[channel] ?? 0) - expected) <= 1.01, `${actual[channel]} for ${expected}`)
            })
          },
        ),
        { numRuns: 300 },
      )
    })
  }

  it('leaves the scene unchanged without coverage', () => {
    fc.assert(
      fc.property(fc.constantFrom(...blendModeNames), color, color, byte, (mode, scene, artwork, alpha) => {
        const blending = buildBlending(mode)
        assert.deepEqual(blendOne(blending, scene, artwork, alpha, 0, 1), scene)
        assert.deepEqual(blendOne(blending, scene, artwork, 0, 255, 1), scene)
        assert.deepEqual(blendOne(blending, scene, artwork, 255, 255, 0), scene)
      }),
    )
  })

  for (const mode of blendModeNames) {
    const formula = blendModes[mode]
    if (formula.kind === 'separable') continue
    it(`${mode} is its published formula rounded to a byte`, () => {
      const out = new Uint8Array(3)
      const near = fc.oneof(byte, fc.constantFrom(0, 1, 254, 255))
      const colors = fc.oneof(
        fc.tuple(near, near, near),
        near.map((value): [number, number, number] => [value, value, value]),
      )
      fc.assert(
        fc.property(colors, colors, (scene, artwork) => {
          formula.blend(...scene, ...artwork, out)
          applyFormula(mode, scene, artwork).forEach((expected, channel) => {
            assert.ok(Math.abs((out[channel] ?? 0) - expected) <= 0.501, `${out[channel]} for ${expected}`)
          })
        }),
        { numRuns: 3000 },
      )
    })
  }

  it('takes darker-color and lighter-color completely from one side, by luminosity', () => {
    const [darker, lighter] = [buildBlending('darker-color'), buildBlending('lighter-color')]
    assert.deepEqual(blendOne(darker, [100, 100, 100], [250, 20, 10], 255, 255, 1), [250, 20, 10])
    assert.deepEqual(blendOne(lighter, [100, 100, 100], [250, 20, 10], 255, 255, 1), [100, 100, 100])
    assert.deepEqual(blendOne(lighter, [100, 100, 100], [40, 160, 10], 255, 255, 1), [40, 160, 10])
    assert.deepEqual(blendOne(lighter, [100, 100, 100], [190, 50, 100], 255, 255, 1), [100, 100, 100])
  })
})
