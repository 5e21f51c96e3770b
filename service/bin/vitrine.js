#!/usr/bin/env node
// The vitrine command, readable by Node 20: an older Node runs the shell file beside this one in a child.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

if (Number.parseInt(process.versions.node, 10) >= 26) {
  if (process.pid === 1) endOnSignals()
  endWithParent()
  // Keeps compiled TypeScript beside the packages: halves the start. No effect on a read-only folder.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
  await import('../src/cli/vitrine.ts')
} else {
  runOnNode26()
}

/**
 * The kernel drops signals to the first process of a container unless it handles them. `serve` replaces these
 * handlers when it can finish what is under way.
 */
function endOnSignals() {
  process.once('SIGTERM', () => process.exit(143)).once('SIGINT', () => process.exit(130))
}

/** A killed parent must not leave a server behind that keeps the port. */
function endWithParent() {
  const end = () => process.kill(process.pid, 'SIGKILL')
  if (process.channel) {
    process.once('disconnect', end)
    process.channel.unref()
  } else if (process.env.npm_command !== undefined) {
    // npm gives its children no channel to wait on.
    let parents = findParents()
    setInterval(() => {
      const found = findParents()
      parents ??= found
      if (found !== null && found !== parents) end()
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

function runOnNode26() {
  const child = spawn(fileURLToPath(new URL('vitrine', import.meta.url)), process.argv.slice(2), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // the channel tells the child when this process ends
  })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGINT']) {
    // A terminal sends Ctrl-C to the child as well; a second one would end it at once.
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
