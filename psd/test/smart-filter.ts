import assert from 'node:assert/strict'
import type { Filter, Layer } from 'ag-psd'
import { smartLayer } from './make-psd.ts'

type Settings = Pick<Extract<Filter, { readonly filter: unknown }>, 'type' | 'filter'>

const black = { r: 0, g: 0, b: 0 }

/** The design of `mockupPsd` with one smart filter. */
export function filteredDesign(settings: Settings, look: { readonly opacity?: number } = {}): Layer {
  const { placedLayer } = smartLayer('', [20, 16, 68, 16, 68, 52, 20, 52], { width: 48, height: 36 })
  assert.ok(placedLayer)
  const shown = { enabled: true, name: settings.type, opacity: 1, blendMode: 'normal' as const, hasOptions: true }
  // as: `settings` has the type and the filter of one kind
  const filter = { ...shown, foregroundColor: black, backgroundColor: black, ...settings, ...look } as Filter
  const mask = { validAtPosition: true, maskEnabled: false, maskLinked: true, maskExtendWithWhite: true }
  return {
    id: 7,
    blendMode: 'normal',
    placedLayer: { ...placedLayer, filter: { enabled: true, ...mask, list: [filter] } },
  }
}
