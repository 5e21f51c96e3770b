import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOfName } from './id-of-name.ts'

test('an id has the letters of its name, without their marks', () => {
  assert.match(idOfName('Meine Küche'), /^meine-kuche-[a-z0-9]+$/)
  assert.match(idOfName('Café à la plage, №2'), /^cafe-a-la-plage-no2-[a-z0-9]+$/)
})
