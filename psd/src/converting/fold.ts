import { areaOf, intersectRects, type Rect, uniteRects } from '@vitrine/engine'
import { type ChannelTable, lookUp } from '../adjusting/channel-tables.ts'
import { blendOver } from '../compositing/blend-over.ts'
import { createPicture, type FloatPicture } from '../compositing/float-picture.ts'
import { isEmpty, stripsOf } from '../rects.ts'
import type { AdjustOperation, AffineOperation, FrameOperation, Operation, PictureOperation } from './operation.ts'

/**
 * Fewer operations that draw the same: frames move before pictures that they do not touch; runs of normal,
 * multiply or screen pictures become one, and longer ones that mix them one affine picture; runs of tables
 * become one. `convert`: to the colours of the scene, before pictures are joined by rules that hold only for
 * the colours that are blended.
 */
export function foldOperations(
  operations: readonly Operation[],
  convert: (operations: readonly Operation[]) => readonly Operation[] = same => same,
): readonly Operation[] {
  return foldRuns(convert(foldNormal(framesFirst(foldNormal(operations)))), true)
}

/** Applies a change to the lists inside an operation. */
function mapInside(
  operation: Operation,
  change: (inside: readonly Operation[], part: 'operations' | 'clip' | 'inner') => readonly Operation[],
): Operation {
  switch (operation.kind) {
    case 'group':
      return {
        ...operation,
        operations: change(operation.operations, 'operations'),
        clip: change(operation.clip, 'clip'),
      }
    case 'mix':
      return { ...operation, operations: change(operation.operations, 'operations') }
    case 'frame':
      return { ...operation, inner: change(operation.inner, 'inner') }
    default:
      return operation
  }
}

/** Runs of normal pictures are one normal picture with alpha, on any backdrop. */
export function foldNormal(operations: readonly Operation[]): readonly Operation[] {
  const folded: Operation[] = []
  for (const operation of operations) {
    const last = folded.at(-1)
    if (operation.kind === 'picture' && last?.kind === 'picture' && isNormal(operation) && isNormal(last)) {
      folded[folded.length - 1] = mergeNormal(last, operation)
    } else folded.push(mapInside(operation, foldNormal))
  }
  return folded
}

function isNormal({ mode, fill }: PictureOperation): boolean {
  return mode === 'normal' && fill === 1
}

function mergeNormal(below: PictureOperation, above: PictureOperation): PictureOperation {
  const bounds = uniteRects([below.bounds, above.bounds])
  return {
    ...below,
    names: [...below.names, ...above.names],
    bounds,
    draw: rect => {
      const picture = createPicture(intersectRects(rect, bounds))
      for (const part of [below, above]) blendOver(picture, part.draw(picture.rect), 'normal', 1, 1)
      return picture
    },
  }
}

/** Moves frames before pictures that they do not touch: what does not overlap commutes. */
function framesFirst(operations: readonly Operation[]): readonly Operation[] {
  const sorted = [...operations]
  for (const [index, operation] of sorted.entries()) {
    if (operation.kind !== 'frame') continue
    let to = index
    for (
      let before = sorted[to - 1];
      before?.kind === 'picture' && !touches(before, operation);
      before = sorted[to - 1]
    ) {
      to--
    }
    if (to < index) sorted.splice(to, 0, ...sorted.splice(index, 1))
  }
  return sorted
}

/** Whether a picture and a frame share a pixel. */
function touches(picture: PictureOperation, { geometry }: FrameOperation): boolean {
  for (const strip of stripsOf(intersectRects(picture.bounds, geometry.bounds))) {
    const drawn = picture.draw(strip)
    if (isEmpty(drawn.rect)) continue
    const shape = geometry.shape(drawn.rect)
    if (drawn.alpha.some((alpha, k) => alpha > 0 && (shape[k] ?? 0) > 0)) return true
  }
  return false
}

const affineModes: ReadonlySet<string> = new Set(['normal', 'multiply', 'screen', 'hard-light'])

/** An affine operation is two 16-bit pictures, which cost as much as three 8-bit ones. */
const LEAST_AFFINE_PARTS = 3

/**
 * On an opaque backdrop normal, multiply, screen and hard light are b * m + o per channel, and so is every
 * run of them. Not inside isolated groups, whose backdrop is not opaque. It pays only for pictures that
 * overlap.
 */
export function foldRuns(operations: readonly Operation[], isOpaque: boolean): readonly Operation[] {
  const folded: Operation[] = []
  let run: Joined[] = []
  const endRun = (): void => {
    folded.push(...foldAffine(run.flatMap(joinPictures)))
    run = []
  }
  for (const operation of operations) {
    if (isOpaque && operation.kind === 'picture') {
      addPicture(run, operation)
      continue
    }
    endRun()
    // Layers clipped to a group, or in a frame, are drawn on a colour that is opaque there.
    const inside = mapInside(operation, (list, part) => {
      const staysOpaque = part === 'operations' ? isOpaque && operation.kind === 'mix' : true
      return foldRuns(list, staysOpaque)
    })
    const last = folded.at(-1)
    const joined = inside.kind === 'adjust' && last?.kind === 'adjust' ? joinTables(last, inside) : null
    if (joined) folded[folded.length - 1] = joined
    else folded.push(inside)
  }
  endRun()
  return folded
}

/** Pictures of the same mode that are drawn as one. */
type Joined = { readonly parts: readonly PictureOperation[]; readonly bounds: Rect }

/** Adds a picture to a run: to the last group of its mode, if nothing between them touches it. */
function addPicture(run: Joined[], picture: PictureOperation): void {
  for (let at = run.length - 1; at >= 0; at--) {
    const before = run[at]
    if (!before) return
    if (canJoin(before, picture)) {
      run[at] = { parts: [...before.parts, picture], bounds: uniteRects([before.bounds, picture.bounds]) }
      return
    }
    if (!isEmpty(intersectRects(before.bounds, picture.bounds))) break
  }
  run.push({ parts: [picture], bounds: picture.bounds })
}

/** Whether one picture can draw all of them on an opaque backdrop. */
function canJoin({ parts, bounds }: Joined, { mode, fill, bounds: own }: PictureOperation): boolean {
  const [first] = parts
  if (mode !== first?.mode || fill !== first.fill) return false
  // A large gap between two pictures costs more than a second picture.
  const isApart = isEmpty(intersectRects(bounds, own))
  if (isApart) return areaOf(uniteRects([bounds, own])) <= 1.5 * (areaOf(bounds) + areaOf(own))
  return fill === 1 && (mode === 'normal' || mode === 'multiply' || mode === 'screen')
}

function joinPictures({ parts, bounds }: Joined): readonly PictureOperation[] {
  const [first] = parts
  if (!first || parts.length === 1) return parts
  const { mode } = first
  const names = parts.flatMap(part => part.names)
  const isProduct = mode === 'multiply' || mode === 'screen'
  const draw = (rect: Rect): FloatPicture => {
    const picture = createPicture(intersectRects(rect, bounds))
    if (isProduct) picture.color.fill(1)
    for (const part of parts) {
      const drawn = part.draw(picture.rect)
      if (isProduct) multiplyKept(picture, drawn, mode === 'multiply')
      else blendOver(picture, drawn, 'normal', 1, 1)
    }
    if (mode === 'screen') for (let i = 0; i < picture.color.length; i++) picture.color[i] = 1 - (picture.color[i] ?? 0)
    return picture
  }
  return [{ ...first, names, bounds, draw }]
}

/** Of a channel b, multiply and screen leave b * kept and 1 - (1 - b) * kept. */
function multiplyKept(kept: FloatPicture, { rect, color, alpha }: FloatPicture, isMultiplied: boolean): void {
  for (let y = 0, from = 0; y < rect.heightPx; y++) {
    let to = (rect.top + y - kept.rect.top) * kept.rect.widthPx + rect.left - kept.rect.left
    for (let x = 0; x < rect.widthPx; x++, from++, to++) {
      const a = alpha[from] ?? 0
      if (a === 0) continue
      kept.alpha[to] = 1
      for (let c = 0; c < 3; c++) {
        const source = (color[3 * from + c] ?? 0) * a
        kept.color[3 * to + c] = (kept.color[3 * to + c] ?? 0) * (isMultiplied ? 1 - a + source : 1 - source)
      }
    }
  }
}

/** Joins runs of affine pictures among the pictures of a run; others stay unchanged. */
function foldAffine(pictures: readonly PictureOperation[]): readonly Operation[] {
  const folded: Operation[] = []
  let run: PictureOperation[] = []
  const endRun = (): void => {
    if (run.length >= LEAST_AFFINE_PARTS && overlaps(run.map(({ bounds }) => bounds))) folded.push(affineOf(run))
    else folded.push(...run)
    run = []
  }
  for (const picture of pictures) {
    if (affineModes.has(picture.mode) && picture.fill === 1) {
      run.push(picture)
      continue
    }
    endRun()
    folded.push(picture)
  }
  endRun()
  return folded
}

/** How far one table may differ from two between its entries, 0..1. */
const TABLE_TOLERANCE = 0.25 / 255

/** One table for two that apply to everything below them; null if one would not draw the same. */
function joinTables(below: AdjustOperation, above: AdjustOperation): AdjustOperation | null {
  const [first, second] = [wholeTables(below), wholeTables(above)]
  if (!first || !second) return null
  const at = (channel: 0 | 1 | 2, value: number): number => lookUp(second[channel], lookUp(first[channel], value))
  const join = (channel: 0 | 1 | 2): ChannelTable => Float32Array.from({ length: 256 }, (_, i) => at(channel, i / 255))
  const tables = [join(0), join(1), join(2)] as const
  for (const channel of [0, 1, 2] as const) {
    for (let step = 0; step < 4 * 255; step++) {
      const value = step / (4 * 255)
      if (Math.abs(lookUp(tables[channel], value) - at(channel, value)) > TABLE_TOLERANCE) return null
    }
  }
  const names = [...below.names, ...above.names]
  return { kind: 'adjust', names, adjustment: { kind: 'tables', tables }, mode: 'normal', opacity: 1, weight: null }
}

/** The tables of an adjustment without a mask, including its opacity. */
function wholeTables({ adjustment, mode, opacity, weight }: AdjustOperation) {
  if (adjustment.kind !== 'tables' || mode !== 'normal' || weight) return null
  const weaken = (table: ChannelTable): ChannelTable => table.map((value, i) => i / 255 + opacity * (value - i / 255))
  const [red, green, blue] = adjustment.tables
  return [weaken(red), weaken(green), weaken(blue)] as const
}

function overlaps(rects: readonly Rect[]): boolean {
  return rects.some((rect, i) => rects.slice(i + 1).some(other => !isEmpty(intersectRects(rect, other))))
}

function affineOf(parts: readonly PictureOperation[]): AffineOperation {
  return {
    kind: 'affine',
    names: parts.flatMap(({ names }) => names),
    bounds: uniteRects(parts.map(({ bounds }) => bounds)),
    parts,
  }
}

/**
 * The factors and sums (RGB, 0..1) of an affine operation over a rectangle: (1 - a + a s, 0) of multiply,
 * (1 - a s, a s) of screen, (1 - a, a s) of normal; hard light multiplies by 2 s below a half, and screens.
 */
export function drawAffine({ parts }: AffineOperation, rect: Rect): { multiply: Float32Array; add: Float32Array } {
  const count = rect.widthPx * rect.heightPx * 3
  const multiply = new Float32Array(count).fill(1)
  const add = new Float32Array(count)
  for (const part of parts) {
    const picture = part.draw(rect)
    const shared = picture.rect
    for (let y = 0; y < shared.heightPx; y++) {
      let to = ((shared.top + y - rect.top) * rect.widthPx + shared.left - rect.left) * 3
      for (let x = 0, from = y * shared.widthPx; x < shared.widthPx; x++, from++) {
        const alpha = picture.alpha[from] ?? 0
        for (let c = 0; c < 3; c++, to++) {
          const color = picture.color[3 * from + c] ?? 0
          const isHard = part.mode === 'hard-light'
          const isMultiplied = part.mode === 'multiply' || (isHard && color <= 0.5)
          const source = (!isHard ? color : isMultiplied ? 2 * color : 2 * color - 1) * alpha
          const factor = isMultiplied ? 1 - alpha + source : 1 - (part.mode === 'normal' ? alpha : source)
          multiply[to] = (multiply[to] ?? 1) * factor
          add[to] = (add[to] ?? 0) * factor + (isMultiplied ? 0 : source)
        }
      }
    }
  }
  return { multiply, add }
}
