/** Finds mockups that would crop their artwork, before they are paid for. */
import { cropOf, isCropped, type SceneFacts } from '../scenes/scene-facts.ts'
import type { ArtworkLooks } from '../scenes/use-artwork-looks.ts'
import { type GalleryPlacing, galleryPlacementOf } from '../visit/gallery-placing.ts'

type FramedTemplate = Pick<SceneFacts, 'id' | 'frames' | 'is_product_template' | 'surface_type'>

type CellOf<Template> = { readonly artwork: File; readonly template: Template }

export type Cropped<Template extends FramedTemplate> = {
  /** Mockups that crop their artwork, out of `of`. */
  readonly count: number
  readonly of: number
  /** Their templates, each once. */
  readonly templates: readonly Template[]
}

export function findCropped<Template extends FramedTemplate>(
  cells: readonly CellOf<Template>[],
  placing: GalleryPlacing,
  looks: ArtworkLooks,
): Cropped<Template> {
  const cropped = cells.filter(({ artwork, template }) => {
    const look = looks.get(artwork)
    return look !== undefined && isCropped(cropOf(template, look, galleryPlacementOf(placing, template, look.isClear)))
  })
  return {
    count: cropped.length,
    of: cells.length,
    templates: [...new Set(cropped.map(({ template }) => template))],
  }
}
