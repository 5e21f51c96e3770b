import { readdir, readFile } from 'node:fs/promises'

/** Processor time, user and system, in milliseconds. */
export type ProcessTimes = {
  /** of a process alone */
  readonly ownMs: number
  /** of its children, and of theirs, that live */
  readonly childrenMs: number
  /** of the process that asks */
  readonly callerMs: number
}

/** Linux counts in hundredths of a second wherever it tells programs (USER_HZ). */
const TICK_MS = 10

/** What a process and its descendants have used so far. Linux alone tells. */
export async function readProcessTimes(pid: number): Promise<ProcessTimes> {
  const all = new Map<number, { readonly parent: number; readonly ms: number }>()
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null) : null
    if (stat === null) continue
    // Behind the program's name, which may hold anything: state, parent, and at 12 and 13 user and system time (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    all.set(Number(name), { parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS })
  }
  const descends = (parent: number): boolean =>
    parent === pid || (all.has(parent) && parent > 1 && descends(all.get(parent)?.parent ?? 0))
  const children = [...all.values()].filter(({ parent }) => descends(parent))
  const { user, system } = process.cpuUsage()
  return {
    ownMs: all.get(pid)?.ms ?? 0,
    childrenMs: children.reduce((sum, { ms }) => sum + ms, 0),
    callerMs: (user + system) / 1000,
  }
}
