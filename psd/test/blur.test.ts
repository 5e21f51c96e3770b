import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Layer } from 'ag-psd'
import { drawImported, flatArtwork, pixelAt } from './draw-imported.ts'
import { paint, type Rgba } from './make-psd.ts'
import { mockupPsd } from './mockup-file.ts'
import { filteredDesign } from './smart-filter.ts'

const ground = (x: number, y: number): number[] => [200 - x, 180 - y, 150]

/** A design at 20..68 x 16..52 with a Gaussian blur; what Photoshop shows of an old one is magenta. */
function blurredPsd(radius: number, more: Layer = {}): Uint8Array {
  const design = filteredDesign({ type: 'gaussian blur', filter: { radius: { units: 'Pixels', value: radius } } })
  const isOld = (x: number, y: number): boolean => x >= 14 && x < 74 && y >= 10 && y < 58
  return mockupPsd({
    above: [],
    design: { ...design, ...more },
    merged: (x, y): Rgba => (isOld(x, y) ? [255, 0, 255] : [200 - x, 180 - y, 150]),
  })
}

/** The integral of a Gaussian of sigma 1. */
const share = (x: number): number => 0.5 * (1 + Math.sign(x) * Math.sqrt(1 - Math.exp((-2 * x * x) / Math.PI)))

describe('a Gaussian blur on the design', () => {
  test('blurs the new artwork with its edges, and leaves nothing of the old one beside it', async () => {
    const { drawn, report, template } = await drawImported(blurredPsd(3), flatArtwork([0, 0, 255]))
    assert.equal(template.frames[0]?.blur, 3)
    assert.deepEqual(report.notes, [])
    assert.deepEqual(pixelAt(drawn, 44, 34), [0, 0, 255])
    for (let x = 12; x < 28; x++) {
      const alpha = share((x + 0.5 - 20) / 3)
      const wanted = ground(x, 34).map((value, c) => value + alpha * ((c === 2 ? 255 : 0) - value))
      const found = pixelAt(drawn, x, 34)
      assert.ok(
        wanted.every((value, c) => Math.abs(value - (found[c] ?? 0)) <= 4),
        `${x}: ${found.join()}, not ${wanted.map(Math.round).join()}`,
      )
    }
  })

  test('is hidden by the mask of its layer, which is sharp', async () => {
    const imageData = paint(96, 72, x => (x < 44 ? [255, 255, 255] : [0, 0, 0]))
    const mask = { top: 0, left: 0, bottom: 72, right: 96, defaultColor: 0, imageData }
    const { drawn } = await drawImported(blurredPsd(4, { mask }), flatArtwork([0, 0, 255]))
    assert.deepEqual([pixelAt(drawn, 43, 34), pixelAt(drawn, 44, 34)], [[0, 0, 255], ground(44, 34)])
  })

  test('is as large as the template that it is reduced to', async () => {
    const { template } = await drawImported(blurredPsd(3), flatArtwork([0, 0, 255]), { widthPx: 48 })
    assert.equal(template.frames[0]?.blur, 1.5)
  })
})
