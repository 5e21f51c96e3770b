import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { it } from 'node:test'
import { unzipSync, zipSync } from 'fflate'
import { z } from 'zod'
import { describeContract } from '../http/test-service.ts'
import { Visitor } from './visitor.ts'

const created = z.object({ id: z.string() })

describeContract('Templates of an account', use => {
  it('a bundle comes out as it went in, file by file, and goes in again as a template of its own that others do not see', async () => {
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
      const file = await visitor.send(`/dashboard/api/templates/one-frame/files/${record.version}/${name}`)
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
    assert.equal((await upload('one-frame')).status, 409, "a shared template's id is not for the taking")
    assert.deepEqual(created.parse(await (await upload('my-own')).json()), { id: 'my-own' })
    const accountId = await visitor.accountId()
    assert.equal(await templates.countOwned(accountId), 1)
    const stranger = await Visitor.enter(service, 'stranger@example.com')
    for (const file of ['', '/bundle.zip', '/files/1/template.json'])
      assert.equal((await stranger.send(`/dashboard/api/templates/my-own${file}`)).status, 404, file)
    assert.equal((await stranger.send('/dashboard/api/templates/my-own/remove', { json: {} })).status, 404)

    assert.equal(
      (await visitor.send('/dashboard/api/account/delete', { json: { email: 'maker@example.com' } })).status,
      200,
    )
    assert.equal(await templates.countOwned(accountId), 0)
  })
})
