import { readdirSync, readFileSync } from 'node:fs'
import { parseStat } from '../src/sandbox/process-stat.ts'

/** Processor time, user and system, in milliseconds. */
export type ProcessTimes = {
  /** of a process alone */
  readonly ownMs: number
  /** of its descendants, ended ones included */
  readonly childrenMs: number
  /** of the calling process */
  readonly callerMs: number
}

/**
 * Processor time of a process and its descendants so far. Read at once: what goes on meanwhile would count.
 * Linux only.
 */
export function readProcessTimes(pid: number): ProcessTimes {
  const all = new Map<number, ReturnType<typeof parseStat>>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readProc(`${name}/stat`) : null
    if (stat !== null) all.set(Number(name), parseStat(stat))
  }
  const descends = (parent: number): boolean =>
    parent === pid || (all.has(parent) && parent > 1 && descends(all.get(parent)?.parent ?? 0))
  const children = [...all.values()].filter(({ parent }) => descends(parent))
  const { user, system } = process.cpuUsage()
  return {
    ownMs: all.get(pid)?.cpuMs ?? 0,
    childrenMs: children.reduce((sum, { cpuMs, endedMs }) => sum + cpuMs + endedMs, all.get(pid)?.endedMs ?? 0),
    callerMs: (user + system) / 1000,
  }
}

/** Null where the process has ended meanwhile. */
function readProc(file: string): string | null {
  try {
    return readFileSync(`/proc/${file}`, 'latin1')
  } catch {
    return null
  }
}

/** Processor time of living processes: those that mockups need, and those of work in the background. */
export type SharedTimes = { readonly mockupsMs: number; readonly backgroundMs: number }

/**
 * Processor time of a process and its living descendants so far, in nanoseconds' steps: a mockup is three of
 * the ticks that `readProcessTimes` counts in. Linux only.
 */
export function readSharedTimes(pid: number): SharedTimes {
  let [mockupsMs, backgroundMs] = [0, 0]
  const add = (parent: number): void => {
    const command = readProc(`${parent}/cmdline`) ?? ''
    // One that has ended has no command any more.
    if (command === '') return
    const ms = listThreads(parent).reduce((sum, thread) => sum + Number(thread.split(' ')[0]) / 1e6, 0)
    if (command.includes('bundle-worker')) backgroundMs += ms
    else mockupsMs += ms
    for (const child of (readProc(`${parent}/task/${parent}/children`) ?? '').split(' '))
      if (child !== '') add(Number(child))
  }
  add(pid)
  return { mockupsMs, backgroundMs }
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(id => readProc(`${pid}/task/${id}/schedstat`) ?? '0')
  } catch {
    return []
  }
}
