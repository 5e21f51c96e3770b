import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { importedTemplateSchema, limits, psdImportSchema } from '@vitrine/contract'
import { z } from 'zod'
import { CONTENT_ID, paint, pixelLayer, smartLayer, writePsd } from '../../../psd/test/make-psd.ts'
import { designPng } from '../../../psd/test/mockup-file.ts'
import { startService } from '../../src/main.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { TestService } from '../http/test-service.ts'
import { s3Settings, startS3 } from '../servers/s3.ts'
import { Visitor } from './visitor.ts'

/** A small mockup that needs more than one part: the design of another smart object is large. */
function largeMockup(): Uint8Array {
  const noise = paint(240, 180, (x, y) => [(x * 7919 + y * 104729) % 251, (x * 31 + y * x) % 253, (x ^ y) % 256])
  const design = smartLayer('Your design', [20, 16, 68, 16, 68, 52, 20, 52], { width: 48, height: 36 })
  return writePsd(240, 180, [pixelLayer('noise', 0, 0, noise), design], {
    merged: noise,
    linked: [
      { id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng },
      { id: '5b7d4a52-6f0e-4c1f-9b56-2f1f0a0b7c11', name: 'other.bin', data: new Uint8Array(limits.psdPartBytes) },
    ],
  })
}

test('a Photoshop file is sent to two nodes, converted by one, reviewed and imported by the other', async () => {
  await using stack = new AsyncDisposableStack()
  const s3 = await startS3()
  stack.defer(() => s3.stop())
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-node-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const first = await TestService.start('postgres', {
    environment: {
      AUTH_SECRET: 'one-secret-for-both-of-the-nodes-of-this-test',
      ...s3Settings(s3),
    },
  })
  stack.use(first)
  const settings = { ...first.settings, DATA_DIR: folder, PUBLIC_URL: first.running.url }
  const second = await startService(settings, { logger: createLogger('silent') })
  stack.defer(() => second.close())
  const onFirst = await Visitor.enter(first, 'nodes@example.com')
  const onSecond = onFirst.on(second.url)
  const file = largeMockup()
  assert.ok(file.byteLength > limits.psdPartBytes)
  const made = await onFirst.read(z.object({ id: z.string() }), '/dashboard/api/imports', {
    file_name: 'poster.psd',
    size_bytes: file.byteLength,
  })
  const at = `/dashboard/api/imports/${made.id}`
  for (const [part, visitor] of [onSecond, onFirst].entries()) {
    const body = new Uint8Array(file.subarray(part * limits.psdPartBytes, (part + 1) * limits.psdPartBytes))
    const headers = { 'content-type': 'application/octet-stream' }
    assert.equal((await visitor.send(`${at}/parts/${part}`, { method: 'POST', headers, body })).status, 200)
  }

  assert.equal((await onSecond.send(`${at}/run`, { json: { frames: [] } })).status, 200)
  let now = await onFirst.read(psdImportSchema, at)
  while (['waiting', 'reading', 'drawing', 'checking'].includes(now.state)) {
    await setTimeout(50)
    now = await onFirst.read(psdImportSchema, at)
  }
  assert.deepEqual([now.state, now.message], ['ready', null])
  for (const visitor of [onFirst, onSecond]) {
    const picture = await visitor.send(`${at}/runs/${now.run}/difference`)
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp'])
    await picture.bytes()
  }

  const details = { name: 'Poster of two nodes', category: 'Tests', type: 'print' }
  const template = await onFirst.read(importedTemplateSchema, `${at}/template`, details)
  assert.deepEqual(await second.services.storage.list(`psd-imports/${made.id}/`), [])
  assert.equal((await onSecond.send(at)).status, 404)

  const { key } = await second.services.apiKeys.create({ accountId: await onFirst.accountId(), name: 'test' })
  const mockup = await fetch(`${second.url}/api/v1/mockups/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ template_id: template.id, artwork_url: `${first.origin.url}/red.png`, width: 120 }),
  })
  assert.equal(mockup.status, 200, `${mockup.status}`)
  await mockup.bytes()
  // What imports store on a node's own disk is removed with them.
  assert.deepEqual(await readdir(path.join(folder, 'imports')), [])
})
