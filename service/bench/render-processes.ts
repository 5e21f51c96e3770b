/**
 * Render processes: a batch of twelve at 4,000 px, memory, mockups per second on all cores. Part of `npm run
 * bench`; by itself:
 *
 *   node service/bench/render-processes.ts [--artwork FILE]
 *
 * Prints a JSON list of figures, and its progress on standard error. By default the batch's artwork is a
 * made-up JPEG of 18 MB.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { limits } from '@vitrine/contract'
import { makeArtwork } from '../../engine/bench/artworks.ts'
import { listTemplates } from '../../engine/bench/list-templates.ts'
import { type ProcessJob, runInProcesses } from './run-in-processes.ts'

/** `atMost` is null where there is no bar. */
type Figure = { readonly name: string; readonly atMost: number | null; readonly value: number }

const { values } = parseArgs({ options: { artwork: { type: 'string' } } })
const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-bench-'))
const figures: Figure[] = []
const report = (name: string, atMost: number | null, value: number): void => {
  figures.push({ name, atMost, value })
  console.error(`${name}: ${value.toFixed(1)}`)
}
try {
  const largeFile = values.artwork ?? path.join(folder, 'large.jpg')
  if (values.artwork === undefined) await writeFile(largeFile, await makeArtwork(6400, 9600, 'jpeg', 94))
  const smallFile = path.join(folder, 'small.jpg')
  await writeFile(smallFile, await makeArtwork(3000, 4500, 'jpeg'))
  const size = `${((await readFile(largeFile)).byteLength / 1e6).toFixed(0)} MB`
  const templates = (await listTemplates()).map((_, index) => index)
  const cores = availableParallelism()
  const two = Math.min(2, cores)
  const large: ProcessJob = { artworkFile: largeFile, widthPx: 4000, templates, rounds: 1 }
  const small: ProcessJob = { artworkFile: smallFile, widthPx: 2000, templates, rounds: 2 }

  // The most that one request can ask for, the first of the list.
  const asked = templates.slice(0, limits.batchTemplatesMax)
  const batch = await runInProcesses(
    Array.from({ length: two }, (_, part) => ({ ...large, templates: asked.filter(index => index % two === part) })),
  )
  const what = `batch of ${asked.length} at 4,000 px, artwork of ${size}, nothing prepared, ${two} cores`
  report(`${what}, s`, 15, batch.proofMs / 1000)
  report('the same, CPU s with the start of the processes', null, batch.cpuSeconds)
  const warm = await runInProcesses([small])
  report(`memory of a render process, ${templates.length} templates warm at 2,000 px, MiB`, 700, warm.peakMib)
  let single = 0
  for (const index of templates) {
    single = Math.max(single, (await runInProcesses([{ ...large, templates: [index] }])).peakMib)
  }
  report(`memory of a render process, largest single job at 4,000 px, artwork of ${size}, MiB`, 700, single)
  const all = await runInProcesses(
    Array.from({ length: cores }, () => ({ ...small, templates: templates.slice(0, 4), rounds: 13 })),
  )
  report(
    `mockups a second, 2,000 px, four templates in turn, warm, ${cores} processes on ${cores} cores`,
    null,
    all.warmPerSecond,
  )
  console.log(JSON.stringify(figures))
} finally {
  await rm(folder, { recursive: true, force: true })
}
