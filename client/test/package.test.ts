/** The packed package in an empty project: its examples, a build for browsers, its size. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { makeScratchFolder } from '../../service/test/cli/scratch-folder.ts'
import { TestService } from '../../service/test/http/test-service.ts'
import { plainPicture, writeBundle } from '../../service/test/mockups/test-bundle.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const binaries = path.join(root, 'node_modules/.bin')
const project = makeScratchFolder('project')
const PROGRAM_BYTES_MAX = 6_000

let service: TestService
before(async () => {
  service = await TestService.start('sqlite')
  for (const id of ['oak-frame-portrait', 'white-tee-flat-lay'])
    await service.addBundles(await writeBundle(path.join(project, 'bundles'), id, 1))
  const env = { ...process.env, PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}` }
  // Not its script: what it compiles is there, as `npm test` builds what is older than its sources.
  const pack = ['pack', '--ignore-scripts', '--pack-destination', project]
  await run('npm', pack, { cwd: path.join(root, 'client'), env })
  const [tarball = ''] = (await readdir(project)).filter(name => name.endsWith('.tgz'))
  await writeFile(path.join(project, 'package.json'), '{"type":"module","private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: project, env })
  await writeFile(path.join(project, 'artwork.png'), await plainPicture(40, 40, [255, 0, 0]))
})
after(() => service[Symbol.asyncDispose]())

const examples = async () =>
  [
    ...(await readFile(path.join(root, 'client/README.md'), 'utf8')).matchAll(/^## (.*)$|^```ts\n([^]*?)^```$/gm),
  ].reduce<{ title: string; code: string }[]>((found, [, title, code]) => {
    if (title !== undefined) found.push({ title, code: '' })
    const last = found.at(-1)
    if (code !== undefined && last !== undefined) last.code = code
    return found
  }, [])

test('the package has its program and its types, and nothing else', async () => {
  const folder = path.join(project, 'node_modules/@vitrine/client')
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  const odd = files.map(({ name }) => name).filter(name => !/\.(js|d\.ts)$|^(package\.json|README\.md)$/.test(name))
  assert.deepEqual(odd, [])
  const { dependencies } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  assert.equal(dependencies, undefined)
  assert.deepEqual(
    await readdir(path.join(project, 'node_modules')).then(names => names.filter(name => !name.startsWith('.'))),
    ['@vitrine'],
  )
})

test('every example of the guide compiles strictly, and does what it says', async () => {
  const { key } = await service.customer()
  const found = (await examples()).filter(({ code }) => code !== '')
  assert.equal(found.length, 5)
  const files = await Promise.all(
    found.map(async ({ code }, index) => {
      const name = `example-${index}.ts`
      await writeFile(path.join(project, name), code)
      return name
    }),
  )
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    noEmit: true,
    types: [],
    // The compiler's own declarations are not checked; those of the package are.
    skipDefaultLibCheck: true,
    exactOptionalPropertyTypes: true,
  }
  await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const compiled = await run(path.join(binaries, 'tsc'), ['-p', project]).catch((error: { stdout: string }) => error)
  assert.equal(compiled.stdout, '')
  const env = { VITRINE_URL: service.running.url, VITRINE_API_KEY: key }
  const printed: string[] = []
  for (const file of files) printed.push((await run(process.execPath, [file], { cwd: project, env })).stdout.trim())
  assert.deepEqual(
    printed.filter((_, index) => index !== 2),
    ['1 999', '', "[ 'no-such-template' ]", '2 mockups of 994 credits\n2 0 null'],
  )
  assert.match(printed[2] ?? '', /^(\S+ \d+\n){4}994 \d+$/)
  for (const file of ['mockup.jpg', 'tee.png', 'mockups/artwork/oak-frame-portrait.jpg'])
    assert.ok((await readFile(path.join(project, file))).length > 500, file)
})

test('a build for browsers has no module of Node in it, and is small', async () => {
  await mkdir(path.join(project, 'page'))
  await writeFile(
    path.join(project, 'page/main.js'),
    "import * as core from '@vitrine/client'\nimport * as bulk from '@vitrine/client/bulk'\nObject.assign(globalThis, { core, bulk })",
  )
  await writeFile(path.join(project, 'page/index.html'), '<script type="module" src="./main.js"></script>')
  await run(path.join(binaries, 'vite'), ['build', 'page', '--logLevel', 'error', '--outDir', 'dist'], { cwd: project })
  const folder = path.join(project, 'page/dist/assets')
  const [name = ''] = await readdir(folder)
  const program = await readFile(path.join(folder, name))
  assert.doesNotMatch(program.toString(), /\bnode:|require\(|browser-external/)
  const sizeBytes = gzipSync(program).length
  assert.ok(sizeBytes < PROGRAM_BYTES_MAX, `${sizeBytes} bytes`)
})
