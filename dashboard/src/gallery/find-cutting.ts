/** What a person should know of pictures before they are paid. */
import { cropOf, isCropped, type SceneFacts } from '../scenes/scene-facts.ts'
import type { ArtworkLooks } from '../scenes/use-artwork-looks.ts'
import { type GalleryPlacing, galleryPlacementOf } from '../visit/gallery-placing.ts'

type FramedTemplate = Pick<SceneFacts, 'id' | 'frames' | 'is_product_template' | 'surface_type'>

type CellOf<Template> = { readonly artwork: File; readonly template: Template }

export type Cutting<Template extends FramedTemplate> = {
  /** Pictures that cut their artwork, of all. */
  readonly count: number
  readonly of: number
  /** Their scenes, each once. */
  readonly templates: readonly Template[]
}

export function findCutting<Template extends FramedTemplate>(
  cells: readonly CellOf<Template>[],
  placing: GalleryPlacing,
  looks: ArtworkLooks,
): Cutting<Template> {
  const cutting = cells.filter(({ artwork, template }) => {
    const look = looks.get(artwork)
    return look !== undefined && isCropped(cropOf(template, look, galleryPlacementOf(placing, template, look.isClear)))
  })
  return {
    count: cutting.length,
    of: cells.length,
    templates: [...new Set(cutting.map(({ template }) => template))],
  }
}
