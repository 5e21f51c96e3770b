import { readFileSync } from 'node:fs'

/** Linux reports processor time in hundredths of a second (USER_HZ). */
const TICK_MS = 10

/** Parses user plus system times, in milliseconds, from `/proc/PID/stat` or a thread's (proc(5)). */
export function parseStat(stat: string): {
  readonly name: string
  readonly parent: number
  readonly cpuMs: number
  /** Of child processes that have ended and been waited for. */
  readonly endedMs: number
} {
  // The name is in parentheses and may contain any character. After it follow state, parent, ..., and from
  // index 11 on the user and system time of the process and of its ended children.
  const nameEnd = stat.lastIndexOf(')')
  const fields = stat.slice(nameEnd + 2).split(' ')
  return {
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    parent: Number(fields[1]),
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    endedMs: (Number(fields[13]) + Number(fields[14])) * TICK_MS,
  }
}

/** Processor time of a process and its threads so far, in milliseconds; null if unavailable. */
export function readCpuMs(pid: number | undefined): number | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1')).cpuMs
  } catch {
    // Not Linux, or the process has just ended.
    return null
  }
}
