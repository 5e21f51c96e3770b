import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { buildTasks } from './bulk-tasks.ts'

const named = (name: string): File => new File([], name)

test('a mockup is named after its artwork and its template', () => {
  const names = (files: readonly string[], ids: readonly string[]) =>
    buildTasks(files.map(named), ids, 'jpeg').map(({ fileName }) => fileName)
  assert.deepEqual(names(['Sunset.png'], ['oak', 'mug']), ['Sunset--oak.jpg', 'Sunset--mug.jpg'])
  assert.deepEqual(names(['a.png', 'A.jpg'], ['oak']), ['a--oak.jpg', 'A (2)--oak.jpg'])
  assert.deepEqual(names(['a.png', 'a--b.png'], ['b--c', 'c']), [
    'a--b--c.jpg',
    'a--c.jpg',
    'a--b--b--c.jpg',
    'a--b--c (2).jpg',
  ])
  assert.deepEqual(names(['a/b: c?.png', '.png'], ['oak']), ['a_b_ c_--oak.jpg', 'artwork--oak.jpg'])
})

test('names of one run never collide, whatever artworks and templates are called, in any case and encoding of letters', () => {
  const letter = fc.constantFrom('a', 'A', 'ß', 'SS', 'é', 'e\u0301', '-', '--', ' ', '(2)', '.', '/', '\u0000', '😀')
  const fileName = fc.array(letter, { maxLength: 6 }).map(letters => `${letters.join('')}.png`)
  const id = fc
    .array(fc.constantFrom('a', 'b', '-', '--', '2'), { minLength: 1, maxLength: 4 })
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(
      fc.array(fileName, { maxLength: 8 }),
      fc.uniqueArray(id, { maxLength: 6 }),
      fc.constantFrom('jpeg' as const, 'png' as const),
      (files, ids, format) => {
        const names = buildTasks(files.map(named), ids, format).map(({ fileName }) => fileName)
        assert.equal(names.length, files.length * ids.length)
        assert.equal(new Set(names.map(name => name.toUpperCase().normalize('NFC'))).size, names.length)
        for (const name of names) assert.match(name, /^[^/\\\0]+\.(jpg|png)$/u)
      },
    ),
  )
})
