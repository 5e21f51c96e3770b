import type { Layer } from 'ag-psd'

/** A layer and those clipped to it, from the bottom to the top, without hidden ones. */
export type ClippingSet = { readonly base: Layer; readonly clipped: readonly Layer[] }

/** Groups layers by what they are clipped to. Layers that are clipped to a hidden layer are hidden too. */
export function clippingSets(layers: readonly Layer[]): ClippingSet[] {
  const sets: { base: Layer; clipped: Layer[] }[] = []
  for (const layer of layers) {
    const last = sets.at(-1)
    if (layer.clipping && last) last.clipped.push(layer)
    else sets.push({ base: layer, clipped: [] })
  }
  return sets
    .filter(({ base }) => !base.hidden)
    .map(({ base, clipped }) => ({ base, clipped: clipped.filter(layer => !layer.hidden) }))
}
