import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { auditListSchema, type TemplateVersionList, templateVersionListSchema } from '@vitrine/contract'
import { unzipSync, zipSync } from 'fflate'
import { z } from 'zod'
import { startService } from '../../src/main.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'
import { s3Settings, startS3 } from '../servers/s3.ts'
import { Visitor } from './visitor.ts'

const AT = '/dashboard/api/templates/own-frame'
const description = z.looseObject({ scene: z.string() })

test('a version that one node restores gives the same mockup as before on both, and can be looked at by its owner', async () => {
  await using stack = new AsyncDisposableStack()
  const s3 = await startS3()
  stack.defer(() => s3.stop())
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-node-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const environment = { AUTH_SECRET: 'one-secret-for-both-of-the-nodes-of-this-test', ...s3Settings(s3) }
  const first = await TestService.start('postgres', { environment })
  stack.use(first)
  const settings = { ...first.settings, DATA_DIR: folder, PUBLIC_URL: first.running.url }
  const second = await startService(settings, { logger: createLogger('silent') })
  stack.defer(() => second.close())
  const owner = await Visitor.enter(first, 'owner-of-versions@example.com', 'owner')
  const onSecond = owner.on(second.url)
  const { key } = await first.running.services.apiKeys.create({ accountId: await owner.accountId(), name: 'test' })
  const mockupOf = async (url: string) => {
    const answer = await fetch(`${url}/api/v1/mockups/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ template_id: 'own-frame', artwork_url: `${first.origin.url}/red.png`, width: 120 }),
    })
    assert.equal(answer.status, 200)
    return Buffer.from(await answer.arrayBuffer())
  }
  const bundle = await (await owner.send('/dashboard/api/templates/one-frame/bundle.zip')).bytes()
  const files = unzipSync(bundle)
  const text = Buffer.from(files['template.json'] ?? []).toString()
  const { scene } = description.parse(JSON.parse(text))
  const save = async (origin: string, changed: Readonly<Record<string, Uint8Array>> = {}) => {
    const template = { ...files, ...changed, 'template.json': Buffer.from(text.replaceAll('one-frame', 'own-frame')) }
    const headers = { 'content-type': 'application/zip' }
    const body = new Uint8Array(zipSync(template))
    const answer = await owner.send(`/dashboard/api/templates?origin=${origin}`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, await answer.text())
  }
  const versions = () => onSecond.read(templateVersionListSchema, `${AT}/versions`)
  const shown = ({ versions: all }: TemplateVersionList) =>
    all.map(each => [each.version, each.current, each.origin, each.restored_from])

  await save('import')
  const before = await mockupOf(second.url)
  await save('editor', { [scene]: await plainPicture(200, 250, [10, 80, 10]) })
  const changed = await mockupOf(second.url)
  assert.notDeepEqual(changed, before)
  const listed = await versions()
  assert.deepEqual(shown(listed), [
    [2, true, 'editor', null],
    [1, false, 'import', null],
  ])
  for (const { thumbnail_path, size_bytes } of listed.versions) {
    assert.ok(size_bytes !== null && size_bytes > 0)
    const picture = await onSecond.send(thumbnail_path)
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg'])
    await picture.bytes()
  }
  const missing = [1, 3].map(version => owner.send(`${AT}/restore`, { json: { version: version + 5 } }))
  for (const answer of await Promise.all(missing)) assert.equal(answer.status, 404)
  assert.equal((await owner.send(`${AT}/restore`, { json: { version: '1' } })).status, 400)
  assert.equal((await owner.send(`${AT}/versions/of-somebody/thumbnail`)).status, 404)

  assert.equal((await owner.send(`${AT}/restore`, { json: { version: 1 } })).status, 200)
  for (const url of [second.url, first.running.url]) assert.deepEqual(await mockupOf(url), before, url)
  assert.deepEqual(shown(await versions()), [
    [3, true, 'import', 1],
    [2, false, 'editor', null],
  ])
  assert.equal((await onSecond.send(`${AT}/restore`, { json: { version: 2 } })).status, 200)
  for (const url of [first.running.url, second.url]) assert.deepEqual(await mockupOf(url), changed, url)

  const stranger = await Visitor.enter(first, 'stranger-to-versions@example.com')
  for (const [id, status] of [
    ['own-frame', 404],
    ['one-frame', 403],
  ] as const)
    for (const route of ['versions', 'versions/x/thumbnail'])
      assert.equal((await stranger.send(`/dashboard/api/templates/${id}/${route}`)).status, status, `${id} ${route}`)
  assert.equal(
    (await stranger.send('/dashboard/api/templates/one-frame/restore', { json: { version: 1 } })).status,
    403,
  )

  const restored = () => owner.read(auditListSchema, '/dashboard/api/audit?action=template_restored')
  let { events } = await restored()
  while (events.length < 2) events = (await restored()).events
  assert.deepEqual(
    events.map(({ target }) => target),
    ['own-frame', 'own-frame'],
  )
})
