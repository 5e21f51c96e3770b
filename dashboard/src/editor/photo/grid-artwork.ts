/** A numbered grid, which makes bends and slants visible. */

const LONGER_SIDE_PX = 1200
const CELLS = 10

const pictures = {
  dark: '#1f5c4d',
  light: '#ffffff',
  ink: '#b3372f',
} as const

/** As PNG, in this ratio of width to height, with cells that are nearly square. */
export async function gridArtwork(aspectRatio: number): Promise<Uint8Array> {
  const [columns, rows] =
    aspectRatio >= 1
      ? [CELLS, Math.max(2, Math.round(CELLS / aspectRatio))]
      : [Math.max(2, Math.round(CELLS * aspectRatio)), CELLS]
  const width = Math.round(LONGER_SIDE_PX * Math.min(1, aspectRatio))
  const height = Math.round(LONGER_SIDE_PX / Math.max(1, aspectRatio))
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw a grid.')
  const [cellWidth, cellHeight] = [width / columns, height / rows]
  context.fillStyle = pictures.light
  context.fillRect(0, 0, width, height)
  context.font = `600 ${Math.round(Math.min(cellWidth, cellHeight) / 3)}px sans-serif`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const isDark = (row + column) % 2 === 1
      const [x, y] = [column * cellWidth, row * cellHeight]
      context.fillStyle = isDark ? pictures.dark : pictures.light
      context.fillRect(x, y, cellWidth, cellHeight)
      context.fillStyle = isDark ? pictures.light : pictures.dark
      context.fillText(`${String.fromCharCode(65 + column)}${row + 1}`, x + cellWidth / 2, y + cellHeight / 2)
    }
  context.strokeStyle = pictures.ink
  context.lineWidth = 12
  context.strokeRect(6, 6, width - 12, height - 12)
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  return new Uint8Array(await blob.arrayBuffer())
}
