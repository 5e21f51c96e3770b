import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type Light, lightChunk } from './light-chunk.ts'
import { buildLightTable, buildToneTables, linearFromByte } from './light-tables.ts'
import { applyTone, decodeSrgb, encodeSrgb, invertTone, type Tone, toneNames } from './tones.ts'

const byte = fc.integer({ min: 0, max: 255 })
const color = fc.tuple(byte, byte, byte)

const toneTables = { srgb: buildToneTables('srgb'), 'shoulder0.7': buildToneTables('shoulder0.7') }

function buildLight(tone: Tone, scale: number, shade: readonly number[], highlights: readonly number[] | null): Light {
  return {
    tone: toneTables[tone],
    layerTable: buildLightTable(scale),
    surface: [linearFromByte[255] ?? 0, linearFromByte[200] ?? 0, linearFromByte[120] ?? 0],
    shade: Uint8Array.from(shade),
    highlights: highlights ? Uint8Array.from(highlights) : null,
  }
}

describe('tones', () => {
  for (const tone of toneNames) {
    it(`${tone} and its inverse cancel out up to the clamp`, () => {
      for (let value = 0; value <= 254.5; value += 0.25) {
        const encoded = value / 255
        assert.ok(Math.abs(applyTone(tone, invertTone(tone, encoded)) - encoded) < 1e-9)
      }
      assert.equal(invertTone(tone, 1), invertTone(tone, 254.5 / 255))
    })

    it(`${tone} is monotonic`, () => {
      const { byteFromLight } = buildToneTables(tone)
      for (let i = 1; i < byteFromLight.length; i++) {
        assert.ok((byteFromLight[i] ?? 0) >= (byteFromLight[i - 1] ?? 0))
        assert.ok(
          (byteFromLight[i] ?? 0) - (byteFromLight[i - 1] ?? 0) <= 1,
          'no byte is skipped: a gradient shows no wider steps',
        )
      }
      assert.equal(byteFromLight.at(-1), 255)
    })

    it(`${tone} leaves a scene unchanged if no light is added`, () => {
      const light = buildLight(tone, 1, [0, 0, 0], null)
      for (let value = 0; value < 256; value++) {
        const scene = Uint8Array.from([value, value, value])
        lightChunk(light, 1, 1, Uint8Array.from([255, 255, 255, 255]), Uint8Array.from([255]), 0, scene, 0)
        assert.deepEqual(Array.from(scene), [value, value, value])
      }
    })
  }

  it('follow IEC 61966-2-1', () => {
    assert.ok(Math.abs(encodeSrgb(0.5) - 0.735_356_98) < 1e-7)
    assert.ok(Math.abs(decodeSrgb(0.5) - 0.214_041_14) < 1e-7)
    assert.ok(Math.abs(encodeSrgb(0.001) - 0.012_92) < 1e-9)
  })

  it('roll off only above the knee', () => {
    assert.equal(applyTone('shoulder0.7', 0.7), encodeSrgb(0.7))
    assert.ok(Math.abs(applyTone('shoulder0.7', 1) - encodeSrgb(0.7 + 0.3 * (1 - Math.exp(-1)))) < 1e-12)
    assert.ok(applyTone('shoulder0.7', 50) <= 1)
  })
})

describe('lighting', () => {
  it('adds mask x (shade x albedo + highlights) to the scene in linear light, to the nearest byte', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...toneNames),
        color,
        color,
        color,
        color,
        fc.constantFrom(0, 255),
        byte,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.1, max: 2, noNaN: true }),
        (tone, scene, artwork, shade, highlights, alpha, coverage, opacity, scale) => {
          const light = buildLight(tone, scale, shade, highlights)
          const out = Uint8Array.from(scene)
          const premultiplied = alpha === 0 ? [0, 0, 0, 0] : [...artwork, 255]
          lightChunk(light, opacity, 1, Uint8Array.from(premultiplied), Uint8Array.from([coverage]), 0, out, 0)
          const mask = (coverage / 255) * opacity
          scene.forEach((value, channel) => {
            const albedo = alpha === 0 ? (light.surface[channel] ?? 0) : decodeSrgb((artwork[channel] ?? 0) / 255)
            const shadeLight = scale * decodeSrgb((shade[channel] ?? 0) / 255)
            const highlightsLight = scale * decodeSrgb((highlights[channel] ?? 0) / 255)
            const total = invertTone(tone, value / 255) + mask * (shadeLight * albedo + highlightsLight)
            const expected = mask === 0 ? value : applyTone(tone, total) * 255
            assert.ok(Math.abs((out[channel] ?? 0) - expected) <= 0.56, `${out[channel]} for ${expected}`)
          })
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('shows the surface through translucent artwork', () => {
    const light = buildLight('srgb', 1, [255, 255, 255], null)
    const scene = Uint8Array.from([0, 0, 0])
    lightChunk(light, 1, 1, Uint8Array.from([0, 0, 0, 128]), Uint8Array.from([255]), 0, scene, 0)
    const share = 127 / 255
    const expected = light.surface.map(surface => Math.round(encodeSrgb(surface * share) * 255))
    assert.deepEqual(Array.from(scene), expected)
  })
})
