/**
 * Imports a mockup of 4,500 x 3,000 pixels with a design on 60 % of it and 30 layers above (12 modes, masks,
 * adjustments), and one with three, and compares what mockups of 2,000 pixels take.
 *
 *   node psd/bench/light-layers.ts [--mixed] [--width PX] [--size 4500x3000]
 *
 * `--mixed`: no two layers of a kind lie beside each other.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { RewritableStore } from '@vitrine/engine'
import { checkBundle, parseTemplate, prepareTemplate } from '@vitrine/engine'
import {
  createFrameKernel,
  createRenderer,
  createSharpCodec,
  deflateParts,
  openBundleFolder,
} from '@vitrine/engine/node'
import type { AdjustmentLayer, BlendMode, Layer, LayerMaskData, PixelData } from 'ag-psd'
import { importPsd } from '../src/import-psd.ts'
import { bytesOnDisk } from '../src/reading/file-bytes.ts'
import { CONTENT_ID, paint, pixelLayer, smartLayer, writePsd } from '../test/make-psd.ts'
import { designPng } from '../test/mockup-file.ts'

const OUTPUT_WIDTH = 2000
/** Of a side: 60 % of the area. */
const DESIGN_SHARE = 0.775

/** From the bottom to the top, as sold files have them: shade, colour, texture, light, adjustments. */
const sold: readonly (BlendMode | 'curves' | 'levels' | 'hue')[] = [
  ...Array.from({ length: 7 }, () => 'multiply' as const),
  'linear burn',
  'darken',
  'hue',
  'color',
  'overlay',
  'soft light',
  ...Array.from({ length: 8 }, () => 'screen' as const),
  'linear dodge',
  'color dodge',
  'lighten',
  'hard light',
  'normal',
  'normal',
  'curves',
  'levels',
  'curves',
]
const few: typeof sold = ['multiply', 'overlay', 'curves']

const curve = [0, 120, 255].map(input => ({ input, output: input === 120 ? 135 : input }))
const bounds = { shadowInput: 5, highlightInput: 250, shadowOutput: 0, highlightOutput: 255, midtoneInput: 1 }
const range = { a: 0, b: 0, c: 0, d: 0, hue: 0, saturation: -10, lightness: 0 }
const adjustments: Readonly<Record<'curves' | 'levels' | 'hue', AdjustmentLayer>> = {
  curves: { type: 'curves', rgb: curve },
  levels: { type: 'levels', rgb: bounds },
  hue: { type: 'hue/saturation', master: range },
}

/** The same layers with no two of a kind beside each other: hardly any are joined. */
function mixed(kinds: typeof sold): typeof sold {
  return Array.from(kinds, (_, i) => kinds[(i * 11) % kinds.length] ?? 'normal')
}

type Size = { readonly width: number; readonly height: number }

/** A soft picture, one of four with grain. */
function light(size: Size, index: number): PixelData {
  let state = index + 1
  return paint(size.width, size.height, (x, y) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const across = (x >> 3) / size.width
    const wave = Math.sin(8 * across * (2 + (index % 5)) + index) * Math.cos((y / size.height) * 3 - index)
    const value = 128 + 90 * wave + (index % 4 === 0 ? state >>> 28 : 0)
    return [value, value + 4, value - 6, 30 + 40 * (1 + wave)]
  })
}

/** What hides the left or the right end of a layer. */
function softMask(size: Size, index: number): LayerMaskData {
  const { width, height } = size
  const at = (x: number): number => (index % 2 === 0 ? x : width - x)
  const imageData = paint(width, height, x => [Math.min(255, at(x) / 4), 0, 0])
  return { top: 0, left: 0, bottom: height, right: width, defaultColor: 0, imageData }
}

function write(file: string, size: Size, kinds: typeof sold): void {
  const { width, height } = size
  const pictures = [0, 1, 2, 3].map(index => light(size, index))
  const mask = softMask(size, 0)
  const above = kinds.map((kind, i): Layer => {
    if (kind === 'curves' || kind === 'levels' || kind === 'hue') {
      return { name: `Adjustment ${i + 1}`, adjustment: adjustments[kind] }
    }
    const imageData = pictures[i % pictures.length] ?? light(size, i)
    return pixelLayer(`Light ${i + 1}`, 0, 0, imageData, {
      opacity: 0.4,
      blendMode: kind,
      ...(i % 4 === 1 ? { mask } : {}),
    })
  })
  const [w, h] = [Math.round(width * DESIGN_SHARE), Math.round(height * DESIGN_SHARE)]
  const [x0, y0] = [Math.round((width - w) / 2), Math.round((height - h) / 2)]
  const [x1, y1] = [x0 + w, y0 + h]
  const design = smartLayer('Your design', [x0, y0, x1, y0, x1, y1, x0, y1], { width: 48, height: 36 })
  const ground = pixelLayer(
    'ground',
    0,
    0,
    paint(width, height, (x, y) => [180 + (x % 7), 170 + (y % 5), 160]),
  )
  const linked = [{ id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng }]
  writeFileSync(
    file,
    writePsd(width, height, [ground, design, ...above], { merged: ground.imageData ?? paint(1, 1, [0, 0, 0]), linked }),
  )
}

async function importFile(file: string, folder: string, width: string | undefined): Promise<void> {
  const store: RewritableStore = {
    write: (name, content) => writeFile(path.join(folder, name), content),
    read: name => readFile(path.join(folder, name)),
    remove: name => rm(path.join(folder, name)),
  }
  const tools = { codec: createSharpCodec(), kernel: createFrameKernel(), store, deflate: deflateParts }
  const descriptor = openSync(file, 'r')
  const bytes = bytesOnDisk(statSync(file).size, (target, from) => readSync(descriptor, target, 0, target.length, from))
  const size = width === undefined ? {} : { widthPx: Number(width) }
  const options = { name: 'light layers', frames: [], matte: [255, 255, 255] as const, ...size }
  const { report } = await importPsd(bytes, options, { ...tools, onStep: () => globalThis.gc?.() })
  const { file: told, above, notes } = report
  console.log(
    `scene ${told.scene_width} x ${told.scene_height}; ${above.layers} layers are ${above.pictures} pictures, ${above.adjustments} adjustments, ${above.groups} groups`,
  )
  for (const { kind, text } of notes) console.log(`  ${kind}: ${text}`)
  printUsage('import')
}

/** Prepares and draws a template: the least time of a mockup, of artwork of 2,000 pixels, as a JPEG. */
async function renderBundle(folder: string): Promise<void> {
  const files = await openBundleFolder(folder)
  const codec = createSharpCodec()
  const { template, cost } = await checkBundle(files, codec)
  if (!template) throw new Error('The bundle may not be used.')
  const kernel = createFrameKernel()
  const described = parseTemplate(JSON.parse(await readFile(path.join(folder, 'template.json'), 'utf8')))
  const started = process.cpuUsage()
  const prepared = await prepareTemplate(described, files, OUTPUT_WIDTH, codec, kernel)
  const preparing = process.cpuUsage(started)
  const renderer = createRenderer(kernel)
  const artwork = await codec.encode(
    { alpha: 'opaque', widthPx: 1200, heightPx: 800, data: paintArtwork(1200, 800) },
    { format: 'png' },
  )
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 7; round++) {
    const before = process.cpuUsage()
    await renderer.render(
      {
        prepared,
        artworks: { bytes: artwork },
        output: { format: 'jpeg', quality: 85 },
      },
      codec,
    )
    const used = process.cpuUsage(before)
    least = Math.min(least, (used.user + used.system) / 1000)
  }
  console.log(
    `  estimated ${((cost?.timeMs ?? 0) / 1000).toFixed(1)} s, ${Math.round((cost?.memoryBytes ?? 0) / 1e6)} MB at ${cost?.widthPx} px`,
  )
  console.log(
    `  prepared in ${Math.round((preparing.user + preparing.system) / 1000)} ms, a mockup takes ${least.toFixed(0)} ms of a core`,
  )
}

/** Soft shapes with grain, as a photograph. */
function paintArtwork(width: number, height: number): Uint8Array {
  return Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)]
    const wave = Math.sin(x / 90 + (i % 3)) * Math.cos(y / 70) + Math.sin((x * y) / 9000)
    return 128 + 55 * wave + ((i * 31) % 13)
  })
}

function printUsage(what: string): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.log(
    `  ${what}: ${((userCPUTime + systemCPUTime) / 1e6).toFixed(1)} s of processor time, ${Math.round(maxRSS / 1024)} MB`,
  )
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mixed: { type: 'boolean', default: false },
    width: { type: 'string' },
    size: { type: 'string', default: '4500x3000' },
  },
})
const [step, target = '', into = ''] = positionals
const [width = 0, height = 0] = values.size.split('x').map(Number)
if (step === 'write') write(target, { width, height }, into === 'few' ? few : values.mixed ? mixed(sold) : sold)
else if (step === 'import') await importFile(target, into, values.width)
else if (step === 'render') await renderBundle(target)
else {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-light-'))
  const run = (...what: readonly string[]): void => {
    const options = [
      '--size',
      values.size,
      ...(values.mixed ? ['--mixed'] : []),
      ...(values.width === undefined ? [] : ['--width', values.width]),
    ]
    const flags = ['--expose-gc', '--max-old-space-size=6000', import.meta.filename, ...what, ...options]
    execFileSync(process.execPath, flags, { stdio: 'inherit' })
  }
  try {
    for (const layers of ['few', 'many']) {
      const file = path.join(folder, `${layers}.psd`)
      const bundle = path.join(folder, layers)
      mkdirSync(bundle)
      run('write', file, layers)
      console.log(`${layers === 'few' ? few.length : sold.length} layers, ${Math.round(statSync(file).size / 1e6)} MB`)
      run('import', file, bundle)
      run('render', bundle)
      rmSync(file)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
