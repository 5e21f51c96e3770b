/** The finished shapes of the selected frame or area, with a handle at each of their points. */
import { announce, announceUnseen } from '../components/announcer.tsx'
import type { ChangeDraft } from './details-panel.tsx'
import type { Draft, DraftMask, Point } from './draft.ts'
import { SHAPE_POINTS_MIN, type ShapePoint, shapesOf, withoutPoint, withPointAfter, withPointAt } from './shapes.ts'
import { pointsOf } from './stage-frame.tsx'
import { Handle, IS_POINTER_COARSE, type ScenePoint } from './stage-handle.tsx'

/** CSS pixels. */
const POINT_RADIUS_PX = IS_POINTER_COARSE ? 12 : 7

export type ShapeActions = {
  readonly onMove: (which: ShapePoint, to: Point, gesture: string) => void
  readonly onAdd: (which: ShapePoint) => void
  readonly onRemove: (which: ShapePoint, isLast: boolean) => void
}

/** Each call is an undo step; a drag is one. */
export const shapeActionsOf = (change: ChangeDraft): ShapeActions => ({
  onMove: (which, to, gesture) =>
    change(draft => withPointAt(draft, which, to), `${which.partId}:shape:${which.shape}:${which.point}:${gesture}`),
  onAdd: which => {
    change(draft => withPointAfter(draft, which), crypto.randomUUID())
    announceUnseen(`Added point ${which.point + 2}.`)
  },
  onRemove: (which, isLast) => {
    change(draft => withoutPoint(draft, which), crypto.randomUUID())
    announce(`Removed the ${isLast ? 'shape' : 'point'}: Control and Z takes it back.`)
  },
})

type Part = { readonly id: string; readonly mask: DraftMask; readonly name: string }

/** The selection, which names its shapes. */
function selectedPart({ frames, areas }: Draft, selected: string | null): Part | null {
  const frame = frames.findIndex(({ id }) => id === selected)
  const area = areas.findIndex(({ id }) => id === selected)
  const part = frames[frame] ?? areas[area]
  if (part === undefined) return null
  return { id: part.id, mask: part.mask, name: frame >= 0 ? `in front of frame ${frame + 1}` : `of part ${area + 1}` }
}

type ShapeHandlesProps = {
  draft: Draft
  selected: string | null
  /** Whether points can be dragged: not while something is drawn. */
  isFree: boolean
  /** CSS pixels per scene pixel. */
  scale: number
  scenePoint: ScenePoint
  onActive: (point: Point | null) => void
  actions: ShapeActions
}

export function ShapeHandles({ draft, selected, isFree, scale, scenePoint, onActive, actions }: ShapeHandlesProps) {
  const part = selectedPart(draft, selected)
  if (part === null) return null
  const shapes = shapesOf(part.mask)
  return (
    <>
      {shapes.map((points, shape) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a shape is known by its place alone
        <polygon key={shape} className="mask-polygon" points={pointsOf(points)} />
      ))}
      {isFree &&
        shapes.flatMap((points, shape) =>
          points.map((place, point) => {
            const which = { partId: part.id, shape, point }
            return (
              <Handle
                key={`${shape} ${point}`}
                label={`Point ${point + 1} of shape ${shape + 1} ${part.name}`}
                look="shape-point"
                corner={place}
                radius={POINT_RADIUS_PX / scale}
                scenePoint={scenePoint}
                onActive={onActive}
                onMove={(to, gesture) => actions.onMove(which, to, gesture)}
                onAdd={() => actions.onAdd(which)}
                onRemove={() => actions.onRemove(which, points.length === SHAPE_POINTS_MIN)}
              />
            )
          }),
        )}
    </>
  )
}
