import { useLayoutEffect, useRef } from 'react'

/** Pixels on the page, at their own ratio. */
export function PictureCanvas({ picture, label }: { picture: ImageData; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  // Before the page is painted again: what was drawn over the picture goes away in the same step.
  useLayoutEffect(() => {
    canvas.current?.getContext('2d')?.putImageData(picture, 0, 0)
  }, [picture])
  return (
    <canvas
      ref={canvas}
      width={picture.width}
      height={picture.height}
      className="picture"
      role="img"
      aria-label={label}
    />
  )
}
