import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const templatesDirectory = path.join(root, 'templates')
/** The service's own render process, with its own bounds; spoken to as the service does. */
const workerFile = path.join(root, 'service/src/mockups/worker/main.ts')

/** The folders of all templates that ship. */
export async function listTemplates(): Promise<string[]> {
  const entries = await readdir(templatesDirectory, { withFileTypes: true })
  const folders = entries.filter(entry => entry.isDirectory() && entry.name !== 'artworks')
  return folders.map(entry => path.join(templatesDirectory, entry.name)).sort()
}

export type ProcessReport = { readonly wallMs: number; readonly peakMiB: number }

/** Some of twelve templates: those that ship in turn, each under a name of its own, so that it is prepared and kept by itself. */
export type ProcessJob = {
  readonly artworkFile: string
  readonly widthPx: number
  readonly templates: readonly number[]
  readonly rounds: number
}

/** Runs the parts at the same time, each in a render process of its own that has just started. Linux alone tells the peak memory. */
export async function runInProcesses(parts: readonly ProcessJob[]): Promise<ProcessReport> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-bench-'))
  const children = parts.map(() => fork(workerFile, { serialization: 'json' }))
  try {
    await Promise.all(children.map(child => receive(child, 'ready')))
    const started = performance.now()
    await Promise.all(
      parts.map(async (part, index) => {
        const child = children[index]
        if (child) await runPart(child, part, path.join(folder, String(index)))
      }),
    )
    const wallMs = performance.now() - started
    const peaks = await Promise.all(children.map(child => readPeakMiB(child.pid)))
    return { wallMs, peakMiB: Math.max(...peaks) }
  } finally {
    for (const child of children) child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function runPart(child: ChildProcess, job: ProcessJob, prefix: string): Promise<void> {
  const folders = await listTemplates()
  for (let round = 0; round < job.rounds; round++) {
    const mockups = job.templates.map(index => ({
      bundle: { key: `bench-${index}@1`, folder: folders[index % folders.length] ?? '' },
      toFile: `${prefix}-${round}-${index}.jpg`,
    }))
    const output = { format: 'jpeg', quality: 85, widthPx: job.widthPx }
    const artworks = [{ frameIndex: null, file: job.artworkFile }]
    child.send({ kind: 'render', jobId: round + 1, job: { mockups, artworks, output } })
    const done = await receive(child, 'done')
    if (!JSON.stringify(done).includes('complete')) throw new Error(`A job failed: ${JSON.stringify(done)}`)
  }
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

async function readPeakMiB(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}
