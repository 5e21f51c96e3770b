/** Converts a draft to drawing.json, and a drawing to a draft. */
import { writeHexColor } from '@vitrine/engine'
import {
  DRAWING_FILE,
  type Drawing,
  type DrawnFrame,
  type DrawnProduct,
  parseDrawing,
  type Stroke,
  scaleDrawing,
} from '@vitrine/photo'
import type { Point } from '../draft.ts'
import { aspectRatioOf, type BodyPoint, type PhotoDraft, type PhotoFrame, type PhotoProduct } from './photo-draft.ts'

export { DRAWING_FILE }

type Drawn = Pick<PhotoDraft, 'widthPx' | 'heightPx' | 'lens' | 'tone' | 'frames' | 'product'>

const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits))
const pointOf = ([x, y]: Point): [number, number] => [rounded(x), rounded(y)]

/** The fields of drawing.json, without those with default values. */
export function drawingOfDraft(draft: Drawn) {
  const { widthPx, heightPx, lens, tone, frames, product } = draft
  return {
    format: 1,
    width: widthPx,
    height: heightPx,
    ...(lens === 0 ? {} : { lens }),
    ...(tone === 'auto' ? {} : { tone }),
    frames: frames.map(frame => drawnFrame(frame, draft)),
    ...(product === null || product.strokes.length === 0 ? {} : { product: drawnProduct(product) }),
  }
}

function drawnFrame(frame: PhotoFrame, draft: Drawn) {
  const { surface, color, sheen, gloss, brightness, cleans, front } = frame
  const ratio = aspectRatioOf(frame, draft)
  return {
    ...drawnShape(frame.shape),
    ...(ratio === null ? {} : { aspect_ratio: rounded(ratio, 5) }),
    surface,
    ...(color === '#ffffff' ? {} : { color: color ?? 'auto' }),
    ...(sheen === null ? {} : { sheen }),
    ...(gloss === 1 ? {} : { gloss }),
    ...(brightness === 1 ? {} : { brightness }),
    ...(cleans ? {} : { clean: false }),
    ...(front.length === 0 ? {} : { front: front.map(drawnStroke) }),
  }
}

function drawnShape(shape: PhotoFrame['shape']) {
  switch (shape.kind) {
    case 'flat':
      return { kind: shape.kind, corners: shape.corners.map(pointOf) }
    case 'cloth': {
      const { kind, corners, pins, bulge, inset } = shape
      return {
        kind,
        corners: corners.map(pointOf),
        ...(pins.length === 0 ? {} : { pins: pins.map(({ at, u, v }) => ({ at: pointOf(at), u, v })) }),
        ...(bulge === 0 ? {} : { bulge }),
        ...(inset === null ? {} : { inset: rounded(inset) }),
      }
    }
    case 'body': {
      const { kind, points, measures, print, snap } = shape
      return {
        kind,
        marks: points.flatMap(({ at, on }) => on.map(place => ({ at: pointOf(at), ...place }))),
        ...(measures === null ? {} : { measures }),
        ...(print === null ? {} : { print }),
        ...(snap ? {} : { snap: false }),
      }
    }
    case 'warp':
      return { kind: shape.kind, mesh: shape.mesh.map(pointOf) }
  }
}

/** A stroke to the digits that drawing.json has. */
export function roundedStroke({ points, radius, erases }: Stroke): Stroke {
  return { points: points.map(pointOf), radius: rounded(radius), erases }
}

function drawnStroke(stroke: Stroke) {
  const { points, radius, erases } = roundedStroke(stroke)
  return { points, radius, ...(erases ? { erases } : {}) }
}

function drawnProduct({ name, color, strokes, dyes, suggestions }: PhotoProduct) {
  return {
    name,
    ...(color === null ? {} : { color }),
    strokes: strokes.map(drawnStroke),
    ...(dyes ? {} : { dyes }),
    ...(suggestions.length === 0 ? {} : { suggestions }),
  }
}

/** The draft of a drawing on a photo of a given size. @throws BundleError with every fault */
export function draftOfDrawing(json: unknown, widthPx: number, heightPx: number): Drawn {
  const drawing: Drawing = scaleDrawing(parseDrawing(json), widthPx, heightPx)
  const { lens, tone, frames, product } = drawing
  return { widthPx, heightPx, lens, tone, frames: frames.map(frameOf), product: product && productOf(product) }
}

function frameOf(drawn: DrawnFrame): PhotoFrame {
  const { aspectRatio, surface, color, sheen, gloss, brightness, cleans, front } = drawn
  return {
    id: crypto.randomUUID(),
    shape: shapeOf(drawn),
    aspectRatio,
    surface,
    color: color && writeHexColor(color),
    sheen,
    gloss,
    brightness,
    cleans,
    front,
  }
}

function shapeOf({ kind, corners, pins, bulge, inset, marks, measures, print, snap, mesh }: DrawnFrame) {
  if (kind === 'body') return { kind, points: pointsOf(marks ?? []), measures, print, snap }
  if (kind === 'warp') return { kind, mesh: mesh ?? [] }
  if (corners === null) throw new Error('Expected corners, which the drawing was checked for.')
  return kind === 'flat' ? { kind, corners } : { kind, corners, pins, bulge, inset }
}

/** Marks at one place are one handle. */
function pointsOf(marks: NonNullable<DrawnFrame['marks']>): BodyPoint[] {
  const byPlace = new Map<string, BodyPoint>()
  for (const mark of marks) {
    const place =
      mark.kind === 'side'
        ? { side: mark.side }
        : mark.kind === 'corner'
          ? { u: mark.u, v: mark.v }
          : mark.kind === 'edge'
            ? { u: mark.u }
            : { v: mark.v }
    const key = mark.at.join()
    byPlace.set(key, { at: mark.at, on: [...(byPlace.get(key)?.on ?? []), place] })
  }
  return [...byPlace.values()]
}

function productOf({ name, color, strokes, dyes, suggestions }: DrawnProduct): PhotoProduct {
  return { name, color, strokes, dyes, suggestions }
}
