/**
 * Writes docs/pictures/grid-sheet.svg: a sheet of A4 with lettered squares of 10 mm, to print and photograph.
 *
 *   node photo/bench/grid-sheet.ts
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'

const WIDTH_MM = 210
const HEIGHT_MM = 297
const SQUARE_MM = 10
const COLUMN_COUNT = 18
const ROW_COUNT = 26

function drawSheet(): string {
  const left = (WIDTH_MM - COLUMN_COUNT * SQUARE_MM) / 2
  const top = (HEIGHT_MM - ROW_COUNT * SQUARE_MM) / 2
  const squares = Array.from({ length: COLUMN_COUNT * ROW_COUNT }, (_, i) => {
    const [column, row] = [i % COLUMN_COUNT, Math.floor(i / COLUMN_COUNT)]
    const [x, y] = [left + column * SQUARE_MM, top + row * SQUARE_MM]
    const name = `${String.fromCodePoint(65 + column)}${row + 1}`
    const fill = (column + row) % 2 === 0 ? '#fff' : '#ddd'
    return `<rect x="${x}" y="${y}" width="10" height="10" fill="${fill}"/><text x="${x + 5}" y="${y + 6}">${name}</text>`
  })
  const frame = `<rect x="${left}" y="${top}" width="${COLUMN_COUNT * SQUARE_MM}" height="${ROW_COUNT * SQUARE_MM}" fill="none" stroke="#000" stroke-width=".4"/>`
  const size = `width="${WIDTH_MM}mm" height="${HEIGHT_MM}mm" viewBox="0 0 ${WIDTH_MM} ${HEIGHT_MM}"`
  const style = 'font-family="sans-serif" font-size="3" text-anchor="middle"'
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style}>\n${squares.join('\n')}\n${frame}\n</svg>\n`
}

await writeFile(path.join(import.meta.dirname, '../../docs/pictures/grid-sheet.svg'), drawSheet())
