/** In what order and in which processes the files of the whole suite run. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Files of one process: enough that its start hardly counts, few enough that the last group ends soon. */
const GROUP_SIZE = 12

/** Packages whose tests compute, and the unit tests of the others; not those with servers or browsers. */
const computing = /^(contract|engine|photo|psd|live)\/|^(service|dashboard)\/src\//

/**
 * Signs of a test that changes or measures its process, waits, has its own servers, or has hooks for all
 * tests of its process.
 */
const needsOwnProcess =
  /\bprocess\b|globalThis|node:(child_process|cluster|http|module|net|worker_threads)|\/servers\/(?!test-database\.ts')|\bmock\b|setTimeout|import\(|^(before|after)/m

/** Folders by the duration of their slowest files: a long file that starts last leaves other cores idle. */
const slowFolders = [/^(dashboard|embed)\/test\//, /^service\/(test|fuzz)\/|^engine\/test\/fidelity\//, /\/test\//]

/** Whether a file may share its process with others. */
export function mayShareProcess(file: string, text: string): boolean {
  return computing.test(file) && !needsOwnProcess.test(text)
}

/** Puts the files of slow folders first. */
export function slowFirst(files: readonly string[]): string[] {
  const rankOf = (file: string): number => {
    const rank = slowFolders.findIndex(pattern => pattern.test(file))
    return rank === -1 ? slowFolders.length : rank
  }
  return [...files].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
}

/** The files to run, slow ones first. Those that may share a process are replaced by files of imports. */
export function planTestRun(root: string, files: readonly string[]): string[] {
  const sharing = new Set(files.filter(file => mayShareProcess(file, readFileSync(path.join(root, file), 'utf8'))))
  const folder = path.join(root, 'node_modules/.cache/test-groups')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const shared = [...sharing].sort()
  const groups = Array.from({ length: Math.ceil(shared.length / GROUP_SIZE) }, (_, index) => {
    const group = path.join(folder, `group-${index + 1}.mjs`)
    const members = shared.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE)
    writeFileSync(
      group,
      members.map(file => `import ${JSON.stringify(pathToFileURL(path.join(root, file)).href)}\n`).join(''),
    )
    return group
  })
  return [...slowFirst(files.filter(file => !sharing.has(file))), ...groups]
}
