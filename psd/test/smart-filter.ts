import assert from 'node:assert/strict'
import type { Filter, Layer, PlacedLayer, Psd } from 'ag-psd'
import { smartLayer } from './make-psd.ts'

type Settings = (
  | Pick<Extract<Filter, { readonly filter: unknown }>, 'type' | 'filter'>
  | { readonly type: 'invert' }
) & {
  readonly opacity?: number
}

const black = { r: 0, g: 0, b: 0 }

const noMask = { validAtPosition: true, maskEnabled: false, maskLinked: false, maskExtendWithWhite: true }

/** The design of `mockupPsd` with smart filters in their order. `mask`: flags of theirs. */
export function filteredDesign(settings: Settings | readonly Settings[], mask: Partial<typeof noMask> = {}): Layer {
  const { placedLayer } = smartLayer('', [20, 16, 68, 16, 68, 52, 20, 52], { width: 48, height: 36 })
  assert.ok(placedLayer)
  const list = [settings].flat().map(each => {
    const shown = { enabled: true, name: each.type, opacity: 1, blendMode: 'normal' as const, hasOptions: true }
    // as: `each` has the type and the filter of one kind
    return { ...shown, foregroundColor: black, backgroundColor: black, ...each } as Filter
  })
  return {
    id: 7,
    blendMode: 'normal',
    placedLayer: { ...placedLayer, filter: { enabled: true, ...noMask, ...mask, list } },
  }
}

type StoredMask = NonNullable<Psd['filterEffectsMasks']>[number]

/** The mask of a smart object's filters over so much of the document. */
export function storedMask(
  { placed }: Pick<PlacedLayer, 'placed'>,
  widthPx: number,
  heightPx: number,
  levelAt: (x: number, y: number) => number,
  more: Partial<StoredMask> & { readonly isPacked?: boolean } = {},
): StoredMask {
  const { isPacked = false, ...changes } = more
  const rows = Array.from({ length: heightPx }, (_, y) => Uint8Array.from({ length: widthPx }, (_, x) => levelAt(x, y)))
  const data = isPacked ? packRows(rows) : Buffer.concat(rows)
  const rect = { top: 0, left: 0, bottom: heightPx, right: widthPx }
  const extra = { ...rect, compressionMode: isPacked ? 1 : 0, data }
  return { id: placed ?? '', ...rect, depth: 8, channels: [], extra, ...changes }
}

/** PackBits without runs, behind a table of row lengths of four bytes. */
function packRows(rows: readonly Uint8Array[]): Uint8Array {
  const packed = rows.map(row => Buffer.concat([...row].map(value => Buffer.from([0, value]))))
  const table = Buffer.alloc(4 * rows.length)
  for (const [y, row] of packed.entries()) table.writeUInt32BE(row.length, 4 * y)
  return Buffer.concat([table, ...packed])
}
