import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  artworkStems,
  DEFAULT_NAME_PATTERN,
  faultOfPattern,
  type NamedMockup,
  nameMockups,
  uniqueNames,
} from './mockup-names.ts'

const named = (name: string) => ({ name })
const sizes = { etsy: '2000', web: '1200' } as const

/** Every artwork in every template at every size. */
function mockupsOf(
  files: readonly string[],
  templates: readonly string[],
  of: readonly (keyof typeof sizes)[] = ['etsy'],
) {
  return artworkStems(files.map(named)).flatMap(artwork =>
    templates.flatMap(template => of.map((size): NamedMockup => ({ artwork, template, size, width: sizes[size] }))),
  )
}

test('a mockup is named after its artwork and its template, and its size where there are several', () => {
  const names = (files: readonly string[], ids: readonly string[]) =>
    nameMockups(DEFAULT_NAME_PATTERN, mockupsOf(files, ids), 'jpg')
  assert.deepEqual(names(['Sunset.png'], ['oak', 'mug']), ['Sunset--oak.jpg', 'Sunset--mug.jpg'])
  assert.deepEqual(names(['a.png', 'A.jpg'], ['oak']), ['a--oak.jpg', 'A (2)--oak.jpg'])
  assert.deepEqual(names(['a.png', 'a--b.png'], ['b--c', 'c']), [
    'a--b--c.jpg',
    'a--c.jpg',
    'a--b--b--c.jpg',
    'a--b--c (2).jpg',
  ])
  assert.deepEqual(names(['a/b: c?.png', '.png'], ['oak']), ['a_b_ c_--oak.jpg', 'artwork--oak.jpg'])
  const several = mockupsOf(['a.png'], ['oak'], ['etsy', 'web'])
  assert.deepEqual(nameMockups(DEFAULT_NAME_PATTERN, several, 'png'), ['a--oak--etsy.png', 'a--oak--web.png'])
  assert.deepEqual(nameMockups('{width} {template}', several, 'png'), ['2000 oak.png', '1200 oak.png'])
})

test('mockups are named by a custom pattern, and equal names are numbered', () => {
  const mockups = mockupsOf(['Sun.png', 'Moon.png'], ['oak', 'mug'])
  assert.deepEqual(nameMockups('shop_{template}_{number}', mockups, 'webp'), [
    'shop_oak_1.webp',
    'shop_mug_2.webp',
    'shop_oak_3.webp',
    'shop_mug_4.webp',
  ])
  assert.deepEqual(nameMockups('{template}', mockups, 'jpg'), ['oak.jpg', 'mug.jpg', 'oak (2).jpg', 'mug (2).jpg'])
  assert.deepEqual(nameMockups('{artwork}', mockupsOf(['CON.png', '.hidden.png'], ['oak']), 'jpg'), [
    '_CON.jpg',
    '_hidden.jpg',
  ])
  assert.deepEqual(uniqueNames(['a.jpg', 'A.jpg', 'a.png']), ['a.jpg', 'A (2).jpg', 'a.png'])
})

test('a pattern that gives no valid file names is refused with a message that says what to do', () => {
  for (const right of [DEFAULT_NAME_PATTERN, '{number}', 'Shop (2026) {artwork}, {size} {width}'])
    assert.equal(faultOfPattern(right), null)
  const wrong = [
    [' ', /^Enter a pattern/],
    ['{artwrok}', /“\{artwrok\}” is unknown: use \{artwork\}, \{template\}/],
    ['{artwork', /brace/],
    ['{artwork}/{template}', /“\/” is not allowed in file names/],
    ['{artwork}\u0000', /is not allowed/],
    ['picture {size}', /names must differ/],
    [`{artwork}${'a'.repeat(100)}`, /at most 100 characters; this one has 109/],
  ] as const
  for (const [pattern, fault] of wrong) assert.match(faultOfPattern(pattern) ?? '', fault)
})

test('names of one run never collide, even ignoring case and Unicode normalisation', () => {
  const letter = fc.constantFrom('a', 'A', 'ß', 'SS', 'é', 'e\u0301', '-', '--', ' ', '(2)', '.', '/', '\u0000', '😀')
  const fileName = fc.array(letter, { maxLength: 6 }).map(letters => `${letters.join('')}.png`)
  const id = fc
    .array(fc.constantFrom('a', 'b', '-', '--', '2'), { minLength: 1, maxLength: 4 })
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(
      fc.array(fileName, { maxLength: 8 }),
      fc.uniqueArray(id, { maxLength: 6 }),
      fc.constantFrom(DEFAULT_NAME_PATTERN, '{template}', '{artwork} {size}', '{number}'),
      (files, ids, pattern) => {
        const mockups = mockupsOf(files, ids, ['etsy', 'web'])
        const names = nameMockups(pattern, mockups, 'jpg')
        assert.equal(names.length, mockups.length)
        assert.equal(new Set(names.map(name => name.toUpperCase().normalize('NFC'))).size, names.length)
        for (const name of names) assert.match(name, /^[^/\\\0]+\.jpg$/u)
      },
    ),
  )
})
