import { inflateSync } from 'fflate'
import { INK_NODES, type InkTable } from './color-table.ts'

/**
 * The colour table for CMYK without a profile, from `engine/kernels/press-table.bin`: planes of red, green
 * and blue, deflated, of the differences to predictions from neighbouring nodes in black and yellow. `node
 * engine/kernels/build-press-table.ts` builds it from libvips's profile.
 */
export function unpackPressTable(packed: Uint8Array): InkTable {
  const count = INK_NODES ** 4
  const rest = inflateSync(Uint8Array.from(packed), { out: new Uint8Array(count * 3) })
  const table = new Uint8Array(count * 3)
  for (let channel = 0; channel < 3; channel++)
    for (let node = 0; node < count; node++)
      table[node * 3 + channel] = (rest[channel * count + node] ?? 0) + expectNode(table, node, channel)
  return table
}

/** Predicts a node from the nodes before it. */
export function expectNode(table: InkTable, node: number, channel: number): number {
  const at = (by: number): number => table[(node - by) * 3 + channel] ?? 0
  const hasBlack = node % INK_NODES > 0
  const hasYellow = Math.floor(node / INK_NODES) % INK_NODES > 0
  if (hasBlack && hasYellow) return at(1) + at(INK_NODES) - at(INK_NODES + 1)
  if (hasBlack) return at(1)
  return hasYellow ? at(INK_NODES) : node >= INK_NODES ** 2 ? at(INK_NODES ** 2) : 0
}
