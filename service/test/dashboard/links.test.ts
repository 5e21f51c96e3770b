import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  auditListSchema,
  dashboardErrorBodySchema,
  givenAnswerListSchema,
  limits,
  type ProofResource,
  placementDefaults,
  proofAnswerIdSchema,
  proofListSchema,
  proofSchema,
  sharedProofSchema,
  unreadAnswersSchema,
} from '@vitrine/contract'
import { openPack, parseTemplate } from '@vitrine/engine'
import {
  ANSWERS_PER_PROOF,
  FILES_PER_PROOF,
  PROOF_ANSWERS_PER_HOUR,
  PROOF_RETAINED_MS,
} from '../../src/proofs/limits.ts'
import { Proofs } from '../../src/proofs/proofs.ts'
import { describeContract, type TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'
import { Visitor } from './visitor.ts'

const placement = placementDefaults
const draft = {
  title: 'Poster for the fair',
  shop_name: 'Print & Co.',
  template_ids: ['one-frame', 'two-frames'],
  placements: { 'one-frame': { ...placement, scale: 1.4 } },
  colors: {},
}
const answer = { hearts: [], word: '', is_approved: false, placements: {}, colors: {}, seen: null, name: '' }
const colorsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`area ${index}`, '#aa0000']))
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describeContract(
  'A link to a proof',
  use => {
    const make = (shop: Visitor, change: Partial<typeof draft & { days: number }> = {}): Promise<ProofResource> =>
      shop.read(proofSchema, '/dashboard/api/proofs', { ...draft, ...change })
    /** A customer without a cookie. `network` is unique, so that each test is counted separately. */
    const customerOf = (service: TestService, { url }: Pick<ProofResource, 'url'>, network = '192.0.2.1') => {
      const path = new URL(url).pathname
      const origin = service.running.url
      const from = { 'x-forwarded-for': network }
      const post = (below: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
        fetch(`${origin}${path}${below}`, { method: 'POST', headers: { ...from, origin, 'content-type': type }, body })
      return {
        path,
        get: (below: string) => fetch(`${origin}${path}${below}`, { headers: from }),
        answer: (given: object) => post('/answers', 'application/json', JSON.stringify({ ...answer, ...given })),
        send: (id: string, bytes: Uint8Array, name = 'mine.png') =>
          post(
            `/answers/${id}/artwork?name=${encodeURIComponent(name)}`,
            'application/octet-stream',
            Buffer.from(bytes),
          ),
      }
    }
    const codeOf = async (response: Response) => dashboardErrorBodySchema.parse(await response.json()).code
    const listed = async (shop: Visitor, id: string) =>
      (await shop.read(proofListSchema, '/dashboard/api/proofs')).proofs.find(proof => proof.id === id) ??
      assert.fail('gone')
    const answersTo = async (shop: Visitor, id: string) =>
      (await shop.read(givenAnswerListSchema, `/dashboard/api/proofs/${id}/answers`)).answers
    const filesOf = (service: TestService, id: string) => service.running.services.storage.list(`proofs/${id}/`)
    const sendArtwork = (shop: Visitor, id: string, bytes: Uint8Array) =>
      shop.send(`/dashboard/api/proofs/${id}/artwork?name=poster.png`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.from(bytes),
      })

    it('shows only the shared scenes, small, under a policy without forms and cookies, and counts visits', async () => {
      const service = use()
      const shop = await Visitor.enter(service, 'shop@example.com')
      const made = await make(shop, { days: 3 })
      assert.equal(Date.parse(made.expires_at) - Date.parse(made.created_at), 3 * 24 * 3600 * 1000)
      const picture = await plainPicture(30, 20, [200, 10, 10])
      assert.equal((await sendArtwork(shop, made.id, picture)).status, 200)
      const customer = customerOf(service, made)
      const answered = await customer.get('/proof')
      assert.equal(answered.headers.get('x-robots-tag'), 'noindex, nofollow')
      assert.equal(answered.headers.get('cache-control'), 'no-store')
      assert.match(answered.headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'none'/)
      assert.equal(answered.headers.get('set-cookie'), null)
      const proof = sharedProofSchema.parse(await answered.json())
      assert.deepEqual(
        proof.scenes.map(({ id }) => id),
        draft.template_ids,
      )
      assert.equal(proof.placements['one-frame']?.scale, 1.4)
      assert.equal(proof.artwork?.sha256, sha256(picture))
      for (const { packs } of proof.scenes) {
        assert.deepEqual(
          packs.map(({ width_px }) => width_px),
          [480],
        )
        const pack = await fetch(`${service.running.url}${packs[0]?.path}`)
        const files = openPack(new Uint8Array(await pack.arrayBuffer()))
        parseTemplate(JSON.parse(Buffer.from(await files.read('template.json')).toString()))
      }
      const shown = await customer.get('/artwork')
      assert.equal(shown.headers.get('content-type'), 'application/octet-stream')
      assert.equal(shown.headers.get('content-disposition'), 'attachment')
      assert.deepEqual(Buffer.from(await shown.arrayBuffer()), picture)
      for (const below of ['/packs/2', '/packs/-1', '/packs/one-frame'])
        assert.ok([400, 404].includes((await customer.get(below)).status), below)
      assert.equal((await listed(shop, made.id)).visits, 1)
      assert.equal(
        (await sendArtwork(shop, made.id, picture)).status,
        409,
        'its artwork stays the one that was approved',
      )
    })

    it('receives hearts, a message and an approval with time, placement, colours and hash, and the file when it is sent', async () => {
      const service = use()
      const shop = await Visitor.enter(service, 'asks@example.com')
      const made = await make(shop)
      const customer = customerOf(service, made, '192.0.2.2')
      const picture = await plainPicture(40, 40, [1, 2, 3])
      const given = await customer.answer({
        hearts: ['two-frames'],
        word: 'Larger, please',
        is_approved: true,
        placements: { 'two-frames': { ...placement, scale: 2 } },
        colors: { 'two-frames': { shell: '#aa0000' } },
        seen: { name: 'mine.png', sha256: sha256(picture), is_own: true },
      })
      assert.equal(given.status, 200)
      const { id } = proofAnswerIdSchema.parse(await given.json())
      assert.deepEqual(await filesOf(service, made.id), [])
      assert.equal((await listed(shop, made.id)).answer_count, 1)
      const [first] = await answersTo(shop, made.id)
      assert.equal(first?.is_approved, true)
      assert.equal(first.artwork, null)
      assert.ok(Math.abs(Date.now() - Date.parse(first.at)) < 600_000)
      assert.equal(first.placements['two-frames']?.scale, 2)
      assert.deepEqual(first.colors, { 'two-frames': { shell: '#aa0000' } })

      const other = await plainPicture(40, 40, [9, 9, 9])
      assert.equal(await codeOf(await customer.send(id, other)), 'NOT_A_PICTURE', 'another file than was approved')
      assert.deepEqual(await filesOf(service, made.id), [])
      const twice = await Promise.all([customer.send(id, picture), customer.send(id, picture)])
      assert.ok(twice.some(({ status }) => status === 200))
      assert.ok(twice.every(({ status }) => [200, 404, 409].includes(status)))
      // What was stored of the other file is deleted after its answer.
      while ((await filesOf(service, made.id)).length > 1) await nextTurn()
      assert.equal((await filesOf(service, made.id)).length, 1)
      const [sent] = await answersTo(shop, made.id)
      assert.deepEqual(sent?.artwork, { name: 'mine.png', size_bytes: picture.byteLength, sha256: sha256(picture) })
      const bytes = await shop.send(`/dashboard/api/proofs/${made.id}/answers/${id}/artwork`)
      assert.deepEqual(Buffer.from(await bytes.arrayBuffer()), picture)

      const { events } = await shop.read(auditListSchema, '/dashboard/api/account/events')
      const noted = events.filter(({ action }) => action.startsWith('proof_')).map(({ action }) => action)
      assert.deepEqual(noted.toSorted(), ['proof_approved', 'proof_created'])
      const stranger = await Visitor.enter(service, 'not-the-shop@example.com')
      for (const path of [`answers/${id}/artwork`, 'artwork', 'answers'])
        assert.equal((await stranger.send(`/dashboard/api/proofs/${made.id}/${path}`)).status, 404)
      for (const action of ['revoke', 'remove'])
        assert.equal((await stranger.send(`/dashboard/api/proofs/${made.id}/${action}`, { json: {} })).status, 404)
      assert.deepEqual((await stranger.read(proofListSchema, '/dashboard/api/proofs')).proofs, [])
    })

    it('refuses files that are not pictures, too large, of other scenes, or not as announced, and stores nothing of them', async () => {
      const service = use()
      const shop = await Visitor.enter(service, 'strict@example.com')
      const made = await make(shop)
      const customer = customerOf(service, made, '192.0.2.3')
      for (const [given, field] of [
        [{ hearts: ['wide-frame'] }, 'hearts'],
        [{ placements: { 'wide-frame': placement } }, 'placements'],
        [{ colors: { 'wide-frame': {} } }, 'colors'],
        [{ seen: { name: 'a', sha256: 'a'.repeat(64), is_own: false } }, 'seen.sha256'],
        [{ placements: { 'one-frame': { ...placement, scale: 1e9 } } }, 'placements.one-frame.scale'],
        [{ word: 'x'.repeat(2001) }, 'word'],
        [{ colors: { 'one-frame': colorsOf(limits.proofColorsMax + 1) } }, 'colors'],
        [{ account_id: 'acc_other' }, ''],
      ] as const) {
        const refused = await customer.answer(given)
        const { code, error } = dashboardErrorBodySchema.parse(await refused.json())
        assert.deepEqual([refused.status, code], [400, 'INVALID_FIELD'], JSON.stringify(given))
        assert.ok(error?.startsWith(field) === true, error ?? 'no error')
      }
      const page = Buffer.from('<!doctype html><script>alert(1)</script>')
      const seen = { name: 'a.html', sha256: sha256(page), is_own: true }
      const { id } = proofAnswerIdSchema.parse(await (await customer.answer({ seen })).json())
      for (const bytes of [page, Buffer.from('GIF'), Buffer.alloc(0)])
        assert.equal(await codeOf(await customer.send(id, bytes)), 'NOT_A_PICTURE')
      const large = Buffer.alloc(limits.artworkSizeBytesMax + 1)
      large.write('\xff\xd8\xff', 'latin1')
      // The service may close the connection before everything is sent.
      const tooLarge = await customer.send(id, large).catch(() => null)
      assert.ok(tooLarge === null || tooLarge.status === 413)
      assert.deepEqual(await filesOf(service, made.id), [])
      const row = await service.running.services.database.queries
        .selectFrom('proofs')
        .select(['file_count', 'file_bytes'])
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
      assert.deepEqual([row.file_count, row.file_bytes], [0, 0])

      for (const [change, status] of [
        [{ template_ids: ['of-nobody'] }, 404],
        [{ template_ids: [] }, 400],
        [{ days: 91 }, 400],
        [{ days: 0 }, 400],
        [{ title: ' ' }, 400],
        [{ placements: { 'wide-frame': placement } }, 400],
      ] as const) {
        const refused = await shop.send('/dashboard/api/proofs', { json: { ...draft, ...change } })
        assert.equal(refused.status, status, JSON.stringify(change))
      }
      assert.equal((await sendArtwork(shop, made.id, page)).status, 400)
    })

    it('shows scenes as they were sent, each once, counted against the account’s quota, and nothing of the gallery', async () => {
      const service = use()
      const shop = await Visitor.enter(service, 'stills@example.com')
      const made = await make(shop)
      const jpeg = (sizeBytes: number) => {
        const bytes = Buffer.alloc(sizeBytes, 1)
        bytes.write('\xff\xd8\xff', 'latin1')
        return bytes
      }
      const sendStill = (by: Visitor, index: number | string, body: Buffer<ArrayBuffer>) =>
        by.send(`/dashboard/api/proofs/${made.id}/stills/${index}`, {
          method: 'POST',
          headers: { 'content-type': 'image/jpeg' },
          body,
        })
      const stills = [jpeg(limits.proofStillBytesMax), jpeg(999)]
      for (const [index, still] of stills.entries()) assert.equal((await sendStill(shop, index, still)).status, 200)
      assert.equal((await sendStill(shop, 0, jpeg(50))).status, 409, 'it stays the one that was sent')
      assert.equal((await sendStill(shop, 1, jpeg(limits.proofStillBytesMax + 1))).status, 413)
      for (const index of [2, -1, 'one-frame'])
        assert.ok([400, 404].includes((await sendStill(shop, index, jpeg(50))).status), String(index))
      const png = await plainPicture(20, 20, [7, 8, 9])
      const other = await make(shop)
      const refused = await shop.send(`/dashboard/api/proofs/${other.id}/stills/0`, {
        method: 'POST',
        headers: { 'content-type': 'image/jpeg' },
        body: Buffer.from(png),
      })
      assert.equal(await codeOf(refused), 'NOT_A_PICTURE')
      const stranger = await Visitor.enter(service, 'no-stills@example.com')
      assert.equal((await sendStill(stranger, 0, jpeg(50))).status, 404)
      assert.equal((await stranger.send(`/dashboard/api/proofs/${made.id}/stills/0`)).status, 404)

      const customer = customerOf(service, made, '192.0.2.7')
      const text = await (await customer.get('/proof')).text()
      assert.doesNotMatch(text, /thumbnail|data:image/)
      const { scenes } = sharedProofSchema.parse(JSON.parse(text))
      for (const [index, { still_path }] of scenes.entries()) {
        assert.equal(still_path, `${customer.path}/stills/${index}`)
        const got = await customer.get(`/stills/${index}`)
        assert.deepEqual(
          ['content-type', 'content-disposition', 'x-content-type-options'].map(name => got.headers.get(name)),
          ['image/jpeg', 'attachment', 'nosniff'],
        )
        assert.deepEqual(Buffer.from(await got.arrayBuffer()), stills[index])
      }
      assert.deepEqual(
        (await listed(shop, made.id)).scenes.map(({ still_path }) => still_path),
        [0, 1].map(index => `/dashboard/api/proofs/${made.id}/stills/${index}`),
      )
      const bytesOf = async (id: string) =>
        (
          await service.running.services.database.queries
            .selectFrom('proofs')
            .select('file_bytes')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).file_bytes
      assert.equal(await bytesOf(made.id), limits.proofStillBytesMax + 999)
      assert.equal(await bytesOf(other.id), 0)
      assert.equal((await shop.send(`/dashboard/api/proofs/${made.id}/remove`, { json: {} })).status, 200)
      assert.deepEqual(await filesOf(service, made.id), [])
      assert.equal((await customer.get('/stills/0')).status, 404)
    })

    it('shows who answered and when, also to the customer, and which answers the shop has not seen', async () => {
      const service = use()
      const shop = await Visitor.enter(service, 'unread@example.com')
      const made = await make(shop)
      const customer = customerOf(service, made, '192.0.2.8')
      const lastOf = async () => sharedProofSchema.parse(await (await customer.get('/proof')).json()).last_answer
      const unread = async () => (await shop.read(unreadAnswersSchema, '/dashboard/api/proofs/unread')).unread_count
      assert.equal(await lastOf(), null)
      assert.equal((await customer.answer({ name: undefined })).status, 200, 'a page of an earlier version')
      assert.equal((await customer.answer({ name: ' Anna Meyer ', is_approved: true })).status, 200)
      const [newest] = await answersTo(shop, made.id)
      assert.equal(newest?.name, 'Anna Meyer')
      assert.deepEqual(await lastOf(), { at: newest.at, is_approved: true, name: 'Anna Meyer' })
      assert.equal((await customer.answer({ name: 'x'.repeat(101) })).status, 400)
      assert.equal(await unread(), 2)
      assert.equal((await listed(shop, made.id)).unread_count, 2)
      const read = (by: Visitor, answer_count: number) =>
        by.send(`/dashboard/api/proofs/${made.id}/read`, { json: { answer_count } })
      const stranger = await Visitor.enter(service, 'reads-nothing@example.com')
      assert.equal((await read(stranger, 2)).status, 404)
      assert.equal((await read(shop, 1)).status, 200)
      assert.equal(await unread(), 1)
      // Neither more than exist, nor fewer than before.
      for (const count of [3, 1]) assert.equal((await read(shop, count)).status, 200)
      assert.equal(await unread(), 1)
      assert.equal((await read(shop, 2)).status, 200)
      assert.equal(await unread(), 0)
    })

    it('stops working when it is revoked, expired or removed, or its account is suspended; removing deletes its files', async () => {
      const service = use()
      const { services } = service.running
      const shop = await Visitor.enter(service, 'ends@example.com')
      const picture = await plainPicture(30, 30, [4, 5, 6])
      const [ended, removed, expired, kept] = [await make(shop), await make(shop), await make(shop), await make(shop)]
      assert.equal((await sendArtwork(shop, removed.id, picture)).status, 200)
      assert.equal((await filesOf(service, removed.id)).length, 1)
      assert.equal((await shop.send(`/dashboard/api/proofs/${ended.id}/revoke`, { json: {} })).status, 200)
      assert.equal((await shop.send(`/dashboard/api/proofs/${removed.id}/remove`, { json: {} })).status, 200)
      assert.deepEqual(await filesOf(service, removed.id), [])
      await services.database.queries
        .updateTable('proofs')
        .set({ expires_at_ms: 1 })
        .where('id', '=', expired.id)
        .execute()
      assert.equal((await listed(shop, ended.id)).state, 'revoked')
      assert.equal((await listed(shop, expired.id)).state, 'expired')
      for (const proof of [ended, removed, expired, { url: `${service.running.url}/w/${'A'.repeat(32)}` }]) {
        const customer = customerOf(service, proof, '192.0.2.4')
        for (const below of ['/proof', '/packs/0', '/artwork']) assert.equal((await customer.get(below)).status, 404)
        assert.equal((await customer.answer({})).status, 404)
      }
      assert.equal((await customerOf(service, kept, '192.0.2.4').get('/proof')).status, 200)
      await services.accounts.suspend(await shop.accountId())
      assert.equal((await customerOf(service, kept, '192.0.2.4').get('/proof')).status, 404)

      const later = () => Date.now() + PROOF_RETAINED_MS + 20 * 24 * 3600 * 1000
      await new Proofs({ ...services, clock: later }).prune()
      assert.equal(
        (await services.proofs.list((await services.accounts.findByEmail('ends@example.com'))?.accountId ?? '')).items
          .length,
        0,
      )
    })

    it('stores no file if its link was revoked, or its account suspended, during the upload', async () => {
      const service = use()
      const { proofs, accounts } = service.running.services
      const shop = await Visitor.enter(service, 'ends-early@example.com')
      const accountId = await shop.accountId()
      const picture = await plainPicture(20, 20, [7, 8, 9])
      const seen = { name: 'a.png', sha256: sha256(picture), is_own: true }
      for (const end of ['revoke', 'suspend'] as const) {
        const made = await make(shop)
        const proof = (await proofs.find(accountId, made.id)) ?? assert.fail('no proof')
        const { id } = await proofs.answer(proof, { ...answer, seen })
        const content = (async function* () {
          yield picture.subarray(0, 20)
          await (end === 'revoke' ? proofs.revoke(proof) : accounts.suspend(accountId))
          yield picture.subarray(20)
        })()
        const file = { name: 'a.png', sizeBytes: picture.byteLength, content }
        await assert.rejects(proofs.attach(proof, id, file), { name: 'ProofFullError' })
        while ((await filesOf(service, made.id)).length > 0) await nextTurn()
        const { items } = await proofs.answersOf(proof, null)
        assert.deepEqual(
          items.map(({ artwork }) => artwork),
          [null],
        )
      }
    })

    it('limits answers and files, and requests per network', async () => {
      const service = use()
      const { proofs, accounts } = service.running.services
      const shop = await Visitor.enter(service, 'full@example.com')
      const made = await make(shop)
      const account = await accounts.findByEmail('full@example.com')
      const proof = (await proofs.find(account?.accountId ?? '', made.id)) ?? assert.fail('no proof')
      const customer = customerOf(service, made, '192.0.2.5')
      for (let count = 0; count < PROOF_ANSWERS_PER_HOUR; count++) assert.equal((await customer.answer({})).status, 200)
      const refused = await customer.answer({})
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      const picture = await plainPicture(10, 10, [1, 1, 1])
      const seen = { name: 'a.png', sha256: sha256(picture), is_own: true }
      const file = () => ({
        name: 'a.png',
        sizeBytes: picture.byteLength,
        content: (async function* () {
          yield picture
        })(),
      })
      const ids: string[] = []
      for (let count = PROOF_ANSWERS_PER_HOUR; count < ANSWERS_PER_PROOF; count++)
        ids.push((await proofs.answer(proof, { ...answer, seen })).id)
      await assert.rejects(proofs.answer(proof, { ...answer, seen }), { name: 'ProofFullError' })
      for (const id of ids.slice(0, FILES_PER_PROOF)) assert.equal(await proofs.attach(proof, id, file()), true)
      await assert.rejects(proofs.attach(proof, ids[FILES_PER_PROOF] ?? '', file()), { name: 'ProofFullError' })
      assert.equal((await filesOf(service, made.id)).length, FILES_PER_PROOF)
    })
  },
  { environment: { TRUST_PROXY: '127.0.0.1' } },
)
