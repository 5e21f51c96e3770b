#!/usr/bin/env node
// The vitrine command, readable by Node 20: an older Node runs the shell file beside this one in a child.
import { spawn } from 'node:child_process'
import { readFileSync, writeSync } from 'node:fs'
import module from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The id of the older Node that started this one. */
const PARENT_VARIABLE = 'VITRINE_PARENT_PID'

/** When the service was restarted, in milliseconds since 1970, between commas: the last minute's. */
const RESTARTS_VARIABLE = 'VITRINE_RESTARTED_AT_MS'

/**
 * `serve` ends with this code (EX_SOFTWARE) after a failure that nobody expected, with nothing under way.
 */
const FAILED_CODE = 70

const RESTARTS_PER_MINUTE = 5

/** As it was at the start: the service takes its secrets out of `process.env`. */
const environment = { ...process.env }

if (Number.parseInt(process.versions.node, 10) >= 26) {
  if (process.pid === 1) endOnSignals()
  sayThatItStarts()
  endWithParent()
  await restartAfterFailure()
  // Keeps compiled TypeScript beside the packages: halves the start. No effect on a read-only folder.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
  await import('../src/cli/vitrine.ts')
} else {
  sayThatItStarts()
  runOnNode26()
}

/**
 * `serve` says so before it loads anything; the older Node that started this one has said it. Programs that
 * asked for JSON wait for that alone.
 */
function sayThatItStarts() {
  const args = process.argv.slice(2)
  const isServe = args.find(each => !each.startsWith('-')) === 'serve'
  if (!isServe || process.env[PARENT_VARIABLE] !== undefined) return
  if (args.some(each => ['--json', '--help', '-h', '--version', '-V'].includes(each))) return
  try {
    writeSync(1, 'Vitrine is starting …\n')
  } catch {
    // Nobody reads it.
  }
}

/**
 * The kernel drops signals to the first process of a container unless it handles them. `serve` replaces
 * these handlers when it can finish what is under way.
 */
function endOnSignals() {
  process.once('SIGTERM', () => process.exit(143)).once('SIGINT', () => process.exit(130))
}

/**
 * A killed parent must not leave a server behind that keeps the port: it is asked to stop, as by SIGTERM.
 */
function endWithParent() {
  const parent = takeVariable(PARENT_VARIABLE)
  const end = () => process.kill(process.pid, 'SIGTERM')
  if (process.channel) {
    process.once('disconnect', end)
    process.channel.unref()
  } else if (parent !== undefined || process.env.npm_command !== undefined) {
    // npm gives its children no channel to wait on, and a program that replaces itself would lose it.
    let parents = parent ?? findParents()
    const look = setInterval(() => {
      const found = parent === undefined ? findParents() : String(process.ppid)
      parents ??= found
      if (found === null || found === parents) return
      clearInterval(look)
      end()
    }, 250).unref()
  }
}

/** Ids of the parent and, where it is a shell, of its parent: npm's shell outlives npm. Null: not known. */
function findParents() {
  const { ppid } = process
  let shell = null
  try {
    // "12 (sh) S 11 ...": id, name, state, id of the parent
    shell = /^\d+ \((?:sh|dash|ash|bash|busybox)\) \S (\d+) /.exec(readFileSync(`/proc/${ppid}/stat`, 'utf8'))
  } catch (error) {
    // Not Linux, or the parent has just ended. A lack of descriptors says nothing about it.
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') return null
  }
  return `${ppid} ${shell?.[1]}`
}

/**
 * Starts the service again, in this same process, after a failure that nobody expected: `npm start` and a
 * terminal would leave it ended. What manages a container or a unit of systemd does that itself, and a
 * program that forked it is told by the exit code.
 */
async function restartAfterFailure() {
  const restarts = (takeVariable(RESTARTS_VARIABLE) ?? '').split(',').filter(Boolean).map(Number)
  const { ppid } = process
  if (process.pid === 1 || ppid === 1 || process.channel) return
  process.on('exit', code => {
    // Without its parent it was to end.
    if (code !== FAILED_CODE || process.ppid !== ppid) return
    const nowMs = Date.now()
    const recent = restarts.filter(atMs => nowMs - atMs < 60_000)
    if (recent.length >= RESTARTS_PER_MINUTE) {
      process.stderr.write(`vitrine: The service failed ${recent.length + 1} times within a minute and has ended.\n`)
      return
    }
    const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
    process.execve(process.execPath, args, { ...environment, [RESTARTS_VARIABLE]: [...recent, nowMs].join() })
  })
  // 0, 1, 2, 4, 8 s
  if (restarts.length > 1) await delay(1000 * 2 ** (restarts.length - 2))
}

/** A variable that this file alone uses. */
function takeVariable(name) {
  const value = process.env[name]
  delete process.env[name]
  return value
}

function runOnNode26() {
  const child = spawn(fileURLToPath(new URL('vitrine', import.meta.url)), process.argv.slice(2), {
    stdio: 'inherit',
    env: { ...process.env, [PARENT_VARIABLE]: String(process.pid) },
  })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGINT']) {
    // A terminal sends Ctrl-C to the child as well.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.once('error', error => {
    process.stderr.write(`vitrine: Node 26 cannot start: ${error.message}\n`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
