import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colorOf, hasColors, swatchesOf, withColor } from './product-colors.ts'

const navy = { name: 'Navy', value: '#1f2a44' }
const shirt = { name: 'shirt', default: '#ffffff', suggestions: [{ name: 'White', value: '#ffffff' }, navy] }

test('a colour is chosen for one area, and a default colour is left out of the request', () => {
  const chosen = withColor({ mug: '#000000' }, shirt, '#1F2A44')
  assert.deepEqual(chosen, { mug: '#000000', shirt: '#1f2a44' })
  assert.equal(colorOf(shirt, chosen), '#1f2a44')
  assert.deepEqual(withColor(chosen, shirt, '#FFFFFF'), { mug: '#000000' })
  assert.equal(hasColors(withColor({ shirt: '#1f2a44' }, shirt, '#ffffff')), false)
})

test('the default is among the swatches, with its suggested name if it has one', () => {
  assert.deepEqual(swatchesOf(shirt), shirt.suggestions)
  assert.deepEqual(swatchesOf({ ...shirt, default: '#eeeeee', suggestions: [navy] }), [
    { name: 'Original colour', value: '#eeeeee' },
    navy,
  ])
})
