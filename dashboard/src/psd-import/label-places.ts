/** Where the labels of smart objects stand on the picture, so that none covers another. */

type Point = readonly [x: number, y: number]

export type Outlined = { readonly name: string; readonly outline: readonly Point[] }

/** Shares of the picture: a label's greatest width is in the style sheet, and its height is about this. */
const LABEL_WIDTH = 0.4
const LABEL_HEIGHT = 0.1
const MARGIN = 0.04

const within = (share: number): number => Math.max(MARGIN, Math.min(1 - MARGIN, share))

/** The middle of what is seen of an outline. */
function middleOf(outline: readonly Point[]): Point {
  const [x, y] = outline.reduce(([sumX, sumY], [nextX, nextY]) => [sumX + within(nextX), sumY + within(nextY)], [0, 0])
  return [x / outline.length, y / outline.length]
}

const isCovered = ([x, y]: Point, [otherX, otherY]: Point): boolean =>
  Math.abs(x - otherX) < LABEL_WIDTH && Math.abs(y - otherY) < LABEL_HEIGHT

/** The free place nearest to `from`, above it or below; `from` itself where the picture is full. */
function freePlace(from: Point, taken: readonly Point[]): Point {
  const [x, y] = from
  for (let step = 0; step * LABEL_HEIGHT < 1; step++) {
    for (const side of [1, -1]) {
      const place: Point = [x, y + side * step * LABEL_HEIGHT]
      const isIn = place[1] === within(place[1])
      if (isIn && !taken.some(other => isCovered(place, other))) return place
    }
  }
  return from
}

/** One label for each name and place: objects that lie on one another are ticked together by their name. */
export function placeLabels(objects: readonly Outlined[]): readonly { readonly name: string; readonly at: Point }[] {
  const labels: { name: string; middle: Point; at: Point }[] = []
  for (const { name, outline } of objects) {
    const middle = middleOf(outline)
    if (labels.some(other => other.name === name && isCovered(middle, other.middle))) continue
    labels.push({
      name,
      middle,
      at: freePlace(
        middle,
        labels.map(({ at }) => at),
      ),
    })
  }
  return labels
}
