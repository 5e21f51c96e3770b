/** What a start does, counted: it must not grow by what only later requests need. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { after, test } from 'node:test'
import { z } from 'zod'
import { repository } from './run-vitrine.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/** Little above the 1,400 of when this was written. */
const MODULES_MAX = 1_500

/** Packages and programs that a start on SQLite and a folder has no use for. */
const laterModules =
  /node_modules\/(?:stripe|nodemailer|ioredis|pg|sharp|ajv|yaml|@scalar|@modelcontextprotocol|@zxcvbn-ts)\/|\/engine\/src\/(?:render|node|sampling)|\/psd\/src\//

const folder = makeScratchFolder('start-work')
const workSchema = z.object({ modules: z.array(z.string()), processCount: z.number() })

/** Starts the service and resolves with what it has done until it was ready. */
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

test('a first start and a second one start the render processes alone, and load what serving needs', async () => {
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
