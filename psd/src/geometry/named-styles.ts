import type { Mesh, Point } from '@vitrine/engine'
import type { Warp, WarpStyle } from 'ag-psd'
import { PsdRefusedError } from '../refused-error.ts'

// The 15 named styles of a warp as Bezier rows of content pixels. The Patchy project (MIT) recovered the
// constructions from 90 meshes that Photoshop had baked, to 1e-4 px.

type Row = readonly Point[]
type NamedStyle = Exclude<WarpStyle, 'none' | 'custom' | 'cylinder'>
type StyleRows = (bend: number, width: number, height: number) => readonly Row[]

/** The mesh of a named style: one patch of 4 x 4 points. */
export function styledMesh(warp: Warp, widthPx: number, heightPx: number): Mesh {
  const { style } = warp
  if (!isNamed(style)) throw new PsdRefusedError(`The warp style "${style}" is not understood.`)
  const bend = Math.max(-100, Math.min(100, warp.value ?? 0))
  const isVertical = warp.rotate === 'vertical' && style !== 'twist'
  const [width, height] = isVertical ? [heightPx, widthPx] : [widthPx, heightPx]
  const build = Math.abs(bend) < 1e-9 ? () => grid(width, height, 4, 4) : styleRows[style]
  const rows = build(bend, width, height)
  const placed = isVertical ? turnOver(rows).map(row => row.map(([x, y]): Point => [y, x])) : rows
  const distorted = distort(placed, warp.perspective ?? 0, warp.perspectiveOther ?? 0)
  const points = elevateRows(distorted.map(elevatePoints)).flat()
  return { columns: 4, rows: 4, points, sliceX: [0, widthPx], sliceY: [0, heightPx] }
}

function isNamed(style: WarpStyle | undefined): style is NamedStyle {
  return style !== undefined && Object.hasOwn(styleRows, style)
}

/** Radians of half the arc of a full circle's quarter at a bend of 100. */
function angleOf(bend: number): number {
  return (Math.abs(bend) * Math.PI) / 200
}

function flatRow(width: number, y: number): Row {
  return [0, 1, 2, 3].map((i): Point => [(width * i) / 3, y])
}

/** The usual cubic for a circular arc over a chord from `from` to `to` at `y`. */
function arcRow(from: number, to: number, y: number, angle: number, isUp: boolean): Row {
  const radius = (to - from) / (2 * Math.sin(angle))
  const handle = (4 / 3) * Math.tan(angle / 2) * radius
  const rise = (isUp ? -1 : 1) * handle * Math.sin(angle)
  const along = handle * Math.cos(angle)
  return [
    [from, y],
    [from + along, y + rise],
    [to - along, y + rise],
    [to, y],
  ]
}

function grid(width: number, height: number, columns: number, rows: number): Row[] {
  return Array.from({ length: rows }, (_, j) =>
    Array.from({ length: columns }, (_, i): Point => [(width * i) / (columns - 1), (height * j) / (rows - 1)]),
  )
}

function mirror(rows: readonly Row[], height: number): Row[] {
  return rows.map(row => row.map(([x, y]): Point => [x, height - y])).toReversed()
}

/** Moves single points of rows: [row, column, dx, dy]. */
function move(rows: readonly Row[], moves: readonly (readonly [number, number, number, number])[]): Row[] {
  return rows.map((row, j) =>
    row.map(([x, y], i): Point => {
      const own = moves.filter(([atRow, atColumn]) => atRow === j && atColumn === i)
      return [x + own.reduce((sum, each) => sum + each[2], 0), y + own.reduce((sum, each) => sum + each[3], 0)]
    }),
  )
}

/** The middle handles of the edges lean opposite ways. */
function wavy(bend: number, width: number, height: number, lower: 1 | -1): Row[] {
  const d = (2 * height * bend) / 100
  return move(
    [flatRow(width, 0), flatRow(width, height)],
    [
      [0, 1, 0, -d],
      [0, 2, 0, d],
      [1, 1, 0, -lower * d],
      [1, 2, 0, lower * d],
    ],
  )
}

function arcLower(bend: number, width: number, height: number): Row[] {
  return [flatRow(width, 0), arcRow(0, width, height, angleOf(bend), bend < 0)]
}

function inflated(bend: number, width: number, height: number, sideways: 1 | -1): Row[] {
  const [dx, dy] = [(sideways * width * bend) / 200, (height * bend) / 200]
  return move(grid(width, height, 3, 3), [
    [0, 1, 0, -dy],
    [2, 1, 0, dy],
    [1, 0, -dx, 0],
    [1, 2, dx, 0],
  ])
}

function shellLower(bend: number, width: number, height: number): Row[] {
  const angle = angleOf(bend)
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const top = [flatRow(width, 0), flatRow(width, height / 3)]
  const fan = (radius: number, outer: number, inner: number): Row => [
    [-radius * sin, outer],
    [width / 3, inner],
    [(2 * width) / 3, inner],
    [width + radius * sin, outer],
  ]
  if (bend > 0) {
    const radius = (2 * height) / 3
    const end = arcRow(-height * sin, width + height * sin, height * cos, angle, false)
    return [...top, fan(radius, radius * cos, radius), end]
  }
  const radius = height / 3
  return [...top, fan(radius, height - radius * cos, (2 * height) / 3), arcRow(0, width, height, angle, true)]
}

const styleRows: { readonly [Style in NamedStyle]: StyleRows } = {
  arc: (bend, width, height) => {
    const angle = angleOf(bend)
    const reach = height * Math.sin(angle)
    const top = arcRow(-reach, width + reach, height * (1 - Math.cos(angle)), angle, true)
    const rows = [top, arcRow(0, width, height, angle, true)]
    return bend < 0 ? mirror(rows, height) : rows
  },
  arcLower,
  arcUpper: (bend, width, height) => mirror(arcLower(bend, width, height), height),
  arch: (bend, width, height) => [0, height].map(y => arcRow(0, width, y, angleOf(bend), bend > 0)),
  bulge: (bend, width, height) => [
    arcRow(0, width, 0, angleOf(bend), bend > 0),
    arcRow(0, width, height, angleOf(bend), bend <= 0),
  ],
  flag: (bend, width, height) => wavy(bend, width, height, 1),
  fish: (bend, width, height) => wavy(bend, width, height, -1),
  wave: (bend, width, height) => {
    const d = (2 * height * bend) / 100
    return move(
      [flatRow(width, 0), flatRow(width, height / 2), flatRow(width, height)],
      [
        [1, 1, 0, d],
        [1, 2, 0, -d],
      ],
    )
  },
  rise: (bend, width, height) => {
    const d = (2 * height * bend) / 100
    return [0, height].map(y => flatRow(width, y).map(([px, py], i): Point => [px, py + (i < 2 ? d : 0)]))
  },
  fisheye: (bend, width, height) => {
    const t = bend / 50
    return grid(width, height, 4, 4).map((row, j) =>
      row.map(([x, y], i): Point => {
        if (i % 3 === 0 || j % 3 === 0) return [x, y]
        return [x + t * ((i === 1 ? 0 : width) - x), y + t * ((j === 1 ? 0 : height) - y)]
      }),
    )
  },
  inflate: (bend, width, height) => inflated(bend, width, height, 1),
  squeeze: (bend, width, height) => inflated(bend, width, height, -1),
  twist: (bend, width, height) => {
    const [dx, dy] = [(width * Math.abs(bend)) / 100, (height * Math.abs(bend)) / 100]
    const turns =
      bend > 0
        ? [
            [dx, 0],
            [0, dy],
            [-dx, 0],
            [0, -dy],
          ]
        : [
            [0, dy],
            [-dx, 0],
            [0, -dy],
            [dx, 0],
          ]
    const inner = [
      [1, 1],
      [1, 2],
      [2, 2],
      [2, 1],
    ]
    return move(
      grid(width, height, 4, 4),
      inner.map(([row = 0, column = 0], k) => [row, column, turns[k]?.[0] ?? 0, turns[k]?.[1] ?? 0] as const),
    )
  },
  shellLower,
  shellUpper: (bend, width, height) => mirror(shellLower(bend, width, height), height),
}

/** Rows are scaled about the middle of their ends, then columns; percents. */
function distort(rows: readonly Row[], horizontal: number, vertical: number): readonly Row[] {
  const scaled = vertical === 0 ? rows : rows.map((row, j) => scaleLine(row, factorAt(j, rows.length, vertical)))
  if (horizontal === 0) return scaled
  const columns = turnOver(scaled)
  return turnOver(columns.map((column, i) => scaleLine(column, factorAt(i, columns.length, horizontal))))
}

function factorAt(index: number, count: number, percent: number): number {
  return 1 + ((2 * index) / (count - 1) - 1) * (percent / 100)
}

function scaleLine(line: Row, factor: number): Row {
  const [first, last] = [line[0] ?? [0, 0], line.at(-1) ?? [0, 0]]
  const [x, y] = [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2]
  return line.map(([px, py]): Point => [x + (px - x) * factor, y + (py - y) * factor])
}

function turnOver(rows: readonly Row[]): Row[] {
  const [first = []] = rows
  return first.map((_, i) => rows.map(row => row[i] ?? [0, 0]))
}

function mixPoints(a: Point, b: Point, t: number): Point {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

/** A Bezier curve of 2 or 3 points as the same one of 4. */
function elevate<Item>(items: readonly Item[], mix: (a: Item, b: Item, t: number) => Item): readonly Item[] {
  const [a, b, c] = items
  if (items.length === 2 && a !== undefined && b !== undefined) return [a, mix(a, b, 1 / 3), mix(a, b, 2 / 3), b]
  if (items.length === 3 && a !== undefined && b !== undefined && c !== undefined) {
    return [a, mix(a, b, 2 / 3), mix(b, c, 1 / 3), c]
  }
  return items
}

function elevatePoints(row: Row): Row {
  return elevate(row, mixPoints)
}

function elevateRows(rows: readonly Row[]): readonly Row[] {
  return elevate(rows, (a, b, t) => a.map((point, i) => mixPoints(point, b[i] ?? point, t)))
}
