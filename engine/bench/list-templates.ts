import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** The folder of the starter pack. */
export const templatesDirectory = path.resolve(import.meta.dirname, '../../templates')

/** The folders of the starter pack's templates, by name. */
export async function listTemplates(): Promise<string[]> {
  const entries = await readdir(templatesDirectory, { withFileTypes: true })
  const folders = entries.filter(entry => entry.isDirectory() && entry.name !== 'artworks')
  return folders.map(entry => path.join(templatesDirectory, entry.name)).sort()
}
