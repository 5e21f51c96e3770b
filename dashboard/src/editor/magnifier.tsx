import { useEffect, useRef } from 'react'
import type { Point } from './draft.ts'

const [sizePx, narrowSizePx] = [144, 96]
/** On a phone, a larger one would hide the frame. */
const NARROW_STAGE_PX = 480
/** Between the corner and the magnifier. */
const GAP_PX = 24
/** Scene pixels across. */
const SHOWN_PX = 24

type MagnifierProps = {
  photo: ImageBitmap
  point: Point
  /** CSS pixels per scene pixel. */
  scale: number
  /** The visible part of the stage if it scrolls. */
  view: HTMLElement | null
}

/** The photo around a corner, pixel by pixel, with the exact point in its middle. */
export function Magnifier({ photo, point, scale, view }: MagnifierProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const density = Math.min(2, devicePixelRatio)
  const side = (view?.clientWidth ?? 0) < NARROW_STAGE_PX ? narrowSizePx : sizePx
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined) return
    const size = side * density
    context.imageSmoothingEnabled = false
    context.fillRect(0, 0, size, size)
    context.drawImage(photo, point[0] - SHOWN_PX / 2, point[1] - SHOWN_PX / 2, SHOWN_PX, SHOWN_PX, 0, 0, size, size)
  }, [photo, point, density, side])
  const [left, top] = [point[0] * scale, point[1] * scale]
  // Beside the corner, on the side that has room.
  const beside = (at: number, seenFrom: number) =>
    at - seenFrom >= side + GAP_PX ? at - side - GAP_PX : Math.max(at, seenFrom) + GAP_PX
  return (
    <div
      className="magnifier"
      aria-hidden="true"
      style={{
        width: side,
        height: side,
        transform: `translate(${beside(left, view?.scrollLeft ?? 0)}px, ${beside(top, view?.scrollTop ?? 0)}px)`,
      }}
    >
      <canvas ref={canvas} width={side * density} height={side * density} />
    </div>
  )
}
