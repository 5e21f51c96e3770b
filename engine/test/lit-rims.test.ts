import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTemplate, prepareTemplate } from '../src/index.ts'
import { applyTone, type Tone, toneNames } from '../src/lighting/tones.ts'
import { composeMockup } from '../src/render.ts'
import { asDecoded, MemoryBundle } from './reference/memory-codec.ts'

const SIDE = 120
const LIGHT = 0.62

/** How much of a pixel a leaning, soft-edged disc with a straight flank covers: edges in every direction. */
function coverAt(x: number, y: number): number {
  const disc = 40.3 - Math.hypot(x + 0.5 - 61.7, y + 0.5 - 57.2)
  const flank = 88.4 - (x + 0.5) - 0.12 * y
  return Math.max(0, Math.min(1, disc, flank))
}

/** A surface of one even light, cut out of the scene where the frame is. */
function buildBundle(tone: Tone) {
  const bundle = new MemoryBundle()
  const mask = new Uint8Array(SIDE * SIDE)
  const scene = new Uint8Array(SIDE * SIDE * 3)
  for (let y = 0, i = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++, i++) {
      mask[i] = Math.round(255 * coverAt(x, y))
      scene.fill(Math.round(255 * applyTone(tone, LIGHT * (1 - coverAt(x, y)))), 3 * i, 3 * i + 3)
    }
  }
  const size = { widthPx: SIDE, heightPx: SIDE }
  bundle.add('mask.png', { alpha: 'coverage', ...size, data: mask })
  bundle.add('scene.png', { alpha: 'opaque', ...size, data: scene })
  bundle.add('white.png', { alpha: 'opaque', widthPx: 1, heightPx: 1, data: new Uint8Array([255, 255, 255]) })
  const template = parseTemplate({
    format: 1,
    id: 'lit-rims',
    name: 'Lit rims',
    category: 'Test',
    type: 'product',
    render_mode: 'corners',
    scene: 'scene.png',
    tone,
    frames: [
      {
        aspect_ratio: 1,
        corners: [
          [10, 10],
          [110, 10],
          [110, 110],
          [10, 110],
        ],
        mask: 'mask.png',
        lighting: { shade: 'white.png', scale: LIGHT },
      },
    ],
  })
  return { bundle, template }
}

for (const tone of toneNames) {
  for (const widthPx of [43, 66, 100, 119, 121, 150, 200, 311]) {
    test(`clear artwork leaves no outline on an even surface (${tone}, ${SIDE} px as ${widthPx} px)`, async () => {
      const { bundle, template } = buildBundle(tone)
      const prepared = await prepareTemplate(template, bundle, widthPx, bundle.codec())
      const clear = asDecoded({ alpha: 'straight', widthPx: 4, heightPx: 4, data: new Uint8Array(64) })
      const mockup = composeMockup(prepared, [clear])
      const even = Math.round(255 * applyTone(tone, LIGHT))
      const furthest = mockup.data.reduce((most, value) => Math.max(most, Math.abs(value - even)), 0)
      assert.ok(furthest <= 2, `a pixel is ${furthest} of 255 away from the even surface`)
    })
  }
}
