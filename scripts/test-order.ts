/** In what order and in which processes the files of the whole suite run. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The time of a process, which may run several files: twice what the slowest takes on a slow machine. */
export const PROCESS_MAX_MS = 15 * 60_000

/** Files of one process: enough that its start hardly counts, few enough that the last group ends soon. */
const groupSizes = { computing: 12, serving: 6, browsing: 3 }

/** Packages whose tests compute, and the unit tests of the others; not those with servers or browsers. */
const computing = /^(contract|engine|photo|psd|live)\/|^(service|dashboard)\/src\//

/**
 * Signs of a test that changes or measures its process, counts what it starts, or loads a module first: the
 * runner takes suites that are defined after that for those of the file that runs by then.
 */
const needsOwnProcess =
  /\bprocess\.(chdir|cpuUsage|exitCode|memoryUsage|on|once|report)\b|\bprocess\.env\[.*\] = |\b(delete |\()process\.env\b|globalThis|node:(cluster|diagnostics_channel|module|worker_threads)|\bmock\b|import\(/

/** Sign of a test that shares its browser with others of its process. */
const browses = /\buseBrowser\b/

/** Signs of a test that waits, or has servers or other processes. The size of a run is read alone. */
const doesMoreThanCompute =
  /\bprocess\.(?!env\['VITRINE_TEST_SIZE'\])\w|node:(process|child_process|http|net)|\/servers\/(?!test-database\.ts')|setTimeout/

type Sharing = keyof typeof groupSizes

/** With which others a file may share its process; null if with none. */
export function sharingOf(file: string, text: string): Sharing | null {
  if (needsOwnProcess.test(text)) return null
  if (file.startsWith('dashboard/test/')) return browses.test(text) ? 'browsing' : null
  if (computing.test(file) && !doesMoreThanCompute.test(text)) return 'computing'
  return file.startsWith('service/') ? 'serving' : null
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
    const size = groupSizes[sharing]
    const count = Math.ceil(shared.length / size)
    // Files of a folder load the same modules. Those with services take long together, so they are spread.
    const groupOf = (index: number): number => (sharing === 'serving' ? index % count : Math.floor(index / size))
    return [...Map.groupBy(shared, (_, index) => groupOf(index))].map(([number, members]) => {
      const group = path.join(folder, `${sharing}-${number + 1}.mjs`)
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
