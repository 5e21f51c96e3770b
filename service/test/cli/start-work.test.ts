/** Counts what a start loads and runs: it must not include what only later requests need. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { after, test } from 'node:test'
import { z } from 'zod'
import { repository } from './run-vitrine.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/** Slightly above the 1,400 at the time of writing. */
const MODULES_MAX = 1_500

/** Packages and programs that a start with SQLite and a local folder does not need. */
const laterModules =
  /node_modules\/(?:stripe|nodemailer|ioredis|pg|sharp|ajv|yaml|@scalar|@modelcontextprotocol|@zxcvbn-ts)\/|\/engine\/src\/(?:render|node|sampling)|\/psd\/src\/|\/client\/src\/bulk/

const folder = makeScratchFolder('start-work')
const workSchema = z.object({ modules: z.array(z.string()), processCount: z.number() })

/** Starts the service and resolves with what it has loaded and run until it was ready. */
async function startAndCount(settings: Readonly<Record<string, string>>) {
  const child = fork(path.join(repository, 'service/bin/vitrine.js'), ['serve'], {
    execArgv: ['--import', path.join(import.meta.dirname, 'note-work.ts')],
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  after(() => child.kill('SIGKILL'))
  assert.ok(child.stdout)
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.includes('Vitrine is ready')) break
  }
  child.send('count')
  const [message] = await once(child, 'message')
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
  return workSchema.parse(message)
}

test('a first and a second start start only render processes, and load only what serving needs', async () => {
  for (const name of ['first', 'second']) {
    const { modules, processCount } = await startAndCount({ DATA_DIR: path.join(folder, 'data'), RENDER_WORKERS: '2' })
    assert.equal(processCount, 2, name)
    assert.deepEqual(
      modules.filter(url => laterModules.test(url)),
      [],
      name,
    )
    assert.ok(modules.length > 500 && modules.length < MODULES_MAX, `the ${name} start loads ${modules.length} modules`)
  }
})
