import type { RenderJob } from './render-job.ts'

/** A part of a job, with the indexes of its mockups in the job. */
export type JobPart = { readonly job: RenderJob; readonly indexes: readonly number[] }

/**
 * Splits a job into nearly equal parts for several processes. Mockups of one template stay together where
 * possible, because each process prepares its own templates. The order of templates is preserved.
 */
export function splitJob(job: RenderJob, partCount: number): JobPart[] {
  const indexes = job.mockups.map((_, index) => index)
  if (partCount <= 1 || indexes.length <= 1) return [{ job, indexes }]
  const ordered = [...Map.groupBy(indexes, index => job.mockups[index]?.bundle.key).values()].flat()
  const count = Math.min(partCount, ordered.length)
  return Array.from({ length: count }, (_, part) => {
    const own = ordered.slice(
      Math.round((part * ordered.length) / count),
      Math.round(((part + 1) * ordered.length) / count),
    )
    return { indexes: own, job: { ...job, mockups: own.flatMap(index => job.mockups[index] ?? []) } }
  })
}
