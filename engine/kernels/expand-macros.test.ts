import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandMacros } from './expand-macros.ts'

const macros = `/* #macro $twice
  a += a;
*/
/* #macro $add(amount)
  b += amount;
  $twice;
*/
`

test('a macro is written out with its argument and the macros in it, at the indentation of its use', () => {
  const expanded = expandMacros(`${macros}if (c) {\n  $add(load<u8>(p, 2));\n}\n`)
  assert.equal(expanded.trim(), 'if (c) {\n  b += load<u8>(p, 2);\n  a += a;\n}')
})

test('an unknown macro, and one with another number of arguments, do not compile', () => {
  assert.throws(() => expandMacros('$none;'), /no macro \$none/)
  assert.throws(() => expandMacros(`${macros}$add;`), /Expected \$add with one argument/)
  assert.throws(() => expandMacros(`${macros}$twice(1);`), /Expected \$twice with no argument/)
})
