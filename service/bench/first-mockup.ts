/**
 * The first mockup of a render process that has just started, with prepared templates kept on the disk and
 * without. By itself:
 *
 *   node service/bench/first-mockup.ts [--rounds 5] [--width 2000] [TEMPLATE …]
 *
 * Each mockup has a process of its own, with and without in turn. Prints medians in milliseconds from the job
 * to its picture, without the start of the process.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { RenderPool } from '../src/mockups/render-pool.ts'
import { renderProgramPaths, renderWorkerFile } from '../src/mockups/worker-files.ts'
import { PrivateFolders } from '../src/storage/private-folders.ts'
import { BundleDigest } from '../src/templates/bundle-digest.ts'
import { sampleArtworkFile } from '../src/templates/open-template-store.ts'
import { PreparedFiles } from '../src/templates/prepared-files.ts'
import type { PreparedSource, TemplateBundle } from '../src/templates/template-bundle.ts'

const starterPack = path.resolve(import.meta.dirname, '../../templates')
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, width: { type: 'string', default: '2000' } },
  allowPositionals: true,
})
const widthPx = Number(values.width)
const templates =
  positionals.length > 0 ? positionals : ['oak-frame-portrait', 'white-mug-walnut-table', 'gallery-wall-three']
const scratch = await mkdtemp(path.join(os.tmpdir(), 'vitrine-first-'))
const { root: tempRoot } = await PrivateFolders.open(path.join(scratch, 'processes'))
let fileCount = 0

/** The bundle as an import would name it. */
async function nameBundle(id: string): Promise<TemplateBundle> {
  const folder = path.join(starterPack, id)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name))
  const digest = new BundleDigest()
  for (const name of files.map(file => path.relative(folder, file)).sort()) {
    const bytes = await readFile(path.join(folder, name))
    digest.addFile(name, bytes.length)
    digest.addBytes(bytes)
  }
  return { key: `${id}@bench`, folder, digest: digest.end() }
}

/** Milliseconds of the first mockup, and what its template was prepared from. */
async function renderFirst(bundle: TemplateBundle, preparedSource?: PreparedSource) {
  await using pool = await RenderPool.start({
    workerFile: renderWorkerFile,
    readablePaths: renderProgramPaths,
    tempRoot,
    processCount: 1,
    preparedSource,
  })
  const startedMs = performance.now()
  const [mockup] = await pool.render(
    {
      accountId: 'acc_bench',
      mockups: [{ bundle, toFile: path.join(scratch, `mockup-${++fileCount}`) }],
      artworks: [{ frame: null, file: sampleArtworkFile, contentName: null }],
      placements: { all: undefined, byFrame: [] },
      colors: [],
      output: { format: 'jpeg', quality: 85, widthPx },
    },
    pool.admit('acc_bench'),
  )
  return { ms: performance.now() - startedMs, from: mockup?.preparedFrom }
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

try {
  const root = path.join(scratch, 'prepared')
  const kept = await PreparedFiles.open({ root, maxBytes: Number.MAX_SAFE_INTEGER, leastFreeBytes: 0 })
  for (const id of templates) {
    const bundle = await nameBundle(id)
    for (const _ of [1, 2]) kept.noteUse(bundle, widthPx, 'bundle')
    await kept.makeNext()
    const without: number[] = []
    const fromFile: number[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      without.push((await renderFirst(bundle)).ms)
      const { ms, from } = await renderFirst(bundle, kept)
      if (from !== 'file') throw new Error(`${id} was prepared from its ${from}`)
      fromFile.push(ms)
    }
    const [a, b] = [median(without), median(fromFile)]
    console.log(
      `${id}, ${widthPx} px: ${a.toFixed(0)} ms without, ${b.toFixed(0)} ms from the file (${(a / b).toFixed(1)}x)`,
    )
  }
} finally {
  await rm(scratch, { recursive: true, force: true })
}
