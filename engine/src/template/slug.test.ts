import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { slugOf } from './slug.ts'

describe('ids made of names', () => {
  it('have no accents, no signs and no hyphen at an end, also where they are cut', () => {
    assert.equal(slugOf('  Café, großes T-Shirt! ', { maxLength: 64 }), 'cafe-gro-es-t-shirt')
    assert.equal(slugOf('oak frame portrait', { maxLength: 10 }), 'oak-frame')
    assert.equal(slugOf('雪', { maxLength: 64 }), '')
  })

  it('begin with a letter where one is asked for', () => {
    assert.equal(slugOf('2nd design', { maxLength: 32 }), '2nd-design')
    assert.equal(slugOf('2nd design', { maxLength: 32, letterFirst: true }), 'nd-design')
    assert.equal(slugOf('12', { maxLength: 32, letterFirst: true }), '')
  })
})
