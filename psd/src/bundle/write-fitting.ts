import {
  areaOf,
  type BundleFiles,
  checkBundle,
  type Deflate,
  describeFault,
  GREATEST_WIDTH_PX,
  type ImageCodec,
  type OpaquePixmap,
  type Rect,
  type RewritableStore,
} from '@vitrine/engine'
import { type Reduction, reductionTo } from '../converting/area-average.ts'
import type { Conversion } from '../converting/convert.ts'
import { findKnownScene } from '../converting/known-scene.ts'
import { type Operation, type PictureOperation, walkOperations } from '../converting/operation.ts'
import type { Reach } from '../converting/reach.ts'
import type { ImportNotes } from '../notes.ts'
import { stripsOf } from '../rects.ts'
import { PsdRefusedError } from '../refused-error.ts'
import { findFittingWidth, type WrittenPicture } from './find-fitting-width.ts'
import { DESCRIPTION_FILE, SCENE_FILE, type TemplateDetails, writeBundle } from './write-bundle.ts'

/** A document as it is written, at its own size or a smaller one. */
export type Converted = {
  readonly conversion: Conversion
  readonly reach: Reach
  readonly reduction: Reduction | null
  readonly readPhotoshop: () => OpaquePixmap
}

type Tools = { readonly codec: ImageCodec; readonly store: RewritableStore; readonly deflate?: Deflate }

/** The default width of mockups: a template that cannot be drawn at it is useless. */
const DEFAULT_WIDTH_PX = 2_000

/**
 * Writes a bundle within the limits of time and memory: if it would exceed them, its greatest width is
 * lowered, and its pictures reduced to that unless the caller chose a width. Resolves to its files' names.
 * @throws PsdRefusedError with what to merge
 */
export async function writeFitting(
  convert: (reduction: Reduction | null) => Converted,
  asked: Reduction | null,
  canvas: Rect,
  details: TemplateDetails,
  notes: ImportNotes,
  tools: Tools,
): Promise<{ readonly converted: Converted; readonly names: readonly string[] }> {
  const first = convert(asked)
  const scene = asked?.reduced ?? canvas
  const pictures = await writeAll(first, details, tools)
  const toMerge = adviseMerging(first.conversion.operations)
  const maxWidth = await findFittingWidth(tools.store, pictures, Math.min(DEFAULT_WIDTH_PX, scene.widthPx))
  if (maxWidth === null) throw new PsdRefusedError(`Mockups of this file would take too long. ${toMerge}`)
  if (maxWidth === GREATEST_WIDTH_PX) return finish(first, pictures, tools)
  if (maxWidth >= scene.widthPx) {
    notes.add('hint', '', `mockups are drawn up to ${maxWidth} pixels wide, wider ones are enlarged. ${toMerge}`)
    await limitWidth(tools.store, maxWidth)
    return finish(first, pictures, tools)
  }
  if (asked) {
    throw new PsdRefusedError(
      `Mockups of a template ${scene.widthPx} pixels wide would take too long: --width ${maxWidth} makes it fit. ${toMerge}`,
    )
  }
  notes.add('hint', '', `reduced to a width of ${maxWidth} pixels, for mockups would take too long. ${toMerge}`)
  for (const name of [DESCRIPTION_FILE, ...pictures.keys()]) await tools.store.remove(name)
  const reduced = convert(reductionTo(canvas, maxWidth))
  return finish(reduced, await writeAll(reduced, { ...details, maxWidth }, tools), tools)
}

/** Writes all files. Resolves to the bundle's pictures by their names. */
async function writeAll(
  { conversion, reach, readPhotoshop }: Converted,
  details: TemplateDetails,
  { codec, store, deflate }: Tools,
): Promise<ReadonlyMap<string, WrittenPicture>> {
  const sizes = new Map<string, number>()
  const write = (name: string, bytes: Uint8Array): Promise<void> => {
    sizes.set(name, bytes.byteLength)
    return store.write(name, bytes)
  }
  const scene = readPhotoshop()
  const { widthPx, heightPx } = scene
  await write(SCENE_FILE, await encodeScene(scene, conversion, reach, codec))
  const written = await writeBundle(details, conversion, reach, { ...store, write }, deflate)
  const all = [{ name: SCENE_FILE, widthPx, heightPx }, ...written]
  return new Map(all.map(({ name, ...size }) => [name, { ...size, sizeBytes: sizes.get(name) ?? 0 }]))
}

async function limitWidth(store: RewritableStore, maxWidth: number): Promise<void> {
  const described: unknown = JSON.parse(new TextDecoder().decode(await store.read(DESCRIPTION_FILE)))
  const limited = { ...Object(described), max_width: maxWidth }
  await store.remove(DESCRIPTION_FILE)
  await store.write(DESCRIPTION_FILE, new TextEncoder().encode(`${JSON.stringify(limited, null, 2)}\n`))
}

/** The bundle's own check, without decoding what was just encoded. @throws PsdRefusedError */
async function finish(
  converted: Converted,
  pictures: ReadonlyMap<string, WrittenPicture>,
  { codec, store }: Tools,
): Promise<{ readonly converted: Converted; readonly names: readonly string[] }> {
  const names = [DESCRIPTION_FILE, ...pictures.keys()]
  const files: BundleFiles = {
    read: store.read,
    list: async () => names.map(path => ({ path, sizeBytes: pictures.get(path)?.sizeBytes ?? 0 })),
  }
  const known = new Map(
    [...pictures].map(([name, { widthPx, heightPx }]) => [name, { left: 0, top: 0, widthPx, heightPx }]),
  )
  const { template, faults } = await checkBundle(files, codec, known)
  if (template) return { converted, names }
  const told = faults.slice(0, 5).map(describeFault)
  const toMerge = adviseMerging(converted.conversion.operations)
  throw new PsdRefusedError(`The template that this file makes cannot be used. ${toMerge} ${told.join(' ')}`)
}

/** Which two layers to merge: the largest, preferably two of the same mode. */
export function adviseMerging(operations: readonly Operation[]): string {
  const all = [...walkOperations(operations)]
  if (all.every(({ kind }) => kind === 'frame')) return 'Fewer or smaller frames take less.'
  const pairs = all.flatMap((above, index) => {
    const below = all[index - 1]
    return below?.kind === 'picture' && above.kind === 'picture' ? [[below, above] as const] : []
  })
  const worthOf = ([below, above]: readonly [PictureOperation, PictureOperation]): number =>
    Math.min(areaOf(below.bounds), areaOf(above.bounds)) * (below.mode === above.mode ? 100 : 1)
  const [best] = pairs.toSorted((a, b) => worthOf(b) - worthOf(a))
  const [below, above] = [best?.[0].names.at(-1), best?.[1].names[0]]
  return below === undefined || above === undefined
    ? 'Merge layers over the design and save again.'
    : `Merge "${below}" and "${above}", or other layers over the design, and save again.`
}

/**
 * The scene as a PNG: Photoshop's picture where no frame reaches, or a transparent one with nothing above it;
 * elsewhere what lies below the first frame. Draws into `picture`, so that a large canvas is in memory once.
 */
async function encodeScene(
  picture: OpaquePixmap,
  conversion: Conversion,
  reach: Reach,
  codec: ImageCodec,
): Promise<Uint8Array> {
  const { widthPx, data } = picture
  const findKnown = findKnownScene(conversion)
  for (const strip of stripsOf(reach.rect)) {
    const { color } = conversion.drawScene(strip)
    const known = findKnown(strip)
    for (let y = 0, from = 0, k = 0; y < strip.heightPx; y++) {
      let at = (strip.top + y - reach.rect.top) * reach.rect.widthPx + strip.left - reach.rect.left
      let to = ((strip.top + y) * widthPx + strip.left) * 3
      for (let x = 0; x < strip.widthPx; x++, at++, k++) {
        const isDrawn = reach.bits[at] !== 0 && known?.[k] !== 1
        for (let c = 0; c < 3; c++, from++, to++) if (isDrawn) data[to] = (color[from] ?? 0) * 255 + 0.5
      }
    }
  }
  // The engine's encoder is fast but writes only RGB; other formats use our own.
  return codec.encode(picture, { format: 'png' })
}
