import {
  type BundleStore,
  type Deflate,
  type Described,
  describeRanges,
  fillOf,
  intersectRects,
  PictureWriter,
  type Raster,
  type Rect,
  rectOf,
  regionOf,
  slugOf,
  type WrittenFile,
} from '@vitrine/engine'
import { hexOf } from '../converting/choose-colors.ts'
import type { Conversion } from '../converting/convert.ts'
import { type FrameFilters, reachOfFilters } from '../converting/frame-filters.ts'
import { cornersOf } from '../converting/frame-geometry.ts'
import { type FrameEffect, type FrameOperation, type Operation, walkOperations } from '../converting/operation.ts'
import type { Reach } from '../converting/reach.ts'
import { spread } from '../rects.ts'
import {
  rasterizeAdjustment,
  rasterizeAffine,
  rasterizePicture,
  rasterizePlane,
  rasterizeReach,
  rasterizeWeight,
} from './rasterize.ts'
import { rasterizeMap } from './rasterize-map.ts'

/** The template's own description. `maxWidth`: the greatest width at which it is drawn; if missing, any. */
export type TemplateDetails = {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly maxWidth?: number
}

/**
 * More overlays become a stack, which rounds to bytes once and not after each. Eight in steep modes were off
 * by 3.3 of 255, four by 2.5.
 */
const MAX_OVERLAYS = 4

/** Writes all files of a bundle but its scene. Resolves to what it wrote. */
export function writeBundle(
  details: TemplateDetails,
  conversion: Conversion,
  reach: Reach,
  store: BundleStore,
  deflate: Deflate | undefined,
): Promise<readonly WrittenFile[]> {
  return new BundleWriter(conversion, reach, store, deflate).write(details)
}

/** A picture, and its size; the description has none. */

export const SCENE_FILE = 'scene.png'
export const DESCRIPTION_FILE = 'template.json'

/** What a list is drawn on: the scene, which has all layers where no artwork shows, or its own picture. */
type Ground = 'scene' | 'own'

class BundleWriter {
  readonly #conversion: Conversion
  readonly #reach: Reach
  readonly #store: BundleStore
  readonly #pictures: PictureWriter
  #count = 0

  constructor(conversion: Conversion, reach: Reach, store: BundleStore, deflate: Deflate | undefined) {
    this.#conversion = conversion
    this.#reach = reach
    this.#store = store
    this.#pictures = new PictureWriter(store, deflate)
  }

  async write(details: TemplateDetails): Promise<readonly WrittenFile[]> {
    try {
      return await this.#write(details)
    } finally {
      await this.#pictures.settle()
    }
  }

  async #write({ maxWidth, ...details }: TemplateDetails): Promise<readonly WrittenFile[]> {
    const { frames, operations } = this.#conversion
    const slots = nameSlots(frames)
    const described: Described[] = []
    for (const [index, frame] of frames.entries()) described.push(await this.#frame(frame, index, slots))
    const stack = await this.#operations(operations, 'scene')
    await this.#pictures.finish()
    const colors = [...walkOperations(operations)].flatMap(operation =>
      operation.kind === 'color' ? [{ name: operation.area, default: hexOf(operation.color) }] : [],
    )
    const modes = new Set(frames.map(({ mode }) => mode))
    const [first] = frames
    const drawn = this.#isPlain(stack) ? { overlays: stack.slice(frames.length).map(overlayOf) } : { stack }
    const template: Described = {
      format: 1,
      ...details,
      type: 'product',
      render_mode: frames.every(({ geometry }) => cornersOf(geometry)) ? 'corners' : 'uvmap',
      ...(modes.size === 1 && first ? { blending_mode: first.mode } : {}),
      scene: SCENE_FILE,
      ...(colors.length === 0 ? {} : { colors }),
      frames: described.map((frame, index) =>
        modes.size === 1 ? frame : { ...frame, blending_mode: frames[index]?.mode ?? 'normal' },
      ),
      ...('overlays' in drawn && drawn.overlays?.length === 0 ? {} : drawn),
      ...(maxWidth === undefined ? {} : { max_width: maxWidth }),
    }
    const text = `${JSON.stringify(template, null, 2)}\n`
    await this.#store.write(DESCRIPTION_FILE, new TextEncoder().encode(text))
    return this.#pictures.written
  }

  /** Whether a conversion is nothing but frames with overlays above them. */
  #isPlain(stack: readonly Described[]): boolean {
    const { frames } = this.#conversion
    const areFirst = frames.every((_, index) => stack[index]?.['frame'] === index)
    const rest = stack.slice(frames.length)
    const arePictures = rest.every(operation => 'picture' in operation && !('fill' in operation))
    return areFirst && arePictures && rest.length <= MAX_OVERLAYS
  }

  async #frame(
    { geometry, opacity, fill, mode, inner, effects, filters }: FrameOperation,
    index: number,
    slots: readonly (string | null)[],
  ): Promise<Described> {
    const { placement, bounds } = geometry
    const slot = slots[index] ?? null
    // Fill does not apply to effects.
    const keepsFill = fill < 1 && (fillOf(mode) !== null || effects.length > 0)
    const operations = await this.#operations(inner, 'own')
    const drawn: Described[] = []
    for (const [at, effect] of effects.entries()) {
      const described = await this.#effect(effect, `frame-${index}-effect-${at}`)
      if (described) drawn.push(described)
    }
    const shared = {
      aspect_ratio: round(placement.contentWidth / placement.contentHeight, 6),
      ...(slot === null ? {} : { slot }),
      ...(keepsFill ? { fill: round(fill, 6) } : {}),
      ...withOpacity(opacity * (keepsFill ? 1 : fill)),
      ...(await this.#filters(filters, bounds, index)),
      ...(operations.length === 0 ? {} : { inner: operations }),
      ...(drawn.length === 0 ? {} : { effects: drawn }),
    }
    const quad = cornersOf(geometry)
    if (quad) {
      const { mask: weight } = geometry
      const mask = weight && rasterizePlane(bounds, strip => weight(strip) ?? ones(strip), false)
      return {
        ...shared,
        corners: quad.map(([x, y]) => [round(x, 4), round(y, 4)]),
        ...(mask ? { mask: await this.#pictures.layer(`frame-${index}-mask`, mask) } : {}),
      }
    }
    const mask = rasterizePlane(bounds, geometry.shape, true)
    const seen = mask ?? { ...bounds, widthPx: 1, heightPx: 1 }
    const rect = rectOf(seen.left, seen.top, seen.left + seen.widthPx, seen.top + seen.heightPx)
    return {
      ...shared,
      uvmap: await this.#pictures.layer(`frame-${index}-uv`, rasterizeMap(geometry, bounds, rect)),
      ...(mask ? { mask: await this.#pictures.layer(`frame-${index}-mask`, mask) } : {}),
    }
  }

  /** No operations if their mask shows nothing. */
  async #filters(filters: FrameFilters | null, bounds: Rect, index: number): Promise<Described> {
    if (!filters) return {}
    const { blurPx, motion, sharpen, weight } = filters
    const rect = intersectRects(spread(bounds, reachOfFilters(filters)), this.#reach.rect)
    const mask = weight && rasterizePlane(rect, strip => weight(strip) ?? ones(strip), true)
    if (weight && !mask) return {}
    return {
      ...(blurPx === 0 ? {} : { blur: round(blurPx, 4) }),
      ...(motion ? { motion_blur: { length: round(motion.lengthPx, 4), angle: round(motion.angle, 4) } } : {}),
      ...(sharpen
        ? { sharpen: { amount: sharpen.amount, radius: round(sharpen.radiusPx, 4), threshold: sharpen.threshold } }
        : {}),
      ...(mask ? { filter_mask: await this.#pictures.layer(`frame-${index}-filter-mask`, mask) } : {}),
    }
  }

  /** Null if it shows nothing. */
  async #effect(effect: FrameEffect, name: string): Promise<Described | null> {
    const meeting = { ...withOpacity(effect.opacity), ...withMode(effect.mode) }
    if (effect.kind === 'picture') {
      const raster = rasterizePicture(effect.picture, this.#reach)
      return raster && { overlay: { picture: await this.#pictures.layer(name, raster) }, ...meeting }
    }
    const color = hexOf(effect.color)
    if (effect.kind === 'overlay') return { overlay: { color }, ...meeting }
    if (effect.kind === 'stroke') {
      const { outerPx, innerPx } = effect
      const position = innerPx === 0 ? 'outside' : outerPx === 0 ? 'inside' : 'center'
      return { stroke: { color, width: round(outerPx + innerPx, 4), position }, ...meeting }
    }
    const { offset, spread, blur, gain } = effect
    const soft = {
      color,
      ...(offset.every(by => by === 0) ? {} : { offset: offset.map(by => round(by, 4)) }),
      ...(spread === 0 ? {} : { spread: round(spread, 4) }),
      ...(blur === 0 ? {} : { blur: round(blur, 4) }),
      ...(gain === 1 ? {} : { gain: round(gain, 4) }),
    }
    if (effect.kind === 'shadow') {
      return { shadow: { ...soft, ...(effect.showsThrough ? { shows_through: true } : {}) }, ...meeting }
    }
    return { inner_shadow: { ...soft, ...(effect.fromCenter ? { from_center: true } : {}) }, ...meeting }
  }

  async #operations(operations: readonly Operation[], ground: Ground): Promise<Described[]> {
    const all: Described[] = []
    for (const operation of operations) {
      const described = await this.#operation(operation, ground)
      if (described) all.push(described)
    }
    return all
  }

  /** Null if an operation changes nothing that artwork reaches. */
  async #operation(operation: Operation, ground: Ground): Promise<Described | null> {
    switch (operation.kind) {
      case 'frame':
        return { frame: this.#conversion.frames.indexOf(operation) }
      case 'picture': {
        const raster = rasterizePicture(operation, this.#reach)
        if (!raster) return null
        return {
          ...(await this.#pictures.layer(this.#nextName('layer'), raster, 'picture')),
          ...withMode(operation.mode),
          ...(operation.fill < 1 ? { fill: round(operation.fill, 6) } : {}),
        }
      }
      case 'affine': {
        const rasters = rasterizeAffine(operation, this.#reach)
        if (!rasters) return null
        const name = this.#nextName('affine')
        const { multiply, add } = rasters
        return {
          affine: {
            multiply: await this.#pictures.file(`${name}-multiply`, multiply),
            add: await this.#pictures.file(`${name}-add`, add),
            region: regionOf(multiply),
          },
        }
      }
      case 'adjust': {
        const { adjustment, mode, opacity, weight } = operation
        const name = this.#nextName('adjust')
        const mask = ground === 'scene' ? rasterizeReach(weight, this.#reach) : rasterizeWeight(weight, this.#reach)
        if (ground === 'scene' && !mask) return null
        const adjust: Described =
          adjustment.kind === 'threshold'
            ? { threshold: adjustment.level }
            : {
                [adjustment.kind === 'tables' ? 'tables' : 'cube']: await this.#pictures.file(
                  name,
                  rasterizeAdjustment(adjustment),
                ),
              }
        return { adjust, ...(await this.#mask(name, mask)), ...withOpacity(opacity), ...withMode(mode) }
      }
      case 'color': {
        const { area, mode, opacity, weight } = operation
        const name = this.#nextName('color')
        const mask = ground === 'scene' ? rasterizeReach(weight, this.#reach) : rasterizeWeight(weight, this.#reach)
        if (ground === 'scene' && !mask) return null
        return { color: area, ...(await this.#mask(name, mask)), ...withOpacity(opacity), ...withMode(mode) }
      }
      case 'group': {
        const { mode, opacity, fill, weight } = operation
        const name = this.#nextName('group')
        const clip = await this.#operations(operation.clip, 'own')
        return {
          group: await this.#operations(operation.operations, 'own'),
          ...(clip.length === 0 ? {} : { clip }),
          ...(await this.#mask(name, rasterizeWeight(weight, this.#reach))),
          ...withOpacity(opacity),
          ...(fill < 1 ? { fill: round(fill, 6) } : {}),
          ...withMode(mode),
          ...describeRanges(operation.where),
        }
      }
      default:
        return {
          mix: await this.#operations(operation.operations, ground),
          ...(await this.#mask(this.#nextName('mix'), rasterizeWeight(operation.weight, this.#reach))),
          ...withOpacity(operation.opacity),
          ...describeRanges(operation.where),
        }
    }
  }

  async #mask(name: string, raster: Raster | null): Promise<Described> {
    return raster ? { mask: await this.#pictures.layer(`${name}-mask`, raster) } : {}
  }

  #nextName(prefix: string): string {
    return `${prefix}-${this.#count++}`
  }
}

function overlayOf({ picture, ...rest }: Described): Described {
  return { image: picture ?? '', ...rest }
}

function withOpacity(opacity: number): Described {
  return opacity >= 1 ? {} : { opacity: round(opacity, 6) }
}

function withMode(mode: string): Described {
  return mode === 'normal' ? {} : { blending_mode: mode }
}

function ones(rect: Rect): Float32Array {
  return new Float32Array(rect.widthPx * rect.heightPx).fill(1)
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

const slotNames = { maxLength: 32, letterFirst: true }

/** Names of slots: frames that show the same embedded file share one; null for a frame that shares none. */
function nameSlots(frames: readonly FrameOperation[]): (string | null)[] {
  const documents = [...new Set(frames.map(({ document }) => document))]
  const idOf = ({ layer, document }: FrameOperation): string =>
    `${documents.indexOf(document)} ${layer.placedLayer?.id ?? ''}`
  const names = new Map<string, string>()
  for (const frame of frames) {
    const id = idOf(frame)
    if (names.has(id) || frames.filter(other => idOf(other) === id).length < 2) continue
    const base = slugOf(frame.names[0] ?? '', slotNames) || 'design'
    const taken = new Set(names.values())
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base.slice(0, 28)}-${n}`
    names.set(id, name)
  }
  return frames.map(frame => names.get(idOf(frame)) ?? null)
}
