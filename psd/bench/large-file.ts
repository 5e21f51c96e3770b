/**
 * Imports a large Photoshop file (about 340 MB) in a process of its own, and prints its time and its greatest
 * memory: one of 6,000 x 4,500 pixels with 40 small layers, or one of 4,500 x 3,000 with six of the whole
 * canvas over the design.
 *
 *   node psd/bench/large-file.ts [--full] [WIDTH]      WIDTH: of the template, in pixels
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { RewritableStore } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec, deflateParts } from '@vitrine/engine/node'
import type { BlendMode, PixelData } from 'ag-psd'
import { importPsd } from '../src/import-psd.ts'
import { bytesOnDisk } from '../src/reading/file-bytes.ts'
import { CONTENT_ID, pixelLayer, smartLayer, writePsd } from '../test/make-psd.ts'
import { designPng } from '../test/mockup-file.ts'
import { Random } from '../test/random.ts'

const FULL_LAYERS = 6
const PARTIAL_LAYERS = 40
const modes: readonly BlendMode[] = ['normal', 'multiply', 'screen', 'soft light', 'overlay']

/** Noise as photographs have it, which does not pack. */
function noise(random: Random, width: number, height: number, alpha: number): PixelData {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let i = 0; i < data.length; i += 4) {
    const value = random.below(0x100_0000)
    data[i] = value & 255
    data[i + 1] = (value >> 8) & 255
    data[i + 2] = value >> 16
    data[i + 3] = alpha
  }
  return { width, height, data }
}

function write(file: string, isFull: boolean): void {
  const random = new Random(3)
  const [width, height] = isFull ? [4500, 3000] : [6000, 4500]
  const [count, below] = isFull ? [FULL_LAYERS, 0] : [PARTIAL_LAYERS, PARTIAL_LAYERS / 2]
  const whole = noise(random, width, height, 255)
  const layers = Array.from({ length: count }, (_, i) => {
    const blendMode = modes[i % modes.length] ?? 'normal'
    if (isFull) return pixelLayer(`light ${i}`, 0, 0, noise(random, width, height, 60), { blendMode })
    const part = noise(random, 1400, 1100, 160)
    const [left, top] = [(i * 577) % (width - part.width), (i * 313) % (height - part.height)]
    return pixelLayer(`layer ${i}`, left, top, part, { blendMode })
  })
  const [left, right, top, bottom] = [0.3 * width, 0.7 * width, 0.16 * height, 0.82 * height]
  const corners = [left, top, right, top + 60, right - 50, bottom, left + 50, bottom - 50] as const
  layers.splice(below, 0, smartLayer('Your design', corners, { width: 48, height: 36 }))
  const linked = [{ id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng }]
  writeFileSync(
    file,
    writePsd(width, height, [pixelLayer('ground', 0, 0, whole), ...layers], { merged: whole, linked }),
  )
}

async function importFile(file: string, width: string | undefined): Promise<void> {
  const started = performance.now()
  const folder = mkdtempSync(path.join(path.dirname(file), 'bundle-'))
  const store: RewritableStore = {
    write: (name, content) => writeFile(path.join(folder, name), content),
    read: name => readFile(path.join(folder, name)),
    remove: name => rm(path.join(folder, name)),
  }
  const tools = { codec: createSharpCodec(), kernel: createFrameKernel(), store, deflate: deflateParts }
  const size = width === undefined ? {} : { widthPx: Number(width) }
  const options = { name: 'large', frames: [], matte: [255, 255, 255] as const, ...size }
  const steps: string[] = []
  const onStep = (step: string): void => {
    // As the process that imports files.
    globalThis.gc?.()
    steps.push(`${step} at ${Math.round(performance.now() - started)} ms`)
  }
  const descriptor = openSync(file, 'r')
  const bytes = bytesOnDisk(statSync(file).size, (target, from) => readSync(descriptor, target, 0, target.length, from))
  const end = await importPsd(bytes, options, { ...tools, onStep }).then(
    ({ files, report }) => {
      const sizeBytes = files.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)
      return `${report.result}, bundle of ${Math.round(sizeBytes / 1e6)} MB`
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const usage = process.resourceUsage()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const processor = ((usage.userCPUTime + usage.systemCPUTime) / 1e6).toFixed(1)
  console.log(`${seconds} s (${processor} s of processor time), ${Math.round(usage.maxRSS / 1024)} MB; ${end}`)
  console.log(steps.join(', '))
}

const { values, positionals } = parseArgs({
  options: { full: { type: 'boolean', default: false }, write: { type: 'string' }, import: { type: 'string' } },
  allowPositionals: true,
})
const [importWidth] = positionals
if (values.write !== undefined) write(values.write, values.full)
else if (values.import !== undefined) await importFile(values.import, importWidth)
else {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-large-'))
  const large = path.join(folder, 'large.psd')
  const run = (...what: readonly string[]): string =>
    execFileSync(process.execPath, ['--expose-gc', import.meta.filename, ...what], { encoding: 'utf8' })
  try {
    run('--write', large, ...(values.full ? ['--full'] : []))
    console.log(`${Math.round(statSync(large).size / 1e6)} MB`)
    console.log(run('--import', large, ...positionals).trimEnd())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
