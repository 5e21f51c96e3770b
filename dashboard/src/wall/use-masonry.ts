/** A gallery of pictures of any ratio without holes: each spans as many small rows as it is high. */
import { type CSSProperties, type RefCallback, useCallback, useState } from 'react'

/** Of the grid, in CSS pixels: `grid-auto-rows` of `.masonry`. */
const ROW_PX = 4
/** Below each picture: its name, a line under it, and the gap. */
const CAPTION_PX = 84

type Masonry = {
  /** For the gallery, which may come and go while its page stays. */
  readonly ref: RefCallback<HTMLElement>
  /** The style of a picture, `ratio` times as wide as high; nothing until the columns are known. */
  readonly styleOf: (ratio: number) => CSSProperties
}

export function useMasonry(): Masonry {
  const [columnPx, setColumnPx] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    const measure = () => {
      const [first = '0'] = getComputedStyle(element).gridTemplateColumns.split(' ')
      setColumnPx(Number.parseFloat(first))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  const styleOf = (ratio: number) =>
    columnPx > 0 ? { gridRowEnd: `span ${Math.ceil((columnPx / ratio + CAPTION_PX) / ROW_PX)}` } : {}
  return { ref, styleOf }
}
