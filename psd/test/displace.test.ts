import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlacedLayer } from 'ag-psd'
import { bytesInMemory } from '../src/reading/file-bytes.ts'
import { displacedPsd, evenMapPsd, greyMapPsd, mapPsd, type Settings } from './displaced-file.ts'
import { drawImported, flatArtwork, type Imported, pixelAt, ramp } from './draw-imported.ts'
import { CONTENT_ID, paint, pixelLayer, smartLayer, writePsd } from './make-psd.ts'

const ground = (x: number, y: number): number[] => [200 - x, 180 - y, 150]

function draw(
  settings: Settings,
  map: Uint8Array,
  artwork = ramp,
  more: { readonly widthPx?: number } = {},
): Promise<Imported> {
  const maps = [{ name: 'folds.PSD', bytes: bytesInMemory(map) }]
  return drawImported(displacedPsd(settings), artwork, { maps, ...more })
}

/** The part of a mockup that shows artwork. */
function partWithArtwork({ drawn }: Imported): readonly number[] {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0]
  for (let y = 0; y < drawn.heightPx; y++) {
    for (let x = 0; x < drawn.widthPx; x++) {
      if (pixelAt(drawn, x, y)[2] !== 0) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
  }
  return [left, top, right, bottom]
}

const yellow = flatArtwork([255, 255, 0])

describe('Displace on the design', () => {
  test('shows what lies as far to the right as red is above 128, and as far below as green is', async () => {
    const moved = await draw({ horizontalScale: 50, verticalScale: 100 }, evenMapPsd, yellow)
    assert.deepEqual(partWithArtwork(moved), [10, 26, 58, 62])
    assert.deepEqual(moved.report.notes, [])
    assert.deepEqual(pixelAt(moved.drawn, 64, 20), ground(64, 20))
    const back = await draw({ horizontalScale: -50, verticalScale: 0 }, evenMapPsd, yellow)
    assert.deepEqual(partWithArtwork(back), [30, 16, 78, 52])
  })

  test('moves each pixel by its own part of the map, within a level', async () => {
    const by = (x: number): number => Math.round(30 * Math.sin(x / 9))
    const { drawn, template } = await draw(
      { horizontalScale: 20, verticalScale: 0 },
      mapPsd(x => [128 + by(x), 128, 128]),
    )
    assert.equal(template.frames[0]?.placement.kind, 'uvmap')
    for (let y = 24; y < 44; y += 5) {
      for (let x = 28; x < 60; x++) {
        const [red = 0, green = 0] = pixelAt(drawn, x, y)
        assert.ok(Math.abs(red - 5 * (x - 20 + 0.2 * by(x))) <= 2, `${x}: ${red}`)
        assert.ok(Math.abs(green - 7 * (y - 16)) <= 1, `${y}: ${green}`)
      }
    }
  })

  test('stretches a smaller map over the document, or repeats it', async () => {
    // Its right half moves by ten pixels to the left.
    const half = mapPsd(x => [x < 12 ? 128 : 138, 128, 128], 24, 18)
    const scales = { horizontalScale: 100, verticalScale: 0 }
    const stretched = await draw(scales, half)
    assert.deepEqual([pixelAt(stretched.drawn, 30, 30)[0], pixelAt(stretched.drawn, 54, 30)[0]], [50, 220])
    const tiled = await draw({ ...scales, displacementMap: 'tile' }, half)
    assert.deepEqual([pixelAt(tiled.drawn, 30, 30)[0], pixelAt(tiled.drawn, 40, 30)[0]], [50, 150])
  })

  test('repeats the edges of the document, or takes what leaves it on the other side', async () => {
    const scales = { horizontalScale: 100, verticalScale: 0 }
    const far = mapPsd(() => [128 + 60, 128, 128])
    assert.deepEqual(partWithArtwork(await draw(scales, far, yellow)), [0, 16, 8, 52])
    const wrapped = await draw({ ...scales, undefinedAreas: 'wrap around' }, far, yellow)
    assert.deepEqual(pixelAt(wrapped.drawn, 70, 30), [255, 255, 0])
    assert.deepEqual(partWithArtwork(wrapped), [0, 16, 96, 52])
  })

  test('is as large as the template that it is reduced to', async () => {
    const moved = await draw({ horizontalScale: 50, verticalScale: 100 }, evenMapPsd, yellow, { widthPx: 48 })
    assert.deepEqual(partWithArtwork(moved), [5, 13, 29, 31])
  })

  test('of which the map is not there is refused by its name, or lies flat and says so', async () => {
    const psd = displacedPsd({ horizontalScale: 50, verticalScale: 100 })
    await assert.rejects(drawImported(psd, yellow), /moves the design by the file "Folds\.psd", which is not in this/)
    for (const asksForMaps of [true, false])
      await assert.rejects(drawImported(psd, yellow, { asksForMaps }), { maps: ['Folds.psd'] })
    const flat = await drawImported(psd, yellow, { frames: ['Your design here'] })
    assert.deepEqual(partWithArtwork(flat), [20, 16, 68, 52])
    assert.match(
      flat.report.notes[0]?.text ?? '',
      /map "Folds\.psd" is not there: choose it in the dashboard, or put it into/,
    )
  })

  test('moves along both axes by the one channel of a grey map', async () => {
    const moved = await draw({ horizontalScale: 50, verticalScale: 100 }, greyMapPsd(118), yellow)
    assert.deepEqual(partWithArtwork(moved), [25, 26, 73, 62])
  })

  /** The design in a card of 96 x 72 pixels, in a document of 240 x 180. */
  function inCard(corners: Parameters<typeof smartLayer>[1], more: Partial<PlacedLayer> = {}): Promise<Imported> {
    const card = smartLayer('Card', corners, { width: 96, height: 72 })
    if (card.placedLayer) Object.assign(card.placedLayer, more)
    const data = displacedPsd({ horizontalScale: 50, verticalScale: 100 })
    const file = writePsd(240, 180, [pixelLayer('ground', 0, 0, paint(240, 180, [90, 120, 150])), card], {
      linked: [{ id: CONTENT_ID, name: 'card.psb', type: '8BPS', data }],
    })
    return drawImported(file, yellow, { maps: [{ name: 'folds.psd', bytes: bytesInMemory(evenMapPsd) }] })
  }

  test('of a design in another smart object moves it as that one lies', async () => {
    // The card as it is, and twice as large: the design lies at 10..58 x 26..62 of it.
    const still = await inCard([10, 12, 106, 12, 106, 84, 10, 84])
    assert.deepEqual(partWithArtwork(still), [20, 38, 68, 74])
    assert.deepEqual(still.report.notes, [])
    const large = await inCard([10, 12, 202, 12, 202, 156, 10, 156])
    assert.deepEqual(partWithArtwork(large), [30, 64, 126, 136])
    // Turned by a quarter: what lies to the left and below in the card lies above and to the left.
    const turned = await inCard([82, 12, 82, 108, 10, 108, 10, 12])
    assert.deepEqual(partWithArtwork(turned), [20, 22, 56, 70])
  })

  test('of a design in a smart object that is warped is refused, with the reason', async () => {
    const warp = { style: 'arc', value: 20, rotate: 'horizontal', perspective: 0, perspectiveOther: 0 } as const
    await assert.rejects(
      inCard([10, 12, 106, 12, 106, 84, 10, 84], { warp }),
      /"Card \/ Your design here" cannot be drawn where smart objects are/,
    )
  })

  test('by a file that is no document is refused', async () => {
    await assert.rejects(
      draw({ horizontalScale: 50, verticalScale: 100 }, new Uint8Array(200)),
      /The displacement map "folds\.PSD": /,
    )
  })
})
