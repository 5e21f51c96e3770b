import assert from 'node:assert/strict'
import { test } from 'node:test'
import { densitySentence } from './density-sentence.ts'

const artwork = { frame: 0, width: 1600, height: 2000 }

test('for enlarged artwork, the sentence gives the size that would be sufficient', () => {
  assert.equal(
    densitySentence([{ ...artwork, density: 0.5 }]),
    'This artwork is enlarged 2.0 times: it will look soft. Send at least 3,200 x 4,000 px.',
  )
  assert.equal(
    densitySentence([
      { ...artwork, density: 2 },
      { ...artwork, frame: 1, density: 0.8 },
    ]),
    'The artwork of frame 2 is enlarged 1.3 times: it will look soft. Send at least 2,000 x 2,500 px.',
  )
})

test('enlargement too small to notice is not mentioned', () => {
  assert.equal(densitySentence([{ ...artwork, density: 0.96 }]), null)
  assert.equal(densitySentence([]), null)
})
