import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownShare } from './shown-share.ts'

const pixels = (...colors: readonly (readonly [number, number, number])[]) => Uint8Array.from(colors.flat())
const [white, black] = [
  [235, 235, 235],
  [40, 40, 42],
] as const
/** One pixel of ink on a product: its colour there, compared with black and white ink. */
const share = (product: readonly [number, number, number], ink: readonly [number, number, number]): number =>
  shownShare(pixels(product), pixels(ink), pixels([10, 10, 10]), pixels([240, 240, 240]))

test('ink that is nearly the product’s colour is lost, other ink stands out', () => {
  assert.equal(share(white, [250, 250, 250]), 0, 'white on white')
  assert.equal(share(black, [20, 50, 42]), 0, 'dark green on black')
  assert.equal(share(white, [20, 50, 42]), 1)
  assert.equal(share(black, [250, 250, 250]), 1)
  assert.equal(share([160, 60, 60], [60, 100, 60]), 1, 'another hue of the same luminance')
})

test('only pixels that the artwork covers count, and half an artwork may be lost', () => {
  const scene = pixels(white, white, white)
  const chosen = pixels(white, [250, 250, 250], [20, 50, 42])
  const ink = (value: number) => pixels(white, [value, value, value], [value, value, value])
  assert.equal(shownShare(scene, chosen, ink(10), ink(240)), 0.5)
  assert.equal(shownShare(scene, scene, scene, scene), 1, 'the artwork covers no pixel: unknown')
})
