/**
 * `npm run bench`: CPU time of mockups beside the codec floor and other programs in the same run, judged by
 * the project's bars. Each figure is the median of interleaved rounds.
 *
 *   npm run bench -- [--rounds 9] [--quick | --linearity | --placements]
 *                    [--json FILE] [--write] [--artwork FILE]
 *
 * `--linearity`: only how the cost of a pixel varies with the width. `--placements`: only what placed artwork
 * costs. `--quick`: one case, without processes and slow peers. `--write`: renews docs/performance.md and its
 * picture. `--json`: writes every figure. `--artwork`: the picture of the batch at 4,000 px and of the
 * largest job (default: made up, 18 MB).
 * package.json's script gives Node the heap flag of the render processes
 * (service/src/sandbox/start-sandbox.ts). Single templates: engine/bench/templates.ts.
 */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { inspectArtwork } from '../src/index.ts'
import { makeArtwork } from './artworks.ts'
import { measureBlending } from './blending.ts'
import { judgeColors } from './colors.ts'
import { designs } from './designs.ts'
import { measureInTurn } from './measure.ts'
import {
  codec,
  floorTasks,
  hashMockup,
  jpeg,
  loadSubject,
  measureRender,
  measureStages,
  renderTasks,
  type Stages,
} from './mockups.ts'
import { type Bar, drawStages, type Report, START_HEADING, writePage, writePlacements } from './page.ts'
import { startPeers } from './peers/peers.ts'
import { judgePhotographs } from './photographs.ts'
import { measurePlacements, type PlacementCost, ROTATED } from './placements.ts'
import { judgePngDecoding } from './png-decoding.ts'
import { nameScene, placeFrames, prepareScene, type SceneKind } from './scenes.ts'
import { judgeStack } from './stacks.ts'
import { judgeWebp } from './webp.ts'

sharp.concurrency(1)
sharp.cache(false)

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    quick: { type: 'boolean', default: false },
    linearity: { type: 'boolean', default: false },
    placements: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    json: { type: 'string' },
    artwork: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new Error(`Expected a whole number of at least 1 for --rounds but received ${values.rounds}.`)
}

const base: SceneKind = { widthPx: 2000, share: 0.25, frames: 1, placement: 'corners' }
const cases: readonly SceneKind[] = values.quick
  ? [base]
  : [
      base,
      { ...base, share: 0.6 },
      { ...base, placement: 'map' },
      { ...base, share: 0.6, placement: 'map' },
      { ...base, frames: 3 },
      ...[500, 1000, 1500, 3000, 4000].map(widthPx => ({ ...base, widthPx })),
      { ...base, share: 0.6, widthPx: 4000 },
    ]

const peersBeside: ReadonlySet<string> = new Set([
  'Vitrine, artwork of the mockup before',
  'libjpeg-turbo encode again',
])

/** The default mockup beside the floor and the peers, all in turn. */
async function comparePeers(artwork: Uint8Array) {
  const subject = await loadSubject(await prepareScene(base, codec), artwork)
  const [quad] = placeFrames(base)
  const [frame] = subject.prepared.frames
  if (!quad || !frame) throw new Error('The scene lost its frame.')
  const own = new Map([...renderTasks(subject), ...floorTasks(subject, frame.plan.region.widthPx)])
  // The two sides of a bar alternate by themselves: other programs would fill caches and heap.
  const sides = await measureInTurn(new Map([...own].filter(([name]) => peersBeside.has(name))), rounds)
  const peers = values.quick ? null : await startPeers(subject, quad)
  const tasks = new Map([...own, ...(peers?.tasks ?? new Map())])
  const all = await measureInTurn(tasks, Math.min(rounds, peers ? 7 : rounds), peers ? 1 : 2)
  const costs = new Map([...all].map(([name, cost]) => [name, sides.get(name) ?? cost]))
  await peers?.[Symbol.asyncDispose]()
  for (const [program, name] of [
    ['ImageMagick', 'ImageMagick EWA, cold'],
    ['libvips', 'libvips mapim, the warp alone'],
  ]) {
    const start = costs.get(`start ${program}`)
    const whole = costs.get(name ?? '')
    if (name !== undefined && start !== undefined && whole !== undefined) costs.set(name, whole - start)
  }
  return { costs, versions: peers?.versions ?? {} }
}

/** Bars that concern CPU time; a bar whose peer is not installed is left out. */
function judgeCosts(costs: ReadonlyMap<string, number>): Bar[] {
  const of = (name: string): number => costs.get(name) ?? Number.NaN
  const cold = of('Vitrine, cold')
  const floor = of('libvips decode') + of('libjpeg-turbo encode')
  const bars: Bar[] = [
    {
      name: 'cold default mockup / (libvips decode + default libjpeg-turbo encode)',
      atMost: 0.65,
      value: cold / floor,
    },
    { name: 'the same against OpenCV cubic', atMost: 0.45, value: cold / of('OpenCV cubic, cold') },
    { name: 'the same against ImageMagick EWA', atMost: 0.1, value: cold / of('ImageMagick EWA, cold') },
    {
      name: "artwork already decoded / libjpeg-turbo's default encode of the output alone",
      atMost: 0.5,
      value: of('Vitrine, artwork of the mockup before') / of('libjpeg-turbo encode again'),
    },
    {
      name: "PNG mockup's encoding, q25 / sharp's default PNG encode of the same picture",
      atMost: 0.08,
      value: of('Vitrine, PNG encode') / of('libpng encode'),
    },
  ]
  return bars.filter(bar => !Number.isNaN(bar.value))
}

/** What turned artwork costs beside artwork that fills its frame, by corners and by a map. */
function judgePlacements(costs: readonly PlacementCost[]): readonly Bar[] {
  return costs
    .filter(({ name }) => name === ROTATED)
    .map(({ name, on, coldRatio }) => ({
      name: `artwork ${name}, by ${on}, cold / default`,
      atMost: 1.15,
      value: coldRatio,
    }))
}

/** Batch, memory and throughput, in render processes as the service starts them. */
async function judgeProcesses(): Promise<Bar[]> {
  const script = path.resolve(import.meta.dirname, '../../service/bench/render-processes.ts')
  const options = values.artwork === undefined ? [] : ['--artwork', values.artwork]
  const child = spawn(process.execPath, [script, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  const figures: unknown = JSON.parse(await text(child.stdout))
  if (!Array.isArray(figures) || !figures.every(isBar)) throw new Error('The render processes gave no figures.')
  return figures
}

function isBar(value: unknown): value is Bar {
  return typeof value === 'object' && value !== null && 'name' in value && 'atMost' in value && 'value' in value
}

const linearWidthsPx = [1000, 1500, 2000, 3000, 4000] as const

/**
 * How far the cost of a pixel varies from width 1000 to 4000: the greatest over the least, less 1. The
 * artwork grows with the picture: of one for all, decoders return 2.4 texels per pixel at 1000 px and 1.6 at
 * 4000 (steps of 1/8).
 */
async function judgeLinearity(): Promise<Bar> {
  const subjects = []
  for (const widthPx of linearWidthsPx) {
    const artwork = await makeArtwork(widthPx * 0.75, Math.round(widthPx * 1.125), 'jpeg')
    subjects.push(await loadSubject(await prepareScene({ ...base, widthPx }, codec), artwork))
  }
  const costs = await measureRender(subjects, rounds)
  const perPixel = subjects.map(
    ({ prepared }, index) => (costs[index] ?? Number.NaN) / prepared.widthPx / prepared.heightPx,
  )
  const value = Math.max(...perPixel) / Math.min(...perPixel) - 1
  const each = perPixel.map((cost, index) => `${(cost * 1e6).toFixed(2)} ns at ${linearWidthsPx[index]} px`)
  console.error(`a pixel costs ${each.join(', ')}: ${(value * 100).toFixed(1)} % from linear`)
  return { name: 'render stages (decode aside), width 1000 to 4000: deviation from linear', atMost: 0.15, value }
}

async function main(): Promise<void> {
  if (values.linearity) {
    await judgeLinearity()
    return
  }
  const artwork = await makeArtwork(3000, 4500, 'jpeg')
  if (values.placements) {
    console.log(writePlacements(await measurePlacements(base, artwork, rounds)))
    return
  }
  const measured: Report['cases'][number][] = []
  const measure = async (kind: SceneKind, name: string, bytes: Uint8Array): Promise<Stages> => {
    const subject = await loadSubject(await prepareScene(kind, codec), bytes)
    const stages = await measureStages(subject, jpeg, rounds)
    measured.push({ name: nameScene(kind), kind, artwork: name, stages, hash: await hashMockup(subject, jpeg) })
    console.error(`${nameScene(kind)}, ${name}: cold ${stages.cold.toFixed(1)} ms, warm ${stages.warm.toFixed(1)} ms`)
    return stages
  }
  // The compared cases come first, while this process holds as little memory as a render process.
  const linearity = values.quick ? [] : [await judgeLinearity()]
  const { costs, versions } = await comparePeers(artwork)
  const others: Report['others'][number][] = []
  for (const [name, make] of values.quick ? [] : Object.entries(designs)) {
    others.push({ artwork: name, costs: Object.fromEntries((await comparePeers(await make())).costs) })
  }
  const placements = values.quick ? [] : await measurePlacements(base, artwork, rounds)
  const photographs = values.quick ? [] : await judgePhotographs(rounds)
  const webp = values.quick ? [] : await judgeWebp(rounds)
  for (const kind of cases) await measure(kind, 'jpeg', artwork)
  if (!values.quick) {
    for (const [name, make] of Object.entries(designs)) await measure(base, name, await make())
    await measure(base, 'webp', await makeArtwork(3000, 4500, 'webp'))
  }
  const colors = values.quick ? [] : await judgeColors(artwork, rounds)
  const stacks = values.quick ? [] : await judgeStack(base, artwork, rounds)
  const processes = values.quick ? [] : await judgeProcesses()
  const pngs = values.quick ? [] : await judgePngDecoding(rounds)
  const bars = [
    ...judgeCosts(costs),
    ...judgePlacements(placements),
    ...pngs,
    ...photographs,
    ...webp,
    ...linearity,
    ...colors,
    ...stacks,
    ...processes,
  ]
  const facts = inspectArtwork(artwork)
  const report: Report = {
    machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores`,
    versions: { node: process.versions.node, sharp: sharp.versions.sharp ?? '', ...versions },
    artwork: `JPEG of ${facts.widthPx} x ${facts.heightPx} px, ${(artwork.byteLength / 1e6).toFixed(1)} MB`,
    rounds,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    cases: measured,
    costs: Object.fromEntries(costs),
    others,
    placements,
    blending: await measureBlending(await loadSubject(await prepareScene(base, codec), artwork), rounds),
    bars,
  }
  console.log(writePage(report))
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  if (values.write) {
    const docs = path.resolve(import.meta.dirname, '../../docs')
    const page = path.join(docs, 'performance.md')
    const [, start] = (await readFile(page, 'utf8')).split(START_HEADING)
    await writeFile(page, `${writePage(report)}${start === undefined ? '' : `\n${START_HEADING}${start}`}`)
    await writeFile(path.join(docs, 'pictures/performance-stages.svg'), drawStages(report))
  }
}

await main()
