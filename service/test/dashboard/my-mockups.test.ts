import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { it } from 'node:test'
import { storedMockupListSchema } from '@vitrine/contract'
import { z } from 'zod'
import { describeContract } from '../http/test-service.ts'
import { askInDashboard, renderInDashboard } from './render-in-dashboard.ts'
import { Visitor } from './visitor.ts'

const counted = z.object({ count: z.int() })

describeContract('My mockups', use => {
  it('has what the dashboard rendered, in every browser of the account and no other, until it is removed', async () => {
    const service = use()
    const shop = await Visitor.enter(service, 'shop@example.com')
    const accountId = await shop.accountId()
    const note = { name: 'Mein Bild – “1”.jpg', artwork: 'Mein Bild.png', run: randomUUID() }
    const key = await renderInDashboard(shop, 'one-frame', note)
    const again = await askInDashboard(shop, 'one-frame', { note, key })
    const picture = Buffer.from(await again.arrayBuffer())
    assert.equal(again.headers.get('x-credits-used'), '0')
    const other = await Visitor.enter(service, 'shop@example.com')
    const { mockups, total_bytes, days } = await other.read(storedMockupListSchema, '/dashboard/api/mockups')
    const [stored] = mockups
    assert.ok(stored)
    assert.deepEqual(
      [mockups.length, stored.name, stored.artwork, stored.run, stored.template_id, stored.key, days],
      [1, note.name, note.artwork, note.run, 'one-frame', key, 30],
    )
    assert.deepEqual([stored.size_bytes, total_bytes], [picture.byteLength, picture.byteLength])
    const at = `/dashboard/api/mockups/${stored.id}`
    const answer = await other.send(`${at}/picture`)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture)
    assert.equal(answer.headers.get('content-type'), 'image/jpeg')
    assert.equal((await other.send(`${at}/thumbnail`)).status, 404)
    const thumbnail = await other.send(
      `/dashboard/api/mockups/thumbnail?${new URLSearchParams({ key, name: note.name }).toString()}`,
      {
        method: 'POST',
        headers: { 'content-type': 'image/jpeg' },
        body: new Uint8Array(picture),
      },
    )
    assert.equal(thumbnail.status, 200)
    assert.deepEqual(Buffer.from(await (await shop.send(`${at}/thumbnail`)).arrayBuffer()), picture)

    const stranger = await Visitor.enter(service, 'stranger@example.com')
    for (const which of ['picture', 'thumbnail']) assert.equal((await stranger.send(`${at}/${which}`)).status, 404)
    assert.equal((await stranger.read(counted, '/dashboard/api/mockups/remove', { ids: [stored.id] })).count, 0)
    assert.equal((await stranger.read(storedMockupListSchema, '/dashboard/api/mockups')).mockups.length, 0)
    assert.equal((await shop.read(counted, '/dashboard/api/mockups/remove', { run: note.run })).count, 1)
    assert.equal((await shop.send(`${at}/picture`)).status, 404)
    const balance = await service.running.services.wallet.balance(accountId)
    assert.deepEqual([balance.consumedCredits, balance.spendableCredits], [1, 99], 'storing costs nothing')
  })

  it('stores no answer of the interface, and none for a page that does not name it', async () => {
    const service = use()
    const shop = await Visitor.enter(service, 'quiet@example.com')
    const accountId = await shop.accountId()
    const { key } = await service.running.services.apiKeys.create({ accountId, name: 'test' })
    const artwork_url = `${service.origin.url}/red.png`
    assert.equal((await service.generate(key, { template_id: 'one-frame', artwork_url, width: 20 })).status, 200)
    const refused = ['%', '{}', encodeURIComponent('{"name":"a","artwork":"b","run":"../c"}'), null]
    for (const note of refused) {
      const answer = await askInDashboard(shop, 'one-frame', { note, key: randomUUID() })
      assert.equal(answer.status, 200)
      await answer.arrayBuffer()
    }
    await renderInDashboard(shop, 'one-frame', { name: 'last', artwork: 'a', run: 'r' })
    const { mockups } = await shop.read(storedMockupListSchema, '/dashboard/api/mockups')
    assert.deepEqual(
      mockups.map(({ name }) => name),
      ['last'],
    )
  })

  it('returns the mockup, and charges it once, if it cannot be stored', async () => {
    const service = use()
    const shop = await Visitor.enter(service, 'unlucky@example.com')
    const accountId = await shop.accountId()
    // A file is in place of the account's folder, so every put fails.
    const folder = path.join(service.dataDir, 'objects/mockups')
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, accountId), '')
    const note = { name: 'a.jpg', artwork: 'a', run: 'r' }
    const answer = await askInDashboard(shop, 'one-frame', { note, key: randomUUID() })
    assert.equal(answer.status, 200)
    assert.ok((await answer.arrayBuffer()).byteLength > 0)
    const isLogged = () =>
      service.log.some(line => line.includes('was not stored for My mockups') && line.includes(accountId))
    while (!isLogged()) await new Promise(resolve => setTimeout(resolve, 20))
    await rm(path.join(folder, accountId))
    assert.deepEqual((await shop.read(storedMockupListSchema, '/dashboard/api/mockups')).mockups, [])
    const { consumedCredits, reservedCredits } = await service.running.services.wallet.balance(accountId)
    assert.deepEqual([consumedCredits, reservedCredits], [1, 0])
  })
})
