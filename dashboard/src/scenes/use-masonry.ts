/** A gallery of pictures of any ratio without holes: each goes below the shortest column. */
import './masonry.css'
import { type CSSProperties, type RefCallback, useCallback, useMemo, useState } from 'react'

/** Heights are whole numbers of these, so that pictures that differ by less stand in one line. CSS pixels. */
const STEP_PX = 4
/** Below each picture: its name, a line under it, and the gap. In narrow columns it may be two lines. */
const CAPTION_PX = 84
const NARROW_CAPTION_PX = 104
const NARROW_COLUMN_PX = 200

/** `look` is null where there is no preview. */
type Pictured = { readonly look: { readonly width_px: number; readonly height_px: number } | null }

/** Of the gallery's grid, in CSS pixels. */
type Columns = { readonly count: number; readonly widthPx: number; readonly gapPx: number }

/** Width by height of a picture that is not known. */
const UNKNOWN_RATIO = 0.8

/** Width by height of a template's picture. */
export const ratioOf = ({ look }: Pictured): number => (look === null ? UNKNOWN_RATIO : look.width_px / look.height_px)

type Masonry = {
  /** For the gallery, which may come and go while its page stays. */
  readonly ref: RefCallback<HTMLElement>
  /** Of the gallery. */
  readonly style: CSSProperties
  /** Of each picture's item, in their order; the same until the list or the columns change. */
  readonly items: readonly CSSProperties[]
}

/** Places are computed: a grid of thousands of small rows takes megabytes each time that it is laid out. */
export function useMasonry(pictured: readonly Pictured[]): Masonry {
  const [columns, setColumns] = useState<Columns | null>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    const measure = () => {
      const now = columnsOf(getComputedStyle(element))
      setColumns(before => (before?.count === now.count && before.widthPx === now.widthPx ? before : now))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  const placed = useMemo(() => placeInColumns(pictured, columns), [pictured, columns])
  return { ref, ...placed }
}

function columnsOf({ gridTemplateColumns, columnGap }: CSSStyleDeclaration): Columns {
  const widths = gridTemplateColumns.split(' ')
  return {
    count: widths.length,
    widthPx: Number.parseFloat(widths[0] ?? '') || 0,
    gapPx: Number.parseFloat(columnGap) || 0,
  }
}

/** `columns`: null, and nothing has a place, until they are known. */
function placeInColumns(pictured: readonly Pictured[], columns: Columns | null): Pick<Masonry, 'style' | 'items'> {
  if (columns === null) return { style: {}, items: [] }
  const { count, widthPx, gapPx } = columns
  const captionPx = widthPx < NARROW_COLUMN_PX ? NARROW_CAPTION_PX : CAPTION_PX
  const bottoms = Array.from({ length: count }, () => 0)
  const items = pictured.map(each => {
    const top = Math.min(...bottoms)
    const column = bottoms.indexOf(top)
    const height = Math.ceil((widthPx / ratioOf(each) + captionPx) / STEP_PX) * STEP_PX
    bottoms[column] = top + height
    return { left: column * (widthPx + gapPx), top, width: widthPx, height }
  })
  return { style: { height: Math.max(...bottoms) }, items }
}
