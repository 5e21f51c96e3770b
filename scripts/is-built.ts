/** Whether the pages and packages that `npm ci` builds are those of the present sources. */
import { globSync, statSync } from 'node:fs'
import path from 'node:path'

/** What `npm run prepare` builds. */
export const builtFiles = ['dashboard/dist/index.html', 'embed/dist/vitrine-mockup.js', 'client/dist/vitrine.js']

/** Whether all of it was built after the last change of a source of these packages, or of a dependency. */
export function isBuilt(root: string, packages: readonly string[]): boolean {
  const changedMs = (file: string): number => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  // Of folders too, as a file may have been removed; not of a package's own, which a first build changes.
  const sources = packages.flatMap(name =>
    globSync(`${name}/**`, { cwd: root, exclude: entry => /(^|\/)(node_modules|dist)$/.test(entry) }).filter(
      entry => entry !== name,
    ),
  )
  return Math.min(...builtFiles.map(changedMs)) > Math.max(...[...sources, 'package-lock.json'].map(changedMs))
}
