/**
 * Measures imports over Photoshop files of other projects against Photoshop's own pixels.
 *
 *   PSD_CORPUS=FOLDER node psd/bench/corpus.ts [--write]
 *
 * The folder has the files of corpus-files.ts; absent ones are named. `--write` puts the tables into
 * psd/bench/measured.md. Exit code 1 where a bar does not hold.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type BlendMode, blendModeNames, buildContentMap, type Rect } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import type { Layer } from 'ag-psd'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { blendColors, readBlendMode } from '../src/compositing/blend-formulas.ts'
import { drawingOf } from '../src/compositing/compose-layers.ts'
import { layerRect, readSource } from '../src/compositing/layer-source.ts'
import { type FrameCandidate, findCandidates } from '../src/converting/choose-frames.ts'
import { drawWhole } from '../src/converting/whole-picture.ts'
import { placementOf } from '../src/geometry/placement.ts'
import { importPsd } from '../src/import-psd.ts'
import { ImportNotes } from '../src/notes.ts'
import { openDocument, type PsdDocument } from '../src/reading/open-document.ts'
import { spread, stripsOf } from '../src/rects.ts'
import { readContent } from '../src/verifying/read-content.ts'
import { sampleContent } from '../test/sample-content.ts'
import { BLEND_FILE, type CorpusFile, compositeFiles, corpusFiles, objectFiles } from './corpus-files.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()
const white = [255, 255, 255] as const

type Table = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly failed: number
}

function verdictOf(value: number, bar: number | null): string {
  if (bar === null) return ''
  return value <= bar ? `≤ ${bar}` : `**above ${bar}**`
}

/** Smart objects of the document itself, not those in placed files. */
function ownObjects(document: PsdDocument): readonly FrameCandidate[] {
  return findCandidates(document).filter(({ cards }) => cards.length === 0)
}

/** Each file as it is imported: the means over the pixels of all its frames. */
async function measureImports(folder: string): Promise<Table> {
  const rows: string[][] = []
  let failed = 0
  for (const file of presentOf(folder, corpusFiles)) {
    const bytes = readFileSync(path.join(folder, file.path))
    const frames = file.frames === 'all' ? ownObjects(openDocument(bytes)).map(({ name }) => name) : (file.frames ?? [])
    try {
      const tools = { codec, kernel, store: new MemoryStore() }
      const { report, comparison } = await importPsd(bytes, { name: 'corpus', frames, matte: white }, tools)
      const checks = report.frames.flatMap(({ check }, index) =>
        check ? [{ ...check, pixels: comparison?.framePixels[index] ?? 0 }] : [],
      )
      const mean = meanOf(checks, check => check.mean)
      const whole = comparison ? differenceOf(comparison.ours.data, comparison.theirs.data) : Number.NaN
      const wholeBar = file.wholeBar ?? null
      const kinds = new Set(report.frames.map(({ kind }) => kind))
      if (checks.length === 0) {
        // Vector content, or none: nothing to draw and compare.
        if (file.bar !== null) failed++
        rows.push([
          file.path,
          `${report.frames.length} ${[...kinds].join(', ')}`,
          '',
          '',
          '',
          '',
          '',
          report.result,
          '',
        ])
        continue
      }
      const leftOvers = comparison?.leftOvers
      if (leftOvers) failed++
      if ((file.bar !== null && mean > file.bar) || (wholeBar !== null && whole > wholeBar)) failed++
      const figures = [
        mean,
        meanOf(checks, check => check.blurred_mean),
        100 * meanOf(checks, check => check.share_above_8),
        whole,
      ]
      rows.push([
        file.path,
        `${report.frames.length} ${[...kinds].join(', ')}`,
        ...figures.map(value => value.toFixed(3)),
        leftOvers ? `**${leftOvers.tiles} places**` : leftOvers === null ? 'none' : 'too large',
        report.result,
        [verdictOf(mean, file.bar), wholeBar === null ? '' : `whole ${verdictOf(whole, wholeBar)}`]
          .filter(Boolean)
          .join('; '),
      ])
    } catch (error) {
      if (file.bar !== null) failed++
      rows.push([
        file.path,
        '',
        '',
        '',
        '',
        '',
        '',
        `refused: ${error instanceof Error ? error.message.slice(0, 120) : 'unknown'}`,
        '',
      ])
    }
  }
  const figures = ['mean', 'blurred', '% above 8', 'whole picture']
  // With a contrasting design in all frames: where the old one stays, inside of them and outside.
  return { head: ['file', 'frames', ...figures, 'other artwork: old pixels', 'result', 'bar'], rows, failed }
}

/** Each raster smart object, drawn from its content, against its stored pixels, where both are opaque. */
async function measureObjects(folder: string): Promise<Table> {
  const rows: string[][] = []
  let failed = 0
  for (const file of presentOf(folder, objectFiles)) {
    const document = openDocument(readFileSync(path.join(folder, file.path)))
    for (const { layer, placed, name } of ownObjects(document)) {
      const content = await readContent(
        document.linkedFiles.find(linked => linked.id === placed.id),
        codec,
      )
      const own = spread(layerRect(layer), 3)
      const stored = readSource(document.file, layer, own, own)
      if (content.kind === 'none' || !stored) continue
      const placement = placementOf(placed)
      const drawn = sampleContent(content.picture, buildContentMap(placement, stored.rect), placement)
      let [sum, count] = [0, 0]
      for (let k = 0; k < drawn.alpha.length; k++) {
        if (Math.min(drawn.alpha[k] ?? 0, stored.alpha[k] ?? 0) < 0.999) continue
        count += 3
        for (let i = 3 * k; i < 3 * k + 3; i++) {
          sum += Math.abs(Math.round((drawn.color[i] ?? 0) * 255) - (stored.color[i] ?? 0) * 255)
        }
      }
      const mean = sum / Math.max(1, count)
      if (file.bar !== null && mean > file.bar) failed++
      const patches = (placement.sliceX.length - 1) * (placement.sliceY.length - 1)
      const kind = placement.quad ? 'four corners' : `${patches} ${patches === 1 ? 'patch' : 'patches'}`
      rows.push([file.path, name, kind, mean.toFixed(3), verdictOf(mean, file.bar)])
    }
  }
  return { head: ['file', 'smart object', 'kind', 'mean inside', 'bar'], rows, failed }
}

const hueFamily: ReadonlySet<string> = new Set(['hue', 'saturation', 'color', 'luminosity'])

/** Opaque pixels of pairs of layers: backdrop, source and Photoshop's result. */
function measureBlending(folder: string): Table {
  if (!existsSync(path.join(folder, BLEND_FILE))) return { head: [], rows: [], failed: 0 }
  const document = openDocument(readFileSync(path.join(folder, BLEND_FILE)))
  const { file } = document
  const canvas = canvasOf(document)
  const theirs = document.merged?.read(canvas, white) ?? new Uint8Array(0)
  const sums = new Map<BlendMode, { sum: number; count: number }>()
  const visit = (layers: readonly Layer[]): void => {
    for (const { children } of layers) {
      const [lower, upper] = children ?? []
      if (!children || !lower || !upper) continue
      if (children.some(child => child.children)) {
        visit(children)
        continue
      }
      const mode = readBlendMode(upper.blendMode)
      if (mode) compare(mode, lower, upper)
    }
  }
  const compare = (mode: BlendMode, lower: Layer, upper: Layer): void => {
    const rect = layerRect(upper)
    const [below, above] = [readSource(file, lower, canvas, canvas), readSource(file, upper, rect, canvas)]
    if (!below || !above) return
    const total = sums.get(mode) ?? { sum: 0, count: 0 }
    sums.set(mode, total)
    for (let k = 0; k < above.alpha.length; k++) {
      const x = rect.left + (k % rect.widthPx)
      const y = rect.top + Math.floor(k / rect.widthPx)
      const at = (y - below.rect.top) * below.rect.widthPx + x - below.rect.left
      const isIn = x >= below.rect.left && x < below.rect.left + below.rect.widthPx
      if (!isIn || above.alpha[k] !== 1 || below.alpha[at] !== 1) continue
      const color = (from: Float32Array, i: number) =>
        [from[3 * i] ?? 0, from[3 * i + 1] ?? 0, from[3 * i + 2] ?? 0] as const
      const got = blendColors(mode, color(below.color, at), color(above.color, k))
      for (const [c, value] of got.entries()) {
        total.sum += Math.abs((theirs[(y * canvas.widthPx + x) * 3 + c] ?? 0) - value * 255)
        total.count++
      }
    }
  }
  visit(document.layers)
  let failed = 0
  const rows = blendModeNames.flatMap(mode => {
    const total = sums.get(mode)
    if (!total || total.count === 0) return []
    const mean = total.sum / total.count
    const bar = hueFamily.has(mode) ? 0.7 : 0.36
    if (mean > bar) failed++
    return [[mode, String(total.count / 3), mean.toFixed(3), verdictOf(mean, bar)]]
  })
  return { head: ['mode', 'pixels', 'mean', 'bar'], rows, failed }
}

/** All layers of a file drawn by us, against the picture that Photoshop saved. */
function measureComposites(folder: string): Table {
  let failed = 0
  const rows = presentOf(folder, compositeFiles).map(({ path: name, bar }) => {
    try {
      const mean = measureComposite(readFileSync(path.join(folder, name)))
      if (bar !== null && mean > bar) failed++
      return [name, mean.toFixed(3), verdictOf(mean, bar)]
    } catch (error) {
      return [name, error instanceof Error ? error.message : 'refused', '']
    }
  })
  return { head: ['file', 'mean', 'bar'], rows, failed }
}

function measureComposite(bytes: Uint8Array): number {
  const document = openDocument(bytes)
  const canvas = canvasOf(document)
  const theirs = document.merged?.read(canvas, white) ?? new Uint8Array(0)
  const drawing = drawingOf(document, new ImportNotes())
  let sum = 0
  for (const strip of stripsOf(canvas)) {
    const { color } = drawWhole(document, strip, drawing, [1, 1, 1])
    const from = strip.top * canvas.widthPx * 3
    for (let i = 0; i < color.length; i++) sum += Math.abs((color[i] ?? 0) * 255 - (theirs[from + i] ?? 0))
  }
  return sum / theirs.length
}

function canvasOf({ widthPx, heightPx }: PsdDocument): Rect {
  return { left: 0, top: 0, widthPx, heightPx }
}

function presentOf(folder: string, files: readonly CorpusFile[]): readonly CorpusFile[] {
  return files.filter(file => {
    const isThere = existsSync(path.join(folder, file.path))
    if (!isThere) console.error(`ABSENT from the corpus: ${file.path}`)
    return isThere
  })
}

/** Each frame by its pixels: a small logo counts less than the shirt that it is on. */
function meanOf<Check extends { readonly pixels: number }>(checks: readonly Check[], read: (check: Check) => number) {
  const pixels = checks.reduce((sum, check) => sum + check.pixels, 0)
  return checks.reduce((sum, check) => sum + check.pixels * read(check), 0) / Math.max(1, pixels)
}

/** The mean difference of samples. */
function differenceOf(ours: Uint8Array, theirs: Uint8Array): number {
  return ours.reduce((sum, value, i) => sum + Math.abs(value - (theirs[i] ?? 0)), 0) / Math.max(1, ours.length)
}

function asMarkdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

async function main(args: readonly string[]): Promise<number> {
  const folder = process.env['PSD_CORPUS']
  if (folder === undefined || !existsSync(folder)) {
    console.error('Expected the folder of the Photoshop files in PSD_CORPUS.')
    return 1
  }
  const tables: [string, Table][] = [
    [
      'Imported, and drawn with the content that the file holds; differences of 255 where the frames show.',
      await measureImports(folder),
    ],
    [
      'Smart object by smart object, against the pixels that Photoshop stored for it, where both are opaque.',
      await measureObjects(folder),
    ],
    ['All layers drawn by the importer, against the picture of the whole.', measureComposites(folder)],
    ['Blending modes, pixel by pixel.', measureBlending(folder)],
  ]
  const text = tables.map(([title, table]) => `${title}\n\n${asMarkdown(table)}`).join('\n\n')
  console.log(text)
  if (args.includes('--write')) {
    const page = path.resolve(import.meta.dirname, 'measured.md')
    const [start, end] = ['<!-- corpus: node psd/bench/corpus.ts --write -->', '<!-- end of corpus -->']
    const old = readFileSync(page, 'utf8')
    writeFileSync(page, `${old.slice(0, old.indexOf(start) + start.length)}\n${text}\n${old.slice(old.indexOf(end))}`)
  }
  return tables.some(([, table]) => table.failed > 0) ? 1 : 0
}

process.exitCode = await main(process.argv.slice(2))
