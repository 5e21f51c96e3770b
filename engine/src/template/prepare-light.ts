import type { Rect } from '../geometry/rect.ts'
import type { LightLayers } from '../lighting/light-chunk.ts'
import { buildLightTable } from '../lighting/light-tables.ts'
import { resampleLayer } from '../sampling/resample-layer.ts'
import { lightTermNames } from './light-terms.ts'
import type { ReadLayer } from './prepare-layer.ts'
import type { LayerReference, Lighting } from './template.ts'

/** Memory that the layers hold, in bytes. */
export function measureLight(light: LightLayers): number {
  return lightTermNames.reduce((sum, term) => sum + (light[term]?.byteLength ?? 0), 0)
}

/** Reads the light of a frame or a colour area and scales it to a region of the output. */
export async function readLight(lighting: Lighting, region: Rect, read: ReadLayer): Promise<LightLayers> {
  const scaled = async (reference: LayerReference): Promise<Uint8Array> => {
    const { layer, placement } = await read(reference, 'rgb')
    return resampleLayer(layer, 3, placement, region, 'catmull-rom', 'extend')
  }
  const entries: [string, Uint8Array | null][] = []
  for (const term of lightTermNames) entries.push([term, lighting[term] && (await scaled(lighting[term]))])
  // `Object.fromEntries` does not preserve the names in its type.
  const layers = Object.fromEntries(entries) as Omit<LightLayers, 'layerTable'>
  return { layerTable: buildLightTable(lighting.scale), ...layers }
}
