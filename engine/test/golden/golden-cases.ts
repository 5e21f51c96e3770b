import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { blendModeNames } from '../../src/blending/blend-modes.ts'
import type { ImageCodec } from '../../src/codec.ts'
import { toneNames } from '../../src/lighting/tones.ts'
import { createSharpCodec } from '../../src/node/index.ts'
import type { OpaquePixmap } from '../../src/pixmap.ts'
import { Renderer } from '../../src/render.ts'
import { parseTemplate } from '../../src/template/parse-template.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'

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
  const prepared = await prepareTemplate(parseTemplate(golden.template), { read: input }, golden.widthPx, codec)
  const all = golden.artworks['all']
  const artworks = all
    ? { bytes: await input(all) }
    : new Map(
        await Promise.all(
          Object.entries(golden.artworks).map(async ([index, file]) => [Number(index), { bytes: await input(file) }] as const),
        ),
      )
  const renderer = new Renderer(null, () => 0)
  const mockup = await renderer.render({ prepared, artworks, output: { format: 'png' } }, codec)
  return codec.decodeLayer(mockup.bytes, 'rgb')
}
