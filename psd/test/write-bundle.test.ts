import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { writeBundle } from '../src/bundle/write-bundle.ts'
import { fillPicture } from '../src/compositing/float-picture.ts'
import type { PictureOperation } from '../src/converting/operation.ts'

const rect = { left: 0, top: 0, widthPx: 1, heightPx: 1 }

function picture(draw: PictureOperation['draw']): PictureOperation {
  return { kind: 'picture', names: ['layer'], mode: 'normal', fill: 1, bounds: rect, draw }
}

test('where drawing fails, a picture that cannot be packed meanwhile is no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): number => unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    const operations = [
      picture(() => fillPicture(rect, [1, 0, 0], Float32Array.of(1))),
      picture(() => {
        throw new Error('the second picture')
      }),
    ]
    const conversion = {
      operations,
      frames: [],
      outcomes: [],
      drawScene: () => fillPicture(rect, [0, 0, 0], Float32Array.of(1)),
    }
    const reach = { rect, bits: Uint32Array.of(1) }
    const details = { id: 'made', name: 'Made', category: 'Imported' }
    const fail = async (): Promise<never> => {
      await setImmediate()
      throw new Error('packing')
    }
    await assert.rejects(writeBundle(details, conversion, reach, new MemoryStore(), fail), {
      message: 'the second picture',
    })
    await setImmediate()
    await setImmediate()
    assert.deepEqual(unhandled, [])
  } finally {
    process.off('unhandledRejection', note)
  }
})
