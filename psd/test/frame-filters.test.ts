import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Layer } from 'ag-psd'
import { readFrameFilters } from '../src/converting/frame-filters.ts'
import type { ImportReport } from '../src/import-report.ts'
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

const px = (value: number) => ({ units: 'Pixels' as const, value })
const motion = { type: 'motion blur' as const, filter: { angle: 37, distance: px(12) } }
const sharpen = { type: 'unsharp mask' as const, filter: { amount: 1.75, radius: px(2.5), threshold: 7 } }
const gaussian = { type: 'gaussian blur' as const, filter: { radius: px(2) } }

const importFiltered = (filters: Parameters<typeof filteredDesign>[0], widthPx?: number) =>
  drawImported(
    mockupPsd({ above: [], design: filteredDesign(filters), merged: (x, y): Rgba => [200 - x, 180 - y, 150] }),
    flatArtwork([0, 0, 255]),
    widthPx === undefined ? {} : { widthPx },
  )

/** What is left out, without what to do about it. */
const leftOut = ({ notes }: ImportReport): readonly unknown[] =>
  notes.filter(({ kind }) => kind === 'left-out').map(({ text }) => text.split(':')[0])

describe('a motion blur and a sharpening on the design', () => {
  test('are filters of the frame, as large as the template', async () => {
    const { template, report } = await importFiltered([motion, sharpen])
    const [frame] = template.frames
    // A line of 12 steps touches 13 pixels; the radius is that of the Gaussian that Photoshop's is like.
    assert.deepEqual(frame?.motionBlur, { length: 13, angle: 37 })
    assert.deepEqual(frame?.sharpen, { amount: 1.75, radius: 2.34, threshold: 7 })
    assert.deepEqual(leftOut(report), [])
    const half = (await importFiltered([motion, sharpen], 48)).template.frames[0]
    assert.deepEqual([half?.motionBlur?.length, half?.sharpen?.radius], [6.5, 1.17])
  })

  test('have the angle of the file, be it a number or a value with its unit', () => {
    const filter = (angle: unknown): unknown => ({
      filter: {
        enabled: true,
        list: [{ ...motion, enabled: true, opacity: 1, blendMode: 'normal', filter: { angle, distance: px(12) } }],
      },
    })
    const angleOf = (angle: unknown): number | undefined =>
      readFrameFilters(JSON.parse(JSON.stringify(filter(angle))), null)?.motion?.angle
    assert.deepEqual(
      [37, { units: 'Angle', value: 45 }, { units: 'Angle', value: 405 }, { units: 'Angle' }, null].map(angleOf),
      [37, 45, 45, 0, 0],
    )
  })

  test('draw the new artwork along the line', async () => {
    const line = { type: 'motion blur' as const, filter: { angle: 0, distance: px(8) } }
    const { drawn } = await importFiltered(line)
    for (let x = 10; x < 30; x++) {
      const share = Math.min(1, Math.max(0, (x + 5 - 20) / 9))
      const wanted = ground(x, 34).map((value, c) => value + share * ((c === 2 ? 255 : 0) - value))
      const found = pixelAt(drawn, x, 34)
      assert.ok(
        wanted.every((value, c) => Math.abs(value - (found[c] ?? 0)) <= 1),
        `${x}: ${found.join()}, not ${wanted.map(Math.round).join()}`,
      )
    }
  })

  test('are left out and named where they are not drawn in the order of the file, or in part', async () => {
    const textsOf = async (filters: Parameters<typeof filteredDesign>[0]) =>
      leftOut((await importFiltered(filters)).report)
    const notDrawn = (type: string) => `its smart filter "${type}" is not drawn`
    assert.deepEqual(await textsOf([sharpen, gaussian]), [notDrawn('unsharp mask')])
    assert.deepEqual(await textsOf([motion, { ...motion, filter: { angle: 5, distance: px(4) } }]), [
      notDrawn('motion blur'),
    ])
    assert.deepEqual(await textsOf({ ...motion, opacity: 0.5 }), [notDrawn('motion blur')])
    assert.deepEqual(await textsOf([gaussian, motion, sharpen]), [])
  })
})

test('curves on the design are drawn on the new artwork, those of single channels before that of all', async () => {
  const line = (from: number, to: number) => [
    { x: 0, y: from },
    { x: 255, y: to },
  ]
  const adjustments = [
    { channels: ['composite' as const], curve: line(55, 255) },
    { channels: ['green' as const], curve: line(0, 51) },
  ]
  const design = filteredDesign({ type: 'curves', filter: { presetKind: 'custom', adjustments } })
  const { drawn, report } = await drawImported(mockupPsd({ above: [], design }), flatArtwork([100, 200, 40]))
  assert.deepEqual(report.notes, [])
  // A fifth of 200 is 40; then 55 and 200/255 of each.
  assert.deepEqual(pixelAt(drawn, 44, 34), [133, 86, 86])
})
