import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { buildApiKey, displayOfApiKey, hasApiKeyForm, hashApiKey } from './api-key-format.ts'

test('a thousand keys are all different, have the form, and use every character', () => {
  const keys = Array.from({ length: 1_000 }, buildApiKey)
  assert.equal(new Set(keys).size, 1_000)
  for (const key of keys) {
    assert.match(key, /^vt_[0-9A-Za-z]{36}$/)
    assert.ok(hasApiKeyForm(key))
  }
  assert.equal(new Set(keys.flatMap(key => key.slice(3, 33).split(''))).size, 62)
})

test('each of the 62 characters is about equally likely', () => {
  const counts = new Map<string, number>()
  const length = 30 * 2_000
  for (let i = 0; i < 2_000; i++) {
    for (const character of buildApiKey().slice(3, 33)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const expected = length / 62 // 968, with a standard deviation of 31
  for (const [character, count] of counts) {
    assert.ok(Math.abs(count - expected) < 8 * 31, `${character} came ${count} times of ${length}`)
  }
})

test('a key with any character changed, missing, doubled or swapped is invalid', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 38 }), fc.constantFrom(...alphabet.split('')), (at, character) => {
      const key = buildApiKey()
      fc.pre(key[at] !== character)
      assert.ok(!hasApiKeyForm(key.slice(0, at) + character + key.slice(at + 1)))
      assert.ok(!hasApiKeyForm(key.slice(0, at) + key.slice(at + 1)))
      assert.ok(!hasApiKeyForm(key.slice(0, at) + character + key.slice(at)))
      const swapped = key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1)
      assert.equal(hasApiKeyForm(swapped), swapped === key)
    }),
  )
})

test('the checksum is CRC-32 in base 62, so that others can check it without us', () => {
  // CRC-32 of "vt_" and 30 zeros is 1186645653 (Python's zlib.crc32), in base 62 with the digits 0-9A-Za-z:
  // 1IJ2k1.
  assert.ok(hasApiKeyForm(`vt_${'0'.repeat(30)}1IJ2k1`))
})

test('no other text has the form, however long or strange', () => {
  for (const text of [
    '',
    'vt_',
    'sk_live_1',
    `vt_${'é'.repeat(36)}`,
    'vt_\u0000'.padEnd(39, 'a'),
    'x'.repeat(1_000_000),
  ]) {
    assert.ok(!hasApiKeyForm(text))
  }
  fc.assert(fc.property(fc.string({ maxLength: 60 }), text => !hasApiKeyForm(text)))
})

test('seven characters of a key are shown, and its hash does not contain it', () => {
  const key = buildApiKey()
  assert.equal(displayOfApiKey(key), key.slice(0, 7))
  assert.match(hashApiKey(key), /^[0-9a-f]{64}$/)
})
