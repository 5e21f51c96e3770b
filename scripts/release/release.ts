/**
 * Makes a release from a clean checkout: `npm run release` writes what is published into `release/`.
 *
 *   npm run release                              of the commit that is checked out
 *   npm run release -- --package --commit SHA    the package of the service alone, where git is not at hand
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildPackage, pack, writeLock } from './build-package.ts'
import { buildWheel } from './build-wheel.ts'
import { packagesOf, readJson, root } from './repository.ts'

const CHECKSUMS = 'SHA256SUMS'

/** The workspaces whose packages end in the release: compiled in, or installed with it. */
const shippedWorkspaces = ['contract', 'engine', 'psd', 'photo', 'service', 'live', 'dashboard', 'embed']

function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { package: { type: 'boolean', default: false }, commit: { type: 'string' }, out: { type: 'string' } },
  })
  return buildRelease({
    commit: values.commit ?? findCommit(),
    outFolder: path.resolve(values.out ?? path.join(root, 'release')),
    isPackageAlone: values.package,
  })
}

/** The commit that is checked out, without a changed or a new file. */
function findCommit(): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new Error(`Expected a clean checkout but these files differ from the commit:\n${changed}`)
  return git('rev-parse', 'HEAD')
}

/** Writes a release into a folder, which is emptied first. */
async function buildRelease(options: {
  readonly commit: string
  readonly outFolder: string
  readonly isPackageAlone: boolean
}): Promise<void> {
  const { commit, outFolder } = options
  const version = String(readJson('package.json')['version'])
  rmSync(outFolder, { recursive: true, force: true })
  mkdirSync(outFolder, { recursive: true })
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'vitrine-release-'))
  try {
    execFileSync('npm', ['run', '--silent', 'prepare'], { cwd: root, stdio: 'inherit' })
    const folder = path.join(scratch, 'package')
    mkdirSync(folder)
    await buildPackage({ version, commit }, folder, outFolder)
    if (!options.isPackageAlone) {
      for (const workspace of ['client', 'embed']) pack(path.join(root, workspace), outFolder)
      buildWheel(version, outFolder)
      writeFileSync(path.join(outFolder, 'Dockerfile'), buildDockerfile())
      writeFileSync(path.join(outFolder, '.dockerignore'), '*\n!vitrine-*.tgz\n')
      writeFileSync(path.join(outFolder, `vitrine-${version}.cdx.json`), listPackages(version, scratch))
      writeFileSync(
        path.join(outFolder, 'THIRD-PARTY-NOTICES.md'),
        readFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.md')),
      )
      writeFileSync(path.join(outFolder, 'RELEASE-NOTES.md'), readChanges(version))
    }
    writeFileSync(path.join(outFolder, CHECKSUMS), sumUp(outFolder))
  } finally {
    rmSync(scratch, { recursive: true })
  }
  for (const name of readdirSync(outFolder)) console.log(path.join(path.relative(process.cwd(), outFolder), name))
}

/** The last stage of the repository's Dockerfile, which takes the package from its context. */
function buildDockerfile(): string {
  const text = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  const stage = text.slice(text.lastIndexOf('\nFROM ') + 1)
  return `# One node of Vitrine. Its data is in /data; its settings are environment variables.\n${stage.replace('--from=package /app/release/', '')}`
}

/** A bill of materials by npm (CycloneDX): the packages of the lock file that users get. */
function listPackages(version: string, scratch: string): string {
  const folder = path.join(scratch, 'bill')
  mkdirSync(folder)
  const dependencies = Object.assign(
    {},
    ...shippedWorkspaces.map(name => packagesOf(`${name}/package.json`, 'dependencies')),
  )
  const manifest = { name: 'vitrine', version, license: 'MIT', dependencies }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  writeLock(folder, manifest, 'package-lock.json')
  return execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: folder,
    encoding: 'utf8',
  })
}

/** What CHANGELOG.md says of a version. */
function readChanges(version: string): string {
  const changes = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  const section = changes.split(/^(?=## )/m).find(text => text.startsWith(`## ${version}`))
  if (section === undefined) throw new Error(`Expected a section "## ${version}" in CHANGELOG.md`)
  return `# Vitrine ${section.slice('## '.length)}`
}

/** In the format of sha256sum: `sha256sum --check SHA256SUMS` verifies every file. */
function sumUp(folder: string): string {
  return readdirSync(folder)
    .filter(name => name !== CHECKSUMS)
    .sort()
    .map(
      name =>
        `${createHash('sha256')
          .update(readFileSync(path.join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')
}

await main(process.argv.slice(2))
