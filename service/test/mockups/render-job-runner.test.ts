import assert from 'node:assert/strict'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { ReusedMemory } from '@vitrine/engine'
import { createRenderer, createSharpCodec } from '@vitrine/engine/node'
import type { RenderJob } from '../../src/mockups/render-job.ts'
import { DecodedArtworkCache } from '../../src/mockups/worker/decoded-artwork-cache.ts'
import { runJob } from '../../src/mockups/worker/render-job-runner.ts'
import { TemplateCache } from '../../src/mockups/worker/template-cache.ts'
import { plainPicture, writeBundle } from './test-bundle.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-job-'))
after(() => rm(folder, { recursive: true, force: true }))

const MIB = 1024 * 1024
const bundle = { key: 'poster@1', folder: await writeBundle(folder, 'poster') }
const artworkFile = path.join(folder, 'artwork.png')
await writeFile(artworkFile, await plainPicture(3000, 3000, [250, 10, 20]))

function createTools() {
  const memory = new ReusedMemory({ maxBytes: 64 * MIB, maxCount: 6 })
  const decoded = new DecodedArtworkCache(
    createSharpCodec({ memory }),
    { maxBytes: 128 * MIB, cachedForMs: 60_000 },
    memory,
  )
  return { templates: new TemplateCache(decoded.codec, 256 * MIB), decoded, renderer: createRenderer(), memory }
}

/** A mockup of 20 megapixels. */
function buildJob(toFile: string): RenderJob {
  return {
    accountId: 'account_a',
    mockups: [{ bundle, toFile: path.join(folder, toFile) }],
    artworks: [{ frame: null, file: artworkFile, contentName: null }],
    placements: { all: undefined, byFrame: [] },
    colors: [],
    output: { format: 'jpeg', quality: 85, widthPx: 4000 },
  }
}

test('a job checks for cancellation within a mockup, stops, and leaves the process ready for the next', async () => {
  const tools = createTools()
  // At the start of the job, before its mockup, and within it.
  for (const last of [1, 2, 3]) {
    let looks = 0
    const file = `cancelled-${last}.jpg`
    const outcome = await runJob(
      buildJob(file),
      tools,
      () => ++looks === last,
      () => assert.fail('a mockup was reported'),
    )
    assert.deepEqual(outcome, { kind: 'cancelled' })
    await assert.rejects(access(path.join(folder, file)), 'a picture was written')
  }
  let reported = 0
  const next = await runJob(
    buildJob('next.jpg'),
    tools,
    () => false,
    () => void reported++,
  )
  assert.deepEqual([next, reported], [{ kind: 'complete' }, 1])
})
