import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldText } from './fold-text.ts'

test('spellings that differ only in case are equal, in any script', () => {
  const pairs = [
    ['Wall Art', 'wALL aRT'],
    ['ÄÖÜ', 'äöü'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ЁЛКА', 'ёлка'],
  ] as const
  for (const [one, other] of pairs) assert.equal(foldText(one), foldText(other))
})

test('an accent is one character, however it is encoded', () => {
  assert.equal(foldText('Cafe\u0301'), foldText('CAFÉ'))
})

test('the form of a letter at the end of a word does not matter', () => {
  assert.ok(foldText('ΑΣΤΕΡΙ').includes(foldText('ΑΣ')))
})

test('different words stay different', () => {
  assert.notEqual(foldText('oak'), foldText('oat'))
  assert.notEqual(foldText('e'), foldText('é'))
})

test('folding is idempotent, and case never matters, for every character', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code)
    // Surrogates, private ones and those that Unicode has not assigned: six sevenths of them all.
    if (/[\p{Cs}\p{Co}\p{Cn}]/u.test(character)) continue
    const folded = foldText(character)
    if (foldText(folded) === folded && foldText(character.toUpperCase()) === folded) continue
    assert.fail(`U+${code.toString(16)}`)
  }
})
