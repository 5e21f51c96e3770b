import { readFileSync } from 'node:fs'

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

/** Processor time of a process and its threads so far, in milliseconds; null where the system has none. */
export function readCpuMs(pid: number | undefined): number | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1')).cpuMs
  } catch {
    // Not Linux, or it has just ended.
    return null
  }
}
