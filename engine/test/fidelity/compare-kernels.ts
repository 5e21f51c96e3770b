import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildHalfClearOverlay, findScene, inMode } from '../../bench/half-clear-overlay.ts'
import { measureInTurn } from '../../bench/measure.ts'
import type { BlendMode } from '../../src/blending/blend-modes.ts'
import type { DecodedArtwork } from '../../src/codec.ts'
import type { Placements } from '../../src/geometry/artwork-placement.ts'
import { composeMockup, findDecodeTarget, inspectArtwork, parseTemplate, prepareTemplate } from '../../src/index.ts'
import type { FrameKernel } from '../../src/kernels/frame-kernel.ts'
import { createSharpCodec, openBundleFolder } from '../../src/node/index.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import type { OpaquePixmap } from '../../src/pixmap.ts'
import type { PreparedTemplate } from '../../src/template/prepare-template.ts'
import { kernels } from '../reference/kernel-registry.ts'
import type { PreparedCase } from './measure-case.ts'

/** A fast kernel beside the plain TypeScript that defines its result. */
export type KernelComparison = {
  readonly kernel: string
  readonly work: string
  /** greatest and mean difference of the results' bytes */
  readonly greatest: number
  readonly mean: number
  /** CPU milliseconds */
  readonly plainMs: number
  readonly fastMs: number
}

/** Does the same by both, compares the bytes and measures the CPU time of each. */
async function compare(
  kernel: string,
  work: string,
  plain: () => ArrayLike<number>,
  fast: () => ArrayLike<number>,
  rounds: number,
): Promise<KernelComparison> {
  const [expected, actual] = [Uint8Array.from(plain()), Uint8Array.from(fast())]
  let greatest = expected.length === actual.length ? 0 : Number.POSITIVE_INFINITY
  let sum = greatest
  for (let i = 0; i < expected.length && Number.isFinite(greatest); i++) {
    const difference = Math.abs((expected[i] ?? 0) - (actual[i] ?? 0))
    greatest = Math.max(greatest, difference)
    sum += difference
  }
  const discard = (step: () => unknown) => () => {
    step()
    return undefined
  }
  const costs = await measureInTurn(
    new Map([
      ['plain', discard(plain)],
      ['fast', discard(fast)],
    ]),
    rounds,
    rounds > 1 ? 1 : 0,
  )
  const of = (name: string): number => costs.get(name) ?? Number.NaN
  const mean = sum / Math.max(1, expected.length)
  return { kernel, work, greatest, mean, plainMs: of('plain'), fastMs: of('fast') }
}

/** Frames drawn with the kernel and without: the whole step between decoding and encoding. */
export function compareDrawing(
  work: string,
  prepared: PreparedTemplate,
  artworks: readonly DecodedArtwork[],
  kernel: FrameKernel,
  rounds: number,
  placements: Placements = {},
): Promise<KernelComparison> {
  const pictures: [OpaquePixmap, OpaquePixmap] = [
    composeMockup(prepared, artworks, null, null, placements),
    composeMockup(prepared, artworks, kernel, null, placements),
  ]
  return compare(
    'frame',
    work,
    () => composeMockup(prepared, artworks, null, pictures[0], placements).data,
    () => composeMockup(prepared, artworks, kernel, pictures[1], placements).data,
    rounds,
  )
}

const blending: readonly (readonly [BlendMode, string])[] = [
  ['multiply', 'multiply, by formula'],
  ['soft-light', 'soft-light, by table'],
  ['luminosity', 'luminosity, by formula over all three channels'],
]

/** A case's drawing with other blending modes, and overlays over its mockup. */
export async function compareBlending(
  name: string,
  { prepared, artwork }: PreparedCase,
  kernel: FrameKernel,
  rounds: number,
): Promise<readonly KernelComparison[]> {
  const rows: KernelComparison[] = []
  for (const [blendMode, what] of blending) {
    rows.push(await compareDrawing(`${name}, ${what}`, inMode(prepared, blendMode), [artwork], kernel, rounds))
  }
  const picture = composeMockup(prepared, [artwork], kernel)
  const fast = kernels.overlay.simd(loadKernels())
  for (const blendMode of ['multiply', 'luminosity'] as const) {
    const overlay = buildHalfClearOverlay(findScene(prepared).region, blendMode)
    rows.push(
      await compare(
        'overlay',
        `${name}, half clear, ${blendMode}`,
        () => kernels.overlay.reference(picture, overlay).data,
        () => fast(picture, overlay).data,
        rounds,
      ),
    )
  }
  return rows
}

const templatesDirectory = path.resolve(import.meta.dirname, '../../../templates')
const litTemplates = ['oak-frame-portrait', 'white-mug-walnut-table']

/** Lit templates that ship, drawn with an artwork that ships. */
export async function compareLight(
  widthPx: number,
  kernel: FrameKernel,
  rounds: number,
): Promise<readonly KernelComparison[]> {
  const codec = createSharpCodec()
  const artwork = await readFile(path.join(templatesDirectory, 'artworks/petal-pattern.jpg'))
  const size = inspectArtwork(artwork)
  const rows: KernelComparison[] = []
  for (const name of litTemplates) {
    const files = await openBundleFolder(path.join(templatesDirectory, name))
    const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
    const prepared = await prepareTemplate(template, files, widthPx, codec)
    const artworks: DecodedArtwork[] = []
    for (const frame of prepared.frames) {
      artworks.push(await codec.decodeArtwork(artwork, findDecodeTarget(frame, size.widthPx, size.heightPx)))
    }
    rows.push(await compareDrawing(`${name}, lit, ${template.renderMode}`, prepared, artworks, kernel, rounds))
  }
  return rows
}

/** So large a part of a picture goes through the plain encoders, which are slow, in pixels a side. */
const ENCODED_PX = 512

/** The slowest of PNG's filters. */
const PAETH = 4

/** The encoders' kernels on the middle of a picture. */
export async function compareEncoding(picture: OpaquePixmap, rounds: number): Promise<readonly KernelComparison[]> {
  const modules = loadKernels()
  const part = cutMiddle(picture, Math.min(ENCODED_PX, picture.widthPx), Math.min(ENCODED_PX, picture.heightPx))
  const rows = Array.from({ length: part.heightPx }, (_, row) => row)
  const what = `${part.widthPx} x ${part.heightPx} px of a mockup`
  const file = kernels.jpegFile
  const fastFile = file.simd(modules)
  const filter = kernels.pngFilter
  const fastFilter = filter.simd(modules)
  const choice = kernels.pngFilterChoice
  const fastChoice = choice.simd(modules)
  const crc = kernels.crc32
  const fastCrc = crc.simd(modules)
  const bytesOf = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer)
  return [
    await compare(
      'jpegFile',
      `${what}, quality 85`,
      () => file.reference(part, 85),
      () => fastFile(part, 85),
      rounds,
    ),
    await compare(
      'pngFilter',
      `${what}, Paeth`,
      () => filterAll(part, filter.reference),
      () => filterAll(part, fastFilter),
      rounds,
    ),
    await compare(
      'pngFilterChoice',
      what,
      () => rows.map(row => choice.reference(part, row)),
      () => rows.map(row => fastChoice(part, row)),
      rounds,
    ),
    await compare(
      'crc32',
      what,
      () => bytesOf(crc.reference(part.data, 0)),
      () => bytesOf(fastCrc(part.data, 0)),
      rounds,
    ),
  ]
}

/** Every row's residuals under the slowest filter. */
function filterAll(
  picture: OpaquePixmap,
  filter: (picture: OpaquePixmap, row: number, kind: number) => Uint8Array,
): Uint8Array {
  const all = new Uint8Array(picture.data.length)
  for (let row = 0; row < picture.heightPx; row++) all.set(filter(picture, row, PAETH), row * picture.widthPx * 3)
  return all
}

function cutMiddle(picture: OpaquePixmap, widthPx: number, heightPx: number): OpaquePixmap {
  const left = (picture.widthPx - widthPx) >> 1
  const top = (picture.heightPx - heightPx) >> 1
  const data = new Uint8Array(widthPx * heightPx * 3)
  for (let y = 0; y < heightPx; y++) {
    const from = ((top + y) * picture.widthPx + left) * 3
    data.set(picture.data.subarray(from, from + widthPx * 3), y * widthPx * 3)
  }
  return { alpha: 'opaque', widthPx, heightPx, data }
}
