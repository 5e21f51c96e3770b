/**
 * Writes what is generated from the sources: every file that references.ts names.
 * A test compares them with what this program would write.
 *
 *   node scripts/generate-reference.ts
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { references } from './references.ts'

const root = path.resolve(import.meta.dirname, '..')
for (const [file, build] of Object.entries(references)) {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true })
  await writeFile(path.join(root, file), build())
  console.log(`wrote ${file}`)
}
