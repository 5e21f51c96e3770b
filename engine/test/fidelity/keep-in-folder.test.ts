import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { StraightPixmap } from '../../src/pixmap.ts'
import type { Truth } from '../reference/supersample.ts'
import { keepInFolder } from './keep-in-folder.ts'

test('truth is made once for each case and width, artwork once for each size, and both come back as they were', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'truth-'))
  try {
    const made: string[] = []
    const makeTruth = (widthPx: number) => (): Truth => {
      made.push('truth')
      const data = Float32Array.from({ length: widthPx * 3 * 3 }, (_, i) => i / 7)
      return { widthPx, heightPx: 3, data, covered: Float32Array.from({ length: widthPx * 3 }, (_, i) => i / 11) }
    }
    const makeArtwork = (): StraightPixmap => {
      made.push('artwork')
      return { alpha: 'straight', widthPx: 4, heightPx: 2, data: Uint8Array.from({ length: 32 }, (_, i) => i) }
    }
    const first = keepInFolder(folder, 5)
    const again = keepInFolder(folder, 5)
    assert.deepEqual(again.truth('a', makeTruth(5)), first.truth('a', makeTruth(5)))
    assert.deepEqual(again.artwork(4, 2, makeArtwork), first.artwork(4, 2, makeArtwork))
    assert.deepEqual(made, ['truth', 'artwork'])
    first.truth('b', makeTruth(5))
    keepInFolder(folder, 4).truth('a', makeTruth(4))
    assert.deepEqual(made, ['truth', 'artwork', 'truth', 'truth'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
