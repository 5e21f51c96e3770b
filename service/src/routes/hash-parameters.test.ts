import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Placement } from '@vitrine/contract'
import type { ArtworkSource, RequestArtwork } from '../mockups/request-artwork.ts'
import type { GenerateParameters } from './generate-parameters.ts'
import { hashParameters } from './hash-parameters.ts'

const url = (address: string): ArtworkSource => ({ kind: 'url', url: new URL(address) })
const file = (sha256: string | null): ArtworkSource => ({ kind: 'file', file: 'upload-0', contentName: 'name', sha256 })
const one = (source: ArtworkSource): RequestArtwork => ({ kind: 'one', source })
const byFrame = (...sources: readonly (readonly [string, ArtworkSource])[]): RequestArtwork => ({
  kind: 'by-frame',
  sources: new Map(sources),
})
const a = url('https://example.com/a.png')
const b = url('https://example.com/b.png')

const parameters: GenerateParameters = {
  templateIds: ['oak-frame'],
  isBatch: false,
  artwork: one(a),
  placement: undefined,
  placements: undefined,
  colors: undefined,
  format: 'jpeg',
  quality: 85,
  widthPx: 2000,
  responseFormat: 'binary',
}

const turned: Placement = {
  fit: 'cover',
  focus: [0.5, 0.5],
  scale: 1,
  rotation: 17,
  x: 0.5,
  y: 0.5,
  flip: 'none',
  repeat: 'none',
  background: null,
}

/** Another value for every parameter. If a new parameter is missing here, this does not compile. */
const others = {
  templateIds: ['oak-frame', 'oak-frame'],
  isBatch: true,
  artwork: one(b),
  placement: turned,
  placements: [['0', turned]],
  colors: [['shirt', '#1f2a44']],
  format: 'png',
  quality: 86,
  widthPx: 2001,
  responseFormat: 'json',
} satisfies Required<GenerateParameters>

for (const [name, value] of Object.entries(others)) {
  test(`a request with a different ${name} has a different hash`, () => {
    assert.notEqual(hashParameters({ ...parameters, [name]: value }), hashParameters(parameters))
  })
}

test('artworks are distinguished by their URL or bytes and by their frame', () => {
  const artworks = [
    one(a),
    one(file('a1')),
    one(file('b2')),
    byFrame(['0', a]),
    byFrame(['1', a]),
    byFrame(['0', a], ['1', b]),
    byFrame(['0', b], ['1', a]),
  ]
  const hashes = artworks.map(artwork => hashParameters({ ...parameters, artwork }))
  assert.equal(new Set(hashes).size, artworks.length)
})

test('the order of frames and parameters makes no difference', () => {
  const hash = (artwork: RequestArtwork) => hashParameters({ ...parameters, artwork })
  assert.equal(hash(byFrame(['0', a], ['1', b])), hash(byFrame(['1', b], ['0', a])))
  const { templateIds, ...rest } = parameters
  assert.equal(hashParameters({ ...rest, templateIds }), hashParameters(parameters))
})

test('a request of an earlier version is recognised after an upgrade', () => {
  assert.equal(hashParameters(parameters), 'ade2f84ca46ed892f84a77fcaeed164c641f6d42b1974e2f775750787c15ded8')
  const artwork = byFrame(['1', file('0f')], ['0', b])
  assert.equal(
    hashParameters({ ...parameters, artwork, isBatch: true, responseFormat: 'json' }),
    'e12165c4a6e0b6429164a30ba1efd261cc4efb88d7d9a6bf67c80aa63daf406b',
  )
})

test('an upload without a hash is a defect, not an equal request', () => {
  assert.throws(() => hashParameters({ ...parameters, artwork: one(file(null)) }), /was not hashed/)
})
