/** In what order and in which processes the files of the whole suite run. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Files of one process: enough that its start hardly counts, few enough that the last group ends soon. */
const groupSizes = { computing: 12, serving: 5, browsing: 4 }

/**
 * Packages whose tests compute, and the unit tests of the others; not those with servers or browsers, and not
 * two files that take so long that they start early.
 */
const computing =
  /^(contract|engine(?!\/test\/(fidelity\/fidelity|scene-reuse)\.)|photo|psd|live)\/|^(service|dashboard)\/src\//

/** Signs of a test that changes or measures its process. The size of a run is read alone. */
const needsOwnProcess =
  /\bprocess\.(?!env\['VITRINE_TEST_SIZE'\])\w|node:(process|child_process|cluster|module|worker_threads)|globalThis|\bmock\b|import\(/

/** Sign of a test whose services or browsers end with a process of theirs. */
const tellsOfProcesses = /\bprocess\b/

/** Sign of a test that starts services in its process. */
const serves = /\/test-service\.ts'/

/** Sign of a test that shares its browser with others of its process. */
const browses = /\buseBrowser\b/

/** Signs of a test that waits or has servers. */
const doesMoreThanCompute = /node:(http|net)|\/servers\/(?!test-database\.ts')|setTimeout/

type Sharing = keyof typeof groupSizes

/** With which others a file may share its process; null if with none. */
export function sharingOf(file: string, text: string): Sharing | null {
  if (needsOwnProcess.test(text)) return null
  if (computing.test(file)) return doesMoreThanCompute.test(text) ? null : 'computing'
  if (tellsOfProcesses.test(text)) return null
  if (file.startsWith('dashboard/test/')) return browses.test(text) ? 'browsing' : null
  return file.startsWith('service/test/') && serves.test(text) ? 'serving' : null
}

/** Folders by the duration of their slowest files: a long file that starts last leaves other cores idle. */
const slowFolders = [/^(dashboard|embed)\/test\//, /^service\/(test|fuzz)\/|^engine\/test\/fidelity\//, /\/test\//]

/** Puts the files of slow folders first. */
export function slowFirst(files: readonly string[]): string[] {
  const rankOf = (file: string): number => {
    const rank = slowFolders.findIndex(pattern => pattern.test(file))
    return rank === -1 ? slowFolders.length : rank
  }
  return [...files].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
}

/** In a suite, so that the file's hooks are for its own tests. */
function importOf(root: string, file: string): string {
  const { href } = pathToFileURL(path.join(root, file))
  return `describe(${JSON.stringify(file)}, () => import(${JSON.stringify(href)}))\n`
}

/** The files to run, slow ones first. Those that may share a process are replaced by files of imports. */
export function planTestRun(root: string, files: readonly string[]): string[] {
  const folder = path.join(root, 'node_modules/.cache/test-groups')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bySharing = Map.groupBy([...files].sort(), file => sharingOf(file, readFileSync(path.join(root, file), 'utf8')))
  const groupsOf = (sharing: Sharing): string[] => {
    const shared = bySharing.get(sharing) ?? []
    return Array.from({ length: Math.ceil(shared.length / groupSizes[sharing]) }, (_, index) => {
      const group = path.join(folder, `${sharing}-${index + 1}.mjs`)
      const members = shared.slice(index * groupSizes[sharing], (index + 1) * groupSizes[sharing])
      writeFileSync(
        group,
        `import { describe } from 'node:test'\n${members.map(file => importOf(root, file)).join('')}`,
      )
      return group
    })
  }
  return [
    ...groupsOf('browsing'),
    ...groupsOf('serving'),
    ...slowFirst(bySharing.get(null) ?? []),
    ...groupsOf('computing'),
  ]
}
