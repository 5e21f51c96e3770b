import { useEffect, useRef } from 'react'
import type { Point } from './draft.ts'

const sizePx = 144
/** Scene pixels across. */
const shownPx = 24

type MagnifierProps = { photo: ImageBitmap; point: Point; scale: number }

/** The photo around a corner, pixel by pixel, with the exact point in its middle. */
export function Magnifier({ photo, point, scale }: MagnifierProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const density = Math.min(2, devicePixelRatio)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined) return
    const size = sizePx * density
    context.imageSmoothingEnabled = false
    context.fillRect(0, 0, size, size)
    context.drawImage(photo, point[0] - shownPx / 2, point[1] - shownPx / 2, shownPx, shownPx, 0, 0, size, size)
  }, [photo, point, density])
  const [left, top] = [point[0] * scale, point[1] * scale]
  // Beside the corner, on the side that has room.
  const x = left > sizePx + 40 ? left - sizePx - 24 : left + 24
  const y = top > sizePx + 40 ? top - sizePx - 24 : top + 24
  return (
    <div className="magnifier" aria-hidden="true" style={{ transform: `translate(${x}px, ${y}px)` }}>
      <canvas ref={canvas} width={sizePx * density} height={sizePx * density} />
    </div>
  )
}
