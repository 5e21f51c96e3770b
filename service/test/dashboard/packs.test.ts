import assert from 'node:assert/strict'
import { it } from 'node:test'
import { dashboardTemplateListSchema, dashboardTemplateSchema } from '@vitrine/contract'
import { openPack, parseTemplate } from '@vitrine/engine'
import { zipSync } from 'fflate'
import { dashboardCallLimits } from '../../src/account-budget/limits.ts'
import { describeOnOneDatabase } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'
import { Visitor } from './visitor.ts'

describeOnOneDatabase('Preview packs', use => {
  const importBundle = async (visitor: Visitor, id: string, color: readonly [number, number, number]) => {
    const corners = [
      [40, 40],
      [60, 40],
      [60, 60],
      [40, 60],
    ]
    const template = {
      format: 1,
      id,
      name: id,
      category: 'Tests',
      type: 'print',
      render_mode: 'corners',
      scene: 'scene.png',
      frames: [{ aspect_ratio: 1, corners }],
    }
    const answer = await visitor.send('/dashboard/api/templates', {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: new Uint8Array(
        zipSync({
          'template.json': Buffer.from(JSON.stringify(template)),
          'scene.png': await plainPicture(1000, 500, color),
        }),
      ),
    })
    assert.equal(answer.status, 200, await answer.text())
    return visitor.read(dashboardTemplateSchema, `/dashboard/api/templates/${id}`)
  }

  it('are made at import, listed with the template, and contain all that a browser needs, one file per width', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'packs@example.com')
    const before = await importBundle(visitor, 'packed', [70, 80, 90])
    const { templates } = await visitor.read(dashboardTemplateListSchema, '/dashboard/api/templates?limit=100')
    assert.deepEqual(templates.find(({ id }) => id === 'packed')?.packs, before.packs)
    assert.deepEqual(
      before.packs.map(({ width_px }) => width_px),
      [480, 960],
    )
    const record = await service.running.services.templates.get('packed', await visitor.accountId())
    const stored = await service.running.services.storage.list(record?.objectPrefix ?? '')
    assert.equal(stored.filter(({ key }) => key.includes('pack-')).length, 2)
    for (const { width_px, path } of before.packs) {
      const answer = await visitor.send(path)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('cache-control'), 'private, max-age=86400, immutable')
      const files = openPack(new Uint8Array(await answer.arrayBuffer()))
      const template = parseTemplate(JSON.parse(Buffer.from(await files.read('template.json')).toString()))
      assert.equal(template.name, 'packed')
      const [frame] = template.frames
      assert.ok(frame?.placement.kind === 'corners')
      assert.deepEqual(frame.placement.corners[0], [0.04 * width_px, 0.08 * (width_px / 2)])
    }
    const [pack] = before.packs
    const stranger = await Visitor.enter(service, 'no-packs@example.com')
    assert.equal((await stranger.send(pack?.path ?? '')).status, 404)
    const after = await importBundle(visitor, 'packed', [90, 80, 70])
    assert.notEqual(after.packs[0]?.path, pack?.path, 'a new version has other addresses')
    assert.equal((await visitor.send(pack?.path ?? '')).status, 404)
    assert.equal((await visitor.send(after.packs[0]?.path ?? '')).status, 200)
  })

  it('of a template imported before packs existed are made at first use, once, within a limit', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'older@example.com')
    const { packs } = await importBundle(visitor, 'older', [10, 20, 30])
    const { storage, templates, dashboardCalls } = service.running.services
    const accountId = await visitor.accountId()
    const { objectPrefix } = (await templates.get('older', accountId)) ?? assert.fail('no template')
    const paths = packs.map(({ path }) => path)
    const bytesOf = async (path: string) => Buffer.from(await (await visitor.send(path)).arrayBuffer())
    const made = await Promise.all(paths.map(bytesOf))
    const packObjects = async () => (await storage.list(objectPrefix)).filter(({ key }) => key.includes('pack-'))
    for (const { key } of await packObjects()) await storage.delete(key)
    const again = await Promise.all([...paths, ...paths].map(bytesOf))
    assert.deepEqual(again, [...made, ...made], 'the same bundle gives the same bytes')
    assert.equal((await packObjects()).length, 2)
    for (const { key } of await packObjects()) await storage.delete(key)
    for (let count = 0; count < dashboardCallLimits.packs.limit; count += 1)
      await dashboardCalls.count(accountId, 'packs')
    assert.equal((await visitor.send(paths[0] ?? '')).status, 429)
  })

  it('that would be too large are recorded as missing, and not attempted again', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'large@example.com')
    const { packs } = await importBundle(visitor, 'large', [1, 2, 3])
    const { storage, templates } = service.running.services
    const { objectPrefix } = (await templates.get('large', await visitor.accountId())) ?? assert.fail('no template')
    const [object] = (await storage.list(objectPrefix)).filter(({ key }) => key.endsWith('-480'))
    await storage.put(object?.key ?? '', new Uint8Array(0))
    assert.equal((await visitor.send(packs[0]?.path ?? '')).status, 404)
    assert.equal((await storage.open(object?.key ?? ''))?.sizeBytes, 0)
  })
})
