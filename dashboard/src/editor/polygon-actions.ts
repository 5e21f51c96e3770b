import { announce, announceUnseen } from '../components/announcer.tsx'
import type { ChangeDraft } from './details-panel.tsx'
import { type Draft, withDrawing } from './draft.ts'
import type { PolygonActions } from './stage.tsx'

/** Drawing around what is in front of a frame, or around a part in colour; each point is undone by itself. */
export function polygonActionsOf(draft: Draft, change: ChangeDraft): PolygonActions {
  const setDrawing = (points: (before: NonNullable<Draft['drawing']>) => Draft['drawing']) =>
    change(before => ({ ...before, drawing: before.drawing && points(before.drawing) }), crypto.randomUUID())
  const finish = () => {
    const { drawing } = draft
    if (drawing === null) return
    if (drawing.points.length < 3) {
      announce('A shape needs three points at the least.')
      return
    }
    change(before => withDrawing(before, drawing), crypto.randomUUID())
    const isArea = draft.areas.some(({ id }) => id === drawing.frameId)
    announceUnseen(isArea ? 'The shape is a part of the colour area.' : 'The shape is in front of the frame.')
  }
  return {
    onPoint: point => setDrawing(({ frameId, points }) => ({ frameId, points: [...points, point] })),
    onUndoPoint: () => setDrawing(({ frameId, points }) => ({ frameId, points: points.slice(0, -1) })),
    onCancel: () => setDrawing(() => null),
    onFinish: finish,
  }
}
