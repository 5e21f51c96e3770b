import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StoredMockupResource } from '@vitrine/contract'
import type { StoredMockup } from '../visit/saved-work.ts'
import { groupByRun, mergeMockups } from './merge-mockups.ts'

const DAY = '2026-11-28T12:00:'
const stored = (name: string, second: string, run = 'one', artwork = 'a.png'): StoredMockupResource => {
  const made = { size_bytes: 3, made_at: `${DAY}${second}Z`, has_thumbnail: true }
  return { id: `mck_${name}`, key: 'k', name, artwork, run, template_id: 'oak-frame', ...made }
}
const inBrowser = (name: string, second: string, run = 'one'): StoredMockup => {
  const madeAtMs = Date.parse(`${DAY}${second}Z`)
  return { key: 'k', name, artwork: 'a.png', run, templateId: 'oak-frame', blob: new Blob(['abcd']), madeAtMs }
}

describe('My mockups', () => {
  it('shows each mockup once, newest first, with its file if this browser has it', () => {
    const both = { stored: [stored('b', '20'), stored('a', '10')], isWhole: true, search: '' }
    const shown = mergeMockups({ ...both, inBrowser: [inBrowser('c', '15'), inBrowser('a', '10')] })
    assert.deepEqual(
      shown.map(({ name, storedId, inBrowser }) => [name, storedId, inBrowser !== null]),
      [
        ['b', 'mck_b', false],
        ['c', null, true],
        ['a', 'mck_a', true],
      ],
    )
  })

  it('shows mockups that only this browser has, within the list’s time range and search', () => {
    const part = { stored: [stored('b', '20')], inBrowser: [inBrowser('new', '30'), inBrowser('old', '10')] }
    const names = (isWhole: boolean, search: string) =>
      mergeMockups({ ...part, isWhole, search }).map(each => each.name)
    assert.deepEqual(names(false, ''), ['new', 'b'])
    assert.deepEqual(names(true, ''), ['new', 'b', 'old'])
    assert.deepEqual(names(true, 'OAK old'), ['b', 'old'], 'the service has filtered its own')
  })

  it('groups by run and artwork', () => {
    const list = [stored('d', '40', 'two', 'b.png'), stored('c', '30', 'two'), stored('b', '20'), stored('a', '10')]
    const runs = groupByRun(mergeMockups({ stored: list, isWhole: true, inBrowser: [], search: '' }))
    assert.deepEqual(
      runs.map(({ run, byArtwork }) => [run, byArtwork.map(([artwork, of]) => [artwork, of.map(({ name }) => name)])]),
      [
        [
          'two',
          [
            ['b.png', ['d']],
            ['a.png', ['c']],
          ],
        ],
        ['one', [['a.png', ['b', 'a']]]],
      ],
    )
  })
})
