import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Paced } from './paced.ts'

test('a value that is set often changes at most once per interval, to the newest', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const paced = new Paced('', 500, (_, newest) => newest)
  const seen: string[] = []
  paced.subscribe(() => seen.push(paced.read()))
  for (let press = 0; press < 40; press++) {
    paced.set(`pressed ${press}`)
    t.mock.timers.tick(50)
  }
  t.mock.timers.tick(2000)
  assert.deepEqual(seen, ['pressed 0', 'pressed 9', 'pressed 19', 'pressed 29', 'pressed 39'])
  paced.set('later')
  assert.equal(paced.read(), 'later')
})

test('a waiting value is joined with the next', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const paced = new Paced('', 500, (waiting, newest) => `${waiting} ${newest}`)
  for (const word of ['one', 'two', 'three']) paced.set(word)
  assert.equal(paced.read(), 'one')
  t.mock.timers.tick(500)
  assert.equal(paced.read(), 'two three')
})

test('a listener that has unsubscribed is not called', () => {
  const paced = new Paced(1, 1, Math.max)
  let told = 0
  const end = paced.subscribe(() => told++)
  end()
  paced.set(2)
  assert.equal(told, 0)
  assert.equal(paced.read(), 2)
})
