/** Tests the Python client in `python/`, with this machine's Python, against a running service. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cp, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { makeScratchFolder } from '../cli/scratch-folder.ts'
import { TestService } from '../http/test-service.ts'
import { plainPicture, writeBundle } from '../mockups/test-bundle.ts'

const run = promisify(execFile)

/** A hang is a failure. */
const TIMEOUT_MS = 60_000

const root = path.resolve(import.meta.dirname, '../../../python')
const scratch = makeScratchFolder('python')

const works = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0
const pythons = ['python3', '/usr/bin/python3']
const NEW_ENOUGH = 'import sys; sys.exit(sys.version_info < (3, 9))'
const python = pythons.find(name => works(name, '-c', NEW_ENOUGH))
const findPythonWith = (modules: string) => pythons.find(name => works(name, '-c', `import ${modules}`))

function skipLoudly(t: TestContext, what: string, lacks: string): void {
  console.error(`NOT TESTED: ${what}, because there is no ${lacks} here.`)
  t.skip(`NO ${lacks}`)
}

test('the Python client does what its tests and its guide say', async t => {
  if (python === undefined) return skipLoudly(t, 'the Python client (python/)', 'python3 from 3.9 on')
  await using service = await TestService.start('sqlite')
  for (const id of ['oak-frame-portrait', 'white-tee-flat-lay'])
    await service.addBundles(await writeBundle(path.join(scratch, 'bundles'), id, 1))
  const picture = path.join(scratch, 'picture.png')
  await writeFile(picture, await plainPicture(40, 40, [0, 0, 255]))
  const { key } = await service.customer(1_000)
  const { key: poorKey } = await service.customer(5)
  const env = {
    ...process.env,
    PYTHONPATH: path.join(root, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
    VITRINE_URL: service.running.url,
    VITRINE_API_KEY: key,
    TEST_ORIGIN: service.origin.url,
    TEST_PICTURE: picture,
    TEST_POOR_KEY: poorKey,
  }
  const args = ['-W', 'error', '-m', 'unittest', 'discover', '--start-directory', path.join(root, 'tests')]
  const { stderr } = await run(python, args, { env, cwd: scratch, timeout: TIMEOUT_MS })
  const [, count = '0'] = /^Ran (\d+) tests in/m.exec(stderr) ?? []
  assert.ok(Number(count) >= 25, stderr)
  assert.match(stderr, /^OK$/m)
})

test('the Python client and its examples pass strict type checking', async t => {
  const checker = findPythonWith('mypy')
  if (checker === undefined) return skipLoudly(t, 'the types of the Python client', 'python3 with mypy')
  const cache = path.join(scratch, 'mypy')
  await run(checker, ['-m', 'mypy', '--cache-dir', cache], { cwd: root, timeout: TIMEOUT_MS }).catch(
    (error: { stdout: string }) => assert.fail(error.stdout),
  )
})

test('the wheel of the Python client has its modules, and works', async t => {
  const builder = findPythonWith('build, hatchling')
  if (builder === undefined) return skipLoudly(t, 'the Python package', 'python3 with build and hatchling')
  const source = path.join(scratch, 'source')
  await cp(root, source, { recursive: true })
  await run(
    builder,
    ['-m', 'build', '--no-isolation', '--skip-dependency-check', '--wheel', '--outdir', path.join(scratch, 'dist')],
    {
      cwd: source,
      timeout: TIMEOUT_MS,
    },
  )
  const [wheel = ''] = await readdir(path.join(scratch, 'dist'))
  const program = 'import vitrine_client, zipfile; print(zipfile.ZipFile("dist/" + WHEEL).namelist())'
  const env = { PYTHONPATH: path.join(scratch, 'dist', wheel), PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await run(builder, ['-c', program.replace('WHEEL', JSON.stringify(wheel))], { cwd: scratch, env })
  assert.match(stdout, /vitrine_client\/py\.typed/)
  assert.match(stdout, /vitrine_client\/_run\.py/)
  assert.doesNotMatch(stdout, /test|example/)
})
