import type { FrameResource } from '@vitrine/contract'
import type { TemplateRecord } from './template-record.ts'

/** The frames of a template as lists show them. One without a slot is described as it always was. */
export function frameResourcesOf({ aspectRatios, slots }: TemplateRecord): FrameResource[] {
  return aspectRatios.map((aspect_ratio, index) => {
    const slot = slots[index] ?? null
    return { index, aspect_ratio, ...(slot === null ? {} : { slot }) }
  })
}
