import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'

const cache = path.resolve(import.meta.dirname, '../../../node_modules/.cache')

/** The npm-cli.js of a version of npm, in node_modules/.cache. Undefined if no registry is reachable. */
export function installNpm(version: string): string | undefined {
  const folder = path.join(cache, `npm-${version}`)
  const program = path.join(folder, 'node_modules/npm/bin/npm-cli.js')
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(path.join(cache, 'npm-draft-'))
  const args = ['install', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', `npm@${version}`]
  const { status } = spawnSync('npm', args, { cwd: draft, stdio: 'ignore', timeout: 120_000 })
  if (status === 0 && !existsSync(folder)) renameSync(draft, folder)
  rmSync(draft, { recursive: true, force: true })
  return existsSync(program) ? program : undefined
}
