import { intersectRects, type Rect, uniteRects } from '@vitrine/engine'
import { blendOver } from '../compositing/blend-over.ts'
import { createPicture } from '../compositing/float-picture.ts'
import { isEmpty, stripsOf } from '../rects.ts'
import type { AffineOperation, FrameOperation, Operation, PictureOperation } from './operation.ts'

/**
 * Fewer operations that draw the same: frames move before pictures that they do not touch, runs of normal
 * pictures become one, and runs that mix normal, multiply and screen become one affine picture. `convert`:
 * to the colours of the scene, before pictures are joined by what holds for the colours that they meet.
 */
export function foldOperations(
  operations: readonly Operation[],
  convert: (operations: readonly Operation[]) => readonly Operation[] = same => same,
): readonly Operation[] {
  return foldAffine(convert(foldNormal(framesFirst(foldNormal(operations)))), true)
}

/** Applies a change to the lists inside of an operation. */
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

const affineModes: ReadonlySet<string> = new Set(['normal', 'multiply', 'screen'])

/**
 * On an opaque backdrop normal, multiply and screen are b * m + o per channel, and so is every run of them.
 * Not inside isolated groups, whose backdrop is not opaque. Only runs whose pictures overlap are worth it.
 */
export function foldAffine(operations: readonly Operation[], isOpaque: boolean): readonly Operation[] {
  const folded: Operation[] = []
  let run: PictureOperation[] = []
  const endRun = (): void => {
    if (run.length > 1 && overlaps(run.map(({ bounds }) => bounds))) folded.push(affineOf(run))
    else folded.push(...run)
    run = []
  }
  for (const operation of operations) {
    if (isOpaque && operation.kind === 'picture' && affineModes.has(operation.mode) && operation.fill === 1) {
      run.push(operation)
      continue
    }
    endRun()
    // What is clipped to a group, or lies in a frame, is drawn on a colour that is opaque there.
    folded.push(
      mapInside(operation, (inside, part) => {
        const staysOpaque = part === 'operations' ? isOpaque && operation.kind === 'mix' : true
        return foldAffine(inside, staysOpaque)
      }),
    )
  }
  endRun()
  return folded
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
 * (1 - a s, a s) of screen, (1 - a, a s) of normal.
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
          const source = (picture.color[3 * from + c] ?? 0) * alpha
          const factor = part.mode === 'multiply' ? 1 - alpha + source : 1 - (part.mode === 'screen' ? source : alpha)
          multiply[to] = (multiply[to] ?? 1) * factor
          add[to] = (add[to] ?? 0) * factor + (part.mode === 'multiply' ? 0 : source)
        }
      }
    }
  }
  return { multiply, add }
}
