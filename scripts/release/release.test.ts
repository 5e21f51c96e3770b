/** What a user does with a release: installs it, makes a mockup, installs the next version, removes it. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { makeScratchFolder } from '../../service/test/cli/scratch-folder.ts'
import { buildPackage, programs } from './build-package.ts'
import { bundlePrograms } from './bundle-programs.ts'
import { root } from './repository.ts'

const scratch = makeScratchFolder('release')
const release = path.join(scratch, 'release')
const prefix = path.join(scratch, 'installed')
const command = path.join(prefix, 'bin/vitrine')
/** A release builds the pages again, which other tests of a run read, and is packed and installed by npm. */
const skip = process.env['VITRINE_TEST_SIZE'] !== 'full' && 'VITRINE_TEST_SIZE=full makes and installs a release'
const COMMIT = '0123456789abcdef0123456789abcdef01234567'

/** Nothing of this repository on the PATH, and nothing that npm has stored. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  PATH: [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
  npm_config_cache: path.join(scratch, 'npm-cache'),
}

function run(program: string, args: readonly string[], cwd = scratch): string {
  return execFileSync(program, args, { cwd, env: environment, encoding: 'utf8' })
}

function install(...tarball: readonly string[]): void {
  run('npm', ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', path.join(...tarball)])
}

/** Starts the installed command and waits until it is ready. */
async function serve(): Promise<{ readonly child: ChildProcess; readonly url: string; readonly output: string }> {
  const child = spawn(command, ['serve'], {
    cwd: scratch,
    env: { ...environment, DATA_DIR: path.join(scratch, 'data'), HOST: '127.0.0.1', PORT: '0', RENDER_WORKERS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      // The key and the command follow in the same piece.
      const found = /^Vitrine is ready at (http:[^\s;]+)/m.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(output)))
  })
  return { child, url, output }
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
}

/** The bytes that files below a folder take. */
function sizeBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
}

test('the programs of a release are compiled together, and the command runs', async () => {
  const folder = path.join(scratch, 'programs')
  const version: string = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version
  await bundlePrograms(root, programs, folder)
  mkdirSync(path.join(folder, 'service'), { recursive: true })
  cpSync(path.join(root, 'service/package.json'), path.join(folder, 'service/package.json'))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, 'release.json'), JSON.stringify({ version, commit: COMMIT }))
  assert.equal(
    run(process.execPath, [path.join(folder, 'service/src/cli/vitrine.js'), '--version']),
    `${version} (${COMMIT.slice(0, 12)})\n`,
  )
})

test('a release is checked by its sums, and lists the packages that users get', { skip }, () => {
  execFileSync(process.execPath, [path.join(root, 'scripts/release/release.ts'), '--commit', COMMIT, '--out', release])
  run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], release)
  const version = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version
  assert.deepEqual(
    readdirSync(release).filter(name => !name.startsWith('.')),
    [
      'Dockerfile',
      'RELEASE-NOTES.md',
      'SHA256SUMS',
      'THIRD-PARTY-NOTICES.md',
      `vitrine-${version}.cdx.json`,
      `vitrine-${version}.tgz`,
      `vitrine-client-${version}.tgz`,
      `vitrine-embed-${version}.tgz`,
      `vitrine_client-${version}-py3-none-any.whl`,
    ],
  )
  const bill = JSON.parse(readFileSync(path.join(release, `vitrine-${version}.cdx.json`), 'utf8'))
  assert.equal(bill.bomFormat, 'CycloneDX')
  const names: readonly string[] = bill.components.map((component: { readonly name: string }) => component.name)
  for (const name of ['fastify', 'react', 'sharp']) assert.ok(names.includes(name), `${name} is listed`)
  assert.ok(!names.includes('typescript'))
  const notices = readFileSync(path.join(release, 'THIRD-PARTY-NOTICES.md'), 'utf8')
  for (const name of ['fastify', 'react', 'sharp']) assert.match(notices, new RegExp(`^\\| ${name} \\|`, 'm'))
  assert.match(readFileSync(path.join(release, 'Dockerfile'), 'utf8'), /^COPY vitrine-\*\.tgz \/tmp\/$/m)
  assert.match(readFileSync(path.join(release, 'RELEASE-NOTES.md'), 'utf8'), new RegExp(`^# Vitrine ${version}`))
})

test('a program that is started and was not compiled fails the release', async () => {
  await assert.rejects(
    bundlePrograms(root, ['service/src/cli/vitrine.ts'], path.join(scratch, 'incomplete')),
    /names \S+\.ts, which is not among the programs of the release/,
  )
})

test('an installed release makes mockups, goes on with its data after an upgrade, and can be removed', {
  skip,
}, async () => {
  const version: string = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version
  install(release, `vitrine-${version}.tgz`)
  assert.equal(run(command, ['--version']), `${version} (${COMMIT.slice(0, 12)})\n`)
  const installed = path.join(prefix, 'lib/node_modules/vitrine')
  assert.ok(sizeBytes(installed) < 120e6, 'an installation takes at most 120 MB beside Node')
  assert.ok(!existsSync(path.join(installed, 'node/node_modules')), 'Node is not installed where the PATH has it')

  const first = await serve()
  const key = /vt_\w{36}/.exec(first.output)?.[0] ?? ''
  assert.match(first.output, /a new one: vitrine account sign-in-link/)
  run('npm', ['init', '--yes'])
  run('npm', ['install', '--no-audit', '--no-fund', path.join(release, `vitrine-client-${version}.tgz`)])
  const artwork = path.join(installed, 'service/assets/sample-artwork.jpg')
  writeFileSync(
    path.join(scratch, 'make.mjs'),
    `import { Vitrine } from '@vitrine/client'
     import { fileArtwork, saveTo } from '@vitrine/client/node'
     const vitrine = new Vitrine({ baseUrl: process.argv[2], apiKey: process.argv[3] })
     const template = process.argv[4]
     await saveTo(await vitrine.generate({ template, artwork: await fileArtwork(process.argv[5]) }), process.argv[6])`,
  )
  const make = (url: string, template: string, name: string) => {
    run(process.execPath, ['make.mjs', url, key, template, artwork, name])
    return readFileSync(path.join(scratch, name))
  }
  const mockup = make(first.url, 'oak-frame-portrait', 'mockup.jpg')
  assert.deepEqual([...mockup.subarray(0, 3)], [0xff, 0xd8, 0xff])
  for (const address of ['/', '/docs', '/embed/v1/vitrine-mockup.js']) {
    assert.equal((await fetch(new URL(address, first.url), { headers: { accept: 'text/html' } })).status, 200, address)
  }
  assert.deepEqual(await (await fetch(new URL('/healthz', first.url))).json(), { status: 'ok' })
  await stop(first.child)

  const [major = '', minor = '', patch = ''] = version.split('.')
  const next = `${major}.${minor}.${Number(patch) + 1}`
  const folder = path.join(scratch, 'next')
  mkdirSync(folder)
  install(scratch, await buildPackage({ version: next, commit: COMMIT }, folder, scratch))
  assert.match(run(command, ['--version']), new RegExp(`^${next.replaceAll('.', '\\.')} `))
  const second = await serve()
  assert.doesNotMatch(second.output, /vt_/)
  assert.deepEqual(make(second.url, 'oak-frame-portrait', 'again.jpg'), mockup)
  await stop(second.child)
  const verified = JSON.parse(
    execFileSync(command, ['ledger', 'verify', '--json'], {
      env: { ...environment, DATA_DIR: path.join(scratch, 'data') },
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .at(-1) ?? '',
  )
  assert.equal(verified.violations, 0)

  run('npm', ['uninstall', '--global', '--prefix', prefix, 'vitrine'])
  assert.ok(!existsSync(command) && !existsSync(installed))
})
