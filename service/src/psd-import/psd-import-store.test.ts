import assert from 'node:assert/strict'
import path from 'node:path'
import { it } from 'node:test'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { DiskStorage } from '../storage/disk-storage.ts'
import { PsdImportStore } from './psd-import-store.ts'

const bytes = Buffer.alloc(1000, 7)

async function* sound(): AsyncGenerator<Uint8Array> {
  yield bytes
}

describeOnBothDatabases('A part of a Photoshop file', use => {
  it('is stored although an earlier upload of it breaks off at the same moment', async () => {
    const { database, location } = use()
    const store = new PsdImportStore(database, new DiskStorage(path.join(location.dataDir, 'objects')), Date.now)
    const { accountId } = await new Accounts(database).create({ email: 'shop@example.com' })
    const id = await store.create(accountId, { fileName: 'poster.psd', sizeBytes: bytes.length })
    const record = (await store.find(accountId, id)) ?? assert.fail('the import exists')
    for (let round = 0; round < 20; round++) {
      const arriving = Promise.withResolvers<null>()
      const leaving = Promise.withResolvers<null>()
      const broken = store.putPart(
        record,
        0,
        (async function* () {
          yield bytes.subarray(0, 10)
          arriving.resolve(null)
          await leaving.promise
          throw new Error('The client left')
        })(),
      )
      const left = assert.rejects(broken, /The client left/)
      await arriving.promise
      const stored = store.putPart(record, 0, sound())
      leaving.resolve(null)
      await left
      assert.equal(await stored, true)
      await database.queries.deleteFrom('psd_import_parts').execute()
    }
  })
})
