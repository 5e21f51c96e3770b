import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { blendModeNames } from '../../src/blending/blend-modes.ts'
import type { ImageCodec } from '../../src/codec.ts'
import { toneNames } from '../../src/lighting/tones.ts'
import { createSharpCodec } from '../../src/node/index.ts'
import { centredCover, type Placement, type Placements } from '../../src/geometry/artwork-placement.ts'
import type { OpaquePixmap } from '../../src/pixmap.ts'
import { Renderer } from '../../src/render.ts'
import { parseTemplate } from '../../src/template/parse-template.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'
import { type ChosenColors, recolorTemplate } from '../../src/template/recolor-template.ts'

/**
 * The folder of the cases; every folder in it is one, but `inputs`, which holds the layers and artworks that
 * they share.
 */
export const goldenDir = import.meta.dirname

/**
 * What a case's `case.json` says: the artworks by frame index (one for all under "all"), the output's width,
 * and the template.
 */
type GoldenCase = {
  readonly artworks: Readonly<Record<string, string>>
  readonly widthPx: number
  readonly template: unknown
  /** greatest difference of any channel; more than 0 only with a reason */
  readonly tolerance: number
  readonly why: string | null
}

const placed = (changes: Partial<Placement>): Placements => ({ all: { ...centredCover, ...changes } })

/** The placements of the cases that have one: every field alone, and some together. */
const placedCases: Readonly<Record<string, Placements>> = {
  'placed-contain': placed({ fit: 'contain' }),
  'placed-stretch': placed({ fit: 'stretch' }),
  'placed-focus': placed({ focus: [0.1, 0.5] }),
  'placed-scale': placed({ scale: 0.4 }),
  'placed-large': placed({ scale: 6 }),
  'placed-rotation': placed({ rotation: 17 }),
  'placed-x-y': placed({ x: 0.2, y: 0.9 }),
  'placed-flip': placed({ flip: 'both' }),
  'placed-tile': placed({ repeat: 'tile', scale: 0.3, rotation: 30 }),
  'placed-mirror': placed({ repeat: 'mirror', scale: 0.3 }),
  'placed-background': placed({ background: '#1f2a44', scale: 0.7, rotation: -20 }),
  'placed-lit': placed({ scale: 0.5, rotation: 17, x: 0.6 }),
  'placed-lit-background': placed({ scale: 0.5, background: '#1f2a44' }),
  'placed-on-map': placed({ scale: 0.8, rotation: 17 }),
  'placed-across-the-seam': placed({ scale: 0.5, x: 0.02, flip: 'horizontal' }),
  'placed-tile-round': placed({ repeat: 'tile', scale: 0.3 }),
  'placed-combined': placed({
    focus: [0.2, 0.5],
    scale: 0.7,
    rotation: -33,
    x: 0.4,
    y: 0.6,
    flip: 'vertical',
    background: '#1f2a44',
  }),
  'placed-combined-on-map': placed({
    fit: 'contain',
    scale: 0.35,
    rotation: 25,
    x: 0.1,
    flip: 'horizontal',
    repeat: 'mirror',
    background: '#e0a458',
  }),
  'placed-on-a-colored-product': placed({ fit: 'contain', scale: 0.7, rotation: 15, x: 0.45 }),
  'placed-several-frames': {
    all: { ...centredCover, fit: 'contain', background: '#ffffff' },
    byFrame: new Map([[2, { ...centredCover, repeat: 'tile', scale: 0.2, rotation: 45 }]]),
  },
}

/** The colours of the cases that have some: on a photograph, by a blend mode, in light, in two lights. */
const coloredCases: Readonly<Record<string, ChosenColors>> = {
  'colored-photograph': new Map([['wall', '#1f2a44']]),
  'colored-blended': new Map([['wall', '#b3202c']]),
  'stack-lit': new Map([['sheet', '#1f2a44']]),
  'colored-lit': new Map([['sheet', '#1f2a44']]),
  'colored-in-its-own-light': new Map([['sheet', '#80493a']]),
  'placed-on-a-colored-product': new Map([['sheet', '#1f2a44']]),
}

/**
 * The cases that must exist: one for every blending mode and tone that the engine exports, and one for every
 * way of placing artwork.
 */
export const requiredCases: readonly string[] = [
  ...blendModeNames.map(mode => `blend-${mode}`),
  ...toneNames.map(tone => `lit-${tone}`),
  'overlay-normal',
  'overlay-multiply',
  'overlay-luminosity',
  'stack',
  'corners-edges',
  'corners-masked',
  'corners-cropped',
  'corners-outside-the-scene',
  'lit-clear-artwork',
  'lit-mask-beyond-the-corners',
  'map-cylinder',
  'map-wraps',
  'map-with-coverage',
  'several-frames',
  ...new Set([...Object.keys(placedCases), ...Object.keys(coloredCases)]),
]

export async function listGoldenCases(): Promise<readonly string[]> {
  const entries = await readdir(goldenDir, { withFileTypes: true })
  return entries.filter(entry => entry.isDirectory() && entry.name !== 'inputs').map(entry => entry.name)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

export async function readGoldenCase(name: string): Promise<GoldenCase> {
  const json: unknown = JSON.parse(await readFile(path.join(goldenDir, name, 'case.json'), 'utf8'))
  if (!isRecord(json) || !isRecord(json['artworks'])) throw new Error(`${name}/case.json names no artworks`)
  const artworks = Object.fromEntries(Object.entries(json['artworks']).map(([key, file]) => [key, String(file)]))
  const why = typeof json['why'] === 'string' ? json['why'] : null
  const tolerance = typeof json['tolerance'] === 'number' ? json['tolerance'] : 0
  if (tolerance > 0 && why === null) throw new Error(`${name}/case.json has a tolerance without a why`)
  return { artworks, widthPx: Number(json['width']), template: json['template'], tolerance, why }
}

/**
 * Renders a case with the codec that the service uses; PNG, so that the pixels are what the renderer drew.
 */
export async function renderGoldenCase(name: string): Promise<OpaquePixmap> {
  const codec: ImageCodec = createSharpCodec()
  const golden = await readGoldenCase(name)
  const input = async (file: string): Promise<Uint8Array> => new Uint8Array(await readFile(path.join(goldenDir, 'inputs', file)))
  const template = parseTemplate(golden.template)
  const files = { read: input }
  const base = await prepareTemplate(template, files, golden.widthPx, codec)
  const prepared = await recolorTemplate(base, template, files, coloredCases[name] ?? new Map(), codec)
  const all = golden.artworks['all']
  const artworks = all
    ? { bytes: await input(all) }
    : new Map(
        await Promise.all(
          Object.entries(golden.artworks).map(async ([index, file]) => [Number(index), { bytes: await input(file) }] as const),
        ),
      )
  const renderer = new Renderer(null, () => 0)
  const placements = placedCases[name] ?? {}
  const mockup = await renderer.render({ prepared, artworks, placements, output: { format: 'png' } }, codec)
  return codec.decodeLayer(mockup.bytes, 'rgb')
}
