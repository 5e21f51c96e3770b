/** A gallery of pictures of any ratio without holes: each spans as many small rows as it is high. */
import { type CSSProperties, type RefObject, useLayoutEffect, useState } from 'react'

/** Of the grid, in CSS pixels: `grid-auto-rows` of `.masonry`. */
const ROW_PX = 4
/** Below each picture: its name, a line under it, and the gap. */
const CAPTION_PX = 84

/** The style of a picture, `ratio` times as wide as high; nothing until the columns are known. */
export function useMasonry(list: RefObject<HTMLElement | null>): (ratio: number) => CSSProperties {
  const [columnPx, setColumnPx] = useState(0)
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const measure = () => {
      const [first = '0'] = getComputedStyle(element).gridTemplateColumns.split(' ')
      setColumnPx(Number.parseFloat(first))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [list])
  return ratio => (columnPx > 0 ? { gridRowEnd: `span ${Math.ceil((columnPx / ratio + CAPTION_PX) / ROW_PX)}` } : {})
}
