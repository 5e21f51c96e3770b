import { announce, announceUnseen } from '../components/announcer.tsx'
import type { ChangeDraft } from './details-panel.tsx'
import { type Draft, type Point, withDrawing } from './draft.ts'
import { SHAPE_POINTS_MIN } from './shapes.ts'

const CORNERS = 4

export type PolygonActions = {
  readonly onPoint: (point: Point) => void
  /** Two opposite corners of a new frame. */
  readonly onBox: (from: Point, to: Point) => void
  readonly onUndoPoint: () => void
  readonly onFinish: () => void
  readonly onCancel: () => void
}

/**
 * Drawing around what is in front of a frame or around a part in colour, or the corners of a new frame; each
 * point is undone separately. `onFrame` receives the id of a frame that was drawn.
 */
export function polygonActionsOf(draft: Draft, change: ChangeDraft, onFrame: (id: string) => void): PolygonActions {
  const { drawing } = draft
  const setPoints = (points: (before: readonly Point[]) => readonly Point[]) =>
    change(
      before => ({
        ...before,
        drawing: before.drawing && { ...before.drawing, points: points(before.drawing.points) },
      }),
      crypto.randomUUID(),
    )
  const addFrame = (points: readonly Point[]) => {
    const finished = withDrawing(draft, { frameId: null, points })
    change(() => finished, crypto.randomUUID())
    const frame = finished.frames.at(-1)
    if (frame !== undefined) onFrame(frame.id)
    announceUnseen(`Frame ${finished.frames.length} is on the photo.`)
  }
  return {
    onPoint: point => {
      if (drawing?.frameId === null && drawing.points.length === CORNERS - 1) addFrame([...drawing.points, point])
      else setPoints(points => [...points, point])
    },
    onBox: ([left, top], [right, bottom]) =>
      addFrame([
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ]),
    onUndoPoint: () => setPoints(points => points.slice(0, -1)),
    onCancel: () => change(before => ({ ...before, drawing: null }), crypto.randomUUID()),
    onFinish: () => {
      if (drawing === null) return
      if (drawing.frameId === null) {
        announce('A frame needs four corners.')
        return
      }
      if (drawing.points.length < SHAPE_POINTS_MIN) {
        announce('A shape needs at least three points.')
        return
      }
      change(before => withDrawing(before, drawing), crypto.randomUUID())
      const isArea = draft.areas.some(({ id }) => id === drawing.frameId)
      announceUnseen(isArea ? 'The shape is a part of the colour area.' : 'The shape is in front of the frame.')
    },
  }
}
