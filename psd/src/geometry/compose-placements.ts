import { type ContentPlacement, findQuadFault, type Point, type Quad } from '@vitrine/engine'

/** The same placement with content coordinates of another size. */
export function resizeContent(placement: ContentPlacement, widthPx: number, heightPx: number): ContentPlacement {
  const [scaleX, scaleY] = [placement.contentWidth / widthPx, placement.contentHeight / heightPx]
  return {
    contentWidth: widthPx,
    contentHeight: heightPx,
    forward: (x, y) => placement.forward(x * scaleX, y * scaleY),
    quad: placement.quad,
    sliceX: placement.sliceX.map(x => x / scaleX),
    sliceY: placement.sliceY.map(y => y / scaleY),
  }
}

/** Where content lies that is placed in a picture that is itself the content of `outer`. */
export function composePlacements(outer: ContentPlacement, inner: ContentPlacement): ContentPlacement {
  const place = ([x, y]: Point): Point => (outer.quad ? outer.forward(x, y) : placeNear(outer, x, y))
  const { quad } = inner
  const corners: Quad | null =
    quad && outer.quad ? [place(quad[0]), place(quad[1]), place(quad[2]), place(quad[3])] : null
  // Corners beyond the horizon of the outer one cross: the visible part is drawn as patches.
  const composed = corners && isWholeQuad(corners) ? corners : null
  const { contentWidth, contentHeight } = inner
  return {
    contentWidth,
    contentHeight,
    forward: (x, y) => place(inner.forward(x, y)),
    quad: composed,
    sliceX: composed ? inner.sliceX : refine(inner.sliceX, outer.sliceX.length - 1),
    sliceY: composed ? inner.sliceY : refine(inner.sliceY, outer.sliceY.length - 1),
  }
}

/** Corners beyond this are those of a damaged file. */
const MOST_PX = 1e6

/** Whether a file's corners are a quad of a size that documents have. */
export function isSoundQuad(quad: Quad): boolean {
  return quad.flat().every(value => Math.abs(value) < MOST_PX) && isWholeQuad(quad)
}

/** Whether a homography describes all of its inside. */
export function isWholeQuad(quad: Quad): boolean {
  const fault = findQuadFault(quad)
  return fault === null || fault === 'mirrored'
}

/** Beyond its content a warp continues straight: its patches may fold back there. */
function placeNear({ contentWidth, contentHeight, forward }: ContentPlacement, x: number, y: number): Point {
  const [nearX, nearY] = [Math.min(contentWidth, Math.max(0, x)), Math.min(contentHeight, Math.max(0, y))]
  const distance = Math.hypot(x - nearX, y - nearY)
  const edge = forward(nearX, nearY)
  if (distance === 0) return edge
  const back = forward(nearX - (x - nearX) / distance, nearY - (y - nearY) / distance)
  return [edge[0] + (edge[0] - back[0]) * distance, edge[1] + (edge[1] - back[1]) * distance]
}

/** The least number of patches along an axis. */
function refine(slices: readonly number[], patches: number): readonly number[] {
  return splitSlices(slices, Math.ceil(patches / Math.max(1, slices.length - 1)))
}

/** Divides each slice into equal parts. */
export function splitSlices(slices: readonly number[], parts: number): readonly number[] {
  return slices.flatMap((from, i) => {
    const to = slices[i + 1]
    return to === undefined ? [from] : Array.from({ length: parts }, (_, part) => from + ((to - from) * part) / parts)
  })
}

/** The greatest lengths of lines across and down placed content, in pixels of the picture. */
export function placedSize({ contentWidth, contentHeight, forward }: ContentPlacement): {
  readonly widthPx: number
  readonly heightPx: number
} {
  const steps = 8
  const lengthOf = (at: (t: number) => Point): number => {
    let length = 0
    for (let i = 0; i < steps; i++) {
      const [a, b] = [at(i / steps), at((i + 1) / steps)]
      length += Math.hypot(b[0] - a[0], b[1] - a[1])
    }
    return length
  }
  const lines = [0, 0.5, 1]
  return {
    widthPx: Math.max(...lines.map(v => lengthOf(t => forward(t * contentWidth, v * contentHeight)))),
    heightPx: Math.max(...lines.map(u => lengthOf(t => forward(u * contentWidth, t * contentHeight)))),
  }
}
