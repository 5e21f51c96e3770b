import { type ChildProcess, spawn } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import type { BackgroundWork } from './background-work.ts'
import { compiledCodeFolder } from './compiled-code.ts'

/** Loaded before each program. */
const preloaded = path.join(import.meta.dirname, 'ends-with-service.ts')

/**
 * V8's initial size of the old space, in MiB. By default it follows the few MiB in use, and the collector
 * would mark during every mockup (docs/decisions/start.md).
 */
const OLD_SPACE_MIB = 256

/** Runs beside the process: waits for a line that reports its end; kills it if the service ends first. */
const GUARD = `{ trap '' HUP INT TERM; read -r _ <&4 || kill -KILL $$; } 3<&- >/dev/null 2>&1 &`

/** Unix niceness of conversions and imports: lower priority than paid renders. */
export const UNPAID_NICENESS = 10

/** A TypeScript program that reads untrusted bytes, and its limits. */
export type SandboxOptions = {
  readonly file: string
  /** Files and folders that it may read, in addition to Node itself. */
  readonly readablePaths: readonly string[]
  /** Folders that it may read and write. */
  readonly writablePaths: readonly string[]
  /** Memory limit, in MiB. */
  readonly memoryMib: number
  /** Processor time after which SIGXCPU ends it, in seconds. */
  readonly processorS?: number
  /** Unix niceness relative to the service's own process. */
  readonly niceness?: number
  /** If set, it is paused for mockups. */
  readonly background?: BackgroundWork | undefined
  /** Library folders for the system's loader, if not the default (`LD_LIBRARY_PATH`). */
  readonly libraryPath?: string | undefined
}

/**
 * Starts a process that communicates by messages. It has no secrets (a minimal environment); it reads and
 * writes only the given paths (and compiled code until its program is loaded), opens no sockets and starts no
 * processes (Node's permission model); its memory is limited (by `ulimit`, because Node cannot limit native
 * code). Node's permissions do not restrain compromised native code: that is the container's part.
 */
export function startSandbox(options: SandboxOptions): ChildProcess {
  const flags = [
    '--permission',
    '--allow-addons',
    // The process collects garbage before large allocations.
    '--expose-gc',
    `--initial-old-space-size=${OLD_SPACE_MIB}`,
    ...[preloaded, compiledCodeFolder, ...options.readablePaths, ...options.writablePaths].map(
      path => `--allow-fs-read=${path}`,
    ),
    // Until it has loaded its program: `saveCompiledCode` drops the first.
    ...[compiledCodeFolder, ...options.writablePaths].map(path => `--allow-fs-write=${path}`),
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
    `--require=${preloaded}`,
  ]
  // The shell sets the limits and is then replaced by Node, which has its process id and gets signals.
  const bounds = ['ulimit -c 0', `ulimit -d ${options.memoryMib * 1024}`]
  // The soft limit: the hard limit's SIGKILL would not tell the reason.
  if (options.processorS !== undefined) bounds.push(`ulimit -S -t ${options.processorS}`)
  const { background } = options
  // A stopped process would not notice that the service is gone.
  const script = `${bounds.join('; ')}; ${background === undefined ? '' : GUARD} exec "$0" "$@" 4<&-`
  const child = spawn('/bin/sh', ['-c', script, process.execPath, ...flags, options.file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', background === undefined ? 'ignore' : 'pipe'],
    env: environment(options.libraryPath),
    serialization: 'json',
  })
  lowerPriority(child.pid, options.niceness ?? 0)
  const guard = child.stdio[4]
  if (guard instanceof Writable) {
    guard.on('error', () => undefined)
    child.once('exit', () => guard.end('\n'))
  }
  background?.add(child)
  return child
}

/** Gives unpaid work a lower priority than mockups and the process that settles charges. */
function lowerPriority(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(19, getPriority() + niceness))
  } catch {
    // If the process has ended or the system forbids it, it runs at normal priority.
    return
  }
}

/** Configures glibc's allocator, and where the loader finds the system's libraries. */
function environment(libraryPath: string | undefined): Record<string, string> {
  return {
    // glibc would otherwise retain an arena per thread, each as large as its largest picture.
    MALLOC_ARENA_MAX: '2',
    // Freed pictures return to the system at once: glibc would raise this to 32 MiB and retain them.
    MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
    MALLOC_TRIM_THRESHOLD_: String(8 * 1024 * 1024),
    // Allocates large pictures in pages of 2 MiB if possible: fewer page faults (docs/decisions/decoders.md).
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
    // A process decodes one picture at a time.
    UV_THREADPOOL_SIZE: '2',
    NODE_COMPILE_CACHE: compiledCodeFolder,
    ...(libraryPath === undefined ? {} : { LD_LIBRARY_PATH: libraryPath }),
  }
}
