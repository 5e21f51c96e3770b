import { type Rect } from '@vitrine/engine'
import { hasMask, readMask } from '../compositing/layer-mask.ts'
import type { Conversion } from '../converting/convert.ts'
import type { FrameOperation, Operation } from '../converting/operation.ts'
import type { Reach } from '../converting/reach.ts'
import { rectOf } from '../rects.ts'
import { type Deflate, encodePng, type PngPicture } from './encode-png.ts'
import {
  type Raster,
  rasterizeAdjustment,
  rasterizeAffine,
  rasterizePicture,
  rasterizePlane,
  rasterizeReach,
  rasterizeWeight,
} from './rasterize.ts'
import { rasterizeMap } from './rasterize-map.ts'

/** A value as template.json has it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The files of a template bundle by name; `template.json` is among them. */
export type BundleContent = ReadonlyMap<string, Uint8Array>

/** What a template says of itself. */
export type TemplateDetails = { readonly id: string; readonly name: string; readonly category: string }

/**
 * More overlays become a stack, which rounds to bytes once and not after each. Eight in steep modes were off
 * by 3.3 of 255, four by 2.5.
 */
const MAX_OVERLAYS = 4

/** Writes the bundle of a conversion. `scene`: a PNG of the whole canvas. */
export function writeBundle(
  details: TemplateDetails,
  scene: Uint8Array,
  conversion: Conversion,
  reach: Reach,
  deflate: Deflate | undefined,
): BundleContent {
  return new BundleWriter(conversion, reach, deflate).write(details, scene)
}

/** What a list is drawn on: the scene, which has all layers where no artwork shows, or its own picture. */
type Ground = 'scene' | 'own'

class BundleWriter {
  readonly #files = new Map<string, Uint8Array>()
  readonly #conversion: Conversion
  readonly #reach: Reach
  readonly #deflate: Deflate | undefined
  #count = 0

  constructor(conversion: Conversion, reach: Reach, deflate: Deflate | undefined) {
    this.#conversion = conversion
    this.#reach = reach
    this.#deflate = deflate
  }

  write(details: TemplateDetails, scene: Uint8Array): BundleContent {
    const { frames, operations } = this.#conversion
    this.#files.set('scene.png', scene)
    const slots = nameSlots(frames)
    const described = frames.map((frame, index) => this.#frame(frame, index, slots))
    const stack = this.#operations(operations, 'scene')
    const modes = new Set(frames.map(({ mode }) => mode))
    const [first] = frames
    const drawn = this.#isPlain(stack) ? { overlays: stack.slice(frames.length).map(overlayOf) } : { stack }
    const template: { readonly [name: string]: Json } = {
      format: 1,
      ...details,
      type: 'product',
      render_mode: frames.every(({ geometry }) => geometry.placement.quad) ? 'corners' : 'uvmap',
      ...(modes.size === 1 && first ? { blending_mode: first.mode } : {}),
      scene: 'scene.png',
      frames: described.map((frame, index) =>
        modes.size === 1 ? frame : { ...frame, blending_mode: frames[index]?.mode ?? 'normal' },
      ),
      ...('overlays' in drawn && drawn.overlays?.length === 0 ? {} : drawn),
    }
    const text = `${JSON.stringify(template, null, 2)}\n`
    return new Map([['template.json', new TextEncoder().encode(text)], ...this.#files])
  }

  /** Whether frames and then overlays say all of it. */
  #isPlain(stack: readonly { readonly [name: string]: Json }[]): boolean {
    const { frames } = this.#conversion
    const areFirst = frames.every((_, index) => stack[index]?.['frame'] === index)
    const rest = stack.slice(frames.length)
    const arePictures = rest.every(operation => 'picture' in operation && !('fill' in operation))
    return areFirst && arePictures && rest.length <= MAX_OVERLAYS
  }

  #frame(
    { geometry, opacity, fill, mode, inner, layer }: FrameOperation,
    index: number,
    slots: readonly (string | null)[],
  ): { readonly [name: string]: Json } {
    const { placement, bounds } = geometry
    const slot = slots[index] ?? null
    const keepsFill = fill < 1 && ownFillModes.has(mode)
    const operations = this.#operations(inner, 'own')
    const shared = {
      aspect_ratio: round(placement.contentWidth / placement.contentHeight, 6),
      ...(slot === null ? {} : { slot }),
      ...(keepsFill ? { fill: round(fill, 6) } : {}),
      ...withOpacity(opacity * (keepsFill ? 1 : fill)),
      ...(operations.length === 0 ? {} : { inner: operations }),
    }
    if (placement.quad) {
      const mask = hasMask(layer) ? rasterizePlane(bounds, strip => readMask(layer, strip) ?? ones(strip), false) : null
      return {
        ...shared,
        corners: placement.quad.map(([x, y]) => [round(x, 4), round(y, 4)]),
        ...(mask ? { mask: this.#layer(`frame-${index}-mask`, mask) } : {}),
      }
    }
    const mask = rasterizePlane(bounds, geometry.shape, true)
    const seen = mask ?? { ...bounds, widthPx: 1, heightPx: 1 }
    const rect = rectOf(seen.left, seen.top, seen.left + seen.widthPx, seen.top + seen.heightPx)
    return {
      ...shared,
      uvmap: this.#layer(`frame-${index}-uv`, rasterizeMap(geometry, bounds, rect)),
      ...(mask ? { mask: this.#layer(`frame-${index}-mask`, mask) } : {}),
    }
  }

  #operations(operations: readonly Operation[], ground: Ground): { readonly [name: string]: Json }[] {
    return operations.flatMap(operation => {
      const described = this.#operation(operation, ground)
      return described ? [described] : []
    })
  }

  /** Null where an operation changes nothing that artwork reaches. */
  #operation(operation: Operation, ground: Ground): { readonly [name: string]: Json } | null {
    switch (operation.kind) {
      case 'frame':
        return { frame: this.#conversion.frames.indexOf(operation) }
      case 'picture': {
        const raster = rasterizePicture(operation, this.#reach)
        if (!raster) return null
        return {
          ...this.#region('picture', this.#nextName('layer'), raster),
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
            multiply: this.#file(`${name}-multiply`, multiply),
            add: this.#file(`${name}-add`, add),
            region: regionOf(multiply),
          },
        }
      }
      case 'adjust': {
        const { adjustment, mode, opacity, weight } = operation
        const name = this.#nextName('adjust')
        const mask = ground === 'scene' ? rasterizeReach(weight, this.#reach) : rasterizeWeight(weight, this.#reach)
        if (ground === 'scene' && !mask) return null
        const adjust: { readonly [name: string]: Json } =
          adjustment.kind === 'threshold'
            ? { threshold: adjustment.level }
            : { [adjustment.kind === 'tables' ? 'tables' : 'cube']: this.#file(name, rasterizeAdjustment(adjustment)) }
        return { adjust, ...this.#mask(name, mask), ...withOpacity(opacity), ...withMode(mode) }
      }
      case 'group': {
        const { mode, opacity, fill, weight } = operation
        const name = this.#nextName('group')
        const clip = this.#operations(operation.clip, 'own')
        return {
          group: this.#operations(operation.operations, 'own'),
          ...(clip.length === 0 ? {} : { clip }),
          ...this.#mask(name, rasterizeWeight(weight, this.#reach)),
          ...withOpacity(opacity),
          ...(fill < 1 ? { fill: round(fill, 6) } : {}),
          ...withMode(mode),
        }
      }
      default:
        return {
          mix: this.#operations(operation.operations, ground),
          ...this.#mask(this.#nextName('mix'), rasterizeWeight(operation.weight, this.#reach)),
          ...withOpacity(operation.opacity),
        }
    }
  }

  #mask(name: string, raster: Raster | null): { readonly [name: string]: Json } {
    return raster ? { mask: this.#layer(`${name}-mask`, raster) } : {}
  }

  #nextName(prefix: string): string {
    return `${prefix}-${this.#count++}`
  }

  /** Stores a picture. Returns the name of its file. */
  #file(name: string, picture: PngPicture): string {
    this.#files.set(`${name}.png`, encodePng(picture, this.#deflate))
    return `${name}.png`
  }

  /** Stores a picture of a part of the scene, as a layer of the bundle names it. */
  #layer(name: string, raster: Raster): { readonly [name: string]: Json } {
    return this.#region('image', name, raster)
  }

  #region(field: string, name: string, raster: Raster): { readonly [name: string]: Json } {
    return { [field]: this.#file(name, raster), region: regionOf(raster) }
  }
}

const ownFillModes: ReadonlySet<string> = new Set([
  'color-burn',
  'linear-burn',
  'color-dodge',
  'linear-dodge',
  'vivid-light',
  'linear-light',
  'difference',
  'hard-mix',
])

function regionOf({ left, top, widthPx, heightPx }: Raster): readonly number[] {
  return [left, top, widthPx, heightPx]
}

function overlayOf({ picture, ...rest }: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  return { image: picture ?? '', ...rest }
}

function withOpacity(opacity: number): { readonly [name: string]: Json } {
  return opacity >= 1 ? {} : { opacity: round(opacity, 6) }
}

function withMode(mode: string): { readonly [name: string]: Json } {
  return mode === 'normal' ? {} : { blending_mode: mode }
}

function ones(rect: Rect): Float32Array {
  return new Float32Array(rect.widthPx * rect.heightPx).fill(1)
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** Names of slots: frames that show one embedded file share one; null where a frame is alone. */
function nameSlots(frames: readonly FrameOperation[]): (string | null)[] {
  const idOf = ({ layer }: FrameOperation): string => layer.placedLayer?.id ?? ''
  const names = new Map<string, string>()
  for (const frame of frames) {
    const id = idOf(frame)
    if (names.has(id) || frames.filter(other => idOf(other) === id).length < 2) continue
    const base = slugOf(frame.names[0] ?? '') || 'design'
    const taken = new Set(names.values())
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base.slice(0, 28)}-${n}`
    names.set(id, name)
  }
  return frames.map(frame => names.get(idOf(frame)) ?? null)
}

/** A name as the bundle takes it: a letter first, then a-z, 0-9 and -. Empty where nothing is left. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 32)
    .replace(/-+$/, '')
}
