import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** The folder of the templates that ship. */
export const starterPackFolder = path.resolve(import.meta.dirname, '../../../templates')

/** What imports of these templates find out, by name: scripts/import-starter-pack.ts writes it. */
export const starterImportsFolder = path.resolve(import.meta.dirname, '../../assets/starter-imports')

/** The bundles that ship, by name. */
export function listStarterPack(): string[] {
  if (!existsSync(starterPackFolder)) return []
  return readdirSync(starterPackFolder)
    .sort()
    .map(name => path.join(starterPackFolder, name))
    .filter(folder => existsSync(path.join(folder, 'template.json')))
}
