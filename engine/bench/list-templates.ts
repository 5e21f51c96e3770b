import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** Where the templates are that ship. */
export const templatesDirectory = path.resolve(import.meta.dirname, '../../templates')

/** The folders of all templates that ship, by name. */
export async function listTemplates(): Promise<string[]> {
  const entries = await readdir(templatesDirectory, { withFileTypes: true })
  const folders = entries.filter(entry => entry.isDirectory() && entry.name !== 'artworks')
  return folders.map(entry => path.join(templatesDirectory, entry.name)).sort()
}
