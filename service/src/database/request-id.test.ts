import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestIds } from './request-id.ts'

test('ids are unique, over many draws of random digits', () => {
  const ids = new RequestIds()
  const made = Array.from({ length: 1000 }, () => ids.next())
  assert.equal(new Set(made.map(id => id.slice(-13))).size, made.length)
  for (const id of made) assert.match(id, /^req_[0-9A-HJKMNP-TV-Z]{22}$/)
})

test('every digit occurs at every position of an id', () => {
  const ids = new RequestIds()
  const digits = Array.from({ length: 13 }, () => new Set<string>())
  for (let i = 0; i < 2000; i += 1)
    for (const [place, digit] of ids.next().slice(-13).split('').entries()) digits[place]?.add(digit)
  assert.deepEqual(
    digits.map(({ size }) => size),
    digits.map(() => 32),
  )
})
