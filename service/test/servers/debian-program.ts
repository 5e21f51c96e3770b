import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findOnPath } from './child-server.ts'

/** A program, and its required environment. */
export type Program = { readonly command: string; readonly env: NodeJS.ProcessEnv }

const cache = path.resolve(import.meta.dirname, '../../../node_modules/.cache')

/** A program on this machine; undefined if there is none. Servers are often not on a user's PATH. */
export function findProgram(name: string): Program | undefined {
  const command = findOnPath(name) ?? findOnPath(name, '/usr/sbin')
  return command === undefined ? undefined : { command, env: {} }
}

/**
 * A program of a Debian package, unpacked into node_modules/.cache (no root needed). Undefined without
 * package lists.
 */
export function unpackDebianProgram(packageName: string, file: string): Program | undefined {
  const folder = path.join(cache, packageName)
  const root = path.join(folder, 'root')
  const program = {
    command: path.join(root, file),
    env: { LD_LIBRARY_PATH: path.join(root, 'usr/lib/x86_64-linux-gnu') },
  }
  if (existsSync(program.command)) return program
  // Only the packages that this machine lacks.
  const plan = spawnSync('apt-get', ['-s', 'install', '-y', '--no-install-recommends', packageName], {
    encoding: 'utf8',
  })
  const names = [...(plan.stdout ?? '').matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? [])
  if (names.length === 0) return undefined
  mkdirSync(folder, { recursive: true })
  const draft = mkdtempSync(path.join(folder, 'draft-'))
  execFileSync('apt-get', ['download', ...names], { cwd: draft, stdio: 'ignore' })
  for (const name of readdirSync(draft)) {
    if (name.endsWith('.deb')) execFileSync('dpkg', ['-x', name, path.join(draft, 'root')], { cwd: draft })
  }
  if (!existsSync(root)) renameSync(path.join(draft, 'root'), root)
  rmSync(draft, { recursive: true, force: true })
  return program
}

/** HAProxy, from this machine or Debian. */
export const findHaproxy = (): Program | undefined =>
  findProgram('haproxy') ?? unpackDebianProgram('haproxy', 'usr/sbin/haproxy')
