import { createHash } from 'node:crypto'

/** CPU milliseconds of this process so far, all its threads, user and system. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** A task to measure. Returns its CPU milliseconds where they were spent in another process, else nothing. */
export type Task = () => Promise<number | undefined> | number | undefined

/**
 * Median CPU milliseconds of each task. Rounds are interleaved, so that a busy moment of the machine affects
 * all tasks. The first rounds warm up and are not counted.
 */
export async function measureInTurn(
  tasks: ReadonlyMap<string, Task>,
  rounds: number,
  warmUps = 2,
): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number[]>([...tasks.keys()].map(name => [name, []]))
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, task] of tasks) {
      const before = cpuMs()
      const elsewhere = await task()
      const cost = elsewhere ?? cpuMs() - before
      if (round >= 0) costs.get(name)?.push(cost)
    }
  }
  return new Map([...costs].map(([name, list]) => [name, median(list)]))
}

/** A task done twice in a row, of which the second counts: its cost right after the same work. */
export function again(task: Task): Task {
  return async () => {
    await task()
    const before = cpuMs()
    const elsewhere = await task()
    return elsewhere ?? cpuMs() - before
  }
}

/** The middle value; NaN of none. */
export function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b)
  const middle = (ordered.length - 1) / 2
  return ((ordered[Math.floor(middle)] ?? Number.NaN) + (ordered[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** The first 12 hexadecimal digits of the SHA-256. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12)
}
