import assert from 'node:assert/strict'
import { test } from 'node:test'
import { centredCover } from '@vitrine/engine'
import { addressOfGallery, galleryAddressOf, galleryOfAddress } from './gallery-address.ts'
import { nothingPlaced } from './gallery-placing.ts'

const gallery = {
  placing: {
    byKind: {
      print: { ...centredCover, focus: [0.25, 0.5] as const },
      'product ceramic': { ...centredCover, scale: 0.4 },
    },
    own: { 'white-mug': { ...centredCover, fit: 'contain' as const, rotation: 90, background: '#ffffff' } },
  },
  colors: { 'white-mug': { mug: '#1f2a44' }, 'black-mug': {} },
  picks: ['white-mug', 'oak-frame'],
}

test('a gallery survives being written to an address and read back', () => {
  const address = addressOfGallery(gallery)
  assert.deepEqual(galleryOfAddress(galleryAddressOf(JSON.parse(JSON.stringify(address)))), {
    ...gallery,
    colors: { 'white-mug': { mug: '#1f2a44' } },
  })
  assert.deepEqual(galleryOfAddress(galleryAddressOf({})), { placing: nothingPlaced, colors: {}, picks: [] })
  assert.deepEqual(JSON.parse(JSON.stringify(addressOfGallery({ placing: nothingPlaced, colors: {}, picks: [] }))), {})
})

test('an address edited by hand cannot set values that a request would refuse', () => {
  const of = (raw: Record<string, unknown>) => galleryAddressOf(raw)
  assert.deepEqual(of({ place: { byKind: { print: { scale: 1e9 } } } }), {})
  assert.deepEqual(of({ place: { own: { oak: { scale: 2, unknown: 1 } } } }), {})
  assert.deepEqual(of({ place: 'print', colors: { oak: { shirt: 'red;}' } }, picks: 7 }), {})
  assert.deepEqual(of({ place: { own: { oak: { scale: 2 } } }, colors: { oak: { shirt: '#1f2a44' } }, picks: 'oak' }), {
    place: { own: { oak: { scale: 2 } } },
    colors: { oak: { shirt: '#1f2a44' } },
    picks: 'oak',
  })
})

test('a gallery with more placements than fit into an address still has its picks there', () => {
  const placed = { ...centredCover, scale: 0.12345, rotation: 12.5, x: 0.23456 }
  const own = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`template-${index}`, placed]))
  const address = addressOfGallery({ ...gallery, placing: { byKind: {}, own } })
  assert.deepEqual(address, { picks: 'white-mug,oak-frame', place: undefined, colors: undefined })
})
