import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { it } from 'node:test'
import { inspectArtwork } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import { unzipSync, zipSync } from 'fflate'
import { z } from 'zod'
import { dashboardCallLimits } from '../../src/account-budget/limits.ts'
import { describeContract } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'
import { Visitor } from './visitor.ts'

const created = z.object({ id: z.string() })

describeContract('Templates of an account', (use, isWhole) => {
  it('a bundle is downloaded as it was imported, file by file, and can be imported again as a private template', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'maker@example.com')
    const { templates } = service.running.services
    const record = await templates.get('one-frame')
    assert.ok(record)
    const { folder } = await templates.localBundle(record)
    const zip = await visitor.send('/dashboard/api/templates/one-frame/bundle.zip')
    const files = unzipSync(new Uint8Array(await zip.arrayBuffer()))
    assert.deepEqual(Object.keys(files).sort(), [...record.files].sort())
    for (const [name, bytes] of Object.entries(files)) {
      assert.deepEqual(Buffer.from(bytes), await readFile(path.join(folder, name)), name)
      const file = await visitor.send(`/dashboard/api/templates/one-frame/files/${record.revision}/${name}`)
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes), name)
    }

    const templateFile = z
      .looseObject({ id: z.string() })
      .parse(JSON.parse(Buffer.from(files['template.json'] ?? []).toString()))
    const upload = (id: string) =>
      visitor.send('/dashboard/api/templates', {
        method: 'POST',
        headers: { 'content-type': 'application/zip' },
        body: new Uint8Array(
          zipSync({ ...files, 'template.json': Buffer.from(JSON.stringify({ ...templateFile, id })) }),
        ),
      })
    assert.equal((await upload('one-frame')).status, 409, 'a shared template’s id cannot be taken')
    assert.deepEqual(created.parse(await (await upload('my-own')).json()), { id: 'my-own' })
    const accountId = await visitor.accountId()
    assert.equal(await templates.countOwned(accountId), 1)
    const stranger = await Visitor.enter(service, 'stranger@example.com')
    for (const file of ['', '/bundle.zip', '/files/1/template.json', '/preview/1/template.json'])
      assert.equal((await stranger.send(`/dashboard/api/templates/my-own${file}`)).status, 404, file)
    assert.equal((await stranger.send('/dashboard/api/templates/my-own/remove', { json: {} })).status, 404)

    assert.equal(
      (await visitor.send('/dashboard/api/account/delete', { json: { email: 'maker@example.com' } })).status,
      200,
    )
    assert.equal(await templates.countOwned(accountId), 0)
  })

  it('customers and the operator may have templates with the same id, and one’s own takes precedence over the shared one', async () => {
    const service = use()
    const { apiKeys } = service.running.services
    const people = {
      first: await Visitor.enter(service, 'first-of-two@example.com'),
      second: await Visitor.enter(service, 'second-of-two@example.com'),
      third: await Visitor.enter(service, 'third@example.com'),
      operator: await Visitor.enter(service, 'operator-of-three@example.com', 'owner'),
    }
    const keys = new Map<Visitor, string>()
    for (const visitor of Object.values(people))
      keys.set(visitor, (await apiKeys.create({ accountId: await visitor.accountId(), name: 'own' })).key)
    const upload = async (visitor: Visitor, [name, color]: readonly [string, Color], query = '') =>
      visitor.send(`/dashboard/api/templates${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/zip' },
        body: new Uint8Array(zipSync(await bundleOf('one-id', name, color))),
      })
    const [red, green, blue] = [
      ['Red', [220, 0, 0]],
      ['Green', [0, 180, 0]],
      ['Blue', [0, 0, 200]],
    ] as const
    /** The colour of the scene that the interface renders for a visitor, or the status. */
    const sceneOf = async (visitor: Visitor): Promise<unknown> => {
      const form = new FormData()
      for (const [field, value] of Object.entries({ template_id: 'one-id', width: '100', format: 'png' }))
        form.set(field, value)
      form.set('artwork', new Blob([new Uint8Array(await plainPicture(20, 20, [9, 9, 9]))]), 'a.png')
      const answer = await service.generate(keys.get(visitor) ?? '', form)
      if (answer.status !== 200) return answer.status
      return [...(await codec.decodeLayer(answer.bytes, 'rgb')).data.subarray(0, 3)]
    }
    const seenBy = async (visitor: Visitor) => {
      const { templates } = templateList.parse(
        (await service.send({ path: '/templates?limit=100', key: keys.get(visitor) ?? '' })).json,
      )
      const listed = templates.filter(({ id }) => id === 'one-id').map(({ name }) => name)
      const page = await visitor.send('/dashboard/api/templates/one-id')
      const { name, owner } = shownTemplate.parse(page.ok ? await page.json() : { name: null, owner: null })
      return { scene: await sceneOf(visitor), listed, name, owner }
    }
    assert.equal((await upload(people.first, red)).status, 200)
    const told = await upload(people.second, green)
    assert.deepEqual([told.status, await told.json()], [200, { id: 'one-id' }], 'as if it did not exist')
    assert.deepEqual(await seenBy(people.first), { scene: red[1], listed: ['Red'], name: 'Red', owner: 'own' })
    assert.deepEqual(await seenBy(people.second), { scene: green[1], listed: ['Green'], name: 'Green', owner: 'own' })
    assert.deepEqual(await seenBy(people.third), { scene: 404, listed: [], name: null, owner: null })

    assert.equal((await upload(people.operator, blue, '?shared=true')).status, 200)
    const shared = { scene: blue[1], listed: ['Blue'], name: 'Blue', owner: 'shared' }
    assert.deepEqual([await seenBy(people.third), await seenBy(people.operator)], [shared, shared])
    assert.equal((await seenBy(people.first)).name, 'Red')
    assert.deepEqual(await sceneOf(people.first), red[1], 'a template that a customer uses is not changed')
    assert.equal((await upload(people.third, green)).status, 409, 'a shared one is known to everyone')
    assert.equal((await upload(people.first, green)).status, 200, 'one’s own can be replaced as before')
    assert.deepEqual(await sceneOf(people.first), green[1])
    assert.equal((await people.first.send('/dashboard/api/templates/one-id/remove', { json: {} })).status, 200)
    assert.deepEqual(await seenBy(people.first), shared)
    assert.equal((await people.first.send('/dashboard/api/templates/one-id/remove', { json: {} })).status, 403)
    assert.equal((await people.operator.send('/dashboard/api/templates/one-id/remove', { json: {} })).status, 200)
    assert.equal((await seenBy(people.third)).scene, 404)
    assert.deepEqual((await seenBy(people.second)).scene, green[1])
    const usage = usageOf.parse(
      (await service.send({ path: '/billing/usage?period=7d', key: keys.get(people.second) ?? '' })).json,
    )
    assert.deepEqual(usage.top_templates, [{ template_id: 'one-id', count: 2 }])
  })

  if (!isWhole) return

  it('only operators may download a shared template’s bundle, unless it says otherwise; everyone gets previews', async () => {
    const service = use()
    const customer = await Visitor.enter(service, 'takes@example.com')
    const operator = await Visitor.enter(service, 'gives@example.com', 'owner')
    const wide = await plainPicture(1200, 600, [70, 80, 90])
    for (const share_bundle of [false, true]) {
      const id = `whole-${share_bundle}`
      const body = zipSync(await bundleOf(id, 'Wide', [70, 80, 90], { scene: wide, changes: { share_bundle } }))
      const imported = await operator.send('/dashboard/api/templates?shared=true', {
        method: 'POST',
        headers: { 'content-type': 'application/zip' },
        body: new Uint8Array(body),
      })
      assert.equal(imported.status, 200)
      for (const [visitor, isOperator] of [
        [customer, false],
        [operator, true],
      ] as const) {
        const may = isOperator || share_bundle
        const record = await service.running.services.templates.get(id)
        const shown = shownTemplate.parse(await (await visitor.send(`/dashboard/api/templates/${id}`)).json())
        const folder = `/dashboard/api/templates/${id}`
        assert.equal(shown.downloadable, may)
        assert.equal(shown.preview_path, `${folder}/${may ? 'files' : 'preview'}/${record?.revision}`)
        const whole = [`${folder}/bundle.zip`, `${folder}/files/${record?.revision}/scene.png`]
        for (const path of whole) {
          const answer = await visitor.send(path)
          assert.equal(answer.status, may ? 200 : 403, path)
          if (!may) assert.match(await answer.text(), /not for download.*NOT_ALLOWED/s)
        }
        const description = await (await visitor.send(`${shown.preview_path}/template.json`)).text()
        const { scene } = shownScene.parse(JSON.parse(description))
        const picture = await visitor.send(`${shown.preview_path}/${scene}`)
        assert.match(picture.headers.get('content-type') ?? '', /^image\/(png|webp)$/)
        assert.equal(picture.headers.get('cache-control'), 'private, max-age=86400, immutable')
        const { widthPx } = inspectArtwork(new Uint8Array(await picture.arrayBuffer()))
        assert.equal(widthPx, may ? 1200 : 1000)
      }
      const record = await service.running.services.templates.get(id)
      for (const name of ['none.png', '../template.json', '%2e%2e/template.json', 'scene.png', '', '.draft', 'a/b.png'])
        for (const revision of [record?.revision, '1']) {
          const answer = await customer.send(`/dashboard/api/templates/${id}/preview/${revision}/${name}`)
          assert.equal(answer.status, 404, `${revision} ${name}`)
        }
    }
    const { dashboardCalls, templates } = service.running.services
    const accountId = await customer.accountId()
    for (let count = 0; count < dashboardCallLimits.previews.limit; count += 1)
      await dashboardCalls.count(accountId, 'previews')
    const body = zipSync(await bundleOf('unseen', 'Unseen', [70, 80, 90]))
    await operator.send('/dashboard/api/templates?shared=true', {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: new Uint8Array(body),
    })
    const descriptionOf = async (visitor: Visitor, id: string) => {
      const { revision } = (await templates.get(id)) ?? assert.fail(`no template ${id}`)
      return visitor.send(`/dashboard/api/templates/${id}/preview/${revision}/template.json`)
    }
    const refused = await descriptionOf(customer, 'unseen')
    assert.equal(refused.status, 429)
    assert.match(await refused.text(), /TOO_MANY_CALLS/)
    assert.equal((await descriptionOf(customer, 'whole-false')).status, 200, 'a cached preview costs nothing')
    const other = await Visitor.enter(service, 'takes-too@example.com')
    assert.equal((await descriptionOf(other, 'unseen')).status, 200)
    assert.equal((await descriptionOf(customer, 'unseen')).status, 200)
  })
})

type Color = readonly [number, number, number]

const codec = createSharpCodec()
const templateList = z.looseObject({ templates: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
const shownTemplate = z.looseObject({
  name: z.string().nullable(),
  owner: z.string().nullable(),
  downloadable: z.boolean().optional(),
  preview_path: z.string().optional(),
})
const shownScene = z.looseObject({ scene: z.string() })
const usageOf = z.looseObject({ top_templates: z.array(z.unknown()) })

/** A bundle with one frame in the middle of a scene of one colour. */
async function bundleOf(
  id: string,
  name: string,
  color: Color,
  { scene, changes = {} }: { scene?: Uint8Array; changes?: Record<string, unknown> } = {},
): Promise<Record<string, Uint8Array>> {
  const corners = [
    [40, 40],
    [60, 40],
    [60, 60],
    [40, 60],
  ]
  const template = {
    format: 1,
    id,
    name,
    category: 'Tests',
    type: 'print',
    render_mode: 'corners',
    scene: 'scene.png',
    frames: [{ aspect_ratio: 1, corners }],
    ...changes,
  }
  return {
    'template.json': Buffer.from(JSON.stringify(template)),
    'scene.png': scene ?? (await plainPicture(100, 100, color)),
  }
}
