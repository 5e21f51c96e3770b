/**
 * What templates cost at the greatest output width, beside the estimate that imports are checked by.
 *
 *   node engine/bench/template-cost.ts [--ratio 1] [--layer 500] [--width 4000] [--rounds 1] [CASE ...]
 *
 * `--ratio` is height / width of the scene, `--layer` the width of the stored layers. A case has a process of
 * its own, so that its greatest memory is its own. CPU is user time of all threads, the least of the rounds:
 * preparing the template, and composing one mockup with the kernel. MiB is what the process grew by.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { checkBundle, composeMockup, decodeArtworks, parseTemplate, prepareTemplate } from '../src/index.ts'
import { sharp } from '../src/node/hardened-sharp.ts'
import { createFrameKernel, createSharpCodec, openBundleFolder } from '../src/node/index.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ratio: { type: 'string', default: '1' },
    layer: { type: 'string', default: '500' },
    width: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '1' },
    /** a bundle's folder: measures this one, in this process */
    bundle: { type: 'string' },
  },
})
const ARTWORK_FILE = 'artwork.png'
const ratio = Number(values.ratio)
const SCENE_WIDTH = 500
const sceneHeight = Math.round(SCENE_WIDTH * ratio)
const layerWidth = Number(values.layer)
const layerHeight = Math.round(layerWidth * ratio)

const whole = buildCorners(SCENE_WIDTH, sceneHeight)
const small = buildCorners(8, 8)
const shade = { shade: 'light.png' }
const both = { shade: 'light.png', highlights: 'light.png' }

type Case = {
  readonly frames: readonly object[]
  readonly overlays?: readonly object[]
  readonly stack?: readonly object[]
}

const shadow = { shadow: { color: '#000000', offset: [2, 2], blur: 3, spread: 1 }, blending_mode: 'multiply' }
const glow = { inner_shadow: { color: '#ffffff', blur: 3 }, blending_mode: 'screen' }
const stroke = { stroke: { color: '#ffffff', width: 2, position: 'center' } }

/** One operation over the whole scene, on a small frame. */
const alone = (operation: object): Case => ({ frames: [{ corners: small }], stack: [{ frame: 0 }, operation] })
const cases: Readonly<Record<string, Case>> = {
  scene: { frames: [{ corners: small }] },
  plain: { frames: [{ corners: whole }] },
  'plain, three': { frames: [{ corners: whole }, { corners: whole }, { corners: whole }] },
  masked: { frames: [{ corners: whole, mask: 'mask.png' }] },
  'mask of noise': { frames: [{ corners: whole, mask: 'noise-mask.png' }] },
  lit: { frames: [{ corners: whole, lighting: shade }] },
  'lit, mask of noise': { frames: [{ corners: whole, mask: 'noise-mask.png', lighting: shade }] },
  'lit, masked, highlights': { frames: [{ corners: whole, mask: 'mask.png', lighting: both }] },
  map: { frames: [{ uvmap: 'map.png' }] },
  'map of noise': { frames: [{ uvmap: 'noise-map.png' }] },
  overlay: { frames: [{ corners: small }], overlays: [{ image: 'overlay.png' }] },
  'overlay, two': { frames: [{ corners: small }], overlays: [{ image: 'overlay.png' }, { image: 'overlay.png' }] },
  'overlay, luminosity': {
    frames: [{ corners: whole }],
    overlays: [{ image: 'overlay.png', blending_mode: 'luminosity' }],
  },
  'stack, picture': alone({ picture: 'overlay.png', blending_mode: 'multiply' }),
  'stack, tables': alone({ adjust: { tables: 'curve.png' }, mask: 'mask.png' }),
  'stack, cube': alone({ adjust: { cube: 'cube.png' }, mask: 'mask.png' }),
  'stack, affine': alone({ affine: { multiply: 'wide.png', add: 'wide.png' } }),
  'stack, group': alone({ group: [{ picture: 'overlay.png' }], blending_mode: 'screen', mask: 'mask.png' }),
  'effects, shadow': { frames: [{ corners: whole, effects: [shadow] }] },
  'effects, stroke': { frames: [{ corners: whole, effects: [{ stroke: { color: '#ffffff', width: 2 } }] }] },
  'effects, all': {
    frames: [
      {
        corners: whole,
        effects: [shadow, { overlay: { color: '#ff0000' }, opacity: 0.2 }, glow, stroke],
      },
    ],
  },
  'stack, five': {
    frames: [{ corners: whole, inner: [{ adjust: { tables: 'curve.png' } }] }],
    stack: [
      { frame: 0 },
      { picture: 'overlay.png', blending_mode: 'multiply' },
      { adjust: { tables: 'curve.png' }, mask: 'mask.png' },
      { affine: { multiply: 'wide.png', add: 'wide.png' } },
      { picture: 'overlay.png', blending_mode: 'screen' },
    ],
  },
}

const pictures: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  'scene.png': () => makePicture(3, (x, y, channel) => x * 7 + y * 3 + channel * 50, SCENE_WIDTH, sceneHeight),
  'mask.png': () => makePicture(1, () => 255),
  'noise-mask.png': () => makePicture(1, (x, y) => (noiseOf(x, y) > 0.5 ? 255 : 0)),
  'light.png': () => makePicture(3, x => 100 + (x & 63)),
  'overlay.png': () => makePicture(4, (x, y, channel) => (channel === 3 ? 128 : x + y)),
  'map.png': () => makeMap((x, y) => [0.01 + (0.98 * x) / layerWidth, 0.01 + (0.98 * y) / layerHeight]),
  'curve.png': () => makeWide(256, 1, (x, _, channel) => (x / 255) ** (0.8 + 0.1 * channel)),
  'cube.png': () => makeWide(33, 1089, (x, y) => ((x * 7 + y * 3) % 97) / 97),
  'wide.png': () => makeWide(layerWidth, layerHeight, (x, y) => ((x + y) & 255) / 510),
  'noise-map.png': () => makeMap((x, y) => [0.2 + 0.4 * noiseOf(x, y), 0.2 + 0.4 * noiseOf(y, x)]),
}

function buildCorners(width: number, height: number): readonly (readonly number[])[] {
  return [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ]
}

/** 0..1, the same for the same pixel. */
function noiseOf(x: number, y: number): number {
  const mixed = Math.imul(Math.imul(x + 1, 0x9e3779b1) ^ Math.imul(y + 1, 0x85ebca6b), 0xc2b2ae35)
  return (mixed >>> 8) / 2 ** 24
}

function makePicture(
  channels: 1 | 3 | 4,
  valueOf: (x: number, y: number, channel: number) => number,
  width = layerWidth,
  height = layerHeight,
): Promise<Uint8Array> {
  const data = new Uint8Array(width * height * channels)
  let i = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < channels; channel++) data[i++] = valueOf(x, y, channel)
  const space = channels === 1 ? 'b-w' : 'srgb'
  return sharp(data, { raw: { width, height, channels } }).toColourspace(space).png({ compressionLevel: 3 }).toBuffer()
}

function makeMap(valueOf: (x: number, y: number) => readonly [u: number, v: number]): Promise<Uint8Array> {
  return makeWide(layerWidth, layerHeight, (x, y, channel) => valueOf(x, y)[channel] ?? 0)
}

/** RGB of 16 bits; `valueOf` is 0..1. */
function makeWide(
  width: number,
  height: number,
  valueOf: (x: number, y: number, channel: number) => number,
): Promise<Uint8Array> {
  const data = new Uint16Array(width * height * 3)
  let i = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++) data[i++] = Math.round(65535 * valueOf(x, y, channel))
  const raw = { width, height, channels: 3 } as const
  return sharp(data, { raw }).toColourspace('rgb16').png({ compressionLevel: 3 }).toBuffer()
}

async function writeCase(folder: string, { frames, overlays, stack }: Case): Promise<void> {
  const template = {
    format: 1,
    id: 'cost',
    name: 'Cost',
    category: 'Cost',
    type: 'print',
    render_mode: frames.some(frame => 'uvmap' in frame) ? 'uvmap' : 'corners',
    blending_mode: 'normal',
    scene: 'scene.png',
    frames: frames.map(frame => ({ aspect_ratio: 1, ...frame })),
    ...(overlays && { overlays }),
    ...(stack && { stack }),
  }
  const json = JSON.stringify(template)
  await writeFile(path.join(folder, 'template.json'), json)
  for (const [name, make] of Object.entries(pictures)) {
    if (json.includes(`"${name}"`)) await writeFile(path.join(folder, name), await make())
  }
}

/** One mockup of a bundle in this process. */
async function measureBundle(folder: string): Promise<string> {
  const files = await openBundleFolder(folder)
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
  const artwork = await readFile(path.join(folder, ARTWORK_FILE))
  const codec = createSharpCodec()
  const kernel = createFrameKernel()
  const draw = async (widthPx: number): Promise<readonly number[]> => {
    const start = userMs()
    const prepared = await prepareTemplate(template, files, widthPx, codec, kernel)
    const prepareMs = userMs() - start
    const artworks = await decodeArtworks(prepared.frames, { bytes: artwork }, codec)
    const decoded = userMs()
    composeMockup(prepared, artworks, kernel)
    return [prepareMs, userMs() - decoded]
  }
  // Compiles the code that is measured.
  for (let i = 0; i < 3; i++) await draw(Math.min(400, Number(values.width)))
  const before = process.memoryUsage().rss
  const costs: (readonly number[])[] = []
  for (let round = 0; round < Number(values.rounds); round++) costs.push(await draw(Number(values.width)))
  const [prepareMs, drawMs] = [0, 1].map(index => Math.min(...costs.map(cost => cost[index] ?? 0)))
  const grownMb = (process.resourceUsage().maxRSS * 1024 - before) / 1e6
  return [prepareMs, drawMs, grownMb].map(value => (value ?? 0).toFixed(0).padStart(8)).join(' ')
}

function userMs(): number {
  return process.cpuUsage().user / 1000
}

async function measureCase(name: string): Promise<string> {
  const described = cases[name]
  if (!described) throw new Error(`Expected one of ${Object.keys(cases).join(', ')} but received ${name}.`)
  const folder = await mkdtemp(path.join(tmpdir(), 'template-cost-'))
  try {
    await writeCase(folder, described)
    const { cost } = await checkBundle(await openBundleFolder(folder), createSharpCodec())
    await writeFile(path.join(folder, ARTWORK_FILE), await makePicture(3, (x, y) => x * 5 + y * 9, 1500, 1500))
    const { width, rounds } = values
    const args = [import.meta.filename, '--bundle', folder, '--width', width, '--rounds', rounds]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const estimate = `${((cost?.timeMs ?? 0) / 1000).toFixed(1)} s, ${((cost?.memoryBytes ?? 0) / 1e6).toFixed(0)} MB`
    return `${name.padEnd(24)} ${stdout.trimEnd()}   ${estimate}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (values.bundle !== undefined) console.log(await measureBundle(values.bundle))
else {
  console.log(`${'case'.padEnd(24)}  prepare     draw      MB   estimate at 4000 px`)
  for (const name of positionals.length > 0 ? positionals : Object.keys(cases)) console.log(await measureCase(name))
}
