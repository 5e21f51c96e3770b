import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PART_NAME, placementDefaults } from '@vitrine/contract'
import { PART_NAME as bundlePartName } from '@vitrine/engine/bundle'
import { byFrameIndex } from './frame-key.ts'
import { matchFrames, matchPlacements } from './match-frames.ts'
import type { ArtworkSource } from './request-artwork.ts'

const source: ArtworkSource = { kind: 'url', url: new URL('https://example.com/a.png') }
const single = { id: 'poster', frameCount: 1, slots: [] }
const triple = { id: 'triptych', frameCount: 3, slots: [] }
const mugs = { id: 'mugs', frameCount: 3, slots: ['design', null, 'design'] }

function byFrame(...keys: readonly string[]) {
  return { kind: 'by-frame' as const, sources: new Map(keys.map(key => [key, source])) }
}

describe('The artwork of a request', () => {
  it('fills every frame when there is one for all', () => {
    assert.deepEqual(matchFrames({ kind: 'one', source }, [triple]), [{ frame: null, source }])
  })

  it('fills the frames that it names, in every template that has them', () => {
    const matched = matchFrames(byFrame('2', '0', '1'), [single, triple])
    assert.deepEqual(
      matched.map(artwork => artwork.frame),
      [2, 0, 1],
    )
  })

  it('may name every slot that a bundle may have', () => {
    assert.equal(PART_NAME, bundlePartName)
  })

  it('may name frame 0 of a single-frame template', () => {
    assert.equal(matchFrames(byFrame('0'), [single]).length, 1)
  })

  it('is refused with every template and frame that it leaves empty', () => {
    assert.throws(() => matchFrames(byFrame('1'), [single, triple, single]), {
      failure: {
        kind: 'frames-without-artwork',
        missingFrames: [
          { templateId: 'poster', frames: [0] },
          { templateId: 'triptych', frames: [0, 2] },
        ],
      },
    })
  })

  it('is refused with every key that is not a frame of any template', () => {
    assert.throws(
      () => matchFrames(byFrame('0', '1', '2', '3', '-1', '01', '1e0', ' 1', 'x', '__proto__', ''), [single, triple]),
      {
        failure: {
          kind: 'unknown-frames',
          what: 'artwork',
          keys: ['3', '-1', '01', '1e0', ' 1', 'x', '__proto__', ''],
          frameCount: 3,
          slots: [],
        },
      },
    )
  })

  it('is refused for unknown frames before missing ones', () => {
    assert.throws(() => matchFrames(byFrame('7'), [triple]), { kind: 'unknown-frames' })
  })

  it('may name all frames of a slot together, and one of them by its index', () => {
    const matched = matchFrames(byFrame('1', 'design', '2'), [mugs])
    assert.deepEqual(
      matched.map(({ frame }) => frame),
      [1, 'design', 2],
    )
    const filled = byFrameIndex(
      matched.map(({ frame }, at) => [frame ?? -1, at] as const),
      mugs.slots,
    )
    assert.deepEqual([filled.get(0), filled.get(1), filled.get(2)], [1, 0, 2])
  })

  it('is refused with the frames that neither their index nor their slot names', () => {
    assert.throws(() => matchFrames(byFrame('design'), [mugs]), {
      failure: { kind: 'frames-without-artwork', missingFrames: [{ templateId: 'mugs', frames: [1] }] },
    })
  })

  it('is refused with slots that no template has, and the error lists the existing ones', () => {
    const failure = { kind: 'unknown-frames', keys: ['desing'], frameCount: 3, slots: ['design'] }
    assert.throws(() => matchFrames(byFrame('desing', '1'), [mugs, single]), {
      failure: { ...failure, what: 'artwork' },
    })
    assert.throws(() => matchPlacements({ all: undefined, byFrame: [['desing', placementDefaults]] }, [mugs]), {
      failure: { ...failure, what: 'placements' },
    })
  })
})
