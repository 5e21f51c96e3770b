/** Clients generated from the document of a running service, compiled strictly, and used. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { z } from 'zod'
import { TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')
const examples = path.join(root, 'examples/generated-clients')
const printed = z.tuple([z.int().min(500), z.int().min(500), z.literal(2), z.tuple([z.literal('no-such-template')])])

let service: TestService
before(async () => {
  service = await TestService.start('sqlite')
})
after(() => service[Symbol.asyncDispose]())

/** A folder that resolves the installed packages, like a project. */
async function makeProject(name: string): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `vitrine-generated-${name}-`))
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const file of [`${name}.ts`, 'bodies.ts', 'orval-fetch.ts'])
    await cp(path.join(examples, file), path.join(folder, file))
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    rewriteRelativeImportExtensions: true,
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    outDir: 'compiled',
    rootDir: '.',
  }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** Each takes seconds to generate and compile: ordinary runs try one. */
const generators = [
  'openapi-typescript',
  ...(process.env['VITRINE_TEST_SIZE'] === 'full' ? ['hey-api', 'orval', 'kubb'] : []),
]

for (const name of generators)
  test(`the client that ${name} generates compiles strictly, and makes mockups from JSON, a form and a batch`, async () => {
    await using project = await makeProject(name)
    const { folder } = project
    const { key } = await service.customer()
    const document = `${service.running.url}/api/v1/openapi.json`
    await run(process.execPath, [path.join(examples, 'generate.ts'), name, document, folder], { cwd: root })
    const compiled = await run(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    assert.equal(compiled.stdout, '')
    const artwork = path.join(folder, 'artwork.png')
    await writeFile(artwork, await plainPicture(40, 40, [0, 0, 255]))
    const environment = {
      VITRINE_URL: service.running.url,
      VITRINE_API_KEY: key,
      ARTWORK_FILE: artwork,
      ARTWORK_URL: `${service.origin.url}/red.png`,
    }
    const { stdout } = await run(process.execPath, [path.join(folder, `compiled/${name}.js`)], { env: environment })
    printed.parse(JSON.parse(stdout))
    assert.equal(await service.balance(key), 1000 - 4)
  })

test('the document of a service with its own address passes the linters', async () => {
  await using service = await TestService.start('sqlite', {
    environment: { PUBLIC_URL: 'https://mockups.shop.test' },
  })
  const source = await (await fetch(`${service.running.url}/api/v1/openapi.json`)).text()
  const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-contact': 'error' } })
  const problems = await lintFromString({ source, config })
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    [],
  )
})
