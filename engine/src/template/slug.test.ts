import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { slugOf } from './slug.ts'

describe('slugs of names', () => {
  it('have no accents, no punctuation and no hyphen at either end, even when truncated', () => {
    assert.equal(slugOf('  Café, großes T-Shirt! ', { maxLength: 64 }), 'cafe-gro-es-t-shirt')
    assert.equal(slugOf('oak frame portrait', { maxLength: 10 }), 'oak-frame')
    assert.equal(slugOf('雪', { maxLength: 64 }), '')
  })

  it('begin with a letter on request', () => {
    assert.equal(slugOf('2nd design', { maxLength: 32 }), '2nd-design')
    assert.equal(slugOf('2nd design', { maxLength: 32, letterFirst: true }), 'nd-design')
    assert.equal(slugOf('12', { maxLength: 32, letterFirst: true }), '')
  })
})
