import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { proposePlacement } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import { fileArtwork } from '../api-client/client.ts'
import { findClearParts } from '../local-render/clear-parts.ts'
import type { FoundDesign } from './find-designs.ts'

/** The templates of a run. */
export type BatchTemplates = {
  readonly ids: readonly string[]
  /** Those that are products. Empty if the run has a placement of its own. */
  readonly products: ReadonlySet<string>
}

/**
 * The designs as used in requests. A picture that may have transparent parts becomes two designs: one for
 * prints, and one for products, on which it is shown whole if it is transparent.
 */
export function buildDesigns(root: string, found: readonly FoundDesign[], { ids, products }: BatchTemplates) {
  const codec = createSharpCodec()
  const onProducts = ids.filter(id => products.has(id))
  const others = ids.filter(id => !products.has(id))
  return found.flatMap(({ id, file }) => {
    const place = path.join(root, file)
    const design = { id, artwork: () => fileArtwork(place) }
    if (onProducts.length === 0 || /\.jpe?g$/i.test(file)) return [{ ...design, templates: ids }]
    const output = async () => {
      const placement = (await findClearParts(await readFile(place), codec)) ? proposePlacement(true) : null
      return placement === null ? {} : { placement }
    }
    const whole = { ...design, templates: onProducts, output }
    return others.length === 0 ? [whole] : [{ ...design, templates: others }, whole]
  })
}
