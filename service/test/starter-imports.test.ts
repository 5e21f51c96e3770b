/** What ships of the starter pack's imports is what imports make, and a first start does no more than take it over. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { openDatabase } from '../src/database/database.ts'
import { newId } from '../src/database/new-id.ts'
import { FirstRun } from '../src/first-run/first-run.ts'
import { listStarterPack, starterImportsFolder } from '../src/first-run/starter-pack.ts'
import { loadSettings } from '../src/settings/load-settings.ts'
import { openObjectStorage } from '../src/storage/open-object-storage.ts'
import { openTemplateStore, sampleArtworkFile } from '../src/templates/open-template-store.ts'
import { writeStoredImport } from '../src/templates/stored-import.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-starter-imports-'))
after(() => rm(folder, { recursive: true, force: true }))

test('every template that ships has an import that ships, and nothing else has', async () => {
  assert.deepEqual(
    (await readdir(starterImportsFolder)).sort(),
    listStarterPack().map(bundle => path.basename(bundle)),
  )
})

for (const bundle of listStarterPack())
  test(`what ships of the import of ${path.basename(bundle)} is what an import makes (node scripts/import-starter-pack.ts writes it)`, async () => {
    const made = path.join(folder, path.basename(bundle))
    const shipped = path.join(starterImportsFolder, path.basename(bundle))
    await mkdir(made)
    await writeStoredImport(bundle, made, sampleArtworkFile)
    const names = (await readdir(made)).sort()
    assert.deepEqual((await readdir(shipped)).sort(), names)
    for (const name of names)
      assert.ok((await readFile(path.join(made, name))).equals(await readFile(path.join(shipped, name))), name)
  })
