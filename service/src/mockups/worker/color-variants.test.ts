import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PreparedTemplate } from '@vitrine/engine'
import { ColorVariants } from './color-variants.ts'

const picture = { alpha: 'opaque', widthPx: 1, heightPx: 1, data: new Uint8Array(3) } as const

function variantOf(sizeBytes: number): PreparedTemplate {
  return {
    widthPx: 1,
    heightPx: 1,
    enlargedTo: null,
    frames: [],
    empty: picture,
    touchedBands: [],
    drawing: { arithmetic: 'bytes', operations: [], parts: [] },
    sizeBytes,
  }
}

test('cached variants are found, and their bytes are counted', () => {
  const variants = new ColorVariants(100)
  const navy = variantOf(10)
  variants.add('shirt navy', 'shirt', 'a', navy)
  assert.equal(variants.find('shirt navy', 'b'), navy)
  assert.equal(variants.find('shirt red', 'a'), undefined)
  assert.equal(variants.sizeBytes, 10)
})

test('an account that requests thousands of colours evicts only its own variants', () => {
  const variants = new ColorVariants(100)
  for (const account of ['b', 'c']) variants.add(`shirt ${account}`, 'shirt', account, variantOf(10))
  for (let i = 0; i < 5000; i++) {
    variants.add(`shirt ${i}`, 'shirt', 'a', variantOf(10))
    assert.ok(variants.sizeBytes <= 20 + 25, `${variants.sizeBytes} bytes`)
  }
  assert.ok(variants.find('shirt b', 'b') && variants.find('shirt c', 'c'))
  assert.ok(variants.find('shirt 4999', 'a') && variants.find('shirt 4998', 'a'))
  assert.equal(variants.find('shirt 4997', 'a'), undefined)
})

test('many accounts together stay within the bound, and the least recently used variants are evicted first', () => {
  const variants = new ColorVariants(100)
  for (let i = 0; i < 20; i++) {
    variants.add(`shirt ${i}`, 'shirt', `account ${i}`, variantOf(10))
    variants.find('shirt 0', 'account 0')
    assert.ok(variants.sizeBytes <= 100)
  }
  assert.ok(variants.find('shirt 0', 'x') && variants.find('shirt 19', 'x'))
  assert.equal(variants.find('shirt 1', 'x'), undefined)
})

test('evicting a template evicts its variants', () => {
  const variants = new ColorVariants(100)
  variants.add('shirt navy', 'shirt', 'a', variantOf(10))
  variants.add('mug navy', 'mug', 'a', variantOf(10))
  variants.dropOf('shirt')
  assert.equal(variants.find('shirt navy', 'a'), undefined)
  assert.ok(variants.find('mug navy', 'a'))
  assert.equal(variants.sizeBytes, 10)
})

test('a variant larger than every bound is retained until the next', () => {
  const variants = new ColorVariants(100)
  variants.add('large', 'shirt', 'a', variantOf(500))
  assert.ok(variants.find('large', 'a'))
  variants.add('next', 'shirt', 'a', variantOf(10))
  assert.equal(variants.find('large', 'a'), undefined)
})
