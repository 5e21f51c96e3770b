import { existsSync } from 'node:fs'
import path from 'node:path'

const packages = path.resolve(import.meta.dirname, '../../..')

/**
 * The paths that a sandboxed process must be able to read to run one of our programs: the engine, the
 * installed packages, and the program's own folders. Not the whole repository, which often contains the data
 * folder.
 */
export function programPaths(...programFolders: readonly string[]): readonly string[] {
  // In a release: the code shared by its programs.
  const shared = ['package.json', 'node_modules', 'engine', 'compiled', 'service/package.json', 'service/node_modules']
  return [...shared, 'service/src/errors', 'service/src/sandbox', ...programFolders]
    .map(name => path.join(packages, name))
    .filter(name => existsSync(name))
}
