/** Pools of scripted render processes (scripted-worker.ts), and jobs for them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RenderJob } from '../../src/mockups/render-job.ts'
import { RenderPool, type RenderPoolOptions } from '../../src/mockups/render-pool.ts'
import { PrivateFolders } from '../../src/storage/private-folders.ts'

const repository = path.resolve(import.meta.dirname, '../../..')

export const tempRoot = path.join(tmpdir(), `vitrine-pool-test-${process.pid}`)

/** The input and output of every scripted job. */
export const bundleFolder = path.join(tempRoot, 'bundle')

/** What scripted processes run, and may read. */
export const scriptedProgram = {
  workerFile: path.join(import.meta.dirname, 'scripted-worker.ts'),
  readablePaths: [repository],
}

/** Call once, at the top of a test file. */
export function useScriptedJobs(): void {
  before(async () => {
    await mkdir(bundleFolder, { recursive: true })
    await writeFile(path.join(bundleFolder, 'scene.txt'), 'scene')
  })
  after(() => rm(tempRoot, { recursive: true, force: true }))
}

export async function startPool(
  options: Partial<RenderPoolOptions> = {},
): Promise<{ pool: RenderPool; folders: PrivateFolders }> {
  const folders = await PrivateFolders.open(tempRoot)
  const pool = await RenderPool.start({ ...scriptedProgram, tempRoot: folders.root, processCount: 1, ...options })
  return { pool, folders }
}

export function job(...names: readonly string[]): RenderJob {
  return {
    mockups: names.map(name => ({
      bundle: { key: `${name}@1`, folder: bundleFolder },
      toFile: path.join(tempRoot, `picture-${randomUUID()}`),
    })),
    accountId: 'acc_a',
    artworks: [],
    placements: { all: undefined, byFrame: [] },
    colors: [],
    output: { format: 'jpeg', quality: 85, widthPx: 100 },
  }
}

export function submit(pool: RenderPool, name: string, accountId = 'account_a', signal?: AbortSignal) {
  return pool.render(job(name), pool.admit(accountId), signal)
}

export async function until(isTrue: () => boolean, timeoutMs = 10_000): Promise<void> {
  const startedAtMs = performance.now()
  while (!isTrue()) {
    assert.ok(performance.now() - startedAtMs < timeoutMs, 'waited without a result')
    await sleep(5)
  }
}
