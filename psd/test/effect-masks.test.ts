import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Layer, LayerEffectShadow, LayerEffectsInfo } from 'ag-psd'
import { composeLayers, type Drawing, drawingOf } from '../src/compositing/compose-layers.ts'
import { EffectMasks } from '../src/compositing/effect-masks.ts'
import { createPicture } from '../src/compositing/float-picture.ts'
import { picturesOf } from '../src/converting/layer-operations.ts'
import { ImportNotes } from '../src/notes.ts'
import { openDocument } from '../src/reading/open-document.ts'
import { stripsOf } from '../src/rects.ts'
import { paint, pixelLayer, writePsd } from './make-psd.ts'

const [WIDTH, HEIGHT, STRIP_ROWS] = [96, 72, 8]
const px = (value: number) => ({ units: 'Pixels' as const, value })

const shadow = (angle: number, size: number, distance: number): LayerEffectShadow => ({
  enabled: true,
  size: px(size),
  choke: px(50),
  distance: px(distance),
  angle,
  useGlobalLight: false,
  color: { r: 255, g: angle % 256, b: 0 },
  opacity: 0.5,
  blendMode: 'normal',
})

/** A card of stripes, and the pictures that are drawn for it. `more`: of the drawing. */
function picturesWith(effects: LayerEffectsInfo, more: Partial<Drawing> = {}, look: Layer = {}) {
  const image = paint(40, 30, (x, y) => [x, y, 90, x % 10 < 6 ? 255 : 40])
  const document = openDocument(writePsd(WIDTH, HEIGHT, [pixelLayer('card', 30, 20, image, { effects, ...look })]))
  const drawing = { ...drawingOf(document, new ImportNotes()), ...more }
  const [base] = document.layers
  assert.ok(base)
  return { pictures: picturesOf({ base, clipped: [] }, drawing), canvas: drawing.canvas, drawing }
}

describe('masks of effects', () => {
  test('take the layer once, however many effects and strips there are', () => {
    const many = Array.from({ length: 10 }, (_, i) => shadow(36 * i, 100, 110))
    let asked = 0
    const replace: Drawing['replace'] = (_, rect) => {
      asked += rect.widthPx * rect.heightPx
      return null
    }
    const { pictures, canvas } = picturesWith({ dropShadow: many }, { replace })
    assert.equal(pictures.length, 11)
    for (const { draw } of pictures) for (const strip of stripsOf(canvas, WIDTH * STRIP_ROWS, STRIP_ROWS)) draw(strip)
    // The way, the spread and the blur on each side; each strip of the layer itself; what hides its shadows.
    const around = (WIDTH + 2 * 213) * (HEIGHT + 2 * 213)
    assert.ok(asked <= around + 12 * WIDTH * HEIGHT, `${asked} pixels`)
  })

  test('take the layer once in each strip where bands would be lower than strips', () => {
    const askedFor = (count: number): number => {
      let asked = 0
      const replace: Drawing['replace'] = (_, rect) => {
        asked += rect.widthPx * rect.heightPx
        return null
      }
      const dropShadow = Array.from({ length: count }, (_, i) => shadow(36 * i, 100, 110))
      const more = { replace, masks: new EffectMasks(1e9) }
      const { drawing } = picturesWith({ dropShadow }, more)
      composeLayers(drawing.document.layers, createPicture(drawing.canvas), drawing)
      return asked
    }
    assert.equal(askedFor(10), askedFor(2))
  })

  test('are told apart by the layers clipped to one whose shape depends on its colours', () => {
    const range = { sourceRange: [0, 0, 255, 255], destRange: [0, 0, 255, 255] }
    const blendingRanges = {
      compositeGrayBlendSource: [100, 100, 255, 255],
      compositeGraphBlendDestinationRange: [0, 0, 255, 255],
      ranges: Array.from({ length: 4 }, () => range),
    }
    const white = paint(10, 30, () => [255, 255, 255])
    const black = paint(40, 30, () => [0, 0, 0])
    const effects = { dropShadow: [shadow(0, 4, 20)] }
    const file = writePsd(WIDTH, HEIGHT, [
      pixelLayer('card', 30, 20, black, { effects, blendingRanges }),
      pixelLayer('light', 30, 20, white, { clipping: true }),
    ])
    const document = openDocument(file)
    const [base, light] = document.layers
    assert.ok(base && light)
    const drawing = drawingOf(document, new ImportNotes())
    const largest = (clipped: readonly Layer[]): number => {
      const [shade] = picturesOf({ base, clipped }, drawing)
      return Math.max(...(shade?.draw(drawing.canvas).alpha ?? []))
    }
    assert.deepEqual([largest([]), largest([light]) > 0.4, largest([])], [0, true, 0])
  })

  test('are the same in strips and bands of any height', () => {
    const effects: LayerEffectsInfo = {
      dropShadow: [shadow(30, 6, 5), shadow(200, 4, 400)],
      innerShadow: [shadow(120, 8, 3)],
      stroke: [{ enabled: true, size: px(5), position: 'center', color: { r: 0, g: 0, b: 255 }, opacity: 0.7 }],
    }
    for (const look of [{}, { blendMode: 'multiply', fillOpacity: 0.5 }] satisfies Layer[]) {
      const { pictures, canvas } = picturesWith(effects, {}, look)
      const inBands = picturesWith(effects, { masks: new EffectMasks(12_000_000 / (WIDTH * 11)) }, look).pictures
      assert.equal(inBands.length, pictures.length)
      for (const [index, { draw }] of pictures.entries()) {
        for (const strip of stripsOf(canvas, WIDTH * STRIP_ROWS, STRIP_ROWS)) {
          const [whole, part] = [draw(strip), inBands[index]?.draw(strip)]
          assert.deepEqual(part?.rect, whole.rect)
          assert.ok(part?.alpha.every((value, k) => Math.abs(value - (whole.alpha[k] ?? 0)) < 1e-6))
          assert.ok(part?.color.every((value, i) => Math.abs(value - (whole.color[i] ?? 0)) < 1e-6))
        }
      }
    }
  })
})
