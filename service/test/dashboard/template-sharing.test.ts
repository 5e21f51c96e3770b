import assert from 'node:assert/strict'
import { it } from 'node:test'
import { unzipSync, zipSync } from 'fflate'
import { describeContract } from '../http/test-service.ts'
import { Visitor } from './visitor.ts'

describeContract('Sharing a template', use => {
  it('shares an operator’s template with everyone and back, for operators only, and is in the audit log', async () => {
    const service = use()
    const operator = await Visitor.enter(service, 'operator@example.com', 'owner')
    const customer = await Visitor.enter(service, 'customer@example.com')
    const at = (id: string) => `/dashboard/api/templates/${id}`
    const share = (by: Visitor, id: string, shared: boolean) => by.send(`${at(id)}/share`, { json: { shared } })
    const statusOf = async (by: Visitor, id: string) => (await by.send(at(id))).status
    const zip = await operator.send(`${at('one-frame')}/bundle.zip`)
    const files = unzipSync(new Uint8Array(await zip.arrayBuffer()))
    const text = Buffer.from(files['template.json'] ?? []).toString()
    const save = async (by: Visitor, id: string, shared = false) => {
      const own = { ...files, 'template.json': Buffer.from(text.replaceAll('one-frame', id)) }
      const headers = { 'content-type': 'application/zip' }
      const path = `/dashboard/api/templates?shared=${shared}`
      const answer = await by.send(path, { method: 'POST', headers, body: new Uint8Array(zipSync(own)) })
      assert.equal(answer.status, 200, await answer.text())
    }
    await save(operator, 'shop-mug')
    await save(customer, 'own-mug')
    assert.equal(await statusOf(customer, 'shop-mug'), 404)
    for (const [by, id, expected] of [
      [customer, 'own-mug', 403],
      [customer, 'one-frame', 403],
      [customer, 'shop-mug', 404],
      [operator, 'own-mug', 404],
    ] as const)
      assert.equal((await share(by, id, true)).status, expected, id)

    assert.equal((await share(operator, 'shop-mug', true)).status, 200)
    assert.equal((await share(operator, 'shop-mug', true)).status, 200, 'as it is')
    assert.equal(await statusOf(customer, 'shop-mug'), 200)
    assert.equal((await share(operator, 'shop-mug', false)).status, 200)
    assert.equal(await statusOf(customer, 'shop-mug'), 404)
    assert.equal(await statusOf(operator, 'shop-mug'), 200)

    const { audit } = service.running.services
    const accountId = await operator.accountId()
    for (const action of ['template_shared', 'template_unshared'] as const) {
      const list = () => audit.list({ accountId, action, page: 1, limit: 10 })
      let { events } = await list()
      while (events.length === 0) events = (await list()).events
      assert.deepEqual(
        events.map(({ target }) => target),
        ['shop-mug'],
        action,
      )
    }
  })
})
