import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { blendChunk } from './blend-chunk.ts'
import { type BlendMode, blendModeNames, blendModes } from './blend-modes.ts'

const byte = fc.integer({ min: 0, max: 255 })
const color = fc.tuple(byte, byte, byte)

/** One pixel through the renderer's code. */
function blendOne(
  mode: BlendMode,
  scene: readonly number[],
  artwork: readonly number[],
  alpha: number,
  coverage: number,
  opacity: number,
): readonly number[] {
  const out = Uint8Array.from(scene)
  const premultiplied = Uint8Array.from([...artwork.map(value => Math.round((value * alpha) / 255)), alpha])
  blendChunk(mode, opacity, 1, premultiplied, 0, Uint8Array.from([coverage]), 0, out, 0)
  return Array.from(out)
}

/** The mode's formula in floats, 0..255, unclamped inputs. */
function applyFormula(mode: BlendMode, scene: readonly number[], artwork: readonly number[]): readonly number[] {
  const formula = blendModes[mode]
  const [br, bg, bb] = scene.map(value => value / 255)
  const [sr, sg, sb] = artwork.map(value => value / 255)
  const out = new Float64Array(3)
  if (formula.kind === 'separable') {
    out.set([formula.blend(br ?? 0, sr ?? 0), formula.blend(bg ?? 0, sg ?? 0), formula.blend(bb ?? 0, sb ?? 0)])
  } else {
    formula.blend(br ?? 0, bg ?? 0, bb ?? 0, sr ?? 0, sg ?? 0, sb ?? 0, out)
  }
  return Array.from(out, value => Math.max(0, Math.min(1, value)) * 255)
}

/** Results worked out by hand from the published formulas: backdrop, source, result, 0..1. */
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
    [0.6, 0.5, 1],
    [0.1, 1, 1],
  ],
  'color-burn': [
    [1, 0, 1],
    [0.75, 0.5, 0.5],
    [0.4, 0.5, 0],
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
  ],
  'linear-light': [
    [0.5, 0.75, 1],
    [0.5, 0.3, 0.1],
  ],
  'pin-light': [
    [0.8, 0.2, 0.4],
    [0.1, 0.8, 0.6],
    [0.5, 0.5, 0.5],
  ],
  'hard-mix': [
    [0.4, 0.6, 1],
    [0.4, 0.5, 0],
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
    if (formula.kind === 'separable') {
      it(`${mode} gives what its published formula gives`, () => {
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
            const actual = blendOne(mode, scene, artwork, opaque, coverage, opacity)
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

  it('leaves the scene alone where nothing covers it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...blendModeNames), color, color, byte, (mode, scene, artwork, alpha) => {
        assert.deepEqual(blendOne(mode, scene, artwork, alpha, 0, 1), scene)
        assert.deepEqual(blendOne(mode, scene, artwork, 0, 255, 1), scene)
        assert.deepEqual(blendOne(mode, scene, artwork, 255, 255, 0), scene)
      }),
    )
  })

  it('keeps the luminosity that a mode takes from one side', () => {
    const lum = (rgb: readonly number[]): number => 0.3 * (rgb[0] ?? 0) + 0.59 * (rgb[1] ?? 0) + 0.11 * (rgb[2] ?? 0)
    fc.assert(
      fc.property(fc.constantFrom<BlendMode>('hue', 'saturation', 'color'), color, color, (mode, scene, artwork) => {
        assert.ok(Math.abs(lum(applyFormula(mode, scene, artwork)) - lum(scene)) < 0.01)
      }),
    )
    fc.assert(
      fc.property(color, color, (scene, artwork) => {
        assert.ok(Math.abs(lum(applyFormula('luminosity', scene, artwork)) - lum(artwork)) < 0.01)
      }),
    )
  })

  it('takes darker-color and lighter-color whole from one side by the total of its channels', () => {
    assert.deepEqual(blendOne('darker-color', [100, 100, 100], [250, 20, 10], 255, 255, 1), [250, 20, 10])
    assert.deepEqual(blendOne('lighter-color', [100, 100, 100], [250, 20, 10], 255, 255, 1), [100, 100, 100])
    assert.deepEqual(blendOne('lighter-color', [100, 100, 100], [250, 90, 10], 255, 255, 1), [250, 90, 10])
  })
})
