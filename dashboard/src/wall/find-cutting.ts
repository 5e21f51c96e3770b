/** What a person should know of pictures before they are paid. */
import { cropOf, isCut, type SceneFacts } from './scene-facts.ts'
import type { ArtworkLooks } from './use-artwork-looks.ts'
import { type WallPlacing, wallPlacementOf } from './wall-placing.ts'

type FramedTemplate = Pick<SceneFacts, 'id' | 'frames' | 'is_product_template' | 'surface_type'>

export type Cutting<Template extends FramedTemplate> = {
  /** Pictures that cut their artwork, of all: one artwork in one scene is a picture. */
  readonly count: number
  readonly of: number
  /** Their scenes, each once. */
  readonly templates: readonly Template[]
}

export function findCutting<Template extends FramedTemplate>(
  artworks: readonly File[],
  picked: readonly Template[],
  placing: WallPlacing,
  looks: ArtworkLooks,
): Cutting<Template> {
  const cutting = artworks.flatMap(artwork => {
    const look = looks.get(artwork)
    if (look === undefined) return []
    return picked.filter(template => isCut(cropOf(template, look, wallPlacementOf(placing, template, look.isClear))))
  })
  return { count: cutting.length, of: artworks.length * picked.length, templates: [...new Set(cutting)] }
}
