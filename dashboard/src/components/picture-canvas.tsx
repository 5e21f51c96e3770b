import { useEffect, useRef } from 'react'

/** Pixels on the page, at their own ratio. */
export function PictureCanvas({ picture, label }: { picture: ImageData; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
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
