/**
 * Imports the starter pack and saves the results, so that a first start decodes nothing. A test compares
 * them with a new import.
 *
 *   node scripts/import-starter-pack.ts
 */
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { listStarterPack, starterImportsFolder } from '../service/src/first-run/starter-pack.ts'
import { sampleArtworkFile } from '../service/src/templates/open-template-store.ts'
import { writeStoredImport } from '../service/src/templates/stored-import.ts'

await rm(starterImportsFolder, { recursive: true, force: true })
for (const bundle of listStarterPack()) {
  const folder = path.join(starterImportsFolder, path.basename(bundle))
  await mkdir(folder, { recursive: true })
  await writeStoredImport({ from: bundle, toFolder: folder, sampleArtwork: sampleArtworkFile })
  console.log(`wrote ${path.relative(process.cwd(), folder)}`)
}
