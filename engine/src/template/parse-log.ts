import type { Quad } from '../geometry/quad.ts'
import { FaultCollector } from './fault-collector.ts'
import type { SceneRegion } from './template.ts'

/** What a file of the bundle is used as. */
export type LayerUse = 'scene' | 'thumbnail' | 'mask' | 'uvmap' | 'light' | 'overlay'

/**
 * What a parse found on its way, faulty description or not: the faults, and everything that can only be checked with the
 * pictures at hand. So a maker sees a missing file and a misspelt field in the same run.
 */
export class ParseLog {
  readonly faults = new FaultCollector()
  readonly files: { readonly field: string; readonly path: string; readonly use: LayerUse }[] = []
  readonly quads: { readonly field: string; readonly corners: Quad }[] = []
  readonly regions: { readonly field: string; readonly region: SceneRegion }[] = []
}
