import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** The folder of the bundled templates. */
export const starterPackFolder = path.resolve(import.meta.dirname, '../../../templates')

/** The stored imports of these templates, by name, written by scripts/import-starter-pack.ts. */
export const starterImportsFolder = path.resolve(import.meta.dirname, '../../assets/starter-imports')

/** The bundled templates, by name. */
export function listStarterPack(): string[] {
  if (!existsSync(starterPackFolder)) return []
  return readdirSync(starterPackFolder)
    .sort()
    .map(name => path.join(starterPackFolder, name))
    .filter(folder => existsSync(path.join(folder, 'template.json')))
}
