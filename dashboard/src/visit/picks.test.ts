import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isPicked,
  type Picks,
  pickedScenes,
  picksInWords,
  picksOfWords,
  shareOf,
  togglePicks,
  withPicks,
} from './picks.ts'

const fileOf = (name: string): File => new File([], name, { lastModified: 5 })
const [poster, other, logo] = [fileOf('Poster.png'), fileOf('Other.png'), fileOf('Logo.png')]
const all = [poster, other, logo]

const pickedOf = (picks: Picks): string[] =>
  ['mug', 'wall'].flatMap(id =>
    all.filter(each => isPicked(new Set(picks), id, each)).map(each => `${id} ${each.name}`),
  )

test('a tick picks one artwork in one scene, and a heading picks its row or column', () => {
  let picks = togglePicks([], { ids: ['mug'], artworks: [logo] }, all)
  assert.deepEqual(pickedOf(picks), ['mug Logo.png'])
  picks = togglePicks(picks, { ids: ['wall'], artworks: all }, all)
  assert.deepEqual(pickedOf(picks), ['mug Logo.png', 'wall Poster.png', 'wall Other.png', 'wall Logo.png'])
  assert.equal(shareOf(new Set(picks), { ids: ['mug', 'wall'], artworks: [logo] }), 'all')
  assert.equal(shareOf(new Set(picks), { ids: ['mug', 'wall'], artworks: [poster] }), 'some')
  picks = togglePicks(picks, { ids: ['wall'], artworks: [logo] }, all)
  assert.deepEqual(pickedOf(picks), ['mug Logo.png', 'wall Poster.png', 'wall Other.png'])
  picks = togglePicks(picks, { ids: ['mug', 'wall'], artworks: [poster] }, all)
  assert.equal(shareOf(new Set(picks), { ids: ['mug', 'wall'], artworks: [poster] }), 'all', 'some becomes all')
  picks = togglePicks(picks, { ids: ['mug', 'wall'], artworks: all }, all)
  picks = togglePicks(picks, { ids: ['mug', 'wall'], artworks: all }, all)
  assert.deepEqual(picks, [])
})

test('picks of a single artwork apply to the next single artwork, but not to others in the same sheet', () => {
  const alone = togglePicks([], { ids: ['mug'], artworks: [poster] }, [poster])
  assert.deepEqual(alone, ['mug'])
  assert.ok(isPicked(new Set(alone), 'mug', other))
  const without = togglePicks(alone, { ids: ['mug'], artworks: [other] }, all)
  assert.deepEqual(pickedOf(without), ['mug Poster.png', 'mug Logo.png'])
  const back = withPicks(without, { ids: ['mug'], artworks: [other] }, [other])
  assert.deepEqual(pickedOf(back).length, 3)
  assert.ok(!back.includes('mug'), 'the others were chosen one by one')
  assert.deepEqual([...pickedScenes(without, [other])], [])
  assert.deepEqual([...pickedScenes(without, [logo])], ['mug'])
})

test('picks survive an address, which names no artwork and has room for hundreds', () => {
  const ids = Array.from({ length: 200 }, (_, index) => `template-${index}`)
  const artworks = Array.from({ length: 20 }, (_, index) => fileOf(`Secret ${index}.png`))
  const picks = ['mug', ...withPicks([], { ids, artworks }, artworks)]
  const words = picksInWords(picks)
  assert.ok(words.length < 4000 && !words.includes('Secret'))
  assert.deepEqual(picksOfWords(words).toSorted(), picks.toSorted())
  assert.equal(picksInWords(['mug', 'wall']), 'mug,wall', 'the format without artworks')
  assert.deepEqual(picksOfWords('mug,wall'), ['mug', 'wall'])
})
