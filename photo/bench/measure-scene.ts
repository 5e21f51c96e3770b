import type { ImageCodec, OpaquePixmap } from '@vitrine/engine'
import { createSharpCodec, deflateParts } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { type Drawing, parseDrawing, type Stroke } from '../src/drawing/drawing.ts'
import { gaussianFilter } from '../src/filters/gaussian-filter.ts'
import { makeTemplate, writeTemplate } from '../src/make-template.ts'
import { createOutliner, outlinesOf } from '../src/outline/outliner.ts'
import type { Coverage, Outlines } from '../src/photo-pixels.ts'
import { buildSurface } from '../src/surfaces/build-surface.ts'
import type { MappedSurface } from '../src/surfaces/frame-surface.ts'
import { createLens } from '../src/surfaces/lens.ts'
import { clampReach } from '../src/surfaces/rasterize-surface.ts'
import { paintOver } from './brush.ts'
import { clothPoints, flatCorners, mugMarks, pinPlaces } from './clicks.ts'
import { comparePictures } from './compare-pictures.ts'
import { buildRow, type Row } from './page.ts'
import { createRender, type Goods, type Scene } from './scenes.ts'
import { type Estimate, mapErrors, meanOf, p95Of, placeBest } from './truth-map.ts'

/** The seed of the clicks that mockups are made with, and the first of those that are averaged. */
const SEED = 33
const FIRST_SEED = 31
const AVERAGED_SEEDS = 10

const most = (value: number) => ({ kind: 'most', value }) as const
const least = (value: number) => ({ kind: 'least', value }) as const

/** dyes of the measure, and white for dark products */
const dyes = { navy: '#1f2a44', forest: '#23402f' } as const

export async function measureScene(scene: Scene, seeds: number, codec: ImageCodec): Promise<Row[]> {
  switch (scene.kind) {
    case 'flat':
      return measureFlat(scene, codec)
    case 'mug':
      return measureMug(scene, seeds, codec)
    default:
      return measureCloth(scene, codec)
  }
}

async function measureFlat(scene: Scene, codec: ImageCodec): Promise<Row[]> {
  const drawing = drawOn(scene, { kind: 'flat', corners: flatCorners(scene, 1, SEED) })
  const errors = mapErrors(scene.truth, estimateOf(scene, drawing), 5)
  return [
    buildRow(scene.id, '4 clicks, sd 1: uv p95', p95Of(errors), 'px', most(1.5)),
    ...(await measureMockup(scene, drawing, codec, { psnr: 33, deltaE: 1.2 })),
  ]
}

async function measureMug(scene: Scene, seeds: number, codec: ImageCodec): Promise<Row[]> {
  const drawBy = (seed: number): object => drawOn(scene, { kind: 'body', marks: mugMarks(scene, 1.5, seed) })
  const [raw, shape]: [number[], number[]] = [[], []]
  for (let k = 0; k < Math.max(seeds, AVERAGED_SEEDS); k++) {
    const estimate = estimateOf(scene, drawBy(FIRST_SEED + k))
    raw.push(p95Of(mapErrors(scene.truth, estimate, 8)))
    shape.push(p95Of(mapErrors(scene.truth, placeBest(scene.truth, estimate), 8)))
  }
  const mean = (list: number[]): number => meanOf(Float64Array.from(list.slice(0, AVERAGED_SEEDS)))
  const name = '6 clicks, sd 1.5, ratio known'
  return [
    buildRow(scene.id, `${name}: raw uv p95, mean of 10 seeds`, mean(raw), 'px', most(5)),
    buildRow(scene.id, `${name}: shape p95, mean of 10 seeds`, mean(shape), 'px', most(1.5)),
    buildRow(scene.id, `${name}: shape p95, worst of ${shape.length} seeds`, Math.max(...shape), 'px', most(4)),
    ...(await measureMockup(scene, drawBy(SEED), codec, { psnr: 29.5, deltaE: 2.8 })),
    ...measureBrush(scene, 0.975),
  ]
}

export type ClothChoice = {
  readonly pins: keyof typeof pinPlaces
  readonly deviationPx: number
  readonly name: string
  readonly uvMean?: number
  readonly uvP95?: number
  readonly psnr: number
  readonly lightAlone: number | null
  readonly iou: number | null
  readonly dyeHasBar: boolean
  readonly color: string
}

const flatLay = {
  pins: 'none',
  deviationPx: 1.5,
  name: '4 clicks, sd 1.5',
  uvP95: 2.5,
  psnr: 28,
  lightAlone: 40,
  iou: 0.995,
  color: '#ffffff',
} as const
const soft = { lightAlone: null, iou: null, dyeHasBar: false } as const
const pinned = { pins: 'grid', deviationPx: 3, name: '4 + 12 clicks, sd 3' } as const

/** What is measured of each cloth, and how it is drawn. */
export const cloths: Readonly<Record<Exclude<Goods, 'black shirt'>, readonly ClothChoice[]>> = {
  tote: [{ ...soft, ...pinned, uvMean: 4, psnr: 25.5, color: '#e6dcc8' }],
  cushion: [
    {
      ...soft,
      pins: 'rim',
      deviationPx: 1.5,
      name: '4 clicks, outline, bulge',
      uvMean: 11,
      psnr: 27,
      color: '#ffffff',
    },
  ],
  shirt: [{ ...flatLay, dyeHasBar: true }],
  hoodie: [{ ...flatLay, dyeHasBar: false }],
  'shirt on a form': [
    { ...flatLay, dyeHasBar: false },
    { ...soft, ...pinned, psnr: 28, color: '#ffffff' },
  ],
}

/** The width that pixels of scenes are named for. */
const STARTERS_WIDTH_PX = 2000

/** Of the cushion: its piping, which is 9 to 11 px wide by its side, and how much it swells. */
const INSET_PX = 11
const BULGE = 0.1

/** Of the black shirt: its colour, and what its fabric mirrors. */
const BLACK = '#37373b'
const BLACK_SHEEN = 0.0137

async function measureCloth(scene: Scene, codec: ImageCodec): Promise<Row[]> {
  const { goods } = scene
  if (goods === undefined) throw new Error(`${scene.id}: expected what kind of cloth it is.`)
  if (goods === 'black shirt') return measureBlack(scene, codec)
  const drawn = cloths[goods].map(choice => ({ choice, drawing: drawCloth(scene, choice, choice.deviationPx) }))
  const rows: Row[] = []
  for (const { choice, drawing } of drawn) {
    const { name, uvMean, uvP95, psnr, lightAlone } = choice
    const errors = mapErrors(scene.truth, estimateOf(scene, drawing), 5)
    rows.push(buildRow(scene.id, `${name}: uv mean`, meanOf(errors), 'px', uvMean === undefined ? null : most(uvMean)))
    if (uvP95 !== undefined) rows.push(buildRow(scene.id, `${name}: uv p95`, p95Of(errors), 'px', most(uvP95)))
    const measured = await measureMockup(scene, drawing, codec, { psnr, lightAlone })
    rows.push(...(drawn.length === 1 ? measured : renamed(measured, name)))
  }
  const chosen = drawn.at(-1)
  if (!chosen) return rows
  return [
    ...rows,
    ...(goods === 'cushion' ? await measureInset(scene, chosen.drawing, codec) : []),
    ...measureBrush(scene, chosen.choice.iou),
    ...(await measureDyes(scene, chosen.drawing, codec, chosen.choice.dyeHasBar)),
  ]
}

/** A drawing of cloth by clicks with normal errors. */
export function drawCloth(scene: Scene, { pins, color }: ClothChoice, deviationPx: number, seed = SEED): object {
  const points = clothPoints(scene, pinPlaces[pins], deviationPx, seed)
  const shape =
    scene.goods === 'cushion' ? { bulge: BULGE, inset: (INSET_PX * scene.truth.widthPx) / STARTERS_WIDTH_PX } : {}
  return drawOn(scene, { kind: 'cloth', ...points, ...shape }, color)
}

/** Rows of one of several drawings of a scene. */
function renamed(rows: readonly Row[], name: string): Row[] {
  return rows.map(row => ({ ...row, measure: `${name}: ${row.measure}` }))
}

async function measureBlack(scene: Scene, codec: ImageCodec): Promise<Row[]> {
  const points = clothPoints(scene, pinPlaces.none, 1.5, SEED)
  const named = drawOn(scene, { kind: 'cloth', ...points, color: BLACK, sheen: BLACK_SHEEN }, BLACK)
  const found = drawOn(scene, { kind: 'cloth', ...points, color: 'auto' })
  return [
    ...renamed(await measureMockup(scene, named, codec, { psnr: 33, deltaE: 2 }), 'colour named'),
    ...renamed(await measureMockup(scene, found, codec, { psnr: 31.5, deltaE: 3.2 }), 'colour not named'),
    ...measureBrush(scene, 0.995),
    ...(await measureDyes(scene, named, codec, true)),
  ]
}

/** A drawing on a scene's photo. A product is brushed where it can be dyed. */
export function drawOn(scene: Scene, frame: object, color?: string): object {
  const { photo, surface, aspectRatio, part, kind } = scene
  return {
    format: 1,
    width: photo.widthPx,
    height: photo.heightPx,
    frames: [{ surface, aspect_ratio: aspectRatio, ...frame }],
    ...(part && kind === 'cloth'
      ? { product: { strokes: strokesOver(scene), ...(color === undefined ? {} : { color }) } }
      : {}),
  }
}

/** Products are brushed with seeds from 1; the first is that of the dyes. */
const BRUSH_SEEDS = 10

function strokesOver(scene: Scene, seed = 1): Stroke[] {
  const truth = trueProduct(scene)
  return truth ? paintOver(truth, seed) : []
}

/** The intersection over union of outlines of strokes over a product and the scene's own. */
function measureBrush(scene: Scene, leastShare: number | null): Row[] {
  const truth = trueProduct(scene)
  if (!truth) return []
  const outliner = createOutliner(scene.photo)
  const [shares, seconds]: [number[], number[]] = [[], []]
  for (let seed = 1; seed <= BRUSH_SEEDS; seed++) {
    const strokes = strokesOver(scene, seed)
    const started = process.cpuUsage()
    const { data } = outliner.outline(strokes)
    seconds.push(process.cpuUsage(started).user / 1e6)
    shares.push(overlapOf(data, truth.data))
  }
  const name = 'brush: overlap of outlines'
  const bar = leastShare === null ? null : least(leastShare)
  return [
    buildRow(scene.id, `${name}, worst of ${BRUSH_SEEDS} seeds`, Math.min(...shares), 'IoU', bar),
    buildRow(scene.id, `${name}, mean`, meanOf(Float64Array.from(shares)), 'IoU'),
    buildRow(scene.id, 'brush: processor time of the first outline', seconds[0] ?? 0, 's'),
    buildRow(scene.id, 'brush: processor time of the next ones', meanOf(Float64Array.from(seconds.slice(1))), 's'),
  ]
}

function overlapOf(found: Uint8Array, wanted: Uint8Array): number {
  let [both, either] = [0, 0]
  for (const [i, byte] of found.entries()) {
    const [isFound, isWanted] = [byte > 127, (wanted[i] ?? 0) > 127]
    if (isFound && isWanted) both++
    if (isFound || isWanted) either++
  }
  return both / either
}

/** What a drawing's first frame says of the photo's pixels. */
function estimateOf({ photo }: Scene, json: object): Estimate {
  const drawing: Drawing = parseDrawing(json)
  const [frame] = drawing.frames
  if (!frame) throw new Error('Expected a frame.')
  const { rect, u, v } = buildSurface(frame, photo, createLens(0, photo.widthPx, photo.heightPx)).rasterize()
  return (x, y) => {
    const column = Math.min(rect.widthPx - 1, Math.max(0, Math.floor(x) - rect.left))
    const row = Math.min(rect.heightPx - 1, Math.max(0, Math.floor(y) - rect.top))
    const i = row * rect.widthPx + column
    return { u: u[i] ?? 0, v: v[i] ?? 0 }
  }
}

/** The mockup of a print that ends at a distance from the outline, with the brush's one. */
async function measureInset(scene: Scene, drawing: object, codec: ImageCodec): Promise<Row[]> {
  const store = new MemoryStore()
  await makeOf(scene, drawing, outlinesOf(scene.photo, parseDrawing(drawing)), store)
  const { draw } = await createRender(store, scene.photo.widthPx, codec)
  const wanted = await scene.render(scene.artworks.photo)
  const { psnr, deltaE } = comparePictures(await draw(scene.artworks.photo), wanted, zoneOf(scene))
  return [
    buildRow(scene.id, 'brushed: mockup', psnr, 'dB', least(27)),
    buildRow(scene.id, 'brushed: mockup', deltaE, 'dE'),
  ]
}

type MockupBars = { readonly psnr: number; readonly deltaE?: number; readonly lightAlone?: number | null }

/** The mockup of an artwork like a photo against the truth, of clear artwork against the photo; the time. */
async function measureMockup(scene: Scene, drawing: object, codec: ImageCodec, bars: MockupBars): Promise<Row[]> {
  const { photo, artworks, truth } = scene
  const store = new MemoryStore()
  const started = process.cpuUsage()
  await makeOf(scene, drawing, trueOutlines(scene, drawing), store)
  const seconds = process.cpuUsage(started).user / 1e6
  const { draw } = await createRender(store, photo.widthPx, codec)
  const wanted = await scene.render(artworks.photo)
  const zone = zoneOf(scene)
  const { psnr, deltaE } = comparePictures(await draw(artworks.photo), wanted, zone)
  const rows = [
    buildRow(scene.id, 'mockup', psnr, 'dB', least(bars.psnr)),
    buildRow(scene.id, 'mockup', deltaE, 'dE', bars.deltaE === undefined ? null : most(bars.deltaE)),
  ]
  // At a larger size the whole product is too costly, and is made smaller.
  if (typeof bars.lightAlone === 'number' && photo.widthPx <= 2000) {
    const exact = new MemoryStore()
    const source = {
      photo,
      drawing: parseDrawing(drawing),
      surfaces: [trueSurface(scene)],
      outlines: trueOutlines(scene, drawing),
    }
    await writeTemplate(details, source, drawing, { store: exact, deflate: deflateParts })
    const rendered = await createRender(exact, photo.widthPx, codec)
    const alone = comparePictures(await rendered.draw(artworks.photo), wanted, zone)
    rows.push(buildRow(scene.id, 'light alone, with the true map', alone.psnr, 'dB', least(bars.lightAlone)))
  }
  const difference = greatestDifference(await draw(artworks.clear), photo)
  rows.push(buildRow(scene.id, 'clear artwork against the photo, most', difference, 'of 255', most(1)))
  rows.push(buildRow(scene.id, `processor time of the bundle, ${truth.widthPx} px`, seconds, 's', null))
  return rows
}

/** Dyes by the scene's own outline, and by the brush's. */
async function measureDyes(scene: Scene, drawing: object, codec: ImageCodec, hasBar: boolean): Promise<Row[]> {
  const brushed = outlinesOf(scene.photo, parseDrawing(drawing))
  return [
    ...(await measureDyed(scene, drawing, trueOutlines(scene, drawing), codec, hasBar, 'dyed')),
    ...(await measureDyed(scene, drawing, brushed, codec, hasBar, 'brushed, dyed')),
  ]
}

async function measureDyed(
  scene: Scene,
  drawing: object,
  outlines: Outlines,
  codec: ImageCodec,
  hasBar: boolean,
  prefix: string,
): Promise<Row[]> {
  const { part, artworks, photo } = scene
  if (!part) return []
  const store = new MemoryStore()
  await makeOf(scene, drawing, outlines, store)
  const { draw } = await createRender(store, photo.widthPx, codec)
  const rows: Row[] = []
  for (const [name, color] of Object.entries(dyes)) {
    const wanted = await scene.render(artworks.logo, new Map([[part.name, color]]))
    const made = await draw(artworks.logo, new Map([['product', color]]))
    const { psnr, deltaE } = comparePictures(made, wanted, part.coverage)
    rows.push(buildRow(scene.id, `${prefix} ${name}`, psnr, 'dB', hasBar ? least(34) : null))
    rows.push(buildRow(scene.id, `${prefix} ${name}`, deltaE, 'dE', hasBar ? most(1.3) : null))
  }
  return rows
}

const details = { id: 'from-photo', name: 'From a photo', category: 'Photos' }

export async function makeOf(scene: Scene, drawing: object, outlines: Outlines, store: MemoryStore): Promise<void> {
  await makeTemplate(details, scene.photo, drawing, outlines, {
    store,
    deflate: deflateParts,
    codec: createSharpCodec(),
  })
}

/** The scene's own outline, where the drawing has a product. */
function trueOutlines(scene: Scene, drawing: object): Outlines {
  return { product: 'product' in drawing ? trueProduct(scene) : null, fronts: [] }
}

function trueProduct({ photo: { widthPx, heightPx }, part }: Scene): Coverage | null {
  return part && { widthPx, heightPx, data: Uint8Array.from(part.coverage, share => Math.round(255 * share)) }
}

/** The frame and some pixels around it. */
function zoneOf({ truth: { mask, widthPx, heightPx } }: Scene): Float32Array {
  return gaussianFilter(mask, widthPx, heightPx, 3).map(value => (value > 0.02 ? 1 : 0))
}

function greatestDifference(one: OpaquePixmap, other: { readonly data: Uint8Array }): number {
  return one.data.reduce((most, value, i) => Math.max(most, Math.abs(value - (other.data[i] ?? 0))), 0)
}

/** The scene's own map and mask as a surface: what its mockup misses is the light's. */
function trueSurface({ truth: { widthPx, heightPx, u, v, mask }, aspectRatio }: Scene): MappedSurface {
  let [left, top, right, bottom] = [widthPx, heightPx, 0, 0]
  for (let i = 0; i < mask.length; i++) {
    if ((mask[i] ?? 0) === 0) continue
    const [x, y] = [i % widthPx, Math.floor(i / widthPx)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  const rect = clampReach(left, top, right, bottom, widthPx, heightPx)
  const cut = (plane: Float32Array): Float32Array =>
    Float32Array.from({ length: rect.widthPx * rect.heightPx }, (_, i) => {
      const [x, y] = [rect.left + (i % rect.widthPx), rect.top + Math.floor(i / rect.widthPx)]
      return plane[y * widthPx + x] ?? 0
    })
  const map = { rect, u: cut(u), v: cut(v), coverage: cut(mask) }
  return { aspectRatio, quad: null, rasterize: () => map, isCurved: false, residualPx: null, doubts: [] }
}
