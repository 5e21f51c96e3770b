/** Runs the samples of /docs in six languages, as served by the service, each with its own interpreter. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { z } from 'zod'
import { makeScratchFolder } from '../cli/scratch-folder.ts'
import { TestService } from '../http/test-service.ts'
import { plainPicture, writeBundle } from '../mockups/test-bundle.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')
const scratch = makeScratchFolder('samples')

/** Ordinary runs have two operations of each language refused. */
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

/** A hang is a failure. */
const TIMEOUT_MS = 90_000

const sampled = z.looseObject({
  'x-codeSamples': z.array(z.object({ lang: z.string(), label: z.string(), source: z.string() })),
})
const served = z.looseObject({
  servers: z.tuple([z.object({ url: z.string() })]),
  paths: z.record(z.string(), z.record(z.string(), sampled)),
})

/** A sample program: its operation and file. */
type SampleProgram = { readonly path: string; readonly isBatch: boolean; readonly file: string }

/** How to check a language's programs together, and how to start each. */
type Runner = {
  readonly file: (index: number) => string
  /** What is missing on this machine; undefined if nothing is. */
  readonly lacks: () => string | undefined
  readonly prepare?: (folder: string) => Promise<void>
  readonly command: (file: string) => readonly [string, ...string[]]
}

const works = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0
const pythons = ['python3', '/usr/bin/python3']
const python = pythons.find(name => works(name, '-c', 'import requests')) ?? ''
const goEnvironment = {
  ...process.env,
  CGO_ENABLED: '0',
  GOCACHE: path.join(root, 'node_modules/.cache/go'),
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
}

async function compileTypescript(folder: string): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules/@types')],
  }
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const compiler = path.join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(compiler, ['-p', folder]).catch((error: { stdout: string }) => error)
  assert.equal(stdout, '')
}

async function compileGo(folder: string): Promise<void> {
  await writeFile(path.join(folder, 'go.mod'), 'module samples\n')
  const bin = `${path.join(folder, 'bin')}${path.sep}`
  await mkdir(bin)
  await run('go', ['build', '-o', bin, './...'], { cwd: folder, env: goEnvironment, timeout: TIMEOUT_MS })
}

const runners: Readonly<Record<string, Runner>> = {
  sh: {
    file: index => `sample-${index}.sh`,
    lacks: () => (works('curl', '--version') ? undefined : 'curl'),
    command: file => ['sh', '-e', file],
  },
  typescript: {
    file: index => `sample-${index}.ts`,
    lacks: () => undefined,
    prepare: compileTypescript,
    command: file => [process.execPath, file],
  },
  python: {
    file: index => `sample-${index}.py`,
    lacks: () => (python === '' ? 'python3 with requests' : undefined),
    command: file => [python, '-W', 'error', file],
  },
  php: {
    file: index => `sample-${index}.php`,
    lacks: () => (works('php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);') ? undefined : 'php with curl'),
    command: file => ['php', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr', file],
  },
  ruby: {
    file: index => `sample-${index}.rb`,
    lacks: () => (works('ruby', '--version') ? undefined : 'ruby'),
    command: file => ['ruby', '-w', file],
  },
  go: {
    // A Go program is a folder, and its binary has the folder's name.
    file: index => `sample-${index}/main.go`,
    lacks: () => (works('go', 'version') ? undefined : 'go'),
    prepare: compileGo,
    command: file => [path.join(path.dirname(path.dirname(file)), 'bin', path.basename(path.dirname(file)))],
  },
}

let service: TestService
let artwork: Uint8Array
before(async () => {
  service = await TestService.start('sqlite', { environment: { PUBLIC_URL: 'https://mockups.shop.test' } })
  for (const id of ['oak-frame-portrait', 'white-mug-walnut-table'])
    await service.addBundles(await writeBundle(path.join(scratch, 'bundles'), id, 1))
  artwork = await plainPicture(40, 40, [200, 30, 30], 'jpeg')
})
after(() => service[Symbol.asyncDispose]())

async function readSamples() {
  const answer = await fetch(`${service.running.url}/api/v1/openapi.json`)
  const { servers, paths } = served.parse(await answer.json())
  const [{ url }] = servers
  assert.equal(url, 'https://mockups.shop.test/api/v1')
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ 'x-codeSamples': samples }) =>
      samples.map(({ lang, label, source }) => {
        assert.ok(source.includes(`${url}${path}`), `${label} of ${path} contains the address of the service`)
        return {
          path,
          lang,
          isBatch: label.endsWith(': batch'),
          source: source
            .replaceAll(url, `${service.running.url}/api/v1`)
            .replaceAll('https://example.com/artwork.jpg', `${service.origin.url}/red.png`),
        }
      }),
    ),
  )
}

/** Writes the programs of a language to a folder, with the artwork beside them. */
async function writePrograms(lang: string, runner: Runner, folder: string): Promise<readonly SampleProgram[]> {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'artwork.jpg'), artwork)
  const own = (await readSamples()).filter(sample => sample.lang === lang)
  return Promise.all(
    own.map(async ({ source, ...about }, index) => {
      const file = path.join(folder, runner.file(index))
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, source)
      return { ...about, file }
    }),
  )
}

function skipLoudly(t: TestContext, lang: string, lacks: string): void {
  console.error(`NOT TESTED: the samples of /docs in ${lang}, because there is no ${lacks} here.`)
  t.skip(`NO ${lacks}`)
}

test('every operation has samples in the same six languages, and making mockups has a batch in each', async () => {
  const samples = await readSamples()
  for (const path of Object.keys(service.interface.document.paths)) {
    const of = (isBatch: boolean) =>
      samples.filter(sample => sample.path === path && sample.isBatch === isBatch).map(({ lang }) => lang)
    assert.deepEqual(of(false), Object.keys(runners))
    assert.deepEqual(of(true), path === '/mockups/generate' ? Object.keys(runners) : [])
  }
})

for (const [lang, runner] of Object.entries(runners))
  test(`the samples in ${lang} make mockups, read lists and balance, and report the error of a wrong key`, async t => {
    const lacks = runner.lacks()
    if (lacks !== undefined) return skipLoudly(t, lang, lacks)
    const folder = path.join(scratch, lang)
    const programs = await writePrograms(lang, runner, folder)
    await runner.prepare?.(folder)
    const { key } = await service.customer()
    const start = (file: string, apiKey: string) => {
      const [command, ...args] = runner.command(file)
      const env = { ...process.env, VITRINE_API_KEY: apiKey }
      return run(command, args, { cwd: folder, env, timeout: TIMEOUT_MS })
    }
    const outputs: string[] = []
    for (const { file } of programs) outputs.push((await start(file, key)).stdout)

    const form = new FormData()
    for (const [name, value] of [
      ['template_id', 'oak-frame-portrait'],
      ['width', '1200'],
    ] as const)
      form.set(name, value)
    form.set('artwork', new Blob([new Uint8Array(artwork)]), 'artwork.jpg')
    const expected = (await service.generate(key, form)).bytes
    assert.deepEqual(await readFile(path.join(folder, 'mockup.jpg')), expected)
    assert.equal(await service.balance(key), 1000 - 1 - 2 - 1)

    const outputOf = (path: string) => outputs[programs.findIndex(program => program.path === path)] ?? ''
    assert.match(outputOf('/templates'), /oak-frame-portrait.*Test oak-frame-portrait/s)
    assert.match(outputOf('/billing/balance'), /\b997\b/)
    assert.match(outputOf('/billing/usage'), /\b3\b/)
    if (lang === 'sh') {
      const { count } = JSON.parse(await readFile(path.join(folder, 'mockups.json'), 'utf8'))
      assert.equal(count, 2)
    } else
      for (const id of ['oak-frame-portrait', 'white-mug-walnut-table'])
        assert.equal((await readFile(path.join(folder, `${id}.jpg`))).subarray(0, 3).toString('hex'), 'ffd8ff', id)

    const single = programs.filter(({ isBatch }) => !isBatch)
    for (const { file } of isFull ? single : single.slice(0, 2)) {
      const failed = await start(file, 'vt_wrong').then(
        () => assert.fail(`${file} succeeds with a wrong key`),
        (error: { stdout: string; stderr: string }) => error,
      )
      const said =
        lang === 'sh' && file.includes('sample-0') ? await readFile(path.join(folder, 'mockup.jpg'), 'utf8') : ''
      assert.match(`${failed.stdout}${failed.stderr}${said}`, /INVALID_API_KEY/)
    }
  })
