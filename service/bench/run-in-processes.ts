import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listTemplates } from '../../engine/bench/list-templates.ts'
import { DEFAULT_PROCESS_MEMORY_MIB } from '../src/mockups/limits.ts'
import type { ToWorker } from '../src/mockups/worker-messages.ts'
import { readCpuMs } from '../src/sandbox/process-stat.ts'
import { startSandbox } from '../src/sandbox/start-sandbox.ts'

const root = path.resolve(import.meta.dirname, '../..')

export type ProcessesReport = {
  /** From the first request to the last answer, in milliseconds. */
  readonly proofMs: number
  /** CPU seconds of all processes, from their start. */
  readonly cpuSeconds: number
  /** The greatest resident memory of any of them, in MiB. */
  readonly peakMib: number
  /** Mockups a second after the first round, all processes together; NaN with one round. */
  readonly warmPerSecond: number
}

/** Templates of the starter pack, by index: each is rendered once a round. */
export type ProcessJob = {
  readonly artworkFile: string
  readonly widthPx: number
  readonly templates: readonly number[]
  readonly rounds: number
}

/** Runs the parts at the same time, each in a new render process in the service's sandbox. Linux only. */
export async function runInProcesses(parts: readonly ProcessJob[]): Promise<ProcessesReport> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-bench-'))
  const children = parts.map(({ artworkFile }) =>
    startSandbox({
      file: path.join(root, 'service/src/mockups/worker/main.ts'),
      readablePaths: [root, path.resolve(artworkFile)],
      writablePaths: [folder],
      memoryMib: DEFAULT_PROCESS_MEMORY_MIB,
    }),
  )
  try {
    await Promise.all(children.map(child => receive(child, 'ready')))
    const started = performance.now()
    const rates = await Promise.all(
      parts.map((part, index) => runPart(children[index], part, path.join(folder, String(index)))),
    )
    const proofMs = performance.now() - started
    const costs = await Promise.all(children.map(child => readCosts(child.pid)))
    return {
      proofMs,
      cpuSeconds: costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      peakMib: Math.max(...costs.map(({ peakMib }) => peakMib)),
      warmPerSecond: rates.reduce((sum, rate) => sum + rate, 0),
    }
  } finally {
    for (const child of children) child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Mockups a second after the first round. */
async function runPart(child: ChildProcess | undefined, job: ProcessJob, prefix: string): Promise<number> {
  if (!child) throw new Error('A part has no process.')
  const folders = await listTemplates()
  let warmFrom = Number.NaN
  for (let round = 0; round < job.rounds; round++) {
    if (round === 1) warmFrom = performance.now()
    const mockups = job.templates.map(index => ({
      bundle: { key: `bench-${index}@1`, folder: folders[index % folders.length] ?? '' },
      toFile: `${prefix}-${round}-${index}.jpg`,
    }))
    const request: ToWorker = {
      kind: 'render',
      jobId: round + 1,
      job: {
        accountId: 'bench',
        mockups,
        artworks: [{ frame: null, file: path.resolve(job.artworkFile), contentName: null }],
        placements: { all: undefined, byFrame: [] },
        colors: [],
        output: { format: 'jpeg', quality: 85, widthPx: job.widthPx },
      },
    }
    child.send(request)
    const done = await receive(child, 'done')
    if (!JSON.stringify(done).includes('complete')) throw new Error(`A job failed: ${JSON.stringify(done)}`)
  }
  return (1000 * job.templates.length * (job.rounds - 1)) / (performance.now() - warmFrom)
}

/** The next message of that kind. */
async function receive(child: ChildProcess, kind: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onMessage = (message: unknown): void => {
    if (typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind) resolve(message)
  }
  const onExit = (): void => reject(new Error('A render process ended early.'))
  child.on('message', onMessage)
  child.once('exit', onExit)
  try {
    return await promise
  } finally {
    child.off('message', onMessage)
    child.off('exit', onExit)
  }
}

async function readCosts(pid: number | undefined): Promise<{ cpuSeconds: number; peakMib: number }> {
  if (process.platform !== 'linux') return { cpuSeconds: Number.NaN, peakMib: Number.NaN }
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return {
    cpuSeconds: (readCpuMs(pid) ?? Number.NaN) / 1000,
    peakMib: Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024,
  }
}
