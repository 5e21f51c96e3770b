/** A gallery of pictures of any ratio without holes: each spans as many small rows as it is high. */
import './masonry.css'
import { type CSSProperties, type RefCallback, useCallback, useState } from 'react'

/** Of the grid, in CSS pixels: `grid-auto-rows` of `.masonry`. */
const ROW_PX = 4
/** Below each picture: its name, a line under it, and the gap. In narrow columns it may be two lines. */
const CAPTION_PX = 84
const NARROW_CAPTION_PX = 104
const NARROW_COLUMN_PX = 200

/** `look` is null where there is no preview. */
type Pictured = { readonly look: { readonly width_px: number; readonly height_px: number } | null }

/** Width by height of a picture that is not known. */
const UNKNOWN_RATIO = 0.8

/** Width by height of a template's picture. */
export const ratioOf = ({ look }: Pictured): number => (look === null ? UNKNOWN_RATIO : look.width_px / look.height_px)

type Masonry = {
  /** For the gallery, which may come and go while its page stays. */
  readonly ref: RefCallback<HTMLElement>
  /** The style of a template's picture; nothing until the columns are known. */
  readonly styleOf: (template: Pictured) => CSSProperties
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
  const captionPx = columnPx < NARROW_COLUMN_PX ? NARROW_CAPTION_PX : CAPTION_PX
  const styleOf = (template: Pictured) =>
    columnPx > 0 ? { gridRowEnd: `span ${Math.ceil((columnPx / ratioOf(template) + captionPx) / ROW_PX)}` } : {}
  return { ref, styleOf }
}
