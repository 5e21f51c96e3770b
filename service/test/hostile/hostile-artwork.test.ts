import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { PrivateFolders } from '../../src/mockups/private-folders.ts'
import { ArtworkRejected } from '../../src/mockups/render-errors.ts'
import { RenderPool } from '../../src/mockups/render-pool.ts'
import { renderProgramPaths, renderWorkerFile } from '../../src/mockups/worker-files.ts'
import { writeBundle } from '../mockups/test-bundle.ts'
import { gifFiles } from './gif-files.ts'
import type { HostileFile } from './hostile-file.ts'
import { jpegFiles } from './jpeg-files.ts'
import { mutate, seededRandom } from './mutate.ts'
import { otherFiles } from './other-files.ts'
import { pngFiles } from './png-files.ts'
import { webpFiles } from './webp-files.ts'

const MIB = 1024 * 1024
/** The bar is one second on a machine that does nothing else. The tests run on loaded ones: so of processor time, with as much again. */
const ANSWER_CPU_MS = 2000
/** What no load explains. */
const ANSWER_MS = 20_000
const MUTANT_COUNT = process.env['VITRINE_TEST_SIZE'] === 'full' ? 20_000 : 2000
const MUTANT_SEED = 20_261_121

type Answer = { readonly outcome: string; readonly tookMs: number }

describe('Hostile artwork', () => {
  let home = ''
  let bundle = { key: 'poster@1', folder: '' }
  let folders: PrivateFolders
  let pool: RenderPool
  const lost: string[] = []

  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'vitrine-hostile-'))
    const bundles = path.join(home, 'bundles')
    bundle = { key: 'poster@1', folder: await writeBundle(bundles, 'poster') }
    folders = await PrivateFolders.open(path.join(home, 'requests'))
    pool = await RenderPool.start({
      workerFile: renderWorkerFile,
      readablePaths: [...renderProgramPaths, bundles],
      tempRoot: folders.root,
      processCount: 2,
      onProcessLost: reason => lost.push(reason),
    })
  })

  after(async () => {
    await pool.close()
    await rm(home, { recursive: true, force: true })
  })

  /** What a caller is answered: `accepted`, or the reason of the refusal. Everything else throws. */
  async function render(file: string): Promise<Answer> {
    await using folder = await folders.create()
    const startedMs = performance.now()
    const job = {
      mockups: [{ bundle, toFile: folder.file('mockup') }],
      artworks: [{ frameIndex: null, file }],
      output: { format: 'jpeg' as const, quality: 85, widthPx: 200 },
    }
    try {
      await pool.render(job, pool.admit('key_a'))
      return { outcome: 'accepted', tookMs: performance.now() - startedMs }
    } catch (error) {
      if (!(error instanceof ArtworkRejected)) throw error
      return { outcome: error.reason, tookMs: performance.now() - startedMs }
    }
  }

  async function writeRequestFile(bytes: Uint8Array, name: string): Promise<string> {
    const file = path.join(folders.root, name)
    await writeFile(file, bytes)
    return file
  }

  function assertExpected({ name, outcome }: HostileFile, received: string): void {
    if (outcome === 'accepted') assert.equal(received, 'accepted', name)
    else if (outcome === 'refused') assert.notEqual(received, 'accepted', name)
    else if (outcome !== 'either') assert.equal(received, outcome.refusedFor, name)
  }

  it('is answered quickly, by a mockup or a refusal, three times over, and costs neither a process nor memory', async t => {
    const corpus = [
      ...pngFiles(),
      ...(await jpegFiles()),
      ...gifFiles(),
      ...(await webpFiles()),
      ...(await otherFiles()),
    ]
    const files = new Map<string, Omit<HostileFile, 'bytes'>>()
    for (const { bytes, ...rest } of corpus) files.set(await writeRequestFile(bytes, rest.name), rest)
    assert.ok(files.size >= 90, `${files.size}`)
    corpus.length = 0
    const residentBefore = process.memoryUsage.rss()
    let slowest = { name: '', tookMs: 0, cpuMs: 0 }
    for (let round = 0; round < 3; round += 1) {
      for (const [file, hostile] of files) {
        const cpuBeforeMs = cpuTimeMs(pool.state.processIds)
        const { outcome, tookMs } = await render(file)
        const cpuMs = cpuTimeMs(pool.state.processIds) - cpuBeforeMs
        assertExpected({ ...hostile, bytes: new Uint8Array() }, outcome)
        assert.ok(tookMs < ANSWER_MS, `${hostile.name} took ${tookMs} ms`)
        assert.ok(cpuMs < ANSWER_CPU_MS, `${hostile.name} took ${cpuMs} ms of processor time`)
        if (tookMs > slowest.tookMs) slowest = { name: hostile.name, tookMs, cpuMs }
      }
    }
    const grownMib = (process.memoryUsage.rss() - residentBefore) / MIB
    const peakMib = Math.max(...pool.state.processIds.map(peakResidentMib))
    t.diagnostic(
      `${files.size} files x 3; slowest ${slowest.name} ${Math.round(slowest.tookMs)} ms (${slowest.cpuMs} ms of processor time); grown by ${grownMib.toFixed(1)} MiB; render processes at most ${peakMib.toFixed(0)} MiB`,
    )
    assert.ok(peakMib < 700, `a render process took ${peakMib} MiB`)
    assert.ok(grownMib < 50, `the service's process grew by ${grownMib} MiB`)
    assert.deepEqual(lost, [])
    assert.equal(pool.state.readyCount, 2)
  })

  it(`in ${MUTANT_COUNT} damaged versions is a mockup or a refusal`, async t => {
    const seeds = await mutationSeeds()
    const random = seededRandom(MUTANT_SEED)
    const counts: Record<string, number> = {}
    let slowestMs = 0
    let index = 0
    const work = async () => {
      while (index < MUTANT_COUNT) {
        const number = index
        index += 1
        const seed = seeds[number % seeds.length] ?? seeds[0]
        const file = await writeRequestFile(mutate(seed ?? new Uint8Array(), random), `mutant-${number}`)
        try {
          const { outcome, tookMs } = await render(file)
          counts[outcome] = (counts[outcome] ?? 0) + 1
          slowestMs = Math.max(slowestMs, tookMs)
        } catch (error) {
          throw new Error(`Mutant ${number} of seed ${MUTANT_SEED}`, { cause: error })
        }
        await rm(file)
      }
    }
    await Promise.all([work(), work()])
    t.diagnostic(`seed ${MUTANT_SEED}; ${JSON.stringify(counts)}; slowest ${Math.round(slowestMs)} ms`)
    assert.ok((counts['accepted'] ?? 0) > 0)
    assert.deepEqual(lost, [])
    assert.ok(slowestMs < ANSWER_MS)
  })
})

/** Processor time that processes have used, in milliseconds, by Linux's count of hundredths of a second; 0 elsewhere. */
function cpuTimeMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const file = `/proc/${pid}/stat`
    const fields = existsSync(file)
      ? readFileSync(file, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
      : []
    return sum + 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0))
  }, 0)
}

/** The most memory that a process ever held, in MiB, by Linux's count; 0 elsewhere. */
function peakResidentMib(pid: number): number {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

/** Nine sound files of all types, small enough that a mutation meets something. */
async function mutationSeeds(): Promise<Uint8Array[]> {
  const noise = sharp({
    create: {
      width: 120,
      height: 90,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
      background: '#888',
    },
  })
  const raw = await noise.png().toBuffer()
  const open = () => sharp(raw)
  return Promise.all([
    open().jpeg().toBuffer(),
    open().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer(),
    open().toColourspace('cmyk').jpeg().toBuffer(),
    open().png().toBuffer(),
    open().png({ palette: true, colours: 16 }).toBuffer(),
    open().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    open().webp({ quality: 60 }).toBuffer(),
    open().ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
    open().gif().toBuffer(),
  ])
}
