import { BundleError, type Point } from '@vitrine/engine'
import { JsonNode, ParseLog } from '@vitrine/engine/fields'
import { MAX_DISTANCE_IN_PHOTOS } from '../limits.ts'
import { drawingField, type ParsedDrawing } from './drawing-fields.ts'

/** What the user drew on a photo, with all defaults applied, in pixels of the photo that it was drawn on. */
export type Drawing = ParsedDrawing
export type DrawnFrame = Drawing['frames'][number]
export type DrawnProduct = NonNullable<Drawing['product']>
export type Stroke = DrawnProduct['strokes'][number]

/** The file of a bundle that holds the drawing from which it was made. */
export const DRAWING_FILE = 'drawing.json'

/** Reads a drawing. @throws BundleError with every fault */
export function parseDrawing(json: unknown): Drawing {
  const log = new ParseLog(DRAWING_FILE)
  const root = new JsonNode(json, log)
  const drawing = drawingField.read(root)
  if (drawing !== undefined) checkPositions(root, drawing)
  if (drawing === undefined || log.faults.hasErrors) throw new BundleError(log.faults.faults)
  return drawing
}

/** Points may leave the photo, where its edge cuts the product, but not by far. */
function checkPositions(root: JsonNode, { width, height }: Drawing): void {
  const check = (node: JsonNode): void => {
    const { value } = node
    if (!Array.isArray(value)) return
    const [x, y] = value
    if (typeof x !== 'number' || typeof y !== 'number') {
      for (const item of node.items()) check(item)
      return
    }
    const isNear = (at: number, size: number): boolean =>
      at >= -MAX_DISTANCE_IN_PHOTOS * size && at <= (1 + MAX_DISTANCE_IN_PHOTOS) * size
    if (!isNear(x, width) || !isNear(y, height)) {
      node.fault(`a point within ${MAX_DISTANCE_IN_PHOTOS} photos of the photo (${width} x ${height} px)`)
    }
  }
  for (const frame of root.child('frames').items()) {
    check(frame.child('corners'))
    check(frame.child('mesh'))
    for (const name of ['marks', 'pins']) for (const item of frame.child(name).items()) check(item.child('at'))
    for (const item of frame.child('front').items()) check(item.child('points'))
  }
  for (const item of root.child('product').child('strokes').items()) check(item.child('points'))
}

/** The same drawing for a photo of another size. */
export function scaleDrawing(drawing: Drawing, widthPx: number, heightPx: number): Drawing {
  const [sx, sy] = [widthPx / drawing.width, heightPx / drawing.height]
  if (sx === 1 && sy === 1) return drawing
  const move = ([x, y]: Point): Point => [x * sx, y * sy]
  return {
    ...drawing,
    width: widthPx,
    height: heightPx,
    frames: drawing.frames.map(frame => ({
      ...frame,
      corners: frame.corners && [
        move(frame.corners[0]),
        move(frame.corners[1]),
        move(frame.corners[2]),
        move(frame.corners[3]),
      ],
      pins: frame.pins.map(pin => ({ ...pin, at: move(pin.at) })),
      inset: frame.inset === null ? null : frame.inset * sx,
      marks: frame.marks && frame.marks.map(mark => ({ ...mark, at: move(mark.at) })),
      mesh: frame.mesh && frame.mesh.map(move),
      front: scaleStrokes(frame.front, sx, sy),
    })),
    product: drawing.product && { ...drawing.product, strokes: scaleStrokes(drawing.product.strokes, sx, sy) },
  }
}

/** The same strokes on a photo of another size. */
export function scaleStrokes(strokes: readonly Stroke[], sx: number, sy: number): Stroke[] {
  return strokes.map(({ points, radius, erases }) => ({
    points: points.map(([x, y]) => [x * sx, y * sy] as const),
    radius: radius * sx,
    erases,
  }))
}
