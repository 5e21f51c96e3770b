/**
 * The package `vitrine`: the service and its command as npm installs them, with dashboard, element and
 * templates. It needs no development tool, no build step, and one package that npm installs with it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { digestEngineSources, ENGINE_DIGEST_FILE } from '../../service/src/templates/engine-digest.ts'
import { bundlePrograms, PLATFORM_PACKAGE } from './bundle-programs.ts'
import { packagesOf, readJson, readLock, root } from './repository.ts'
import { buildNotices } from './third-party-notices.ts'

/** The command, and what it starts as processes and threads of their own. */
export const programs = [
  'service/src/cli/vitrine.ts',
  'service/src/database/sqlite-thread.ts',
  'service/src/mcp/preview-worker.ts',
  'service/src/mockups/worker/main.ts',
  'service/src/photo-import/photo-worker.ts',
  'service/src/psd-import/psd-worker.ts',
  'service/src/sandbox/ends-with-service.ts',
  'service/src/templates/bundle-worker.ts',
]

/** What is copied as it is, with what is left out of it. */
const copiedPaths: readonly (readonly [name: string, isLeftOut?: RegExp])[] = [
  ['LICENSE'],
  ['CHANGELOG.md'],
  ['service/assets'],
  ['service/bin'],
  ['service/package.json'],
  ['engine/kernels', /\.(ts|json)$|^assembly$/],
  ['engine/watermark', /\.ts$/],
  ['dashboard/dist'],
  ['embed/dist', /\.d\.ts$/],
  ['templates'],
  ['deploy'],
]

export type ReleasedVersion = { readonly version: string; readonly commit: string }

/**
 * Writes the package's files into an empty folder and packs them.
 *
 * @returns the name of the tarball in `outFolder`
 */
export async function buildPackage(
  { version, commit }: ReleasedVersion,
  folder: string,
  outFolder: string,
): Promise<string> {
  await bundlePrograms(root, programs, folder)
  for (const [name, isLeftOut] of copiedPaths) {
    cpSync(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: source => isLeftOut?.test(path.basename(source)) !== true,
    })
  }
  const launcher = path.join(folder, 'service/bin/vitrine.js')
  writeFileSync(launcher, replaceOnce(readFileSync(launcher, 'utf8'), 'src/cli/vitrine.ts', 'src/cli/vitrine.js'))
  writeFileSync(path.join(folder, 'engine', ENGINE_DIGEST_FILE), await digestEngineSources())
  writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.md'), buildNotices())
  writeFileSync(path.join(folder, 'README.md'), buildReadme(version))
  writeJson(folder, 'service/package.json', { ...readJson('service/package.json'), version })
  writeJson(folder, 'release.json', { version, commit })
  writeManifest(folder, version)
  writeNodePackage(path.join(folder, 'node'), version)
  return pack(folder, outFolder)
}

/** The manifest, and the exact version of every package that npm installs for it. */
function writeManifest(folder: string, version: string): void {
  const { engines, license, description } = readJson('package.json')
  const manifest = {
    name: 'vitrine',
    version,
    type: 'module',
    license,
    description,
    engines,
    bin: { vitrine: 'service/bin/vitrine' },
    dependencies: { [PLATFORM_PACKAGE]: readLock()[`node_modules/${PLATFORM_PACKAGE}`]?.version },
  }
  writeJson(folder, 'package.json', manifest)
  writeLock(folder, manifest, 'npm-shrinkwrap.json')
}

/** Node 26, which the command installs where the PATH has none (service/bin/vitrine). */
function writeNodePackage(folder: string, version: string): void {
  mkdirSync(folder)
  const optionalDependencies = packagesOf('package.json', 'optionalDependencies')
  const manifest = { name: 'vitrine-node', version, private: true, optionalDependencies }
  writeJson(folder, 'package.json', manifest)
  writeLock(folder, manifest, 'package-lock.json')
}

/**
 * Writes the part of the repository's lock file that a manifest needs. npm leaves out the rest.
 *
 * @param name of the written file: npm honours a published package's `npm-shrinkwrap.json` alone
 */
export function writeLock(folder: string, manifest: Readonly<Record<string, unknown>>, name: string): void {
  const { '': _, ...locked } = readLock()
  const installed = Object.entries(locked).filter(([place, { link }]) => place.startsWith('node_modules/') && !link)
  const lock = { lockfileVersion: 3, requires: true, packages: { '': manifest, ...Object.fromEntries(installed) } }
  writeJson(folder, name, lock)
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--silent'], { cwd: folder })
}

/** Packs a folder, or a workspace of the repository. Returns the tarball's name. */
export function pack(folder: string, outFolder: string): string {
  const output = execFileSync('npm', ['pack', '--silent', '--pack-destination', outFolder], {
    cwd: folder,
    encoding: 'utf8',
  })
  return output.trim().split('\n').at(-1) ?? ''
}

function buildReadme(version: string): string {
  return [
    '# Vitrine',
    '',
    'Places artwork into designed scenes and answers with the finished mockup: a service with an HTTP interface and a dashboard.',
    '',
    '```sh',
    `npm install --global ./vitrine-${version}.tgz`,
    'vitrine serve',
    '```',
    '',
    'The first start prints the address, a sign-in link for the dashboard, an API key and a command that makes a first mockup.',
    'The data folder is `data/` below the current folder, or `DATA_DIR`. `vitrine --help` lists the commands.',
    '',
  ].join('\n')
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`expected "${from}" once`)
  return text.replace(from, to)
}

function writeJson(folder: string, name: string, value: unknown): void {
  writeFileSync(path.join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
}
