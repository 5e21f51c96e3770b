/** Natural order of the zigzag sequence (T.81 figure A.6). */
export const zigzag: readonly number[] = buildZigzag()

function buildZigzag(): number[] {
  const order: number[] = []
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    const cells = Array.from({ length: 8 }, (_, row) => [row, diagonal - row] as const).filter(
      ([, column]) => column >= 0 && column < 8,
    )
    // odd diagonals run down, even ones up
    for (const [row, column] of diagonal % 2 === 1 ? cells : cells.toReversed()) order.push(row * 8 + column)
  }
  return order
}
