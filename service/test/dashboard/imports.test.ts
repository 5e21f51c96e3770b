import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { z } from 'zod'
import { goodMapDescription, jsonBytes, png } from '../../../engine/test/bundles/make-bundle.ts'
import { IMPORTS_PER_ACCOUNT, IMPORTS_PER_HOUR } from '../../src/templates/limits.ts'
import { describeContract, type TestService } from '../http/test-service.ts'
import { Visitor } from './visitor.ts'

const refusal = z.looseObject({
  error: z.string(),
  code: z.string(),
  details: z.looseObject({ faults: z.array(z.string()) }).optional(),
})

/** A plain template with a 1:4 scene covered by this many frames. */
async function bundleOf(id: string, frameCount = 1): Promise<Uint8Array<ArrayBuffer>> {
  const corners = [
    [0, 0],
    [100, 0],
    [100, 400],
    [0, 400],
  ]
  const frames = Array.from({ length: frameCount }, () => ({ aspect_ratio: 0.25, corners }))
  const description = { ...goodMapDescription(), id, render_mode: 'corners', frames }
  return new Uint8Array(zipSync({ 'template.json': jsonBytes(description), 'scene.png': await png(100, 400) }))
}

/** A body that is started and does not end until it is told to. */
function stalledBody(): { readonly body: ReadableStream<Uint8Array>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(new Uint8Array(10))
      await promise
      controller.close()
    },
  })
  return { body, end: resolve }
}

function send(visitor: Visitor, body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): Promise<Response> {
  const headers = { 'content-type': 'application/zip' }
  const init = { method: 'POST', headers, body, duplex: 'half' } as const
  return visitor.send('/dashboard/api/templates', init)
}

/** The number of imports with a folder on the data disk. */
async function importCount(service: TestService): Promise<number> {
  return (await readdir(path.join(service.dataDir, 'imports'))).length
}

describeContract(
  'Imports',
  use => {
    it('of a small bundle that would take a render process too long are refused with the figures', async () => {
      const visitor = await Visitor.enter(use(), 'costly@example.com')
      const answer = await send(visitor, await bundleOf('costly', 16))
      assert.equal(answer.status, 400)
      const { code, details } = refusal.parse(await answer.json())
      assert.equal(code, 'INVALID_TEMPLATE')
      assert.match(
        details?.faults[0] ?? '',
        /at most 4\.0 s and 600 MB .* received one that takes \d+\.\d s and \d+ MB/,
      )
      assert.equal((await send(visitor, await bundleOf('tall'))).status, 200)
    })

    it('are limited per account, even if their bodies stall, without affecting other accounts', async () => {
      const service = use()
      const [greedy, other] = [
        await Visitor.enter(service, 'greedy@example.com'),
        await Visitor.enter(service, 'other@example.com'),
      ]
      const stalled = Array.from({ length: IMPORTS_PER_ACCOUNT }, stalledBody)
      const answers = stalled.map(({ body }) => send(greedy, body))
      while ((await importCount(service)) < IMPORTS_PER_ACCOUNT) await setTimeout(20)
      const refused = await send(greedy, await bundleOf('refused'))
      assert.equal(refused.status, 503)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      assert.equal(refusal.parse(await refused.json()).code, 'BUSY')
      assert.equal((await send(other, await bundleOf('of-another'))).status, 200)
      for (const { end } of stalled) end()
      for (const answer of answers) assert.equal((await answer).status, 400, 'ten zeros are not a zip')
      assert.equal((await send(greedy, await bundleOf('accepted'))).status, 200)
    })
  },
  // The stalled imports are not aborted, however long the other one takes.
  { deadlines: { bodyIdleMs: 600_000, uploadMs: 600_000 } },
)

describeContract(
  'Storage of an account',
  use => {
    it('refuses a body that does not fit before it is received, with the figures', async () => {
      const visitor = await Visitor.enter(use(), 'large@example.com')
      const answer = await send(visitor, new Uint8Array(1024 * 1024 + 1))
      assert.equal(answer.status, 413)
      const { error, code } = refusal.parse(await answer.json())
      assert.equal(code, 'TEMPLATE_STORAGE_FULL')
      assert.match(error, /bundle of 1\.0 MiB does not fit beside 0\.0 MiB: .* at most 1\.0 MiB/)
      assert.equal((await send(visitor, await bundleOf('small'))).status, 200)
    })

    it('limits imports per hour, including refused ones', async () => {
      const visitor = await Visitor.enter(use(), 'often@example.com')
      for (let count = 0; count < IMPORTS_PER_HOUR; count++) {
        assert.equal((await send(visitor, new Uint8Array(1024 * 1024 + 1))).status, 413)
      }
      const refused = await send(visitor, await bundleOf('one-more'))
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      assert.equal(refusal.parse(await refused.json()).code, 'TOO_MANY_IMPORTS')
    })
  },
  { environment: { TEMPLATE_QUOTA_MIB: '1' } },
)
