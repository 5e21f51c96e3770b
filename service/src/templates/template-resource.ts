import type { FrameResource, TemplateResource } from '@vitrine/contract'
import type { TemplateRecord } from './template-record.ts'

/** A template as the interface and the dashboard list it. */
export function templateResourceOf(record: TemplateRecord, publicUrl: string): TemplateResource {
  const [firstRatio] = record.aspectRatios
  if (firstRatio === undefined) throw new Error(`Template ${record.id} has no frame`)
  return {
    id: record.id,
    name: record.name,
    category: record.category,
    frame_count: record.aspectRatios.length,
    thumbnail_url: publicUrl + record.thumbnailPath,
    aspect_ratio: firstRatio,
    blending_mode: record.blendMode,
    render_mode: record.renderMode,
    surface_type: record.surfaceType,
    is_product_template: record.type === 'product',
    frames: frameResourcesOf(record),
    colors: [...record.colors],
  }
}

/** A frame without a slot has no field for it. */
export function frameResourcesOf({ aspectRatios, slots }: TemplateRecord): FrameResource[] {
  return aspectRatios.map((aspect_ratio, index) => {
    const slot = slots[index] ?? null
    return { index, aspect_ratio, ...(slot === null ? {} : { slot }) }
  })
}
