/** A masonry layout without holes: each picture goes below the shortest column. */
import './masonry.css'
import { type CSSProperties, type RefCallback, useCallback, useMemo, useState } from 'react'

/** Heights are multiples of this, in CSS pixels, so that almost equal pictures align. */
const STEP_PX = 4
/** The room below each picture for its name, a line of text and the gap. Long names take two lines. */
const CAPTION_PX = 84
const NARROW_CAPTION_PX = 104
const NARROW_COLUMN_PX = 200

/** `look` is null if there is no preview. */
type Pictured = { readonly look: { readonly width_px: number; readonly height_px: number } | null }

/** The grid, in CSS pixels. */
type Columns = { readonly count: number; readonly widthPx: number; readonly gapPx: number }

/** Aspect ratio assumed for an unknown picture. */
const UNKNOWN_RATIO = 0.8

/** Aspect ratio (width / height) of a template's picture. */
export const ratioOf = ({ look }: Pictured): number => (look === null ? UNKNOWN_RATIO : look.width_px / look.height_px)

type Masonry = {
  /** For the gallery, which may mount and unmount while its page stays. */
  readonly ref: RefCallback<HTMLElement>
  /** Style of the gallery. */
  readonly style: CSSProperties
  /** Style of each item, in order; unchanged until the list or the columns change. */
  readonly items: readonly CSSProperties[]
}

/** Positions are computed here: a CSS grid with thousands of small rows takes megabytes at every layout. */
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

/** `columns`: null until they are known; then no item has a position. */
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
