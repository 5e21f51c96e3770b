import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** The folder of the templates that ship. */
export const starterPackFolder = path.resolve(import.meta.dirname, '../../../templates')

/** The bundles that ship, by name. */
export function listStarterPack(): string[] {
  if (!existsSync(starterPackFolder)) return []
  return readdirSync(starterPackFolder)
    .sort()
    .map(name => path.join(starterPackFolder, name))
    .filter(folder => existsSync(path.join(folder, 'template.json')))
}
