import type { Rect } from '../geometry/rect.ts'
import type { LightLayers } from '../lighting/light-chunk.ts'
import { buildLightTable } from '../lighting/light-tables.ts'
import { resampleLayer } from '../sampling/resample-layer.ts'
import type { ReadLayer } from './prepare-layer.ts'
import type { LayerReference, Lighting } from './template.ts'

/**
 * The layers of light, and what drawing each costs: milliseconds of a core for a megapixel of the output, as
 * engine/bench/template-cost.ts measures them.
 */
export const lightTerms = {
  shade: { drawnMs: 50 },
  highlights: { drawnMs: 15 },
} as const satisfies { readonly [Term in Exclude<keyof Lighting, 'scale'>]: { readonly drawnMs: number } }

// The type of `Object.keys` knows no names.
export const lightTermNames = Object.keys(lightTerms) as (keyof typeof lightTerms)[]

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
  return {
    layerTable: buildLightTable(lighting.scale),
    shade: await scaled(lighting.shade),
    highlights: lighting.highlights ? await scaled(lighting.highlights) : null,
  }
}
