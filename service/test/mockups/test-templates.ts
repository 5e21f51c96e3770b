import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sampleArtworkFile } from '../../src/templates/open-template-store.ts'
import { readStoredImport, type StoredImport, writeStoredImport } from '../../src/templates/stored-import.ts'
import { writeBundle } from './test-bundle.ts'

/** Names the folder of the test templates that the files of a run share. */
const SHARED_TEMPLATES = 'VITRINE_TEST_TEMPLATES'

/** The templates of each service under test, and their numbers of frames. */
const testTemplates = { 'one-frame': 1, 'two-frames': 2 }

/** The test templates, which are inspected once: by the first process of a run that asks for them. */
export async function readTestTemplates(): Promise<readonly StoredImport[]> {
  const folder = (process.env[SHARED_TEMPLATES] ??= await writeTestTemplates())
  return Promise.all(
    Object.keys(testTemplates).map(
      async id =>
        (await readStoredImport(path.join(folder, id), importOf(folder, id))) ?? Promise.reject(new Error(`no ${id}`)),
    ),
  )
}

async function writeTestTemplates(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-test-templates-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const [id, frameCount] of Object.entries(testTemplates)) {
    const bundle = await writeBundle(folder, id, frameCount)
    const toFolder = importOf(folder, id)
    await mkdir(toFolder, { recursive: true })
    await writeStoredImport({ from: bundle, toFolder, sampleArtwork: sampleArtworkFile })
  }
  return folder
}

const importOf = (folder: string, id: string): string => path.join(folder, 'imports', id)
