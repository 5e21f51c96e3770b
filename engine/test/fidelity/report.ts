/**
 * `npm run fidelity`: measures the renderer against supersampled truth, beside other programs where they are
 * installed, and writes docs/fidelity.md with crops that a person can judge.
 *
 *   npm run fidelity -- [--width 2000] [--cases gentle,cloth] [--renew] [--rounds 3] [--truth FOLDER]
 *     [--out FOLDER]
 *
 * `--rounds` is how often kernels are timed; `--truth` keeps truth and artwork, which take most of the time,
 * in a folder between runs; `--out` writes somewhere else than docs/. `--renew` measures nothing but the rows
 * and crops of these cases, and puts them into the page that is there. Ends with 1 where a bar does not hold.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { arch, cpus } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createFrameKernel } from '../../src/node/index.ts'
import { buildAlphaScene, measureAlpha } from './alpha-artwork.ts'
import { alphaCases, fidelityCases, placedCases } from './cases.ts'
import { compareDensities } from './compare-densities.ts'
import {
  compareBlending,
  compareDrawing,
  compareEncoding,
  compareLight,
  type KernelComparison,
} from './compare-kernels.ts'
import { decodeAsJpeg } from './decode-as-jpeg.ts'
import { decodeWithSharp } from './decode-with-sharp.ts'
import { keepInFolder } from './keep-in-folder.ts'
import { readLitTemplates } from './lit-templates.ts'
import {
  buildScene,
  drawCase,
  prepareCase,
  SAMPLES_PER_AXIS,
  type Scene,
  type Scores,
  scorePicture,
} from './measure-case.ts'
import { type AlphaRow, judge, type PeerScores, type Row, writePage } from './page.ts'
import { drawWithPeers } from './peers/draw-with-peers.ts'
import type { PeerPicture } from './peers/peer-picture.ts'
import { renewPage } from './renew-page.ts'
import { writeCrops } from './write-crops.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const { values } = parseArgs({
  options: {
    width: { type: 'string', default: '2000' },
    cases: { type: 'string' },
    renew: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    truth: { type: 'string' },
    out: { type: 'string', default: path.join(root, 'docs') },
  },
})
const sceneWidthPx = Number(values.width)
if (!Number.isInteger(sceneWidthPx) || sceneWidthPx < 320) {
  throw new Error(`Expected a whole number of at least 320 for --width but received ${values.width}.`)
}
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new Error(`Expected a whole number of at least 1 for --rounds but received ${values.rounds}.`)
}
/** Small, because truth is made twelve times. */
const DENSITY_SCENE_WIDTH_PX = 400
const names = values.cases?.split(',')
const cases = [...fidelityCases, ...placedCases].filter(({ name }) => names?.includes(name) ?? true)
if (cases.length === 0) throw new Error(`Expected names of cases for --cases but received ${values.cases}.`)
const kernel = createFrameKernel()
const keep = values.truth === undefined ? undefined : keepInFolder(values.truth, sceneWidthPx)
const pictureDir = path.join(values.out, 'fidelity')

/**
 * The best that every program reached with any of its settings, figure by figure, and its best picture inside
 * the frame.
 */
function scorePeers(pictures: readonly PeerPicture[], { truth }: Scene) {
  const peers = new Map<string, PeerScores>()
  let best: { readonly picture: PeerPicture; readonly insideDb: number } | null = null
  for (const picture of pictures) {
    const { insideDb, edgeDb, ssim } = scorePicture(picture.data, truth)
    const before = peers.get(picture.program)
    const isBest = before === undefined || insideDb > before.insideDb
    peers.set(picture.program, {
      insideDb: Math.max(insideDb, before?.insideDb ?? 0),
      edgeDb: Math.max(edgeDb, before?.edgeDb ?? 0),
      ssim: Math.max(ssim, before?.ssim ?? 0),
      settings: isBest ? picture.settings : before.settings,
    })
    if (best === null || insideDb > best.insideDb) best = { picture, insideDb }
  }
  return { peers, best: best?.picture ?? null }
}

const pageFile = path.join(values.out, 'fidelity.md')
const before = values.renew ? await readFile(pageFile, 'utf8') : null
if (before === null) await rm(pictureDir, { recursive: true, force: true })
await mkdir(pictureDir, { recursive: true })
const rows: Row[] = []
const kernels: KernelComparison[] = []
const versions: Record<string, string> = {}
const missing = new Set<string>()
for (const measured of cases) {
  const scene = buildScene(measured, sceneWidthPx, SAMPLES_PER_AXIS, keep)
  const prepared = await prepareCase(measured, scene, decodeWithSharp)
  const picture = drawCase(prepared, kernel)
  const ours: Scores = scorePicture(picture.data, scene.truth)
  const fromJpeg = scorePicture(drawCase(await prepareCase(measured, scene, decodeAsJpeg), kernel).data, scene.truth)
  const drawn = await drawWithPeers(measured, scene, prepared)
  Object.assign(versions, drawn.versions)
  for (const program of drawn.missing) missing.add(program)
  const { peers, best } = scorePeers(drawn.pictures, scene)
  await writeCrops(path.join(pictureDir, `${measured.name}.webp`), scene, [
    scene.truth.data,
    picture.data,
    ...(best ? [best.data] : []),
  ])
  rows.push({ measured, ours, fromJpeg, peers, bestPeer: best })
  const beside = best
    ? `, best peer ${peers.get(best.program)?.insideDb.toFixed(2)} (${best.program}, ${best.settings})`
    : ''
  console.log(`${measured.name}: inside ${ours.insideDb.toFixed(2)} dB${beside}`)
  kernels.push(
    await compareDrawing(measured.name, prepared.prepared, [prepared.artwork], kernel, rounds, prepared.placements),
  )
  if (before === null && measured === cases[0]) {
    kernels.push(
      ...(await compareBlending(measured.name, prepared, kernel, rounds)),
      ...(await compareEncoding(picture, rounds)),
    )
  }
}
const alphaRows: AlphaRow[] = []
for (const measured of alphaCases) {
  if (before === null && cases.includes(measured))
    alphaRows.push(await measureAlpha(measured, buildAlphaScene(measured, sceneWidthPx), kernel))
}
// of the first case alone, and slow
const densities =
  before === null && cases.some(({ name }) => name === fidelityCases[0]?.name)
    ? await compareDensities(DENSITY_SCENE_WIDTH_PX, kernel, rounds)
    : []
if (before === null) kernels.push(...(await compareLight(sceneWidthPx, kernel, rounds)))
for (const program of missing) console.warn(`NOT INSTALLED, NOT MEASURED: ${program}`)
const report = {
  sceneWidthPx,
  machine: `${cpus()[0]?.model ?? arch()}, Node ${process.versions.node}`,
  versions,
  missing: [...missing],
  rounds,
  rows,
  alphaRows,
  lit: await readLitTemplates(root),
  kernels,
  densities,
}
await writeFile(pageFile, before === null ? writePage(report) : renewPage(before, report))
const failures = judge(report)
for (const failure of failures) console.error(failure)
if (failures.length > 0) process.exitCode = 1
