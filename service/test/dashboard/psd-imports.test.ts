import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { it, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { importedTemplateSchema, limits, type PsdImport, psdImportSchema, psdMapSchema } from '@vitrine/contract'
import sharp from 'sharp'
import { z } from 'zod'
import { displacedPsd, evenMapPsd } from '../../../psd/test/displaced-file.ts'
import { CONTENT_ID, paint, pixelLayer, smartLayer, writePsd } from '../../../psd/test/make-psd.ts'
import { mockupPsd } from '../../../psd/test/mockup-file.ts'
import { startService } from '../../src/main.ts'
import { createLogger } from '../../src/observability/logger.ts'
import {
  PSD_IMPORT_UNUSED_MS,
  PSD_IMPORTS_BYTES,
  PSD_SILENT_MS,
  PSD_UPLOAD_BEGIN_MS,
} from '../../src/psd-import/limits.ts'
import { PsdImportStore } from '../../src/psd-import/psd-import-store.ts'
import { describeContract, TestService } from '../http/test-service.ts'
import { writeBundle } from '../mockups/test-bundle.ts'
import { Visitor } from './visitor.ts'

const created = z.object({ id: z.string() })
const refusal = z.looseObject({ code: z.string(), error: z.string() })

const newImport = (visitor: Visitor, sizeBytes: number) =>
  visitor.send('/dashboard/api/imports', { json: { file_name: 'poster.psd', size_bytes: sizeBytes } })

const sendPart = (visitor: Visitor, id: string, part: number, bytes: Uint8Array) =>
  visitor.send(`/dashboard/api/imports/${id}/parts/${part}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })

/** Uploads a whole file. Returns the import's id. */
async function upload(visitor: Visitor, file: Uint8Array): Promise<string> {
  const { id } = created.parse(await (await newImport(visitor, file.byteLength)).json())
  for (let part = 0; part * limits.psdPartBytes < file.byteLength; part++) {
    const bytes = file.subarray(part * limits.psdPartBytes, (part + 1) * limits.psdPartBytes)
    assert.equal((await sendPart(visitor, id, part, bytes)).status, 200)
  }
  return id
}

/** Converts, and waits for the end. */
async function convert(visitor: Visitor, id: string, frames: readonly string[] = []): Promise<PsdImport> {
  const begun = await visitor.send(`/dashboard/api/imports/${id}/run`, { json: { frames } })
  assert.equal(begun.status, 200, await begun.text())
  for (;;) {
    const now = await visitor.read(psdImportSchema, `/dashboard/api/imports/${id}`)
    if (!['waiting', 'reading', 'drawing', 'checking'].includes(now.state)) return now
    await setTimeout(50)
  }
}

async function codeOf(answer: Response): Promise<readonly [number, string]> {
  return [answer.status, refusal.parse(await answer.json()).code]
}

/** A service whose clock is ahead by this much, with the same database and objects. */
function later({ running }: TestService, ms: number): PsdImportStore {
  const { database, storage, clock } = running.services
  return new PsdImportStore(database, storage, () => clock() + ms)
}

/** Seven smart objects of as many files, with meaningless names; above 4 MiB, so several parts. */
function unnamedPsd(): Uint8Array {
  const ground = paint(1200, 900, [120, 130, 140])
  // Hidden, so that it takes space but no time to draw and to encode.
  const noise = paint(1200, 900, (x, y) => [
    (x * 7919 + y * 104729) % 251,
    (x * 31 + y * x) % 253,
    (x ^ y) % 256,
    (x * y) % 255,
  ])
  const hidden = pixelLayer('noise', 0, 0, noise, { hidden: true })
  const objects = Array.from({ length: 7 }, (_, i) => {
    const corners = [i * 20, 0, i * 20 + 16, 0, i * 20 + 16, 12, i * 20, 12] as const
    const layer = smartLayer(`thing ${i}`, corners, { width: 48, height: 36 })
    if (layer.placedLayer) Object.assign(layer.placedLayer, { id: CONTENT_ID.replace('2095', `309${i}`) })
    return layer
  })
  return writePsd(1200, 900, [hidden, pixelLayer('ground', 0, 0, ground), ...objects], { merged: ground })
}

describeContract('Imports of Photoshop files', (use, isWhole) => {
  it('are limited per account, and those unused for an hour are removed completely', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'hoards@example.com')
    for (let i = 0; i < limits.psdImportsMax; i++) await upload(visitor, mockupPsd())
    assert.deepEqual(await codeOf(await newImport(visitor, 1000)), [409, 'TOO_MANY_PSD_IMPORTS'])
    await later(service, PSD_IMPORT_UNUSED_MS - 60_000).sweep()
    assert.equal((await service.running.services.psdImportStore.list(await visitor.accountId())).length, 3)
    await later(service, PSD_IMPORT_UNUSED_MS + 1000).sweep()
    assert.deepEqual(await service.running.services.psdImportStore.list(await visitor.accountId()), [])
    assert.deepEqual(await service.running.services.storage.list('psd-imports/'), [])
    assert.equal((await newImport(visitor, 1000)).status, 200)
  })

  it('take the space that was sent, not announced, and minutes without a part', async () => {
    const service = use()
    const { psdImportStore, database } = service.running.services
    const idOf = async (answer: Response) => created.parse(await answer.json()).id
    const announced = Math.floor(PSD_IMPORTS_BYTES / limits.psdSizeBytesMax / limits.psdImportsMax) + 1
    for (let account = 0; account < announced; account++) {
      const visitor = await Visitor.enter(service, `announces-${account}@example.com`)
      for (let count = 0; count < limits.psdImportsMax; count++)
        assert.equal((await newImport(visitor, limits.psdSizeBytesMax)).status, 200)
    }
    const visitor = await Visitor.enter(service, 'sends@example.com')
    const id = await idOf(await newImport(visitor, 2 * limits.psdPartBytes))
    const part = Buffer.alloc(limits.psdPartBytes)
    part.write('8BPS')
    assert.equal((await sendPart(visitor, id, 0, part)).status, 200)
    assert.equal((await sendPart(visitor, id, 0, part)).status, 200, 'again')
    const rows = await database.queries.selectFrom('psd_import_parts').selectAll().where('import_id', '=', id).execute()
    assert.deepEqual(rows, [{ import_id: id, part: 0, size_bytes: limits.psdPartBytes, is_stored: 1 }])

    const taken = { import_id: id, part: 100, size_bytes: 2 ** 31 - 1, is_stored: 1 }
    const all = Array.from({ length: 4 }, (_, index) => ({ ...taken, part: 100 + index }))
    const rest = PSD_IMPORTS_BYTES - 4 * taken.size_bytes - limits.psdPartBytes
    await database.queries
      .insertInto('psd_import_parts')
      .values([...all, { ...taken, part: 104, size_bytes: rest }])
      .execute()
    assert.deepEqual(await codeOf(await sendPart(visitor, id, 1, part)), [503, 'BUSY'])
    assert.deepEqual(await codeOf(await newImport(visitor, 1000)), [503, 'BUSY'])
    assert.equal((await sendPart(visitor, id, 0, part)).status, 200, 'one that is there is replaced')
    const last = { import_id: id, part: 104 }
    const setBytes = (size_bytes: number) =>
      database.queries
        .updateTable('psd_import_parts')
        .set({ size_bytes })
        .where('import_id', '=', last.import_id)
        .where('part', '=', last.part)
        .execute()
    await setBytes(rest - limits.psdPartBytes)
    assert.equal((await sendPart(visitor, id, 1, part)).status, 200, 'the last part that fits')

    await later(service, PSD_UPLOAD_BEGIN_MS - 60_000).sweep()
    const accountOf = async (account: number) =>
      (await Visitor.enter(service, `announces-${account}@example.com`)).accountId()
    assert.equal((await psdImportStore.list(await accountOf(0))).length, limits.psdImportsMax)
    await later(service, PSD_UPLOAD_BEGIN_MS + 1000).sweep()
    assert.deepEqual(await psdImportStore.list(await accountOf(0)), [])
    assert.equal((await psdImportStore.list(await visitor.accountId())).length, 1)
    await psdImportStore.remove({ id })
    assert.deepEqual(await database.queries.selectFrom('psd_import_parts').selectAll().execute(), [])
  })

  it('that are removed while a part arrives are gone, including the part', async () => {
    const service = use()
    const { psdImportStore, storage } = service.running.services
    const visitor = await Visitor.enter(service, 'removes@example.com')
    const { id } = created.parse(await (await newImport(visitor, 1000)).json())
    const record = await psdImportStore.find(await visitor.accountId(), id)
    assert.ok(record)
    const content = (async function* () {
      yield Buffer.alloc(500)
      await psdImportStore.remove({ id })
      yield Buffer.alloc(500)
    })()
    assert.equal(await psdImportStore.putPart(record, 0, content), false)
    assert.deepEqual(await storage.list(`psd-imports/${id}/`), [])
    assert.equal(await psdImportStore.putPart(record, 0, content), false)
  })

  it('whose node died are reported as failed, and can be converted by another one', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'survives@example.com')
    const id = await upload(visitor, mockupPsd())
    const { psdImportStore } = service.running.services
    const accountId = await visitor.accountId()
    const before = await psdImportStore.find(accountId, id)
    assert.ok(before)
    assert.equal(await psdImportStore.begin(before, []), 1, 'a node that ends right after this')
    const busy = await visitor.send(`/dashboard/api/imports/${id}/run`, { json: { frames: [] } })
    assert.deepEqual(await codeOf(busy), [409, 'PSD_IMPORT_STATE'])
    const other = later(service, PSD_SILENT_MS + 1000)
    const dead = await other.find(accountId, id)
    assert.ok(dead)
    assert.equal(dead.state, 'failed')
    assert.match(dead.message ?? '', /interrupted by a restart of the service: start it again/)
    assert.equal(await other.begin(dead, []), 2)
    assert.equal(await psdImportStore.note(id, 1, { state: 'ready' }), false, 'the first one comes too late')
  })

  if (!isWhole) return

  it('are received in parts of a stated size, and begin when all have arrived', async () => {
    const visitor = await Visitor.enter(use(), 'parts@example.com')
    assert.deepEqual(await codeOf(await newImport(visitor, limits.psdSizeBytesMax + 1)), [413, 'PSD_TOO_LARGE'])
    const file = unnamedPsd()
    assert.ok(file.byteLength > limits.psdPartBytes)
    const { id } = created.parse(await (await newImport(visitor, file.byteLength)).json())
    const first = file.subarray(0, limits.psdPartBytes)
    const second = file.subarray(limits.psdPartBytes)
    assert.deepEqual(await codeOf(await sendPart(visitor, id, 0, second)), [415, 'NOT_PHOTOSHOP'])
    assert.deepEqual(await codeOf(await sendPart(visitor, id, 0, first.subarray(1))), [415, 'NOT_PHOTOSHOP'])
    assert.deepEqual(await codeOf(await sendPart(visitor, id, 1, second.subarray(1))), [400, 'INVALID_FIELD'])
    assert.deepEqual(await codeOf(await sendPart(visitor, id, 2, second)), [404, 'NOT_FOUND'])
    assert.equal((await sendPart(visitor, id, 1, second)).status, 200)
    const early = await visitor.send(`/dashboard/api/imports/${id}/run`, { json: { frames: [] } })
    assert.deepEqual(await codeOf(early), [409, 'PSD_IMPORT_STATE'])
    const { missing } = z
      .object({ missing: z.array(z.int()) })
      .parse(await (await visitor.send(`/dashboard/api/imports/${id}/parts`)).json())
    assert.deepEqual(missing, [0])
    assert.equal((await sendPart(visitor, id, 0, first)).status, 200)

    const refused = await convert(visitor, id)
    assert.equal(refused.state, 'refused')
    assert.match(refused.message ?? '', /7 smart objects, and no name says which are for designs/)
    assert.deepEqual(refused.choices, ['thing 0', 'thing 1', 'thing 2', 'thing 3', 'thing 4', 'thing 5', 'thing 6'])
    assert.deepEqual(
      refused.places.map(({ name, outline }) => [name, outline[0]]),
      refused.choices.map((name, i) => [name, [Number(((i * 20) / 1200).toFixed(4)), 0]]),
    )
    const picture = `/dashboard/api/imports/${id}/runs/${refused.run}/photoshop`
    const shown = await sharp(await (await visitor.send(picture)).arrayBuffer()).metadata()
    assert.deepEqual([shown.width, shown.height], [1200, 900])
    const chosen = await convert(visitor, id, ['thing 2'])
    assert.deepEqual(chosen.places, [])
    assert.equal((await visitor.send(picture)).status, 404, 'gone with its run')
    assert.equal(chosen.state, 'ready', chosen.message ?? '')
    assert.deepEqual(
      chosen.report?.frames.map(({ name }) => name),
      ['thing 2'],
    )
  })

  it('become templates with free ids, after which nothing of them is left', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'makes@example.com')
    const { storage, templates } = service.running.services
    await using folder = await mkdtempDisposable(path.join(os.tmpdir(), 'vitrine-own-'))
    const own = await writeBundle(folder.path, 'one-frame-2')
    await templates.importBundle({ path: own, ownerAccountId: await visitor.accountId() })
    const id = await upload(visitor, mockupPsd())
    const { run, has_comparison } = await convert(visitor, id)
    assert.ok(has_comparison)
    const picture = await visitor.send(`/dashboard/api/imports/${id}/runs/${run}/ours`)
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp'])
    await picture.bytes()
    const details = { name: 'One frame', category: 'Tests', type: 'print' }
    const address = `/dashboard/api/imports/${id}/template`
    const shared = await visitor.send(address, { json: { ...details, shared: true } })
    assert.deepEqual(await codeOf(shared), [403, 'NOT_ALLOWED'], 'operators share templates')
    const made = await visitor.read(importedTemplateSchema, address, details)
    assert.equal(made.id, 'one-frame-3', 'a shared template has the id one-frame, and an own one the next')
    assert.deepEqual(await storage.list(`psd-imports/${id}/`), [])
  })

  it('are converted again with the displacement map that they name', async () => {
    const service = use()
    const visitor = await Visitor.enter(service, 'displaces@example.com')
    const id = await upload(visitor, displacedPsd({ horizontalScale: 50, verticalScale: 100 }))
    const flat = await convert(visitor, id, ['Your design here'])
    assert.deepEqual([flat.state, flat.missing_maps, flat.maps], ['ready', ['Folds.psd'], []])

    const announce = (sizeBytes: number, name = 'Folds.psd') =>
      visitor.send(`/dashboard/api/imports/${id}/maps`, { json: { name, size_bytes: sizeBytes } })
    const announced = async (sizeBytes: number, name?: string) =>
      psdMapSchema.parse(await (await announce(sizeBytes, name)).json()).first_part
    assert.deepEqual(await codeOf(await announce(limits.psdMapSizeBytesMax + 1)), [413, 'PSD_TOO_LARGE'])
    const part = await announced(evenMapPsd.byteLength)
    assert.deepEqual(await codeOf(await sendPart(visitor, id, part + 1, evenMapPsd)), [404, 'NOT_FOUND'])
    const strange = Buffer.alloc(evenMapPsd.byteLength, '%PDF')
    assert.deepEqual(await codeOf(await sendPart(visitor, id, part, strange)), [415, 'NOT_PHOTOSHOP'])
    const refused = await convert(visitor, id)
    assert.equal(refused.state, 'refused', 'a map that did not come is not there')
    assert.match(refused.message ?? '', /moves the design by the file "Folds\.psd".*Choose that map/)
    assert.deepEqual([refused.missing_maps, refused.maps], [['Folds.psd'], ['Folds.psd']])

    assert.equal((await sendPart(visitor, id, part, evenMapPsd)).status, 200)
    const unneeded = Buffer.from('8BPS, and nothing that can be read')
    assert.equal((await sendPart(visitor, id, await announced(unneeded.byteLength, '../a.psd'), unneeded)).status, 200)
    const moved = await convert(visitor, id)
    assert.deepEqual([moved.state, moved.message, moved.missing_maps], ['ready', null, []])
    assert.deepEqual(
      [flat, moved].map(({ report }) => report?.frames[0]?.kind),
      ['corners', 'uvmap'],
    )
    assert.deepEqual(await codeOf(await sendPart(visitor, id, 0, evenMapPsd)), [409, 'PSD_IMPORT_STATE'])

    assert.equal(await announced(unneeded.byteLength, 'folds.PSD'), part, 'replaces the other one')
    assert.equal((await sendPart(visitor, id, part, unneeded)).status, 200)
    const { database, storage } = service.running.services
    const rows = await database.queries.selectFrom('psd_import_parts').selectAll().where('import_id', '=', id).execute()
    assert.deepEqual(
      rows.filter(row => row.part > 0).map(row => row.size_bytes),
      [unneeded.byteLength, unneeded.byteLength],
    )
    const unread = await convert(visitor, id)
    assert.equal(unread.state, 'refused')
    assert.match(unread.message ?? '', /^The displacement map "folds\.PSD": /)
    await visitor.send(`/dashboard/api/imports/${id}/remove`, { json: {} })
    assert.deepEqual(await storage.list(`psd-imports/${id}/`), [])
  })

  it('become templates of every account if an operator shares them', async () => {
    const service = use()
    const operator = await Visitor.enter(service, 'shares@example.com', 'owner')
    const id = await upload(operator, mockupPsd())
    await convert(operator, id)
    const details = { name: 'Everybody’s frame', category: 'Tests', type: 'print', shared: true }
    const made = await operator.read(importedTemplateSchema, `/dashboard/api/imports/${id}/template`, details)
    const all = await service.running.services.templates.listAll()
    assert.deepEqual(
      all.filter(each => each.id === made.id).map(({ ownerAccountId }) => ownerAccountId),
      [null],
    )
  })
})

test('a stop that interrupts the conversion of a Photoshop file is reported to its owner and in the log', async () => {
  await using service = await TestService.start('sqlite')
  const visitor = await Visitor.enter(service, 'interrupted@example.com')
  const id = await upload(visitor, mockupPsd())
  const begun = await visitor.send(`/dashboard/api/imports/${id}/run`, { json: { frames: [] } })
  assert.equal(begun.status, 200, await begun.text())
  const accountId = await visitor.accountId()
  await service.running.close()
  assert.match(service.log.join(''), new RegExp(`"importId":"${id}","msg":"the stop interrupted the conversion`))
  const next = await startService(service.settings, { logger: createLogger('silent') })
  try {
    const record = await next.services.psdImportStore.find(accountId, id)
    assert.equal(record?.state, 'failed')
    assert.equal(record.message, 'The conversion was interrupted by a restart of the service: start it again.')
  } finally {
    await next.close()
  }
})
