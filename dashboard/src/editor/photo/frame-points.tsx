/** The handles of frames that are not flat. */
import type { ComponentProps } from 'react'
import type { Point } from '../draft.ts'
import { Handle } from '../stage-handle.tsx'
import {
  type BodyPoint,
  type ChangePhoto,
  isWarpCorner,
  type PhotoFrame,
  type Pin,
  withShape,
  withWarpPoint,
} from './photo-draft.ts'

type Shape<Kind extends PhotoFrame['shape']['kind']> = Extract<PhotoFrame['shape'], { kind: Kind }>

type PointsProps<Kind extends PhotoFrame['shape']['kind']> = {
  id: string
  index: number
  shape: Shape<Kind>
  /** Properties of all handles of the stage. */
  handle: Pick<ComponentProps<typeof Handle>, 'scenePoint' | 'onActive' | 'radius' | 'onFocus' | 'onRemove'>
  onChange: ChangePhoto
}

export function BodyHandles({ id, index, shape, handle, onChange }: PointsProps<'body'>) {
  return shape.points.map((point, which) => (
    <Handle
      key={nameOfPoint(point, which)}
      {...handle}
      label={`${nameOfPoint(point, which)} of frame ${index + 1}`}
      corner={point.at}
      onMove={(at, gesture) =>
        onChange(
          before =>
            withShape(before, id, 'body', one => ({ ...one, points: one.points.with(which, { ...point, at }) })),
          `${id}:${which}:${gesture}`,
        )
      }
    />
  ))
}

/** Where on the product or on the artwork it is. */
function nameOfPoint({ on }: BodyPoint, which: number): string {
  const [first] = on
  const v = on.find(place => place.v !== undefined)?.v
  const height = v === 0 ? 'top' : v === 1 ? 'bottom' : null
  if (first?.side !== undefined && height !== null) return `Where the ${first.side} side meets the ${height} rim`
  const isOnArtwork = on.some(({ u }) => u !== undefined)
  if (isOnArtwork && (first?.u === 0 || first?.u === 1) && height !== null)
    return `${height === 'top' ? 'Top' : 'Bottom'} ${first.u === 0 ? 'left' : 'right'} corner`
  if (first?.side === undefined && !isOnArtwork && height !== null) return `Front of the ${height} edge`
  return `Point ${which + 1}`
}

export function WarpHandles({ id, index, shape, handle, onChange }: PointsProps<'warp'>) {
  const { mesh } = shape
  const radius = handle.radius
  const lines = [0, 1, 2, 3].flatMap(i => [mesh.slice(4 * i, 4 * i + 4), mesh.filter((_, at) => at % 4 === i)])
  return (
    <>
      {lines.map(line => (
        <polyline key={line.join()} className="photo-line" points={line.join(' ')} />
      ))}
      {mesh.map((point, which) => {
        const name = `Point ${(which % 4) + 1} of row ${Math.floor(which / 4) + 1}`
        const isCorner = isWarpCorner(which)
        return (
          <Handle
            key={name}
            {...handle}
            radius={isCorner ? radius : radius * 0.75}
            {...(isCorner ? {} : { look: 'grid-point' })}
            label={`${name} of frame ${index + 1}`}
            corner={point}
            onMove={(to, gesture) =>
              onChange(
                before => withShape(before, id, 'warp', one => ({ ...one, mesh: withWarpPoint(one.mesh, which, to) })),
                `${id}:${which}:${gesture}`,
              )
            }
          />
        )
      })}
    </>
  )
}

type ClothHandlesProps = PointsProps<'cloth'> & { grid: readonly (readonly Point[])[] }

/** Every second point of the grid can be dragged. */
const EVERY = 2

/** A grid on the cloth: dragging a point pins the cloth there. */
export function ClothHandles({ id, index, shape, handle, onChange, grid }: ClothHandlesProps) {
  const last = grid.length - 1
  const nodes = grid.flatMap((row, j) =>
    row.flatMap((at, i) => {
      const isCorner = (i === 0 || i === last) && (j === 0 || j === last)
      return isCorner || i % EVERY > 0 || j % EVERY > 0 ? [] : [{ at, u: i / last, v: j / last }]
    }),
  )
  const isSame = (a: Pin, b: Pin) => a.u === b.u && a.v === b.v
  const others = shape.pins.filter(pin => !nodes.some(node => isSame(node, pin)))
  return (
    <>
      {grid.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place alone
        <polyline key={i} className="photo-line" points={row.join(' ')} />
      ))}
      {grid.map((_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place alone
        <polyline key={i} className="photo-line" points={grid.map(row => row[i]?.join()).join(' ')} />
      ))}
      {[...nodes, ...others].map((node, which) => {
        const pin = shape.pins.find(one => isSame(one, node))
        const { u, v } = node
        const without = (pins: readonly Pin[]) => pins.filter(one => !isSame(one, node))
        return (
          <Handle
            key={`${u} ${v}`}
            {...handle}
            radius={handle.radius * 0.7}
            look={pin === undefined ? 'grid-point' : 'grid-point grid-pinned'}
            label={`${pin === undefined ? 'Grid point' : 'Pin'} ${which + 1} of frame ${index + 1}`}
            corner={pin?.at ?? node.at}
            onMove={(at, gesture) =>
              onChange(
                before =>
                  withShape(before, id, 'cloth', one => ({ ...one, pins: [...without(one.pins), { at, u, v }] })),
                `${id}:${u},${v}:${gesture}`,
              )
            }
            onRemove={() =>
              onChange(
                before => withShape(before, id, 'cloth', one => ({ ...one, pins: without(one.pins) })),
                crypto.randomUUID(),
              )
            }
          />
        )
      })}
    </>
  )
}
