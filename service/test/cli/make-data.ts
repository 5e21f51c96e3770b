import path from 'node:path'
import { goodBundle, goodDescription, jsonBytes, writeBundle } from '../../../engine/test/bundles/make-bundle.ts'
import { Accounts } from '../../src/accounts/accounts.ts'
import { ApiKeys } from '../../src/api-keys/api-keys.ts'
import { openDatabase } from '../../src/database/database.ts'
import { FirstRun } from '../../src/first-run/first-run.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { openObjectStorage } from '../../src/storage/open-object-storage.ts'
import { openTemplateStore } from '../../src/templates/open-template-store.ts'
import { workHere } from '../templates/inspect-once.ts'

/** The id of the only template in it, a small one, for tests that do not need the starter pack. */
export const SMALL_TEMPLATE_ID = 'small'

/**
 * A data folder as after the first start, with one small template and an account of 1,000 credits; its
 * database is in it, or the given one. Resolves with its key.
 */
export async function makeData(
  folder: string,
  databaseUrl?: string,
): Promise<{ readonly dataDir: string; readonly key: string }> {
  const dataDir = path.join(folder, 'data')
  const bundle = path.join(folder, 'small-bundle')
  const files = await goodBundle()
  files['template.json'] = jsonBytes({ ...goodDescription(), id: SMALL_TEMPLATE_ID, name: 'Small' })
  await writeBundle(bundle, files)
  const settings = loadSettings({ DATA_DIR: dataDir })
  const database = await openDatabase({ dataDir, databaseUrl })
  await database.migrate()
  const templates = openTemplateStore(settings, database, openObjectStorage(settings), { work: workHere })
  await new FirstRun(database, 'ins_test').importTemplates(templates, [bundle], folder, () => undefined)
  const { accountId } = await new Accounts(database).create({ email: 'shop@example.com', credits: 1000 })
  const keys = new ApiKeys(database, { onError: error => console.error(error) })
  const { key } = await keys.create({ accountId, name: 'Test' })
  await keys.close()
  await database.close()
  return { dataDir, key }
}
