import { useLayoutEffect, useRef } from 'react'

/** Shows pixels at their own aspect ratio. */
export function PictureCanvas({ picture, label }: { picture: ImageData; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  // Before the next paint, so that whatever covered the picture disappears in the same frame.
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
