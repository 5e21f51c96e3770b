import assert from 'node:assert/strict'
import test from 'node:test'
import { findFaults } from './check-texts.ts'

const wide = 'word '.repeat(22)

test('a comment of 110 columns passes, one of 111 is named with its line', () => {
  const comment = `/** ${'x'.repeat(103)} */`.slice(0, 110)
  assert.deepEqual(findFaults('a.ts', `const a = 1\n${comment}`), [])
  const [fault] = findFaults('a.ts', `const a = 1\n${comment}x`)
  assert.deepEqual([fault?.line, fault?.message], [2, 'a comment of 111 columns, more than 110'])
})

test('the width is that of comments, at the end of a line too, and not of code, addresses and documents', () => {
  assert.equal(findFaults('a.css', ` * ${wide}`).length, 1)
  assert.equal(findFaults('a.ts', `call() // ${wide}`).length, 1)
  assert.deepEqual(findFaults('a.ts', `const text = '${wide}'`), [])
  assert.deepEqual(findFaults('a.ts', `// See https://example.com/${'x'.repeat(100)}`), [])
  assert.deepEqual(findFaults('a.md', wide), [])
})

test('banned words are found in any file and case, across the lines of a comment too', () => {
  assert.deepEqual(findFaults('a.md', 'It asks\nWhoever calls.'), [
    { line: 2, message: '"Whoever": write the caller, the client, the owner: say who' },
  ])
  assert.equal(findFaults('a.ts', '/**\n * A client that is turned\n * away.\n */')[0]?.line, 2)
  assert.equal(findFaults('a.ts', "import './front-door.ts'").length, 1)
  assert.deepEqual(findFaults('a.ts', "const title = 'greenhouse indoors: keys that come in turn'"), [])
})

test('a merge that is not resolved is named', () => {
  const text = ['<<<<<<< HEAD', 'a', '=======', 'b', '>>>>>>> b7977f9'].join('\n')
  assert.deepEqual(
    findFaults('a.md', text).map(({ line }) => line),
    [1, 5],
  )
})

test('some words are banned in documents, comments and sentences, and not in names', () => {
  assert.deepEqual(findFaults('a.ts', 'const worn = useWorn()'), [])
  for (const [file, text] of [
    ['a.md', 'The scene\nwears it.'],
    ['a.ts', '// What is\n// worn.'],
    ['a.ts', "const a = [\n  'It is worn.']"],
    ['a.tsx', 'const a = (\n  <p>\n    Worn\n  </p>)'],
  ] as const)
    assert.match(findFaults(file, text)[0]?.message ?? '', /write artwork is shown, placed or applied$/, text)
})

test('what users read is held to more words than comments are', () => {
  assert.deepEqual(findFaults('service/src/a.ts', '// It is kept on the wall.'), [])
  assert.deepEqual(findFaults('service/src/a.test.ts', "test('what is kept on the wall', f)"), [])
  assert.equal(findFaults('client/src/a.ts', '// It is kept on the wall.').length, 2)
  assert.equal(findFaults('service/src/a.ts', 'fail(`It is kept on the wall ${b}`)').length, 2)
  assert.deepEqual(findFaults('a.md', 'A poster hangs on the wall behind it, --kept; `kept-work.ts`, `the wall/`.'), [])
})
