import { type ChildProcess, spawn } from 'node:child_process'

/**
 * What the collector takes for the least room of long-lived objects, in MiB. It begins to mark as soon as less of that is left than the room for new objects, some 30 MiB: left to
 * itself it gives a program of 12 MiB of objects no more, and then marks during every picture, a sixth of what the process does.
 */
const OLD_SPACE_MIB = 256

/** A TypeScript file that is to run where strangers' bytes can do little harm. */
export type SandboxOptions = {
  readonly file: string
  /** Files and folders that it may read, beyond Node itself. */
  readonly readablePaths: readonly string[]
  /** Folders that it may read and write. */
  readonly writablePaths: readonly string[]
  /** Memory that it may allocate, in MiB. */
  readonly memoryMib: number
  /** Folders where the system's loader finds libraries, where that is not the default (`LD_LIBRARY_PATH`). */
  readonly libraryPath?: string | undefined
}

/**
 * Starts a process of its own, reached by messages. It has no secrets (an environment of a few variables), may read and write what it
 * is given, open no socket, start no process (Node's permission model), and allocate so much memory and no more (`ulimit`, as Node
 * can't limit what native code takes). Node's permissions bind JavaScript, not native code that was broken into; for that an
 * operator has the container.
 */
export function startSandbox(options: SandboxOptions): ChildProcess {
  const flags = [
    '--permission',
    '--allow-addons',
    // So that a process can give memory back before it takes much more.
    '--expose-gc',
    `--initial-old-space-size=${OLD_SPACE_MIB}`,
    ...[...options.readablePaths, ...options.writablePaths].map(path => `--allow-fs-read=${path}`),
    ...options.writablePaths.map(path => `--allow-fs-write=${path}`),
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ]
  // The shell sets the limits and is then replaced by Node: same process id, so a signal reaches the right one.
  const script = 'ulimit -c 0; ulimit -d "$0"; exec "$@"'
  const limitKib = String(options.memoryMib * 1024)
  return spawn('/bin/sh', ['-c', script, limitKib, process.execPath, ...flags, options.file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: environment(options.libraryPath),
    serialization: 'json',
  })
}

/** What such a process needs to know of the world: how to allocate, and where the loader finds the system's libraries. */
function environment(libraryPath: string | undefined): Record<string, string> {
  return {
    // Two arenas: glibc would keep one per thread, each as large as the largest picture that it saw.
    MALLOC_ARENA_MAX: '2',
    // Pictures are given back as soon as they are freed: glibc would raise this to 32 MiB and keep the holes that they leave.
    MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
    MALLOC_TRIM_THRESHOLD_: String(8 * 1024 * 1024),
    // Two threads are one more than a process that decodes one picture at a time can use.
    UV_THREADPOOL_SIZE: '2',
    ...(libraryPath === undefined ? {} : { LD_LIBRARY_PATH: libraryPath }),
  }
}
