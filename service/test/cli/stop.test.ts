/** All ways in which people and programs stop `npm start`, and what happens to a batch in progress. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseStat } from '../../src/sandbox/process-stat.ts'
import { startOrigin } from '../http/test-origin.ts'
import { freePort } from '../servers/child-server.ts'
import { installNpm } from '../servers/npm-version.ts'
import { makeData, SMALL_TEMPLATE_ID } from './make-data.ts'
import { launcher, repository } from './run-vitrine.ts'
import { terminalProgram } from './vitrine-server.ts'

const BATCH = 8
const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-stop-'))
const made = await makeData(path.join(folder, 'made'))
const origin = await startOrigin()
const running: Started[] = []
after(async () => {
  for (const { child, servicePid } of running)
    for (const pid of [child.pid ?? 0, servicePid]) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  await origin.close()
  await rm(folder, { recursive: true, force: true })
})

/** A module that throws from a timer in the service once the file appears. */
const fault = path.join(folder, 'fault.mjs')
await writeFile(
  fault,
  `import { rmSync } from 'node:fs'
  if (process.argv[2] === 'serve') setInterval(() => {
    try { rmSync(process.env.FAULT_FILE) } catch { return }
    throw new Error('a fault of the test')
  }, 20).unref()`,
)

type Started = {
  /** The process that the user started: npm, or `script` running npm. */
  readonly child: ChildProcess
  readonly url: string
  readonly servicePid: number
  readonly faultFile: string
  readonly output: () => string
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
}

let count = 0

/** Starts a command in the repository that results in a service, on a copy of the data. */
async function start(
  [command, ...args]: readonly [string, ...string[]],
  { dataDir, settings = {} }: { dataDir?: string; settings?: Record<string, string> } = {},
): Promise<Started> {
  const home = path.join(folder, String(++count))
  await cp(path.join(folder, 'made/data'), dataDir ?? home, { recursive: true, force: false })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const faultFile = path.join(folder, `fault-${count}`)
  const { PATH, HOME } = process.env
  const child = spawn(command, args, {
    cwd: repository,
    // In a separate process group, as a shell does.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME,
      npm_config_update_notifier: 'false',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir ?? home,
      RENDER_WORKERS: '2',
      PREPARED_CACHE_MIB: '0',
      LOG_LEVEL: 'warn',
      ARTWORK_ALLOWED_PRIVATE_HOSTS: origin.host,
      FAULT_FILE: faultFile,
      NODE_OPTIONS: `--import=${fault}`,
      ...settings,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = new Promise<{ code: number | null; signal: string | null }>(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      answer => answer.ok,
      () => false,
    )
  while (!(await isReady())) {
    assert.ok(child.exitCode === null && child.signalCode === null, `it ended before it was ready:\n${output}`)
    await delay(50)
  }
  const started = { child, url, servicePid: findService(child.pid ?? 0), faultFile, output: () => output, ended }
  running.push(started)
  return started
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** The descendant process that runs vitrine.js. */
function findService(pid: number): number {
  if (/node\0.*vitrine\.js\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return pid
  for (const child of childrenOf(pid)) {
    const found = findService(child)
    if (found !== 0) return found
  }
  return 0
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

function generate({ url }: Started, fields: Record<string, unknown>): Promise<Response> {
  return fetch(`${url}/api/v1/mockups/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ artwork_url: `${origin.url}/red.png`, ...fields }),
  })
}

/** Sends a batch and resolves once render processes are working on it. */
async function sendBatch(started: Started): Promise<{ readonly status: Promise<number> }> {
  const answered: number[] = []
  const batch = generate(started, {
    template_ids: Array(BATCH).fill(SMALL_TEMPLATE_ID),
    response_format: 'json',
    // Long enough to be in progress at the stop, short enough for the 18 s of a stop on a busy machine.
    width: 1200,
  })
  const status = batch.then(async answer => {
    answered.push(answer.status)
    const text = await answer.text()
    if (answer.status !== 200) assert.fail(text)
    return answer.status
  })
  status.catch(() => undefined)
  const workers = childrenOf(started.servicePid)
  assert.equal(workers.length, 2)
  const workedMs = () =>
    workers.reduce((sum, pid) => sum + parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1')).cpuMs, 0)
  for (const before = workedMs(); workedMs() < before + 30 && answered.length === 0; ) await delay(10)
  assert.deepEqual(answered, [], 'the batch was over before the stop')
  return { status }
}

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

/** The npm that runs these tests, and in the full size two common versions. */
const npms: readonly (readonly [name: string, command: readonly string[] | undefined])[] = [
  ['npm', ['npm']],
  ...(isFull ? ['10.9.4', '11.6.2'] : []).map(version => {
    const program = installNpm(version)
    return [`npm ${version}`, program === undefined ? undefined : [process.execPath, program]] as const
  }),
]

const signal = (pid: number | undefined, name: NodeJS.Signals) => process.kill(pid ?? 0, name)

/** The action on a started npm, and the resulting exit code; null if npm itself was killed. */
const stops: Readonly<Record<string, { readonly code: number | null; readonly act: (started: Started) => void }>> = {
  'SIGTERM to npm': { code: 0, act: ({ child }) => signal(child.pid, 'SIGTERM') },
  'SIGTERM to npm, twice': {
    code: 0,
    act: ({ child }) => {
      signal(child.pid, 'SIGTERM')
      setTimeout(() => signal(child.pid, 'SIGTERM'), 150)
    },
  },
  'SIGTERM to the process group': { code: 0, act: ({ child }) => signal(-(child.pid ?? 0), 'SIGTERM') },
  'SIGTERM to the process group, twice': {
    code: 0,
    act: ({ child }) => {
      signal(-(child.pid ?? 0), 'SIGTERM')
      setTimeout(() => signal(-(child.pid ?? 0), 'SIGTERM'), 150)
    },
  },
  'SIGINT to the process group': { code: 0, act: ({ child }) => signal(-(child.pid ?? 0), 'SIGINT') },
  'SIGKILL to npm': { code: null, act: ({ child }) => signal(child.pid, 'SIGKILL') },
}

/** Ctrl-C in a terminal is a SIGINT to the group: the plain signal is for the full size. */
const ordinary: readonly string[] = [
  'SIGTERM to npm',
  'SIGTERM to the process group, twice',
  'SIGKILL to npm',
  'one Ctrl-C in a terminal',
]
const isTried = (what: string): boolean => isFull || ordinary.includes(what)

async function assertFinishes(started: Started, act: (started: Started) => void): Promise<void> {
  const { status } = await sendBatch(started)
  const processes = [started.servicePid, ...childrenOf(started.servicePid)]
  act(started)
  assert.equal(await status, 200)
  while (processes.some(isAlive)) await delay(20)
}

for (const [name, command] of npms)
  test(`npm start finishes a batch of ${BATCH} and ends with code 0: ${name}`, {
    skip: command === undefined && 'no registry of npm packages can be reached: this version of npm was left out',
  }, async context => {
    for (const [what, { code, act }] of Object.entries(stops).filter(([what]) => isTried(what)))
      await context.test(what, async () => {
        const [file = '', ...args] = command ?? []
        const started = await start([file, ...args, 'start'])
        await assertFinishes(started, act)
        assert.deepEqual(await started.ended, { code, signal: code === null ? 'SIGKILL' : null }, started.output())
      })
    await context.test(
      'one Ctrl-C in a terminal',
      {
        skip:
          terminalProgram === undefined &&
          'util-linux has the command "script", which makes a pseudo-terminal: left out',
      },
      async () => {
        const started = await start(['script', '-qec', `exec ${(command ?? []).join(' ')} start`, '/dev/null'])
        await assertFinishes(started, ({ child }) => child.stdin?.write('\u0003'))
        assert.deepEqual(await started.ended, { code: 0, signal: null }, started.output())
      },
    )
  })

test('if the shell between npx and the service is killed, the service finishes its batch', async () => {
  const shell = await start(['sh', '-c', 'service/bin/vitrine serve; exit 1'], { settings: { npm_command: 'exec' } })
  await assertFinishes(shell, ({ child }) => signal(child.pid, 'SIGKILL'))
})

test('counts of the last moment are written when the group is stopped', async () => {
  const dataDir = path.join(folder, 'counted')
  const settings = { RENDER_WORKERS: '1', RATE_LIMIT_PER_DAY: '5' }
  const first = await start(['npm', 'start'], { dataDir, settings })
  for (let i = 0; i < 5; i++)
    assert.equal((await generate(first, { template_id: SMALL_TEMPLATE_ID, width: 100 })).status, 200)
  signal(-(first.child.pid ?? 0), 'SIGTERM')
  assert.equal((await first.ended).code, 0)
  const second = await start([launcher, 'serve'], { dataDir, settings })
  assert.equal((await generate(second, { template_id: SMALL_TEMPLATE_ID, width: 100 })).status, 429)
  signal(second.child.pid, 'SIGTERM')
  await second.ended
})

test('an unexpected failure is logged, the batch is finished, and the service restarts in the same process', async () => {
  const started = await start(['npm', 'start'])
  const { status } = await sendBatch(started)
  await writeFile(started.faultFile, '')
  while (existsSync(started.faultFile)) await delay(5)
  assert.equal(await status, 200)
  const isReady = () =>
    fetch(`${started.url}/readyz`).then(
      answer => answer.ok,
      () => false,
    )
  while (!(started.output().split('Vitrine is ready').length === 3 && (await isReady()))) await delay(20)
  assert.match(started.output(), /"level":"fatal".*a fault of the test/)
  assert.ok(isAlive(started.servicePid))
  assert.equal((await generate(started, { template_id: SMALL_TEMPLATE_ID, width: 100 })).status, 200)
  signal(started.child.pid, 'SIGTERM')
  assert.deepEqual(await started.ended, { code: 0, signal: null })
})

test('after five restarts within a minute a failure ends it with a non-zero exit code', async () => {
  const settings = { RENDER_WORKERS: '1', VITRINE_RESTARTED_AT_MS: Array(5).fill(Date.now()).join() }
  const started = await start([launcher, 'serve'], { settings })
  await writeFile(started.faultFile, '')
  assert.equal((await started.ended).code, 70)
  assert.match(started.output(), /failed 6 times within a minute and has ended/)
})
