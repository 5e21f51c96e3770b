import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { batchResult } from '@vitrine/contract'
import type { GenerateParameters } from './generate-parameters.ts'
import { buildAnswer } from './generated-answer.ts'

const parameters: GenerateParameters = {
  templateIds: [],
  isBatch: true,
  artwork: { kind: 'by-frame', sources: new Map() },
  placement: undefined,
  placements: undefined,
  colors: undefined,
  format: 'png',
  quality: 85,
  widthPx: 1,
  responseFormat: 'json',
}

let folder = ''
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-answer-'))
})
after(async () => {
  await rm(folder, { recursive: true })
})

/** Files of these sizes in place of finished mockups. */
function mockupsOf(sizesBytes: readonly number[]) {
  return Promise.all(
    sizesBytes.map(async (sizeBytes, index) => {
      const file = path.join(folder, `mockup-${sizeBytes}-${index}`)
      await writeFile(file, Buffer.alloc(sizeBytes, `${sizeBytes}`))
      return {
        templateId: `t-${index}`,
        file,
        sizeBytes,
        widthPx: 1,
        heightPx: 1,
        durationMs: 1,
        stages: [],
        preparedFrom: 'bundle' as const,
        decodedBy: [],
        artworks: [{ widthPx: 30, heightPx: 20, density: 1.23456 }],
      }
    }),
  )
}

test('pictures of any size are unchanged after base64, and the answer’s size is known in advance', async () => {
  // Around the 48 KiB that are read at a time, with every remainder of 3.
  const read = 48 * 1024
  const sizesBytes = [1, 2, 3, 4, 5, read - 1, read, read + 1, read + 2, 3 * read + 1, 100_000]
  const mockups = await mockupsOf(sizesBytes)
  const answer = buildAnswer(parameters, { mockups, durationMs: 7, stages: [] }, null)
  const bytes = await buffer(answer.open(256 * 1024))
  assert.equal(bytes.length, answer.sizeBytes)
  const { results, total_size_bytes } = batchResult.parse(JSON.parse(bytes.toString()))
  assert.deepEqual(
    results.map(({ size_bytes }) => size_bytes),
    sizesBytes,
  )
  for (const { image, size_bytes } of results)
    assert(Buffer.from(image, 'base64').equals(Buffer.alloc(size_bytes, `${size_bytes}`)))
  assert.equal(
    total_size_bytes,
    sizesBytes.reduce((sum, sizeBytes) => sum + sizeBytes),
  )
})

test('an answer of 128 MB is streamed in chunks and never held in memory as a whole', async () => {
  const mockups = await mockupsOf(Array.from({ length: 12 }, () => 8 * 1024 * 1024))
  const answer = buildAnswer(parameters, { mockups, durationMs: 7, stages: [] }, null)
  let sizeBytes = 0
  let largest = 0
  for await (const piece of answer.open(1024 * 1024)) {
    assert(Buffer.isBuffer(piece))
    sizeBytes += piece.length
    largest = Math.max(largest, piece.length)
  }
  assert.equal(sizeBytes, answer.sizeBytes)
  assert(largest <= 128 * 1024, `a piece of ${largest} bytes`)
})

test('a picture is sent as in its file, in chunks of the requested size, and a smaller one in one chunk', async () => {
  const sizeBytes = 200_001
  const file = path.join(folder, 'picture')
  const bytes = Buffer.from(Uint8Array.from({ length: sizeBytes }, (_, index) => index * 7))
  await writeFile(file, bytes)
  const mockups = (await mockupsOf([1])).map(mockup => ({ ...mockup, file, sizeBytes }))
  const work = { mockups, durationMs: 7, stages: [] }
  for (const [pieceBytes, sizesBytes] of [
    [1024 * 1024, [sizeBytes]],
    [sizeBytes, [sizeBytes]],
    [65_536, [65_536, 65_536, 65_536, 3393]],
  ] as const) {
    const answer = buildAnswer({ ...parameters, responseFormat: 'binary' }, work, null)
    const pieces: Uint8Array[] = []
    for await (const piece of answer.open(pieceBytes)) pieces.push(piece)
    assert.deepEqual(
      pieces.map(({ length }) => length),
      sizesBytes,
    )
    assert(Buffer.concat(pieces).equals(bytes))
  }
  const cut = mockups.map(mockup => ({ ...mockup, sizeBytes: sizeBytes + 1 }))
  const answer = buildAnswer({ ...parameters, responseFormat: 'binary' }, { ...work, mockups: cut }, null)
  await assert.rejects(buffer(answer.open(65_536)), /shorter/)
})
