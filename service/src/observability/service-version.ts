import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const root = path.resolve(import.meta.dirname, '../../..')

const COMMIT_DIGITS = 12

/** Exists only in a release. */
const releaseFile = path.join(root, 'release.json')

/** The version of the running package. */
export const { version: serviceVersion } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(path.join(root, 'service/package.json'), 'utf8')))

/** The name of the command: an installed one is on the PATH. */
export const commandName = existsSync(releaseFile) ? 'vitrine' : 'npx vitrine'

/** The version with the commit that it was built from, or that is checked out: `0.1.0 (61f0568b6a4b)`. */
export function describeVersion(): string {
  const commit = existsSync(releaseFile)
    ? z.object({ commit: z.string() }).parse(JSON.parse(readFileSync(releaseFile, 'utf8'))).commit
    : findCheckedOutCommit()
  return commit === null ? serviceVersion : `${serviceVersion} (${commit.slice(0, COMMIT_DIGITS)})`
}

/** Null if this is not a git checkout, or git is not installed. */
function findCheckedOutCommit(): string | null {
  if (!existsSync(path.join(root, '.git'))) return null
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return null
  }
}
