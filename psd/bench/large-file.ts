/**
 * Imports a Photoshop file of 6,000 x 4,500 pixels with 40 layers (about 340 MB) in a process of its own, and
 * prints its time and its greatest memory.
 *
 *   node psd/bench/large-file.ts [WIDTH]      WIDTH: of the template, in pixels; that of the file without it
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RewritableStore } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec, deflateParts } from '@vitrine/engine/node'
import type { BlendMode, PixelData } from 'ag-psd'
import { importPsd } from '../src/import-psd.ts'
import { bytesOnDisk } from '../src/reading/file-bytes.ts'
import { CONTENT_ID, pixelLayer, smartLayer, writePsd } from '../test/make-psd.ts'
import { designPng } from '../test/mockup-file.ts'
import { Random } from '../test/random.ts'

const WIDTH = 6000
const HEIGHT = 4500
const LAYERS = 40
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

function write(file: string): void {
  const random = new Random(3)
  const whole = noise(random, WIDTH, HEIGHT, 255)
  const part = noise(random, 1400, 1100, 160)
  const layers = Array.from({ length: LAYERS }, (_, i) => {
    const [left, top] = [(i * 577) % (WIDTH - part.width), (i * 313) % (HEIGHT - part.height)]
    return pixelLayer(`layer ${i}`, left, top, part, { blendMode: modes[i % modes.length] ?? 'normal' })
  })
  const smart = smartLayer('Your design', [1800, 700, 4200, 760, 4150, 3700, 1850, 3650], { width: 48, height: 36 })
  layers.splice(LAYERS / 2, 0, smart)
  const linked = [{ id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng }]
  writeFileSync(
    file,
    writePsd(WIDTH, HEIGHT, [pixelLayer('ground', 0, 0, whole), ...layers], { merged: whole, linked }),
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

const [mode, file, importWidth] = process.argv.slice(2)
if (mode === '--write' && file !== undefined) write(file)
else if (mode === '--import' && file !== undefined) await importFile(file, importWidth)
else {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-large-'))
  const large = path.join(folder, 'large.psd')
  const run = (...what: readonly string[]): string =>
    execFileSync(process.execPath, ['--expose-gc', import.meta.filename, ...what], { encoding: 'utf8' })
  try {
    run('--write', large)
    console.log(`${Math.round(statSync(large).size / 1e6)} MB, ${WIDTH} x ${HEIGHT}, ${LAYERS + 2} layers`)
    console.log(run('--import', large, ...(mode === undefined ? [] : [mode])).trimEnd())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
