import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Psd } from 'ag-psd'
import { bytesInMemory } from '../src/reading/file-bytes.ts'
import { displacedPsd, evenMapPsd } from './displaced-file.ts'
import { drawImported, flatArtwork, type Imported, pixelAt } from './draw-imported.ts'
import { paint, pixelLayer, type Rgba } from './make-psd.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd } from './mockup-file.ts'
import { filteredDesign, storedMask } from './smart-filter.ts'

const ground = (x: number, y: number): number[] => [200 - x, 180 - y, 150]
const px = (value: number) => ({ units: 'Pixels' as const, value })
const gaussian = { type: 'gaussian blur' as const, filter: { radius: px(4) } }
const invert = { type: 'invert' as const }

type Masks = NonNullable<Psd['filterEffectsMasks']>
type Filters = Parameters<typeof filteredDesign>[0]
type Flags = Parameters<typeof filteredDesign>[1]

/** A mockup of a design with filters; `masks`: what is stored of the one for them. */
async function draw(filters: Filters, flags: Flags, masks: (id: { placed: string }) => Masks): Promise<Imported> {
  const design = filteredDesign(filters, flags)
  const file = mockupPsd({
    above: [],
    design,
    filterMasks: masks({ placed: design.placedLayer?.placed ?? '' }),
    merged: (x, y): Rgba => [200 - x, 180 - y, 150],
  })
  return drawImported(file, flatArtwork([0, 0, 255]))
}

const maskOf =
  (levelAt: (x: number, y: number) => number, more?: Parameters<typeof storedMask>[4]) =>
  (id: { placed: string }): Masks => [storedMask(id, MOCKUP_WIDTH, MOCKUP_HEIGHT, levelAt, more)]

const on = { maskEnabled: true }
const white = () => 255

function assertNear(found: readonly number[], wanted: readonly number[], most: number, what: string): void {
  const isNear = wanted.every((value, c) => Math.abs(value - (found[c] ?? 0)) <= most)
  assert.ok(isNear, `${what}: ${found.join()}, not ${wanted.map(Math.round).join()}`)
}

/** A pixel between two of them. */
const between = (before: readonly number[], after: readonly number[], share: number): number[] =>
  before.map((value, c) => value + share * ((after[c] ?? 0) - value))

describe('the mask of smart filters on the design', () => {
  test('mixes the new artwork as it is and blurred', async () => {
    const blurred = await draw(gaussian, {}, () => [])
    for (const isPacked of [false, true]) {
      const levels = (x: number): number => (x < 44 ? 64 : 0)
      const { drawn, template, report } = await draw(gaussian, on, maskOf(levels, { isPacked }))
      assert.ok(template.frames[0]?.filterMask)
      assert.deepEqual(report.notes, [])
      for (let x = 10; x < 80; x++) {
        const before = x >= 20 && x < 68 ? [0, 0, 255] : ground(x, 34)
        const wanted = between(before, pixelAt(blurred.drawn, x, 34), levels(x) / 255)
        assertNear(pixelAt(drawn, x, 34), wanted, 2, `${x}`)
      }
    }
  })

  test('limits filters that change colours, all of them together', async () => {
    const exposed = { type: 'brightness/contrast' as const, filter: { brightness: 60, contrast: 0, useLegacy: true } }
    for (const [filters, shown] of [
      [invert, [255, 255, 0]],
      [
        [invert, exposed],
        [255, 255, 60],
      ],
    ] as const) {
      const whole = await draw(filters, {}, () => [])
      const { drawn } = await draw(
        filters,
        on,
        maskOf(x => (x < 44 ? 128 : 255)),
      )
      const filtered = pixelAt(whole.drawn, 30, 34)
      assert.deepEqual(filtered, shown)
      assertNear(pixelAt(drawn, 30, 34), between([0, 0, 255], filtered, 128 / 255), 1, 'grey')
      assert.deepEqual(pixelAt(drawn, 60, 34), filtered)
    }
  })

  test('with colours that change after a blur is exact where it is not grey, and says so', async () => {
    const { report, drawn } = await draw(
      [gaussian, invert],
      on,
      maskOf(x => (x < 44 ? 0 : 255)),
    )
    assert.deepEqual(
      [pixelAt(drawn, 30, 34), pixelAt(drawn, 52, 34)],
      [
        [0, 0, 255],
        [255, 255, 0],
      ],
    )
    assert.match(report.notes[0]?.text ?? '', /mask of its smart filters is grey, colours change after the blur/)
  })

  test('lets Displace move the design where it is white', async () => {
    const maps = [{ name: 'folds.psd', bytes: bytesInMemory(evenMapPsd) }]
    const scales = { horizontalScale: 50, verticalScale: 0 }
    const file = displacedPsd(scales, x => (x < 44 ? 255 : 0))
    const { drawn, report } = await drawImported(file, flatArtwork([0, 0, 255]), { maps })
    const blue = [0, 0, 255]
    // To the left by ten pixels, and at the right where it was.
    assert.deepEqual([pixelAt(drawn, 11, 34), pixelAt(drawn, 66, 34)], [blue, blue])
    assert.deepEqual([pixelAt(drawn, 8, 34), pixelAt(drawn, 69, 34)], [ground(8, 34), ground(69, 34)])
    assert.match(report.notes[0]?.text ?? '', /mask of its smart filters is grey, Displace/)
  })

  test('leaves nothing of the old design where it hides a filter that moved it', async () => {
    const { report } = await draw(
      gaussian,
      on,
      maskOf(() => 0),
    )
    assert.deepEqual(report.doubts, [])
  })

  test('is not there where it is white, disabled or not stored', async () => {
    const hidden = maskOf(() => 0)
    const withoutPixels: typeof hidden = id =>
      hidden(id).map(({ extra, ...mask }) => {
        assert.ok(extra)
        return mask
      })
    for (const { template, report } of [
      await draw(gaussian, on, maskOf(white)),
      await draw(gaussian, on, () => []),
      await draw(gaussian, { maskEnabled: false }, hidden),
      await draw(gaussian, on, withoutPixels),
      await draw(gaussian, on, () => hidden({ placed: 'of another smart object' })),
    ]) {
      assert.equal(template.frames[0]?.filterMask, null)
      assert.equal(template.frames[0]?.blur, 4)
      assert.deepEqual(report.notes, [])
    }
  })

  test('is black or white around what is stored, as its flag says', async () => {
    const small = (id: { placed: string }): Masks => [storedMask(id, 30, MOCKUP_HEIGHT, white)]
    const black = await draw(invert, { ...on, maskExtendWithWhite: false }, small)
    assert.deepEqual(
      [pixelAt(black.drawn, 25, 34), pixelAt(black.drawn, 60, 34)],
      [
        [255, 255, 0],
        [0, 0, 255],
      ],
    )
    const { drawn } = await draw(invert, on, small)
    assert.deepEqual(pixelAt(drawn, 60, 34), [255, 255, 0])
  })

  test('that cannot be read is named', async () => {
    const grey = (): number => 128
    const broken = (more: Parameters<typeof storedMask>[4]) => draw(gaussian, on, maskOf(grey, more))
    const found = storedMask({ placed: '' }, 4, 4, grey).extra
    assert.ok(found)
    for (const { report } of [
      await broken({ depth: 16 }),
      await broken({ extra: { ...found, compressionMode: 9 } }),
      await broken({ extra: { ...found, compressionMode: 1, data: new Uint8Array(3) } }),
      await broken({ extra: { ...found, right: -4 } }),
      await draw(gaussian, { ...on, maskExtendWithWhite: false }, () => []),
    ]) {
      assert.deepEqual(
        report.notes.map(({ kind, text }) => [kind, text.split(':')[0]]),
        [['left-out', 'the mask of its smart filters cannot be read']],
      )
    }
  })
})

describe('the mask of smart filters on another smart object over the design', () => {
  /** A card over all of it, red before its filters and green behind them. */
  async function drawUnder(levelAt: (x: number) => number, changes: Parameters<typeof storedMask>[4] = {}) {
    const { placedLayer } = filteredDesign(gaussian, on)
    assert.ok(placedLayer)
    const card = pixelLayer('card', 0, 0, paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, [0, 255, 0]))
    const placed = '20953ddb-9391-11ec-b4f1-c15674f50bd1'
    const plane = (level: number) => storedMask({ placed }, MOCKUP_WIDTH, MOCKUP_HEIGHT, () => level).extra
    const [full, none] = [plane(255), plane(0)]
    assert.ok(full && none)
    // Three colours, what documents of more channels have, and alpha.
    const channels = [full, none, none, undefined, full]
    const file = mockupPsd({
      design: { blendMode: 'normal' },
      above: [{ ...card, placedLayer: { ...placedLayer, id: '20953ddb-9391-11ec-b4f1-c15674f50bd2', placed } }],
      filterMasks: [storedMask({ placed }, MOCKUP_WIDTH, MOCKUP_HEIGHT, levelAt, { channels, ...changes })],
    })
    return drawImported(file, flatArtwork([0, 0, 255]), { frames: ['Your design here'] })
  }

  test('mixes its pixels before and behind them, which are stored apart', async () => {
    const { drawn, report } = await drawUnder(x => (x < 30 ? 0 : x < 50 ? 51 : 255))
    assert.deepEqual(
      [25, 40, 60].map(x => pixelAt(drawn, x, 34)),
      [
        [255, 0, 0],
        [204, 51, 0],
        [0, 255, 0],
      ],
    )
    assert.deepEqual(report.notes, [])
  })

  test('is named where those before are not stored', async () => {
    const { report } = await drawUnder(() => 0, { channels: [] })
    assert.deepEqual(
      report.notes.map(({ layer, text }) => [layer, text.split(':')[0]]),
      [['card', 'the mask of its smart filters is not drawn']],
    )
  })
})
