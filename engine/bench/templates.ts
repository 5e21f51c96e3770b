/**
 * A mockup of each template, stage by stage, in time, CPU and memory.
 *
 *   node engine/bench/templates.ts --template templates/oak-frame-portrait --artwork picture.jpg --width 2000
 *     --rounds 15 --format jpeg --quality 85 --json
 *
 * Defaults: the starter pack, a sample artwork, the scene's own width. Prints medians; the templates' rounds
 * are interleaved, so that a busy moment of the machine affects all. CPU is that of the whole process,
 * decoder threads included. MiB is what a stage passes on; the process's greatest memory ends the list.
 * `prepare` happens once per template and width, the other stages for every mockup.
 */
import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import {
  checkBundle,
  composeMockup,
  findDecodeTarget,
  type ImageCodec,
  inspectArtwork,
  type PictureOutput,
  type PreparedTemplate,
  prepareTemplate,
} from '../src/index.ts'
import { createFrameKernel, createSharpCodec, openBundleFolder } from '../src/node/index.ts'
import { listTemplates, templatesDirectory } from './list-templates.ts'

const kernel = createFrameKernel()

type Cost = { readonly timeMs: number; readonly cpuMs: number; readonly resultMiB: number }
type Subject = { readonly id: string; readonly prepared: PreparedTemplate; readonly prepareCost: Cost }

const stages = ['inspect', 'decode', 'compose', 'encode'] as const
type Costs = { readonly [K in (typeof stages)[number] | 'total']: Cost }

type Report = {
  readonly machine: string
  readonly artwork: string
  readonly rounds: number
  readonly peakMemoryMiB: number
  readonly templates: readonly {
    readonly id: string
    readonly widthPx: number
    readonly heightPx: number
    readonly frames: number
    readonly preparedMiB: number
    readonly stages: Readonly<Record<string, Cost>>
  }[]
}

async function measure<T>(
  work: () => Promise<T> | T,
  sizeOf: (result: T) => number,
): Promise<{ readonly result: T; readonly cost: Cost }> {
  const cpu = process.cpuUsage()
  const started = performance.now()
  const result = await work()
  const timeMs = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  return {
    result,
    cost: {
      timeMs,
      cpuMs: (user + system) / 1000,
      resultMiB: sizeOf(result) / 1024 / 1024,
    },
  }
}

async function loadSubject(directory: string, widthPx: number | null, codec: ImageCodec): Promise<Subject> {
  const files = await openBundleFolder(directory)
  const { template, faults } = await checkBundle(files, codec)
  if (template === null)
    throw new Error(`${directory} is no sound template: ${faults.length} faults (vitrine template check).`)
  const scene = inspectArtwork(await files.read(template.scene))
  const { result, cost } = await measure(
    () => prepareTemplate(template, files, widthPx ?? Math.min(4000, scene.widthPx), codec),
    prepared => prepared.sizeBytes,
  )
  return { id: template.id, prepared: result, prepareCost: cost }
}

/** One mockup in its stages, one artwork in every frame; every frame decodes for itself. */
async function runRound(
  prepared: PreparedTemplate,
  artwork: Uint8Array,
  output: PictureOutput,
  codec: ImageCodec,
): Promise<Costs> {
  const inspected = await measure(
    () => inspectArtwork(artwork),
    facts => facts.bytesToDecode.byteLength,
  )
  const { widthPx, heightPx } = inspected.result
  const decoded = await measure(
    async () => {
      const pictures = []
      for (const frame of prepared.frames) {
        pictures.push(await codec.decodeArtwork(artwork, findDecodeTarget(frame, widthPx, heightPx)))
      }
      return pictures
    },
    pictures => pictures.reduce((sum, picture) => sum + picture.data.byteLength, 0),
  )
  const composed = await measure(
    () => composeMockup(prepared, decoded.result, kernel),
    picture => picture.data.byteLength,
  )
  const encoded = await measure(
    () => codec.encode(composed.result, output, { scene: prepared.empty, drawn: prepared.touchedBands }),
    bytes => bytes.byteLength,
  )
  const costs = { inspect: inspected.cost, decode: decoded.cost, compose: composed.cost, encode: encoded.cost }
  const sum = (key: keyof Cost): number => stages.reduce((total, stage) => total + costs[stage][key], 0)
  return { ...costs, total: { timeMs: sum('timeMs'), cpuMs: sum('cpuMs'), resultMiB: sum('resultMiB') } }
}

function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b)
  const middle = ordered.length / 2
  return ((ordered[Math.floor(middle)] ?? 0) + (ordered[Math.ceil(middle) - 1] ?? 0)) / 2
}

function summarize(rounds: readonly Costs[]): Record<string, Cost> {
  const names = [...stages, 'total'] as const
  return Object.fromEntries(
    names.map(name => {
      const of = (key: keyof Cost): number => median(rounds.map(round => round[name][key]))
      return [name, { timeMs: of('timeMs'), cpuMs: of('cpuMs'), resultMiB: of('resultMiB') }]
    }),
  )
}

function print(report: Report): void {
  console.log(`${report.machine}; artwork ${report.artwork}; medians of ${report.rounds} rounds\n`)
  for (const template of report.templates) {
    const { id, widthPx, heightPx, frames, preparedMiB } = template
    console.log(
      `${id}, ${widthPx} x ${heightPx} px, ${frames} frame${frames === 1 ? '' : 's'}, prepared ${preparedMiB.toFixed(0)} MiB`,
    )
    console.log('  stage        time ms    CPU ms    MiB')
    for (const [name, { timeMs, cpuMs, resultMiB }] of Object.entries(template.stages)) {
      const numbers = [timeMs.toFixed(1).padStart(9), cpuMs.toFixed(1).padStart(9), resultMiB.toFixed(1).padStart(6)]
      console.log(`  ${name.padEnd(10)} ${numbers.join(' ')}`)
    }
    console.log('')
  }
  console.log(`greatest memory of the process: ${report.peakMemoryMiB.toFixed(0)} MiB`)
}

/** A whole number of at least 1, or the fallback where the option is absent. */
function parseCount(text: string | undefined, option: string, fallback: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1) return value
  throw new Error(`Expected a whole number of at least 1 for --${option} but received ${text}.`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      template: { type: 'string', multiple: true },
      artwork: { type: 'string' },
      width: { type: 'string' },
      rounds: { type: 'string' },
      format: { type: 'string' },
      quality: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  const rounds = parseCount(values.rounds, 'rounds', 9)
  const widthPx = values.width === undefined ? null : parseCount(values.width, 'width', 1)
  const output: PictureOutput =
    values.format === 'png' ? { format: 'png' } : { format: 'jpeg', quality: parseCount(values.quality, 'quality', 85) }
  const artworkFile = values.artwork ?? path.join(templatesDirectory, 'artworks/evening-hills.jpg')
  const artwork = await readFile(artworkFile)
  const directories = values.template ?? (await listTemplates())
  const codec = createSharpCodec()
  const subjects: Subject[] = []
  for (const directory of directories) subjects.push(await loadSubject(directory, widthPx, codec))

  const costs = new Map<Subject, Costs[]>(subjects.map(subject => [subject, []]))
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const [subject, list] of costs) {
      const cost = await runRound(subject.prepared, artwork, output, codec)
      if (round > 0) list.push(cost)
    }
  }
  const facts = inspectArtwork(artwork)
  const report: Report = {
    machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node}`,
    artwork: `${path.basename(artworkFile)} (${facts.widthPx} x ${facts.heightPx} px, ${(artwork.byteLength / 1e6).toFixed(1)} MB)`,
    rounds,
    peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
    templates: [...costs].map(([{ id, prepared, prepareCost }, list]) => ({
      id,
      widthPx: prepared.widthPx,
      heightPx: prepared.heightPx,
      frames: prepared.frames.length,
      preparedMiB: prepared.sizeBytes / 1024 / 1024,
      stages: { prepare: prepareCost, ...summarize(list) },
    })),
  }
  if (values.json) console.log(JSON.stringify(report, null, 2))
  else print(report)
}

await main()
