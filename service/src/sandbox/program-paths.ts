import { existsSync } from 'node:fs'
import path from 'node:path'

const packages = path.resolve(import.meta.dirname, '../../..')

/**
 * What a sandboxed process must be able to read to run a program of ours: the engine, the installed packages,
 * and the program's own folders. Not the whole repository, because the data folder is often in it.
 */
export function programPaths(...programFolders: readonly string[]): readonly string[] {
  // Of a release: the code that its programs share.
  const shared = ['package.json', 'node_modules', 'engine', 'compiled', 'service/package.json', 'service/node_modules']
  return [...shared, 'service/src/errors', 'service/src/sandbox', ...programFolders]
    .map(name => path.join(packages, name))
    .filter(name => existsSync(name))
}
