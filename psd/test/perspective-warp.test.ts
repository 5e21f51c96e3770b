import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Filter } from 'ag-psd'
import { drawingOf } from '../src/compositing/compose-layers.ts'
import { chooseFrames, findCandidates } from '../src/converting/choose-frames.ts'
import { convertDocument } from '../src/converting/convert.ts'
import { ImportNotes } from '../src/notes.ts'
import { openDocument } from '../src/reading/open-document.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd } from './mockup-file.ts'
import { filteredDesign, storedMask } from './smart-filter.ts'

type Points = readonly (readonly [x: number, y: number])[]

const px = (value: number) => ({ units: 'Pixels' as const, value })
const canvas = { left: 0, top: 0, widthPx: MOCKUP_WIDTH, heightPx: MOCKUP_HEIGHT }
const radius = px(1)

type Look = { readonly opacity?: number; readonly isMasked?: boolean }

/** The frame of a design at 20..68 x 16..52 with the filter, which ag-psd reads and does not write. */
function convert(
  vertices: Points,
  after: Points,
  quads: readonly (readonly number[])[],
  { opacity = 1, isMasked = false }: Look = {},
) {
  const design = filteredDesign({ type: 'gaussian blur', filter: { radius } }, { maskEnabled: isMasked })
  const { placedLayer } = design
  assert.ok(placedLayer)
  const filterMasks = [storedMask(placedLayer, MOCKUP_WIDTH, MOCKUP_HEIGHT, x => 2 * x)]
  const file = mockupPsd({ above: [], design, filterMasks })
  const document = openDocument(file)
  const [candidate] = findCandidates(document)
  const [first] = candidate?.placed.filter?.list ?? []
  assert.ok(candidate?.placed.filter && first)
  const points = (list: Points) => list.map(([x, y]) => ({ x: px(x), y: px(y) }))
  const planes = { vertices: points(vertices), warpedVertices: points(after), quads: quads.map(quad => [...quad]) }
  const warp: Filter = { ...first, type: 'perspective warp', filter: planes, opacity }
  candidate.placed.filter.list = [warp]
  const notes = new ImportNotes()
  const chosen = chooseFrames(document, findCandidates(document), [])
  const { frames } = convertDocument(document, chosen, [], drawingOf(document, notes), [1, 1, 1])
  const [frame] = frames
  assert.ok(frame)
  return { geometry: frame.geometry, notes: notes.list() }
}

const rounded = (points: Points | null): unknown => points?.map(point => point.map(Math.round))

const box: Points = [
  [20, 16],
  [68, 16],
  [68, 52],
  [20, 52],
]

describe('a Perspective Warp on the design', () => {
  test('of one plane moves the corners as it moves its own, whatever order it is stored in', () => {
    const after: Points = [
      [10, 8],
      [80, 20],
      [70, 60],
      [16, 50],
    ]
    for (const order of [
      [0, 1, 2, 3],
      [0, 1, 3, 2],
    ]) {
      const { geometry, notes } = convert(box, after, [order])
      assert.deepEqual(rounded(geometry.placement.quad), after)
      assert.deepEqual(notes, [])
    }
  })

  test('that a mask limits is drawn whole, and says so', () => {
    const after: Points = [
      [10, 8],
      [80, 20],
      [70, 60],
      [16, 50],
    ]
    const { geometry, notes } = convert(box, after, [[0, 1, 2, 3]], { isMasked: true })
    assert.deepEqual(rounded(geometry.placement.quad), after)
    assert.deepEqual(
      notes.map(({ kind, text }) => [kind, text.split(':')[0]]),
      [['left-out', 'the mask of its smart filters does not limit "perspective warp"']],
    )
  })

  test('of a plane on a part of the design goes on beyond it', () => {
    const part: Points = [
      [32, 25],
      [56, 25],
      [56, 43],
      [32, 43],
    ]
    const after = part.map(([x, y]) => [2 * (x - 44) + 48, 2 * (y - 34) + 36] as const)
    const { geometry } = convert(part, after, [[0, 1, 2, 3]])
    const wanted: Points = [
      [0, 0],
      [96, 0],
      [96, 72],
      [0, 72],
    ]
    assert.deepEqual(rounded(geometry.placement.quad), wanted)
  })

  test('of two planes is a map that bends where they meet', () => {
    const vertices: Points = [
      [20, 16],
      [44, 16],
      [68, 16],
      [68, 52],
      [44, 52],
      [20, 52],
    ]
    // The edge in the middle is 12 px longer and stands where it was.
    const after = vertices.map(([x, y]) => (x === 44 ? ([x, y === 16 ? 10 : 58] as const) : ([x, y] as const)))
    const { geometry } = convert(vertices, after, [
      [0, 1, 4, 5],
      [1, 2, 3, 4],
    ])
    assert.equal(geometry.placement.quad, null)
    const { x, y } = geometry.map(canvas)
    const at = (column: number, row: number): number => row * MOCKUP_WIDTH + column
    // On both sides of the bend the content's middle is 24 px from its left side; its top lies at 10.
    assert.ok(Math.abs((x[at(43, 34)] ?? 0) + (x[at(44, 34)] ?? 0) - 48) < 0.5, `${x[at(43, 34)]}`)
    assert.ok(Math.abs((y[at(44, 34)] ?? 0) - 18.3) < 0.5, `${y[at(44, 34)]}`)
    const shape = geometry.shape(canvas)
    assert.deepEqual(
      [at(43, 12), at(22, 12), at(22, 20)].map(k => Math.round(shape[k] ?? 0)),
      [1, 0, 1],
    )
  })

  test('that shows in part, or has a plane that is none, is refused as other filters that move pixels', () => {
    const point = box.map(() => [5, 5] as const)
    for (const [after, opacity] of [
      [box, 0.5],
      [point, 1],
    ] as const) {
      assert.throws(
        () => convert(box, after, [[0, 1, 2, 3]], { opacity }),
        /"perspective warp" on "Your design here" cannot/,
      )
    }
  })
})
