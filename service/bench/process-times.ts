import { readdir, readFile } from 'node:fs/promises'
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
