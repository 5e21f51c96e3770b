import { readdir, readFile } from 'node:fs/promises'

/** Processor time, user and system, in milliseconds. */
export type ProcessTimes = {
  /** of a process alone */
  readonly ownMs: number
  /** of its descendants, ended ones included */
  readonly childrenMs: number
  /** of the calling process */
  readonly callerMs: number
}

/** Linux reports processor time in hundredths of a second (USER_HZ). */
const TICK_MS = 10

/** Processor time in `/proc/PID/stat` or that of a thread (proc(5)), user and system, in milliseconds. */
export function parseStat(stat: string): {
  readonly name: string
  readonly parent: number
  readonly cpuMs: number
  /** Of children that have ended and were waited for. */
  readonly endedMs: number
} {
  // The name is in brackets and may hold any character. After it: state, parent, ..., and from index 11 on
  // the user and system time of the process and of its ended children.
  const nameEnd = stat.lastIndexOf(')')
  const fields = stat.slice(nameEnd + 2).split(' ')
  return {
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    parent: Number(fields[1]),
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    endedMs: (Number(fields[13]) + Number(fields[14])) * TICK_MS,
  }
}

/** Processor time of a process so far, all its threads, in milliseconds. Linux only. */
export async function readCpuMs(pid: number | undefined): Promise<number> {
  return parseStat(await readFile(`/proc/${pid}/stat`, 'latin1')).cpuMs
}

/** Processor time of a process and its descendants so far. Linux only. */
export async function readProcessTimes(pid: number): Promise<ProcessTimes> {
  const all = new Map<number, ReturnType<typeof parseStat>>()
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null) : null
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
